#include "solver/flight.h"
#include "cut/substep.h"

#include <math.h>
#include <stdlib.h>

#include "network/solver.h"
#include "events/joint_modes.h"
#include "rows/least_norm.h"
#include "evaluate/load_search.h"
#include "evaluate/touches.h"

static void take_reactions(StiArena *arena, const StiNetwork *n, ReactionData *data)
{
    const size_t rows = (size_t)n->row_count + 1, reactions = (size_t)n->reaction_count + 1;
    sti_response_take(arena, n, &data->response);
    data->W = sti_arena_numbers(arena, n->W_count);
    data->free_rate = sti_arena_numbers(arena, n->row_count);
    data->rate = sti_arena_numbers(arena, n->row_count);
    data->answers = sti_arena_take(arena, reactions, sizeof *data->answers);
    data->s = sti_arena_numbers(arena, n->s_count);
    data->factor = sti_arena_numbers(arena, n->envelope_count);
    data->factor_first = sti_arena_take(arena, rows, sizeof(int));
    data->factor_start = sti_arena_take(arena, rows, sizeof(int));
    data->correction = sti_arena_numbers(arena, n->row_count);
    data->chosen = sti_arena_take(arena, reactions, sizeof(bool));
    data->place = sti_arena_take(arena, reactions, sizeof(int));
    data->rows = sti_arena_take(arena, rows, sizeof(int));
    data->owner = sti_arena_take(arena, rows, sizeof(int));
    data->own = sti_arena_numbers(arena, STI_REACTION_DIM_MAX * n->row_count);
    data->saved_answers = sti_arena_take(arena, reactions, sizeof *data->saved_answers);
    data->saved_rate = sti_arena_numbers(arena, n->row_count);
    data->known = sti_arena_take(arena, (size_t)n->generalized_count + 1, sizeof(bool));
}

static void take_rows(StiArena *arena, const StiNetwork *n, StiScratch *scratch)
{
    int robots = 0;
    for (int i = 0; i < n->admittance_count; ++i) robots += n->admittances[i].robot != NULL;
    const int points = n->point_count > n->place_count ? n->point_count : n->place_count;
    const int joints = STI_JOINT_NODES * robots;
    scratch->rows = sti_arena_take(arena, 1, sizeof *scratch->rows);
    if (scratch->rows == NULL) return;
    scratch->rows->watch = &scratch->watch;
    sti_rows_take(arena, n, points + n->reaction_count + joints, 3 * points + n->row_count + joints,
                  scratch->rows);
}

static void take_holding(StiArena *arena, const StiNetwork *n, Holding *holding)
{
    const size_t all = (size_t)n->generalized_count + 1;
    holding->held = sti_arena_take(arena, all, sizeof *holding->held);
    holding->any = sti_arena_take(arena, (size_t)n->admittance_count + 1, sizeof *holding->any);
    holding->memory = sti_arena_numbers(arena, n->memory_count);
    holding->taken = sti_arena_numbers(arena, n->generalized_count);
}

static int rows_with_modes(const StiNetwork *n)
{
    int count = n->row_count;
    for (int i = 0; i < n->impedance_count; ++i)
        if (n->impedances[i].kind->modes != NULL) count += n->impedances[i].wire.size.velocities;
    return count;
}

static void take_substeps(StiArena *arena, const StiNetwork *n, SubstepData *data)
{
    const int rows = rows_with_modes(n), modes = sti_mode_count(n), all = n->generalized_count;
    data->x = sti_arena_numbers(arena, n->x_count + n->y_count + n->s_count);
    data->x_end = sti_arena_numbers(arena, n->x_count + n->y_count);
    if (arena->failed) return;
    data->y = data->x + n->x_count;
    data->s = data->y + n->y_count;
    data->y_end = data->x_end + n->x_count;
    sti_stage_take(arena, n, &data->close);
    sti_stage_take(arena, n, &data->probe);
    data->rows = sti_arena_take(arena, (size_t)rows + 1, sizeof *data->rows);
    data->columns = sti_arena_numbers(arena, rows * all);
    data->W = sti_arena_numbers(arena, rows * rows);
    data->Z = sti_arena_numbers(arena, rows * rows);
    data->ZW = sti_arena_numbers(arena, rows * (rows + 1)); // a finish keeps one line beside it
    data->chosen_rows = sti_arena_take(arena, (size_t)rows + 1, sizeof(int));
    data->W_planar = sti_arena_numbers(arena, rows * rows);
    data->pivots = sti_arena_take(arena, (size_t)rows + 1, sizeof(int));
    data->phi = sti_arena_numbers(arena, rows);
    data->bar = sti_arena_numbers(arena, rows);
    data->column = sti_arena_numbers(arena, rows);
    data->saved = sti_arena_numbers(arena, 2 * rows + n->s_count);
    data->vbar = sti_arena_numbers(arena, all);
    data->P = sti_arena_numbers(arena, STI_METHOD_STAGES * all);
    data->Z_own = sti_arena_numbers(arena, n->impedance_count);
    data->k_own = sti_arena_numbers(arena, n->impedance_count);
    data->added = sti_arena_numbers(arena, all);
    data->own_force = sti_arena_numbers(arena, all);
    data->prepared = sti_arena_numbers(arena, n->prepared_count);
    for (int i = 0; i < n->impedance_count; ++i)
        data->adds = data->adds || n->impedances[i].diagonal;
    sti_near_take(arena, n, &data->near);
    data->kept_inputs = sti_arena_numbers(arena, n->input_count);
    data->mode_count = modes;
    data->modes = sti_arena_take(arena, (size_t)modes + 1, sizeof *data->modes);
    for (int i = 0; data->modes != NULL && i < modes; ++i) sti_mode_at(n, i, &data->modes[i]);
    const size_t margins = (size_t)(modes + 2 * n->place_count) + 1;
    data->before = sti_arena_take(arena, margins, sizeof *data->before);
    data->after = sti_arena_take(arena, margins, sizeof *data->after);
    data->there = sti_arena_take(arena, margins, sizeof *data->there);
    data->ended = sti_arena_take(arena, margins, sizeof(bool));
    data->theta = sti_arena_numbers(arena, modes);
    data->likely = sti_arena_numbers(arena, modes);
    data->fresh = sti_arena_take(arena, (size_t)modes + 1, sizeof(bool));
    data->forced = sti_arena_take(arena, (size_t)n->reaction_count + 1, sizeof(bool));
    data->mean_u = sti_arena_numbers(arena, n->xhat_velocities);
    data->first_u = sti_arena_numbers(arena, n->xhat_velocities);
    data->mean_loads = sti_arena_numbers(arena, n->load_count);
    data->first_loads = sti_arena_numbers(arena, n->load_count);
}

static bool open_workspaces(StiScratch *scratch, const StiNetwork *n)
{
    scratch->workspaces =
        sti_arena_take(&scratch->arena, (size_t)n->source_count + 1, sizeof(void *));
    if (scratch->workspaces == NULL) return false;
    for (int i = 0; i < n->source_count; ++i) {
        const StiTimeFunction *function = &n->sources[i].function;
        if (function->open == NULL) continue;
        scratch->workspaces[i] = function->open(function->data);
        if (scratch->workspaces[i] == NULL) return false;
    }
    return true;
}

void sti_scratch_watch(StiScratch *scratch, bool (*interrupted)(void *context), void *context)
{
    scratch->watch = (Watch){interrupted, context};
}

StiScratch *sti_scratch_create(const StiNetwork *network)
{
    StiScratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL) return NULL;
    scratch->network = network;
    const bool cuts = network->method->cuts;
    const int stages = cuts                ? network->pair->stages
                       : network->resolves ? 1
                                           : network->method->stages;
    for (int r = 0; r < stages; ++r) sti_stage_take(&scratch->arena, network, &scratch->stages[r]);
    sti_stage_take(&scratch->arena, network, &scratch->end);
    sti_stage_take(&scratch->arena, network, &scratch->beside);
    scratch->wire_rate = sti_arena_numbers(&scratch->arena, network->xhat_velocities);
    scratch->wire_drift = sti_arena_numbers(&scratch->arena, network->xhat_velocities);
    scratch->turned = sti_arena_numbers(&scratch->arena, network->s_count);
    scratch->released =
        sti_arena_take(&scratch->arena, (size_t)network->reaction_count + 1, sizeof(int));
    scratch->smooth_from = -INFINITY;
    scratch->smooth_to = INFINITY;
    scratch->next = sti_arena_numbers(&scratch->arena, network->x_count + network->y_count +
                                                           network->s_count + network->load_count);
    scratch->workspace = sti_arena_numbers(&scratch->arena, network->workspace_count);
    scratch->held = sti_arena_take(&scratch->arena, (size_t)network->link_count + 1, sizeof(bool));
    scratch->touched =
        sti_arena_take(&scratch->arena, (size_t)network->admittance_count + 1, sizeof(bool));
    scratch->flight = sti_arena_numbers(&scratch->arena, sti_flight_room(network));
    scratch->acting =
        sti_arena_numbers(&scratch->arena, network->constrains ? network->x_count : 0);
    scratch->start_loads = sti_arena_numbers(&scratch->arena, network->load_count);
    scratch->new_loads = sti_arena_numbers(&scratch->arena, network->load_count);
    scratch->start_s =
        sti_arena_numbers(&scratch->arena, network->smooth_loads ? network->s_count : 0);
    scratch->kept_ydot =
        sti_arena_numbers(&scratch->arena, network->smooth_loads ? network->y_count : 0);
    scratch->kept_u = sti_arena_numbers(&scratch->arena, network->xhat_velocities);
    scratch->load_friction = sti_arena_numbers(&scratch->arena, network->load_count);
    sti_load_search_take(&scratch->arena, network, &scratch->load_search);
    sti_works_take(&scratch->arena, network, &scratch->works);
    if (cuts) take_substeps(&scratch->arena, network, &scratch->substep);
    if (network->place_count > 0) sti_touches_take(&scratch->arena, network, &scratch->touches);
    const size_t modes = (size_t)(sti_mode_count(network) + 2 * scratch->touches.count) + 1;
    scratch->margins = sti_arena_take(&scratch->arena, modes, sizeof *scratch->margins);
    scratch->over = sti_arena_take(&scratch->arena, modes, sizeof *scratch->over);
    if (network->resolves || cuts || modes > 1)
        take_reactions(&scratch->arena, network, &scratch->reactions);
    take_holding(&scratch->arena, network, &scratch->holding);
    if (cuts || network->method->continuous)
        sti_joints_take(&scratch->arena, network, &scratch->joints);
    if (cuts || (network->solver != NULL && network->solver->limits))
        sti_least_norm_take(&scratch->arena, network, &scratch->limits);
    if (network->place_count > 0 || (network->solver != NULL && network->solver->rows))
        take_rows(&scratch->arena, network, scratch);
    if (network->resolves) sti_contacts_take(&scratch->arena, network, &scratch->contacts);
    if (network->resolves && network->solver != NULL && network->solver->take != NULL)
        scratch->solver = network->solver->take(&scratch->arena, network, scratch);
    if (!open_workspaces(scratch, network) || scratch->arena.failed) {
        sti_scratch_destroy(scratch);
        return NULL;
    }
    return scratch;
}

void sti_scratch_destroy(StiScratch *scratch)
{
    if (scratch == NULL) return;
    for (int i = 0; scratch->workspaces != NULL && i < scratch->network->source_count; ++i) {
        const StiTimeFunction *function = &scratch->network->sources[i].function;
        if (function->close != NULL && scratch->workspaces[i] != NULL)
            function->close(scratch->workspaces[i]);
    }
    sti_arena_release(&scratch->arena);
    free(scratch);
}

const StiFault *sti_scratch_fault(const StiScratch *scratch) { return &scratch->fault; }

StiStepFigures sti_scratch_figures(const StiScratch *scratch) { return scratch->figures; }
