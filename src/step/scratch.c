#include <math.h>
#include <stdlib.h>

#include "continuous/continuous.h"
#include "cut/substep.h"
#include "events/joint_modes.h"
#include "events/rest.h"
#include "events/touch_events.h"
#include "evaluate/departure_guide.h"
#include "network/channels.h"
#include "network/solver.h"
#include "rows/least_norm.h"
#include "rows/reaction_cones.h"
#include "solver/flight.h"

// The first source whose workspace this one shares: itself, if it has its own.
static int workspace_owner(const StiNetwork *n, int source)
{
    const void *shares = n->sources[source].function.shares;
    for (int i = 0; shares != NULL && i < source; ++i)
        if (n->sources[i].function.shares == shares) return i;
    return source;
}

static bool open_workspaces(StiScratch *scratch, const StiNetwork *n)
{
    scratch->workspaces =
        sti_arena_take(&scratch->arena, (size_t)n->source_count + 1, sizeof(void *));
    if (scratch->workspaces == NULL) return false;
    for (int i = 0; i < n->source_count; ++i) {
        const StiTimeFunction *function = &n->sources[i].function;
        if (function->open == NULL) continue;
        const int owner = workspace_owner(n, i);
        scratch->workspaces[i] =
            owner < i ? scratch->workspaces[owner] : function->open(function->data);
        if (scratch->workspaces[i] == NULL) return false;
    }
    return true;
}

void sti_scratch_watch(StiScratch *scratch, bool (*interrupted)(void *context), void *context)
{
    scratch->watch = (Watch){interrupted, context};
}

// The parts of the rooms, in the order of the layers.
static void take_parts(StiArena *arena, const StiNetwork *network, StiScratch *scratch)
{
    scratch->contacts = sti_contacts_take(arena, network);
    scratch->rows = sti_rows_take(arena, network, &scratch->watch);
    scratch->reactions = sti_reactions_take(arena, network);
    scratch->cones = sti_reaction_cones_take(arena, network);
    scratch->limits = sti_least_norm_take(arena, network);
    scratch->evaluate = sti_evaluate_take(arena, network);
    scratch->holding = sti_holding_take(arena, network);
    scratch->guide = sti_departure_guide_take(arena, network);
    scratch->touches = sti_touches_take(arena, network);
    scratch->rest = sti_rest_take(arena, network);
    scratch->impacts = sti_impacts_take(arena, network);
    scratch->joints = sti_joints_take(arena, network);
    scratch->continuous = sti_continuous_take(arena, network);
    scratch->substep = sti_substep_take(arena, network);
    scratch->flight = sti_flight_take(arena, network);
    if (network->resolves && network->solver != NULL && network->solver->take != NULL)
        scratch->solver = network->solver->take(arena, network, scratch);
}

StiScratch *sti_scratch_create(const StiNetwork *network)
{
    StiScratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL) return NULL;
    StiArena *arena = &scratch->arena;
    scratch->network = network;
    const int stages = network->method->cuts ? network->pair->stages
                       : network->resolves   ? 1
                                             : network->method->stages;
    for (int r = 0; r < stages; ++r) sti_stage_take(arena, network, &scratch->stages[r]);
    sti_stage_take(arena, network, &scratch->end);
    sti_stage_take(arena, network, &scratch->beside);
    scratch->smooth_from = -INFINITY;
    scratch->smooth_to = INFINITY;
    scratch->next = sti_arena_numbers(arena, network->x_count + network->y_count +
                                                 network->s_count + network->load_count);
    scratch->workspace = sti_arena_numbers(arena, network->workspace_count);
    scratch->observed = sti_arena_numbers(arena, sti_network_largest_observation(network));
    sti_works_take(arena, network, &scratch->works);
    take_parts(arena, network, scratch);
    if (!open_workspaces(scratch, network) || arena->failed) {
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
        if (function->close != NULL && scratch->workspaces[i] != NULL &&
            workspace_owner(scratch->network, i) == i)
            function->close(scratch->workspaces[i]);
    }
    sti_arena_release(&scratch->arena);
    free(scratch);
}

const StiFault *sti_scratch_fault(const StiScratch *scratch) { return &scratch->fault; }

StiStepFigures sti_scratch_figures(const StiScratch *scratch) { return scratch->figures; }
