#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "x+ = x + T xdot(x)\n"
                 "tau = T\n",
    .use = "Reproducing the papers' fixed-step results; stiff elements with look-ahead.",
    .source = "[modular] (13) with one stage; [fixed-step] is written for it.",
};

const StiMethod sti_method_euler = {
    .table_size = sizeof(StiMethod),
    .name = "euler",
    .summary = "explicit Euler",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
    .explanation = &explanation,
};
