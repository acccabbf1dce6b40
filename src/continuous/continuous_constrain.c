// Constraints of bodies at a moment of continuous time: linkages.
#include <string.h>

#include "continuous/continuous.h"
#include "evaluate/evaluate.h"

bool sti_continuous_constrained(const StiNetwork *network) { return network->constrains; }

StiStatus sti_continuous_constrain(const StiNetwork *network, const double *inputs,
                                   const StiState *state, double t, StiSmoothInterval piece,
                                   double *values, StiScratch *scratch)
{
    if (!network->constrains) return STI_OK;
    StageData *end = &scratch->end;
    end->stage = (StiStage){.t = t,
                            .step = network->step,
                            .k = state->k,
                            .gravity = network->gravity,
                            .workspace = scratch->workspace};
    memcpy(end->loads, scratch->stages[0].loads, (size_t)network->load_count * sizeof *end->loads);
    memcpy(end->u, scratch->stages[0].u, (size_t)network->xhat_velocities * sizeof *end->u);
    sti_continuous_limit_to(scratch, piece);
    const StiStatus status = sti_sources(network, inputs, scratch, end);
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    if (status != STI_OK) return status;
    for (int i = 0; i < network->reaction_count; ++i)
        scratch->reactions->answers[i].stuck =
            state->values[state->s + network->reactions[i].s] == STI_STICK;
    return sti_constrain_values(network, scratch, values);
}
