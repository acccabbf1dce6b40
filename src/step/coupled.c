// The solver `coupled`: joint friction and contact together (COUPLED.md).
#include "network/solver.h"
#include "step/reactions.h"

static const char *refuse(const StiNetwork *network, const char **element)
{
    *element = network->contact_count > 0 ? network->contacts[0].name : "";
    return "not in this version";
}

static StiStatus step(const StiNetwork *network, const double *inputs, StiState *state,
                      StiScratch *scratch)
{
    return sti_solver_sweeps.step(network, inputs, state, scratch);
}

const StiSolver sti_solver_coupled = {
    .name = "coupled",
    .summary = "exact friction cones for joints and contacts together; energy is never added",
    .contacts = true,
    .refuse = refuse,
    .step = step,
};
