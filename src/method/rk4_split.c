#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "the classical Runge-Kutta method, four stages at tau = 0; cut as\n"
                 "ark4; the spring of a sliding element along one axis exactly\n",
    .use = "Rigid friction along one axis; elastic friction whose stick frequency times T is "
           "below 2.",
    .source = "docs/methods.md.",
};

const StiMethod sti_method_rk4_split = {
    .table_size = sizeof(StiMethod),
    .name = "rk4-split",
    .summary = "classical Runge-Kutta, cut at stick and slip: order 4 where friction is not stiff",
    .stages = 4,
    .order = 4,
    .A = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .cuts = true,
    .AI = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .explanation = &explanation,
};
