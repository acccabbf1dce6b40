#include "lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "continuous/continuous.h"
#include "cut/progress.h"

// ---- which networks go together ---------------------------------------------------------------------------------

bool sti_lanes_apply(const StiNetwork *n)
{
    return n->method->cuts && n->pair->stages == STAGES && n->input_count == 0 && !n->settles &&
           n->reaction_count + n->impedance_count > 0 && sti_listed_applies(n);
}

static bool same_connections(const Connections *a, const Connections *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; ++i) {
        const Connection *one = &a->items[i], *other = &b->items[i];
        if (one->from != other->from || one->index != other->index || one->gain != other->gain ||
            one->port != other->port)
            return false;
    }
    return true;
}

static bool same_wire(const Wire *a, const Wire *b)
{
    return a->x == b->x && a->v == b->v && a->plain == b->plain && a->own_v == b->own_v &&
           a->wire.dim == b->wire.dim && a->wire.a.admittance == b->wire.a.admittance &&
           a->wire.b.admittance == b->wire.b.admittance;
}

static bool same_elements(const StiNetwork *a, const StiNetwork *b)
{
    for (int i = 0; i < a->impedance_count; ++i) {
        const Impedance *one = &a->impedances[i], *other = &b->impedances[i];
        if (one->kind != other->kind || one->y != other->y || one->wired != other->wired ||
            one->size.memory != other->size.memory || !same_wire(&one->wire, &other->wire) ||
            !same_connections(&one->connections, &other->connections))
            return false;
    }
    for (int i = 0; i < a->reaction_count; ++i) {
        const Reaction *one = &a->reactions[i], *other = &b->reactions[i];
        if (one->kind != other->kind || one->s != other->s ||
            !same_wire(&one->wire, &other->wire) ||
            !same_connections(&one->connections, &other->connections))
            return false;
    }
    return true;
}

static bool same_bodies(const StiNetwork *a, const StiNetwork *b)
{
    for (int i = 0; i < a->admittance_count; ++i) {
        const Admittance *one = &a->admittances[i], *other = &b->admittances[i];
        if (one->kind != other->kind || one->q != other->q || one->v != other->v ||
            one->holds != other->holds || one->port != other->port ||
            !same_connections(&one->connections, &other->connections))
            return false;
    }
    return true;
}

static bool same_sources(const StiNetwork *a, const StiNetwork *b)
{
    for (int i = 0; i < a->source_count; ++i) {
        const StiTimeFunction *one = &a->sources[i].function, *other = &b->sources[i].function;
        if (one->eval != other->eval || one->data != other->data || one->count != other->count)
            return false;
    }
    return true;
}

static bool goes_with(const StiNetwork *a, const StiNetwork *b)
{
    return sti_lanes_apply(b) && a->layout == b->layout && a->step == b->step &&
           a->start == b->start && a->method == b->method && a->pair == b->pair &&
           memcmp(&a->gravity, &b->gravity, sizeof a->gravity) == 0 &&
           a->impedance_count == b->impedance_count && a->reaction_count == b->reaction_count &&
           a->admittance_count == b->admittance_count && a->source_count == b->source_count &&
           same_elements(a, b) && same_bodies(a, b) && same_sources(a, b);
}

// ---- memory -------------------------------------------------------------------------------------------------------

static Lane *take_lanes(StiArena *arena, int count)
{
    return sti_arena_take(arena, (size_t)count + 1, sizeof(Lane));
}

static LanePlaces places_in(const StageData *stage)
{
    const double *x = stage->x;
    return (LanePlaces){.y = (int)(stage->y - x),
                        .sources = (int)(stage->sources - x),
                        .ports = (int)(stage->ports - x),
                        .position = (int)(stage->position - x),
                        .velocity = (int)(stage->velocity - x),
                        .u = (int)(stage->u - x),
                        .generalized = (int)(stage->generalized - x),
                        .xdot = (int)(stage->xdot - x),
                        .ydot = (int)(stage->ydot - x),
                        .count = (int)(stage->contact_power - x)};
}

static void take_memory(StiLanes *lanes)
{
    StiArena *arena = &lanes->arena;
    const StiNetwork *n = lanes->network;
    LaneLedger *ledger = &lanes->ledger;
    lanes->at = places_in(&lanes->runs[0].scratch->beside);
    for (int r = 0; r < STAGES; ++r) lanes->stages[r] = take_lanes(arena, lanes->at.count);
    lanes->close = take_lanes(arena, lanes->at.count);
    lanes->s = take_lanes(arena, n->s_count);
    lanes->x_end = take_lanes(arena, n->x_count + n->y_count);
    lanes->g0 = take_lanes(arena, n->reaction_count);
    lanes->g1 = take_lanes(arena, n->reaction_count);
    lanes->rate0 = take_lanes(arena, n->reaction_count);
    lanes->rate1 = take_lanes(arena, n->reaction_count);
    lanes->inside = take_lanes(arena, n->reaction_count);
    lanes->springs = sti_arena_take(arena, (size_t)n->impedance_count + 1, sizeof *lanes->springs);
    lanes->masses = sti_arena_take(arena, (size_t)n->admittance_count + 1, sizeof *lanes->masses);
    lanes->frictions =
        sti_arena_take(arena, (size_t)n->reaction_count + 1, sizeof *lanes->frictions);
    lanes->held = sti_arena_take(arena, (size_t)n->generalized_count + 1, sizeof *lanes->held);
    lanes->taken = take_lanes(arena, n->generalized_count);
    ledger->by_impedance = take_lanes(arena, n->impedance_count);
    ledger->by_reaction = take_lanes(arena, n->reaction_count);
    ledger->stored = take_lanes(arena, n->impedance_count);
    ledger->stored_start = take_lanes(arena, n->impedance_count);
}

static void look_for_springs(StiLanes *lanes)
{
    for (int i = 0; i < lanes->network->impedance_count; ++i) {
        LaneSpring *spring = &lanes->springs[i];
        spring->known = lanes->network->impedances[i].kind->linear != NULL;
        for (int lane = 0; spring->known && lane < lanes->count; ++lane) {
            const Impedance *e = &lanes->runs[lane].network->impedances[i];
            double numbers[3];
            spring->known = e->kind->linear(e->parameters, numbers);
            spring->K[lane] = numbers[0];
            spring->rest[lane] = numbers[1];
            spring->B[lane] = numbers[2];
        }
    }
}

static void look_for_masses(StiLanes *lanes)
{
    for (int i = 0; i < lanes->network->admittance_count; ++i) {
        LaneMass *mass = &lanes->masses[i];
        mass->known = lanes->network->admittances[i].kind->mass != NULL;
        mass->mass = (Lane){0.0} + 1.0;
        for (int lane = 0; mass->known && lane < lanes->count; ++lane) {
            const Admittance *a = &lanes->runs[lane].network->admittances[i];
            mass->mass[lane] = a->kind->mass(a->parameters);
            mass->known = mass->mass[lane] > 0.0;
        }
        if (lanes->network->admittances[i].size.velocities > 0)
            lanes->asks_bodies = lanes->asks_bodies || !mass->known;
    }
}

// The level of slip at any speed, which is all that sticking carries; below 0: it has no such level.
static double one_level(const Reaction *e, const double *signals)
{
    const double s[2] = {STI_STICK, 0.0};
    if (e->size.signals > 0 || e->kind->level == NULL) return -1.0;
    const StiReactionLevel level = e->kind->level(e->parameters, signals, s, 0.0, 1.0);
    const StiReactionModes *modes = e->kind->modes;
    for (int d = -1; d <= 1; ++d)
        if (modes->limit(e->parameters, d, signals) != level.slipping ||
            (d != 0 && modes->level(e->parameters, 1.0, d, signals) != level.slipping))
            return -1.0;
    return level.fixed ? level.slipping : -1.0;
}

static void look_for_levels(StiLanes *lanes)
{
    for (int i = 0; i < lanes->network->reaction_count; ++i) {
        LaneFriction *friction = &lanes->frictions[i];
        friction->known = true;
        for (int lane = 0; friction->known && lane < lanes->count; ++lane) {
            const LaneRun *run = &lanes->runs[lane];
            const Reaction *e = &run->network->reactions[i];
            friction->level[lane] = one_level(e, run->scratch->beside.ports + e->port);
            friction->known = friction->level[lane] >= 0.0;
        }
    }
}

static bool open_run(LaneRun *run, const StiNetwork *network)
{
    run->network = network;
    run->state = sti_state_create(network);
    run->scratch = sti_scratch_create(network);
    run->recorder = sti_recorder_create(network);
    return run->state != NULL && run->scratch != NULL && run->recorder != NULL &&
           run->scratch->substep->listed != NULL;
}

StiLanes *sti_lanes_create(const StiNetwork *const *networks, int count)
{
    if (count < 1 || count > STI_LANES || !sti_lanes_apply(networks[0])) return NULL;
    StiLanes *lanes = calloc(1, sizeof *lanes);
    if (lanes == NULL) return NULL;
    bool good = true;
    lanes->network = networks[0];
    for (; good && lanes->count < count; ++lanes->count)
        good = goes_with(networks[0], networks[lanes->count]) &&
               open_run(&lanes->runs[lanes->count], networks[lanes->count]);
    if (good) take_memory(lanes);
    if (!good || lanes->arena.failed) {
        sti_lanes_destroy(lanes);
        return NULL;
    }
    lanes->lists = lanes->runs[0].scratch->substep->listed;
    look_for_springs(lanes);
    look_for_masses(lanes);
    look_for_levels(lanes);
    return lanes;
}

void sti_lanes_destroy(StiLanes *lanes)
{
    if (lanes == NULL) return;
    for (int lane = 0; lane < STI_LANES; ++lane) {
        LaneRun *run = &lanes->runs[lane];
        sti_recorder_destroy(run->recorder);
        sti_scratch_destroy(run->scratch);
        sti_state_destroy(run->state);
    }
    sti_arena_release(&lanes->arena);
    free(lanes);
}

void sti_lanes_watch(StiLanes *lanes, bool (*interrupted)(void *context), void *context)
{
    for (int lane = 0; lane < lanes->count; ++lane)
        sti_scratch_watch(lanes->runs[lane].scratch, interrupted, context);
}

// ---- steps --------------------------------------------------------------------------------------------------------

void sti_lanes_begin(StiLanes *lanes)
{
    for (int lane = 0; lane < lanes->count; ++lane) {
        LaneRun *run = &lanes->runs[lane];
        run->status = sti_recorder_begin(run->recorder, run->state, NULL, run->scratch);
    }
    lanes->k = 0;
}

static void judge_energy(LaneRun *run)
{
    if (run->status == STI_OK && sti_recorder_runaway(run->recorder) != NULL)
        run->status = STI_RUNS_AWAY;
}

static void step_alone(StiLanes *lanes, int lane)
{
    LaneRun *run = &lanes->runs[lane];
    run->status = sti_step(run->network, NULL, run->state, run->scratch);
    if (run->status == STI_OK)
        run->status = sti_recorder_follow(run->recorder, run->state, run->scratch);
    const StiStepFigures *figures = &run->scratch->figures;
    if (figures->unsolved > 0 && run->unsolved++ == 0) run->unsolved_at = figures->unsolved_at;
    if (run->status == STI_OK) sti_lanes_take_point(lanes, lane);
}

// Is the whole step within the smooth stretch of the inputs that the points saw? The stretch from here on is noted.
static bool is_smooth(StiLanes *lanes)
{
    const StiNetwork *n = lanes->network;
    StiScratch *scratch = lanes->runs[0].scratch;
    const double t = sti_network_time(n, lanes->k), from = lanes->from, to = lanes->to;
    const StiSmoothInterval piece = sti_continuous_smooth_interval(n, t);
    sti_continuous_limit_to(scratch, piece);
    lanes->from = scratch->smooth_from;
    lanes->to = scratch->smooth_to;
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    return lanes->from == from && lanes->to == to &&
           !(piece.to - t <= n->step * (1.0 + sti_at_break));
}

// All that hold their point and whose sticking is within its limits; returns one of them, -1: none.
static int choose(StiLanes *lanes)
{
    const bool smooth = is_smooth(lanes);
    int leader = -1;
    for (int lane = 0; lane < lanes->count; ++lane) {
        LaneRun *run = &lanes->runs[lane];
        run->taken = smooth && run->ready && run->status == STI_OK;
        for (int i = 0; run->taken && i < lanes->network->reaction_count; ++i)
            run->taken = lanes->g0[i][lane] >= 0.0;
        if (run->taken && leader < 0) leader = lane;
    }
    return leader;
}

static void swap(Lane **a, Lane **b)
{
    Lane *const kept = *a;
    *a = *b;
    *b = kept;
}

// The trial becomes the point; its first stage stays for readers of forces, in close.
static void accept(StiLanes *lanes)
{
    swap(&lanes->stages[0], &lanes->close);
    swap(&lanes->g0, &lanes->g1);
    swap(&lanes->rate0, &lanes->rate1);
}

void sti_lanes_step(StiLanes *lanes)
{
    const int leader = choose(lanes);
    if (leader >= 0) sti_lanes_try(lanes, leader);
    for (int lane = 0; lane < lanes->count; ++lane)
        if (!lanes->runs[lane].taken) sti_lanes_give_state(lanes, lane);
    accept(lanes);
    ++lanes->k;
    for (int lane = 0; lane < lanes->count; ++lane)
        lanes->runs[lane].behind = lanes->runs[lane].taken;
    if (leader >= 0) sti_lanes_weigh(lanes);
    for (int lane = 0; lane < lanes->count; ++lane) {
        LaneRun *run = &lanes->runs[lane];
        if (!run->taken && run->status == STI_OK) step_alone(lanes, lane);
        judge_energy(run);
    }
}

// ---- readers ------------------------------------------------------------------------------------------------------

StiStatus sti_lanes_status(const StiLanes *lanes, int lane) { return lanes->runs[lane].status; }

const StiRecorder *sti_lanes_recorder(StiLanes *lanes, int lane)
{
    sti_lanes_give_row(lanes, lane);
    return lanes->runs[lane].recorder;
}

const StiState *sti_lanes_state(StiLanes *lanes, int lane)
{
    sti_lanes_give_row(lanes, lane);
    return lanes->runs[lane].state;
}

const StiFault *sti_lanes_fault(const StiLanes *lanes, int lane)
{
    const StiFault *runaway = sti_recorder_runaway(lanes->runs[lane].recorder);
    return runaway != NULL ? runaway : sti_scratch_fault(lanes->runs[lane].scratch);
}

int64_t sti_lanes_unsolved(const StiLanes *lanes, int lane, const char **where)
{
    *where = lanes->runs[lane].unsolved_at;
    return lanes->runs[lane].unsolved;
}
