#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "x+ = x + (T/2)(k1 + k2),  k1 = xdot(x),  k2 = xdot(x + T k1)\n"
                 "tau = T, T\n",
    .use = "Order 2 in smooth motion for two evaluations a step.",
    .source = "[modular] (13) with two stages; tau as in (21).",
};

const StiMethod sti_method_heun = {
    .table_size = sizeof(StiMethod),
    .name = "heun",
    .summary = "Heun, order 2",
    .stages = 2,
    .order = 2,
    .A = {{0.0}, {1.0}},
    .b = {0.5, 0.5},
    .c = {0.0, 1.0},
    .tau = {1.0, 1.0},
    .explanation = &explanation,
};
