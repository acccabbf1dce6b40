#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "v+ = v + T H^-1 (h(q, v) - J^T f),  q+ = q + T v+\n"
                 "f: friction of the new velocity, J v+ = 0 where it sticks;  tau = T\n",
    .use = "The fast choice: one evaluation a step, a half to a tenth of the time of cut, of "
           "order 1. The default where cut cannot run: karnopp, quinn, contacts of boxes "
           "with each other. Without reactions the same as symplectic-euler.",
    .source = "[fixed-step] (14), (17); with contacts the solver that the scene names.",
};

const StiMethod sti_method_rule = {
    .table_size = sizeof(StiMethod),
    .name = "rule",
    .summary = "one evaluation per step, reactions by the finite-time rule: fast, order 1",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
    .positions_last = true,
    .finite_time = true,
    .explanation = &explanation,
};
