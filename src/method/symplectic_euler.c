#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "v+ = v + T vdot(q, v),  q+ = q + T v+\n"
                 "tau = T\n",
    .use = "Long runs with springs: the energy of an oscillation does not grow.",
    .source = "[fixed-step] (14), (17): positions follow from the new velocity.",
};

const StiMethod sti_method_symplectic_euler = {
    .table_size = sizeof(StiMethod),
    .name = "symplectic-euler",
    .summary = "Euler with positions from the new velocities",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
    .positions_last = true,
    .explanation = &explanation,
};
