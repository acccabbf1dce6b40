// What is stuck stands still: the velocities of stuck rows go to zero, and nothing else moves more
// than it must.
#include <string.h>

#include "evaluate/modes.h"
#include "rows/reactions.h"

static void apply_impulses(const StiNetwork *network, StiScratch *scratch, const StageData *moved,
                           double *x)
{
    const ReactionData *data = scratch->reactions;
    const Response *response = &data->response;
    memset(response->force, 0, (size_t)network->generalized_count * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
    sti_phi_reactions(network, data->answers, moved, response->force, response->wrenches);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0) continue;
        sti_response_of(network, moved, response, i);
        for (int d = 0; d < a->size.velocities; ++d)
            x[a->v + d] += response->dv[a->generalized + d];
    }
}

// Bodies that hold their stuck coordinates themselves.
static StiStatus stop_held(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                           double *x)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const bool *held = scratch->holding->held + a->generalized;
        bool moves = false;
        if (!a->holds || !scratch->holding->any[i]) continue;
        for (int d = 0; d < a->size.velocities; ++d)
            moves = moves || (held[d] && x[a->v + d] != 0.0);
        if (!moves) continue;
        const StiStatus status =
            a->kind->hold->stop_locked(a->parameters, x + a->q, held, x + a->v, scratch->workspace);
        if (status != STI_OK) return sti_fault(scratch, status, a->name, "inertia", &now->stage);
    }
    return STI_OK;
}

// The others: impulses along the stuck rows.
static StiStatus stop_locked_rows(const StiNetwork *network, const double *s, StiScratch *scratch,
                                  const StageData *now, double *x)
{
    ReactionData *data = scratch->reactions;
    StageData *moved = &scratch->beside;
    moved->stage = now->stage;
    memcpy(moved->x, x, (size_t)network->x_count * sizeof *x);
    memcpy(moved->ports, now->ports, (size_t)network->port_count * sizeof *moved->ports);
    sti_psi_reactions(network, moved);
    const int count = sti_modes_factor(network, s, scratch, moved);
    if (count < 0) return scratch->fault.status;
    if (count == 0) return STI_OK;
    double *rate = scratch->holding->rate, *impulse = scratch->holding->lambda;
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[data->owner[p]];
        rate[p] = moved->velocity[e->wire.v + data->rows[p] - e->row];
    }
    sti_modes_solve_freely(network, scratch, count);
    for (int i = 0; i < network->reaction_count; ++i) {
        data->answers[i] = (StiReactionAnswer){.stuck = data->chosen[i]};
        for (int d = 0; data->chosen[i] && d < network->reactions[i].size.dim; ++d)
            data->answers[i].r[d] = impulse[data->place[i] + d];
    }
    apply_impulses(network, scratch, moved, x);
    sti_assign_stuck(network, scratch, now->ports, x);
    return STI_OK;
}

StiStatus sti_modes_hold(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now, double *x)
{
    sti_modes_hold_coordinates(network, s, scratch);
    return sti_modes_stop_locked(network, s, scratch, now, x);
}

StiStatus sti_modes_stop_locked(const StiNetwork *network, const double *s, StiScratch *scratch,
                                const StageData *now, double *x)
{
    if (network->reaction_count == 0) return STI_OK;
    const StiStatus status = stop_held(network, scratch, now, x);
    return status == STI_OK && scratch->holding->outside > 0
               ? stop_locked_rows(network, s, scratch, now, x)
               : status;
}
