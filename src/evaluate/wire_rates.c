// How the velocities of wires that carry modes change: J a + Jdot v.
#include "evaluate/modes.h"
#include "rows/rates.h"
#include "evaluate/touches.h"

// Plain wires have no drift.
void sti_modes_accelerations(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    if (network->senses_plainly) {
        for (int k = 0; k < network->plain_count; ++k)
            scratch->evaluate->wire_rate[network->plain[k].v] = now->xdot[network->plain[k].own_v];
        return;
    }
    const Response *response = &scratch->reactions->response;
    sti_rates_accelerate(network, now, response);
    double *rate = scratch->evaluate->wire_rate;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->modes != NULL && e->wired)
            sti_rates_sense(network, scratch, now, &e->wire, rate + e->wire.v);
    }
    for (int i = 0; i < network->reaction_count; ++i)
        sti_rates_sense(network, scratch, now, &network->reactions[i].wire,
                        rate + network->reactions[i].wire.v);
    for (int i = 0; i < network->xhat_velocities; ++i) rate[i] += scratch->evaluate->wire_drift[i];
}

void sti_modes_reaction_drifts(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                               const StageData *now)
{
    if (network->senses_plainly) return; // they have none
    for (int i = 0; i < network->reaction_count; ++i) {
        const Wire *wire = &network->reactions[i].wire;
        sti_wire_drift(network, inputs, scratch, now, wire,
                       scratch->evaluate->wire_drift + wire->v);
    }
}

static void drifts(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                   const StageData *now)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->modes != NULL && e->wired)
            sti_wire_drift(network, inputs, scratch, now, &e->wire,
                           scratch->evaluate->wire_drift + e->wire.v);
    }
    sti_modes_reaction_drifts(network, inputs, scratch, now);
}

void sti_modes_rates(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                     const StageData *now)
{
    if (!network->senses_plainly) drifts(network, inputs, scratch, now);
    sti_modes_accelerations(network, scratch, now);
    if (scratch->touches->count > 0) sti_touches_rates(network, scratch, now);
}
