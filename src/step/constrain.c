// Constraints of bodies at the end of a step: linkages.
#include <string.h>

#include "step/evaluate.h"

// Links of one body on which a reaction sticks; false if there is none.
static bool find_held(const StiNetwork *network, const StiScratch *scratch, int admittance,
                      bool *held)
{
    const Admittance *a = &network->admittances[admittance];
    bool any = false;
    memset(held, 0, (size_t)a->size.links * sizeof *held);
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (!wire->kind->links || !scratch->reactions.answers[i].stuck) continue;
        if (wire->a.admittance == admittance) held[wire->a.place] = any = true;
        if (wire->b.admittance == admittance) held[wire->b.place] = any = true;
    }
    return any;
}

StiStatus sti_constrain(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                        const StageData *last)
{
    if (!network->constrains) return STI_OK;
    memcpy(scratch->acting, scratch->next, (size_t)network->x_count * sizeof *scratch->acting);
    sti_signals_at_end(network, scratch, last);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->kind->constrain == NULL) continue;
        const bool *held = find_held(network, scratch, i, scratch->held) ? scratch->held : NULL;
        const StiStatus status =
            a->kind->constrain(a->parameters, scratch->end.ports + a->port, held,
                               state->values + a->q, scratch->next + a->q, scratch->next + a->v,
                               scratch->workspace);
        if (status != STI_OK)
            return sti_fault(scratch, status, a->name, "constraint", &scratch->end.stage);
    }
    return STI_OK;
}

void sti_constrain_velocities(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    if (!network->constrains) return;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->kind->constrain != NULL)
            a->kind->constrain(a->parameters, now->ports + a->port, NULL, NULL,
                               scratch->next + a->q, scratch->next + a->v, scratch->workspace);
    }
}
