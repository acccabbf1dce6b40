// Slip that changes its sign within a step comes to rest in between; there the static level counts.
#include <string.h>

#include "rows/reactions.h"

void sti_arrests_clear(const StiNetwork *network, StiScratch *scratch)
{
    memset(scratch->reactions->arrested, 0,
           (size_t)network->reaction_count * sizeof *scratch->reactions->arrested);
}

bool sti_arrest_reversals(const StiNetwork *network, StiScratch *scratch)
{
    const ReactionData *data = scratch->reactions;
    bool any = false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (e->kind->arrest == NULL || data->answers[i].stuck || data->arrested[i]) continue;
        data->arrested[i] = e->kind->arrest(e->parameters, scratch->stages[0].velocity + e->wire.v,
                                            data->rate + e->row, data->s + e->s);
        any = any || data->arrested[i];
    }
    return any;
}
