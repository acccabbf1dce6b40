#include "evaluate/evaluate.h"
#include "evaluate/load_search.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "evaluate/modes.h"

EvaluateData *sti_evaluate_take(StiArena *arena, const StiNetwork *n)
{
    EvaluateData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    data->wire_rate = sti_arena_numbers(arena, n->xhat_velocities);
    data->wire_drift = sti_arena_numbers(arena, n->xhat_velocities);
    data->new_loads = sti_arena_numbers(arena, n->load_count);
    data->start_loads = sti_arena_numbers(arena, n->load_count);
    data->start_s = sti_arena_numbers(arena, n->smooth_loads ? n->s_count : 0);
    data->load_friction = sti_arena_numbers(arena, n->load_count);
    data->kept_u = sti_arena_numbers(arena, n->xhat_velocities);
    data->kept_generalized = sti_arena_numbers(arena, n->load_count > 0 ? n->generalized_count : 0);
    data->kept_wrenches = sti_arena_take(arena, n->load_count > 0 ? (size_t)n->link_count + 1 : 1,
                                         sizeof *data->kept_wrenches);
    data->kept_ydot = sti_arena_numbers(arena, n->smooth_loads ? n->y_count : 0);
    data->held = sti_arena_take(arena, (size_t)n->link_count + 1, sizeof *data->held);
    data->acting = sti_arena_numbers(arena, n->constrains ? n->x_count : 0);
    sti_load_search_take(arena, n, &data->load_search);
    return data;
}

// A new state does not know its loads yet; nor does one whose loads were all zero.
static bool loads_are_unknown(const StiNetwork *network, const StiState *state)
{
    for (int i = 0; i < network->load_count; ++i)
        if (state->values[state->loads + i] != 0.0) return false;
    return network->iterates_loads;
}

StiStatus sti_step_begin(const StiNetwork *network, const double *inputs, const StiState *state,
                         StiScratch *scratch)
{
    const StiStage stage = {.t = sti_network_time(network, state->k), .k = state->k};
    if (scratch->network != network)
        return sti_fault(scratch, STI_BAD_ARGUMENT, "", "scratch of another network", &stage);
    if (state->layout != network->layout)
        return sti_fault(scratch, STI_LAYOUT_MISMATCH, "", "state", &stage);
    if (sti_watch_ends(&scratch->watch)) return sti_fault(scratch, STI_INTERRUPTED, "", "", &stage);
    scratch->fault = (StiFault){.status = STI_OK, .component = "", .what = ""};
    scratch->figures = (StiStepFigures){0};
    scratch->works.given = false;
    scratch->evaluate->gave_up = false;
    scratch->evaluate->modes = NULL;
    scratch->evaluate->loads_chosen = false;
    memcpy(scratch->evaluate->start_loads, state->values + state->loads,
           (size_t)network->load_count * sizeof *scratch->evaluate->start_loads);
    if (network->smooth_loads)
        memcpy(scratch->evaluate->start_s, state->values + state->s,
               (size_t)network->s_count * sizeof *scratch->evaluate->start_s);
    scratch->loads_unknown = loads_are_unknown(network, state);
    for (int i = 0; inputs != NULL && i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        if (source->input >= 0 && !sti_all_finite(inputs + source->input, source->count))
            return sti_fault(scratch, STI_NOT_FINITE, source->name, "input", &stage);
    }
    return STI_OK;
}

void sti_modes_at_start(const StiNetwork *network, const StageData *now, double *s)
{
    for (int i = 0; now->stage.k == 0 && i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (e->kind->level == NULL || s[e->s] != STI_STICK) continue;
        for (int d = 0; d < e->size.dim; ++d)
            if (now->velocity[e->wire.v + d] != 0.0) s[e->s] = STI_SLIP;
    }
}

StiStatus sti_sources(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                      StageData *now)
{
    const double t = fmin(fmax(now->stage.t, scratch->smooth_from), scratch->smooth_to);
    for (int i = 0; i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        double *values = now->sources + source->first;
        if (source->function.eval != NULL)
            source->function.eval(source->function.data, scratch->workspaces[i], t, values);
        else
            memcpy(values, inputs != NULL ? inputs + source->input : source->usual,
                   (size_t)source->count * sizeof *values);
        if (!sti_all_finite(values, source->count))
            return sti_fault(scratch, STI_NOT_FINITE, source->name, "function of time",
                             &now->stage);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, now);
    return STI_OK;
}

void sti_sources_again(const StiNetwork *network, const StageData *from, StageData *now)
{
    memcpy(now->sources, from->sources, (size_t)network->source_values * sizeof *now->sources);
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, now);
}

static void keep_silent(const Impedance *e, StageData *now)
{
    memset(now->u + e->wire.v, 0, (size_t)e->wire.size.velocities * sizeof *now->u);
    memset(now->ydot + e->y, 0, (size_t)e->size.memory * sizeof *now->ydot);
}

StiStatus sti_impedances(const StiNetwork *network, const double *s, StiScratch *scratch,
                         StageData *now)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->reads_load && scratch->loads_unknown) {
            keep_silent(e, now);
            continue;
        }
        sti_listen(&e->connections, now);
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        double *u = now->u + e->wire.v;
        StiStatus status = e->kind->eval(e->parameters, &now->stage, &xhat, now->y + e->y, s + e->s,
                                         u, now->ydot + e->y);
        if (status == STI_OK && !sti_all_finite(u, e->wire.size.velocities))
            status = STI_NOT_FINITE;
        if (status != STI_OK) return sti_fault(scratch, status, e->name, "force", &now->stage);
    }
    return STI_OK;
}

// Is what an admittance answered finite?
static StiStatus finite_or_fault(StiScratch *scratch, const StageData *now, const Admittance *a,
                                 StiStatus status)
{
    if (status == STI_OK && !sti_all_finite(scratch->evaluate->new_loads + a->load, a->size.loads))
        return sti_fault(scratch, STI_NOT_FINITE, a->name, "load", &now->stage);
    if (status == STI_OK &&
        !sti_all_finite(now->xdot + a->q, a->size.positions + a->size.velocities))
        status = STI_NOT_FINITE;
    return status == STI_OK ? STI_OK
                            : sti_fault(scratch, status, a->name, "acceleration", &now->stage);
}

StiStatus sti_admittance(const StiNetwork *network, StiScratch *scratch, StageData *now, int i)
{
    const Admittance *a = &network->admittances[i];
    const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
    const StiStatus status =
        a->kind->eval(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                      now->ports + a->port, &uhat, now->xdot + a->q, now->xdot + a->v,
                      scratch->evaluate->new_loads + a->load);
    return finite_or_fault(scratch, now, a, status);
}

static StiStatus evaluate_held(const StiNetwork *network, StiScratch *scratch, StageData *now,
                               int i)
{
    const Admittance *a = &network->admittances[i];
    const Holding *holding = scratch->holding;
    const StiForce uhat = {now->generalized + a->generalized,
                           a->posed ? now->wrenches + a->link : NULL};
    const StiStatus status =
        a->kind->hold->eval(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                            now->ports + a->port, &uhat,
                            holding->any[i] ? holding->held + a->generalized : NULL,
                            holding->memory + a->memory, now->xdot + a->q, now->xdot + a->v,
                            scratch->evaluate->new_loads + a->load,
                            holding->taken + a->generalized);
    return finite_or_fault(scratch, now, a, status);
}

StiStatus sti_admittances_held(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i)
        status = network->admittances[i].holds ? evaluate_held(network, scratch, now, i)
                                               : sti_admittance(network, scratch, now, i);
    return status;
}

StiStatus sti_admittances(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i)
        status = sti_admittance(network, scratch, now, i);
    return status;
}

StiStatus sti_admittances_but_robots(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i)
        if (network->admittances[i].robot == NULL)
            status = sti_admittance(network, scratch, now, i);
    return status;
}

void sti_signals_at_end(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    StageData *end = &scratch->end;
    // The last stage of a step that is cut saw inputs before a break; samples are taken after it.
    const bool anew =
        network->method->cuts || last->stage.t != sti_network_time(network, last->stage.k + 1);
    end->stage = last->stage;
    end->stage.t = sti_network_time(network, last->stage.k + 1);
    memcpy(end->sources, last->sources, (size_t)network->source_values * sizeof *end->sources);
    memcpy(end->loads, last->loads, (size_t)network->load_count * sizeof *end->loads);
    memcpy(end->u, last->u, (size_t)network->xhat_velocities * sizeof *end->u);
    for (int i = 0; anew && i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        if (source->function.eval != NULL)
            source->function.eval(source->function.data, scratch->workspaces[i], end->stage.t,
                                  end->sources + source->first);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, end);
    for (int i = 0; i < network->impedance_count; ++i)
        sti_listen(&network->impedances[i].connections, end);
}

// Motion and signals at the end of the step.
static void look_at_end(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    sti_signals_at_end(network, scratch, last);
    memcpy(scratch->end.x, scratch->next, (size_t)network->x_count * sizeof *scratch->end.x);
    memcpy(scratch->end.y, next_y(scratch), (size_t)network->y_count * sizeof *scratch->end.y);
    sti_psi(network, &scratch->end);
}

void sti_settle_impedances(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    StageData *end = &scratch->end;
    bool sensed = false;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->settle == NULL) continue;
        if (!sensed) look_at_end(network, scratch, last);
        sensed = true;
        const StiMotion xhat = {.x = end->position + e->wire.x,
                                .v = end->velocity + e->wire.v,
                                .signals = end->ports + e->port};
        e->kind->settle(e->parameters, &end->stage, &xhat, next_y(scratch) + e->y,
                        next_s(scratch) + e->s);
    }
}

// Forces and accelerations were finite: a memory's rate was not, or a sum overflowed.
static StiStatus blame(const StiNetwork *network, StiScratch *scratch, const StiStage *stage)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!sti_all_finite(next_y(scratch) + e->y, e->size.memory) ||
            !sti_all_finite(next_s(scratch) + e->s, e->size.discrete))
            return sti_fault(scratch, STI_NOT_FINITE, e->name, "memory", stage);
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (!sti_all_finite(scratch->next + a->q, a->size.positions + a->size.velocities))
            return sti_fault(scratch, STI_NOT_FINITE, a->name, "motion", stage);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!sti_all_finite(next_s(scratch) + e->s, e->size.discrete))
            return sti_fault(scratch, STI_NOT_FINITE, e->name, "memory", stage);
    }
    return sti_fault(scratch, STI_NOT_FINITE, "", "state", stage);
}

static void count_turns(const StiNetwork *network, StiScratch *scratch)
{
    StageData *end = &scratch->end;
    memcpy(end->x, scratch->next, (size_t)network->x_count * sizeof *end->x);
    memcpy(end->y, next_y(scratch), (size_t)network->y_count * sizeof *end->y);
    sti_psi(network, end);
    sti_turns_correct(network, end, next_y(scratch));
}

StiStatus sti_step_commit(const StiNetwork *network, StiState *state, StiScratch *scratch,
                          const StiStage *stage)
{
    if (!sti_all_finite(scratch->next, state->count)) return blame(network, scratch, stage);
    if (network->counts_turns) count_turns(network, scratch);
    memcpy(state->values, scratch->next, (size_t)state->count * sizeof *state->values);
    ++state->k;
    return STI_OK;
}
