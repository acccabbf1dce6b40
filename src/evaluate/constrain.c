// Constraints of bodies at the end of a step: linkages.
#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"

// Links of one body on which a reaction sticks; false if there is none.
static bool find_held(const StiNetwork *network, const StiScratch *scratch, int admittance,
                      bool *held)
{
    const Admittance *a = &network->admittances[admittance];
    bool any = false;
    memset(held, 0, (size_t)a->size.links * sizeof *held);
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (!wire->kind->links || !scratch->reactions->answers[i].stuck) continue;
        if (wire->a.admittance == admittance) held[wire->a.place] = any = true;
        if (wire->b.admittance == admittance) held[wire->b.place] = any = true;
    }
    return any;
}

// Which part of the errors a body takes back when a step ends.
static double share_of(const Admittance *a, const StiStage *stage)
{
    const double rate = a->kind->returns != NULL ? a->kind->returns(a->parameters) : INFINITY;
    if (isinf(rate)) return 1.0;
    return stage->ahead ? -sti_expm1(-rate * stage->step) : 0.0;
}

// x back on the constraints, with the signals in end; what sticks stays where it is at x_held. x as it was
// is in acting.
static StiStatus constrain_bodies(const StiNetwork *network, const double *x_held,
                                  StiScratch *scratch, double *x)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const double share = a->kind->constrain != NULL ? share_of(a, &scratch->end.stage) : 0.0;
        if (share == 0.0) continue;
        const bool *held = find_held(network, scratch, i, scratch->evaluate->held)
                               ? scratch->evaluate->held
                               : NULL;
        const StiStatus status =
            a->kind->constrain(a->parameters, scratch->end.ports + a->port, held, x_held + a->q,
                               x + a->q, x + a->v, scratch->workspace);
        if (status != STI_OK)
            return sti_fault(scratch, status, a->name, "constraint", &scratch->end.stage);
        for (int d = a->q; share < 1.0 && d < a->q + a->size.positions; ++d)
            x[d] = scratch->evaluate->acting[d] + share * (x[d] - scratch->evaluate->acting[d]);
    }
    return STI_OK;
}

static void keep_acting(const StiNetwork *network, StiScratch *scratch, const double *x)
{
    memcpy(scratch->evaluate->acting, x,
           (size_t)network->x_count * sizeof *scratch->evaluate->acting);
}

StiStatus sti_constrain(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                        const StageData *last)
{
    if (!network->constrains) return STI_OK;
    keep_acting(network, scratch, scratch->next);
    sti_signals_at_end(network, scratch, last);
    return constrain_bodies(network, state->values, scratch, scratch->next);
}

StiStatus sti_constrain_after_events(const StiNetwork *network, StiScratch *scratch,
                                     const StageData *last)
{
    if (!network->constrains) return STI_OK;
    sti_signals_at_end(network, scratch, last);
    return sti_constrain_values(network, scratch, scratch->next);
}

StiStatus sti_constrain_values(const StiNetwork *network, StiScratch *scratch, double *values)
{
    keep_acting(network, scratch, values);
    return constrain_bodies(network, scratch->evaluate->acting, scratch, values);
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
