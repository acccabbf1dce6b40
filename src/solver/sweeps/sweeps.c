// The solver `sweeps`: one evaluation per step, and the reactions that bring velocities to zero.
#include <string.h>

#include "network/solver.h"
#include "solver/sweeps/affine.h"
#include "solver/flight.h"
#include "solver/sweeps/sweeps.h"
#include "rows/least_norm.h"

StiStatus sti_smooth_start(const StiNetwork *network, const double *inputs, const StiState *state,
                           StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    now->stage = (StiStage){.t = sti_network_time(network, state->k + 1),
                            .tau = network->step,
                            .step = network->step,
                            .k = state->k,
                            .gravity = network->gravity,
                            .ahead = true,
                            .workspace = scratch->workspace};
    memcpy(now->x, state->values, (size_t)network->x_count * sizeof *now->x);
    memcpy(now->y, state->values + state->y, (size_t)network->y_count * sizeof *now->y);
    memcpy(now->loads, state->values + state->loads,
           (size_t)network->load_count * sizeof *now->loads);
    memcpy(scratch->reactions->s, state->values + state->s,
           (size_t)network->s_count * sizeof(double));
    memset(scratch->reactions->answers, 0,
           (size_t)network->reaction_count * sizeof *scratch->reactions->answers);
    return sti_sources(network, inputs, scratch, now);
}

StiStatus sti_smooth_motion(const StiNetwork *network, const double *inputs, const StiState *state,
                            StiScratch *scratch)
{
    const StiStatus status = sti_smooth_start(network, inputs, state, scratch);
    if (status != STI_OK) return status;
    sti_psi(network, &scratch->stages[0]);
    sti_modes_at_start(network, &scratch->stages[0], scratch->reactions->s);
    return STI_OK;
}

static void reactions_listen(const StiNetwork *network, StageData *now)
{
    for (int i = 0; i < network->reaction_count; ++i)
        sti_listen(&network->reactions[i].connections, now);
}

static StiStatus smooth_forces(const StiNetwork *network, const StiState *state,
                               StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    const StiStatus status = sti_impedances(network, state->values + state->s, scratch, now);
    if (status != STI_OK) return status;
    reactions_listen(network, now);
    sti_phi(network, now);
    return sti_sweeps(scratch)->affine.applies ? sti_affine_accelerate(network, scratch, now)
                                               : sti_admittances(network, scratch, now);
}

// H factored, and W.
static StiStatus prepare(const StiNetwork *network, StiScratch *scratch)
{
    const StiStatus status = sti_sweeps(scratch)->affine.applies
                                 ? sti_affine_inertia(network, scratch)
                                 : sti_reaction_inertia(network, scratch);
    if (status == STI_OK) sti_least_norm_inertia(network, scratch);
    return status;
}

// Of the rows, at the positions of the start.
static void free_rates(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    StageData *end = &scratch->end;
    sti_constrain_velocities(network, scratch, now);
    memcpy(end->x, scratch->next, (size_t)network->x_count * sizeof *end->x);
    memcpy(end->ports, now->ports, (size_t)network->port_count * sizeof *end->ports);
    sti_psi_reactions(network, end);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        memcpy(scratch->reactions->free_rate + e->row, end->velocity + e->wire.v,
               (size_t)e->size.dim * sizeof(double));
    }
}

// vbar = v + T H^-1 h, of the bodies (into next) and of the rows.                [fixed-step] (17a)
static void free_velocity(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    memcpy(scratch->next, state->values, (size_t)state->count * sizeof *scratch->next);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d)
            scratch->next[a->v + d] += network->step * now->xdot[a->v + d];
    }
    if (sti_sweeps(scratch)->affine.applies)
        sti_affine_free_rates(network, scratch, now);
    else
        free_rates(network, scratch);
}

// The motion without reactions: once per step, unless smooth forces change with the loads.
static StiStatus free_motion(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                             bool again)
{
    StageData *now = &scratch->stages[0];
    if (again && !network->smooth_loads) {
        reactions_listen(network, now);
        return STI_OK;
    }
    const StiStatus status = smooth_forces(network, state, scratch);
    if (status == STI_OK) free_velocity(network, state, scratch); // (17a)
    return status;
}

// The loads that belong to smooth forces and reactions together. Leaves the smooth forces in uhat.
static StiStatus loads_with_reactions(const StiNetwork *network, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    if (sti_sweeps(scratch)->affine.applies) return sti_affine_loads(network, scratch, now);
    sti_phi_reactions(network, scratch->reactions->answers, now, now->generalized, now->wrenches);
    const StiStatus status = sti_admittances(network, scratch, now);
    sti_phi(network, now);
    return status;
}

// v += T H^-1 J^T f
static void push_velocities(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const ReactionData *data = scratch->reactions;
    const Response *response = &data->response;
    memset(response->force, 0, (size_t)network->generalized_count * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
    sti_phi_reactions(network, data->answers, now, response->force, response->wrenches);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0) continue;
        sti_response_of(network, now, response, i);
        for (int d = 0; d < a->size.velocities; ++d)
            scratch->next[a->v + d] += network->step * response->dv[a->generalized + d];
    }
}

// v = vbar + T H^-1 J^T f; stuck rows exactly 0; positions from the new v.       (17c)
static void advance(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    if (sti_sweeps(scratch)->affine.applies)
        sti_affine_advance(network, scratch);
    else
        push_velocities(network, scratch);
    sti_assign_stuck(network, scratch, now->ports, scratch->next);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0)
            a->kind->move(a->parameters, scratch->next + a->v, network->step, scratch->next + a->q);
    }
    for (int i = 0; i < network->y_count; ++i)
        next_y(scratch)[i] = state->values[state->y + i] + network->step * now->ydot[i];
    memcpy(next_loads(scratch), now->loads, (size_t)network->load_count * sizeof *now->loads);
}

// Modes after the step.                                                   [regularization] (19b)
static void settle(const StiNetwork *network, StiScratch *scratch)
{
    ReactionData *data = scratch->reactions;
    memcpy(next_s(scratch), data->s, (size_t)network->s_count * sizeof(double));
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        double vbar[STI_REACTION_DIM_MAX];
        const StiReactionProblem problem = sti_local_problem(network, scratch, i, vbar);
        if (e->kind->settle != NULL)
            e->kind->settle(e->parameters, &problem, &data->answers[i], next_s(scratch) + e->s);
    }
    sti_settle_impedances(network, scratch, &scratch->stages[0]);
}

static StiStatus step(const StiNetwork *network, const double *inputs, StiState *state,
                      StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    int iterations = 0;
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    if (status == STI_OK) status = sti_smooth_motion(network, inputs, state, scratch);
    if (status == STI_OK) status = prepare(network, scratch);
    sti_arrests_clear(network, scratch);
    for (bool again = false; status == STI_OK; again = true) {
        status = free_motion(network, state, scratch, again);
        if (status != STI_OK) break;
        status = sti_resolve(network, scratch); // (17b)
        if (status == STI_OK && network->iterates_loads)
            status = loads_with_reactions(network, scratch);
        if (status != STI_OK) break;
        if (sti_loads_moved(network, scratch, now, &iterations, &status)) continue;
        if (status != STI_OK) break;
        if (!sti_release_worst(network, scratch) && !sti_arrest_reversals(network, scratch))
            break; // (19b)
        iterations = 0;
    }
    if (status != STI_OK) return status;
    advance(network, state, scratch); // (17c)
    status = sti_fly(network, state, scratch);
    if (status != STI_OK) return status;
    status = sti_constrain(network, state, scratch, now);
    if (status != STI_OK) return status;
    settle(network, scratch);
    return sti_step_commit(network, state, scratch, &now->stage);
}

static void *take(StiArena *arena, const StiNetwork *network, StiScratch *scratch)
{
    (void)scratch;
    SweepData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    if (!network->method->cuts) sti_affine_take(arena, network, &data->affine);
    data->own = sti_arena_numbers(arena, STI_REACTION_DIM_MAX * network->row_count);
    data->correction = sti_arena_numbers(arena, network->row_count);
    data->saved_rate = sti_arena_numbers(arena, network->row_count);
    data->saved_answers =
        sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof *data->saved_answers);
    return data;
}

static const StiExplanation explanation = {
    .equations = "v = vbar - T W r    for all reactions r together, W = J H^-1 J^T\n",
    .use = "Networks with reactions of any kind, karnopp and quinn too, without contacts. "
           "Each element is solved exactly in turn until all agree; then one direct solve on "
           "those that stick makes their velocity exactly zero.",
    .source = "[fixed-step] (17), [regularization] (18), generalised to any inertia.",
};

const StiSolver sti_solver_sweeps = {
    .name = "sweeps",
    .summary = "reactions of any kind: exact local solves in sweeps, then one direct solve on the "
               "stuck set",
    .limits = true,
    .take = take,
    .step = step,
    .explanation = &explanation,
};
