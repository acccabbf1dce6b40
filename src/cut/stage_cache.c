// The evaluation at the end of a cut step is the first one of the next: kept in the scratch, and used
// only where the point is the same to the last bit, so that nothing depends on it.
#include <string.h>

#include "cut/substep.h"

bool sti_stage_cache_holds(const StiNetwork *n, const double *inputs, const StiState *state,
                           const StiScratch *scratch)
{
    const SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    return data->kept && !n->iterates_loads && !n->settles && now->stage.t == data->t &&
           data->kept_from == scratch->smooth_from && data->kept_to == scratch->smooth_to &&
           data->kept_usual == (inputs == NULL) &&
           (inputs == NULL ||
            memcmp(data->kept_inputs, inputs, (size_t)n->input_count * sizeof(double)) == 0) &&
           memcmp(now->x, state->values, (size_t)state->s * sizeof *now->x) == 0 &&
           memcmp(data->s, state->values + state->s, (size_t)n->s_count * sizeof *data->s) == 0;
}

void sti_stage_cache_keep(const StiNetwork *n, const double *inputs, StiScratch *scratch)
{
    SubstepData *data = scratch->substep;
    data->kept = !data->probed;
    data->kept_from = scratch->smooth_from;
    data->kept_to = scratch->smooth_to;
    data->kept_usual = inputs == NULL;
    if (inputs != NULL) memcpy(data->kept_inputs, inputs, (size_t)n->input_count * sizeof(double));
}
