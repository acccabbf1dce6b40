#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "the classical Runge-Kutta method, four stages\n"
                 "tau = T/2, T/2, T, T\n",
    .use = "The default of plans in C. Order 4 in smooth sliding in one dimension; order 1 "
           "in stick, in planar sliding and across stick/slip changes, where each stage "
           "looks tau ahead.",
    .source = "[modular] (13), (21).",
};

const StiMethod sti_method_rk4 = {
    .table_size = sizeof(StiMethod),
    .name = "rk4",
    .summary = "classical Runge-Kutta, order 4 in smooth motion",
    .stages = 4,
    .order = 4,
    .A = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .tau = {0.5, 0.5, 1.0, 1.0},
    .explanation = &explanation,
};
