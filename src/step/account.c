// What recorders want to know of a step in pieces: mean forces, and work.
#include <string.h>

#include "network/power.h"
#include "step/account.h"

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

void sti_account_open(const StiNetwork *network, StiScratch *scratch)
{
    PieceData *data = &scratch->pieces;
    memset(data->mean_u, 0, (size_t)network->xhat_velocities * sizeof(double));
    memset(data->mean_loads, 0, (size_t)network->load_count * sizeof(double));
    Works *works = &scratch->works;
    works->given = true;
    memset(works->absorbed_by_impedance, 0, (size_t)network->impedance_count * sizeof(double));
    memset(works->absorbed_by_reaction, 0, (size_t)network->reaction_count * sizeof(double));
    memset(works->on_body, 0, (size_t)network->admittance_count * sizeof(double));
    memset(works->supplied, 0, (size_t)network->admittance_count * sizeof(double));
}

void sti_account_first(const StiNetwork *network, StiScratch *scratch)
{
    PieceData *data = &scratch->pieces;
    memcpy(data->first_u, scratch->stages[0].u, (size_t)network->xhat_velocities * sizeof(double));
    memcpy(data->first_loads, scratch->stages[0].loads,
           (size_t)network->load_count * sizeof(double));
}

void sti_account_stage(const StiNetwork *network, StiScratch *scratch, const StageData *stage,
                       double h)
{
    PieceData *data = &scratch->pieces;
    Works *works = &scratch->works;
    const double share = h / network->step;
    for (int i = 0; i < network->xhat_velocities; ++i) data->mean_u[i] += share * stage->u[i];
    for (int i = 0; i < network->load_count; ++i) data->mean_loads[i] += share * stage->loads[i];
    for (int i = 0; i < network->impedance_count; ++i)
        works->absorbed_by_impedance[i] +=
            h * sti_power_of_impedance(&network->impedances[i], stage);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Wire *wire = &network->reactions[i].wire;
        works->absorbed_by_reaction[i] +=
            h * dot(stage->u + wire->v, stage->velocity + wire->v, wire->size.velocities);
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        works->on_body[i] += h * sti_power_on(a, stage->generalized, stage->wrenches,
                                              sti_velocities_of(a, stage), stage->frames);
        works->supplied[i] += h * sti_power_supplied(a, stage);
    }
}

// Friction acts with the velocities of the end.
void sti_account_finish(const StiNetwork *network, StiScratch *scratch, double h)
{
    StageData *now = &scratch->stages[0];
    memcpy(now->x, scratch->pieces.x, (size_t)network->x_count * sizeof *now->x);
    sti_psi(network, now);
    sti_phi(network, now);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Wire *wire = &network->reactions[i].wire;
        sti_wire_push(network, wire, now, now->u + wire->v, now->generalized, now->wrenches);
    }
    sti_account_stage(network, scratch, now, h);
}
