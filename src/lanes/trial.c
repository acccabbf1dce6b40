// A trial of all runs at once. The operations of listed.c, in their order.
#include "lanes/lanes.h"

#include <math.h>
#include <string.h>

#include "continuous/continuous.h"

// ---- one evaluation ---------------------------------------------------------------------------------------------

STI_INSIDE void sense(const Listed *lists, Lane *numbers)
{
    for (int i = 0; i < lists->sensed_count; ++i) {
        const Sensed *s = &lists->sensed[i];
        const Lane a = s->a == NOWHERE ? (Lane){0.0} : numbers[s->a];
        numbers[s->to] = s->b == NOWHERE ? a : a - numbers[s->b];
    }
}

STI_INSIDE void push(const Listed *lists, int forces, int count, Lane *numbers)
{
    for (int i = 0; i < count; ++i) numbers[forces + i] = (Lane){0.0};
    for (int i = 0; i < lists->pushed_count; ++i) {
        const Pushed *p = &lists->pushed[i];
        if (p->a != NOWHERE) numbers[p->a] -= numbers[p->u];
        if (p->b != NOWHERE) numbers[p->b] += numbers[p->u];
    }
}

STI_INSIDE void listen(const StiLanes *lanes, const Connections *connections, Lane *numbers)
{
    for (int i = 0; i < connections->count; ++i) {
        const Connection *c = &connections->items[i];
        const int from = c->from == FROM_SOURCE  ? lanes->at.sources
                         : c->from == FROM_STATE ? 0
                                                 : lanes->at.u;
        numbers[lanes->at.ports + c->port] = c->gain * numbers[from + c->index];
    }
}

// Elements and bodies are asked run by run, beside the stages of the run's own scratch.
static void answer_impedance(StiLanes *lanes, int i, const StiStage *stage, Lane *numbers)
{
    const LanePlaces *at = &lanes->at;
    for (int lane = 0; lane < lanes->count; ++lane) {
        LaneRun *run = &lanes->runs[lane];
        const Impedance *e = &run->network->impedances[i];
        const StageData *beside = &run->scratch->beside;
        const StiMotion xhat = {.x = beside->position + e->wire.x,
                                .v = beside->velocity + e->wire.v,
                                .signals = beside->ports + e->port};
        const int width = e->wire.size.velocities;
        if (!run->taken) continue;
        if (e->wired) {
            sti_lane_give(e->wire.size.positions, numbers + at->position + e->wire.x, lane,
                          beside->position + e->wire.x);
            sti_lane_give(width, numbers + at->velocity + e->wire.v, lane,
                          beside->velocity + e->wire.v);
        }
        sti_lane_give(e->size.signals, numbers + at->ports + e->port, lane,
                      beside->ports + e->port);
        sti_lane_give(e->size.memory, numbers + at->y + e->y, lane, beside->y + e->y);
        run->taken = e->kind->eval(e->parameters, stage, &xhat, beside->y + e->y,
                                   run->scratch->substep->s + e->s, beside->u + e->wire.v,
                                   beside->ydot + e->y) == STI_OK;
        sti_lane_take(width, beside->u + e->wire.v, lane, numbers + at->u + e->wire.v);
        sti_lane_take(e->size.memory, beside->ydot + e->y, lane, numbers + at->ydot + e->y);
    }
}

static void answer_reaction(StiLanes *lanes, int i, Lane *numbers)
{
    const LanePlaces *at = &lanes->at;
    const Reaction *first = &lanes->network->reactions[i];
    Lane *u = &numbers[at->u + first->wire.v];
    const Lane kept = lanes->s[first->s + 1];
    const Lane speed = (Lane){0.0} + kept * numbers[at->velocity + first->wire.v];
    for (int lane = 0; lane < lanes->count; ++lane) {
        const LaneRun *run = &lanes->runs[lane];
        const Reaction *e = &run->network->reactions[i];
        const StageData *beside = &run->scratch->beside;
        (*u)[lane] = 0.0;
        if (!run->taken || lanes->s[first->s][lane] == STI_STICK) continue;
        sti_lane_give(e->size.signals, numbers + at->ports + e->port, lane,
                      beside->ports + e->port);
        const double level =
            e->kind->modes->level(e->parameters, speed[lane], kept[lane] > 0.0 ? 1.0 : -1.0,
                                  beside->ports + e->port);
        (*u)[lane] = level * (kept[lane] / fabs(kept[lane]));
    }
}

static void accelerate(StiLanes *lanes, int i, StiStage stage, Lane *numbers)
{
    const LanePlaces *at = &lanes->at;
    for (int lane = 0; lane < lanes->count; ++lane) {
        LaneRun *run = &lanes->runs[lane];
        const Admittance *a = &run->network->admittances[i];
        const StageData *beside = &run->scratch->beside;
        const Holding *holding = run->scratch->holding;
        const StiForce uhat = {beside->generalized + a->generalized, beside->wrenches + a->link};
        const bool *held = holding->any[i] ? holding->held + a->generalized : NULL;
        const int q = a->q, v = a->v, width = a->size.velocities;
        if (!run->taken) continue;
        stage.workspace = run->scratch->workspace;
        sti_lane_give(width, numbers + q, lane, beside->x + q);
        sti_lane_give(width, numbers + v, lane, beside->x + v);
        sti_lane_give(a->size.signals, numbers + at->ports + a->port, lane,
                      beside->ports + a->port);
        sti_lane_give(width, numbers + at->generalized + a->generalized, lane, uhat.generalized);
        const StiStatus status =
            a->holds ? a->kind->hold->eval(a->parameters, &stage, beside->x + q, beside->x + v,
                                           beside->ports + a->port, &uhat, held,
                                           holding->memory + a->memory, beside->xdot + q,
                                           beside->xdot + v, NULL, holding->taken + a->generalized)
                     : a->kind->eval(a->parameters, &stage, beside->x + q, beside->x + v,
                                     beside->ports + a->port, &uhat, beside->xdot + q,
                                     beside->xdot + v, NULL);
        run->taken = status == STI_OK;
        sti_lane_take(width, holding->taken + a->generalized, lane, lanes->taken + a->generalized);
        sti_lane_take(width, beside->xdot + q, lane, numbers + at->xdot + q);
        sti_lane_take(width, beside->xdot + v, lane, numbers + at->xdot + v);
    }
}

STI_INSIDE void answer_spring(const StiLanes *lanes, int i, Lane *numbers)
{
    const LaneSpring *spring = &lanes->springs[i];
    const Wire *wire = &lanes->network->impedances[i].wire;
    const Lane *x = &numbers[lanes->at.position + wire->x],
               *v = &numbers[lanes->at.velocity + wire->v];
    numbers[lanes->at.u + wire->v] = spring->K * (*x - spring->rest) + spring->B * *v;
}

STI_INSIDE void accelerate_mass(const StiLanes *lanes, int i, Lane *numbers)
{
    const Admittance *a = &lanes->network->admittances[i];
    const Lane none = {0.0}, mass = lanes->masses[i].mass;
    const Lane force = none + numbers[lanes->at.generalized + a->generalized];
    const Lane free = force / mass + lanes->network->gravity.x;
    lanes->taken[a->generalized] = mass * free;
    numbers[lanes->at.xdot + a->q] = numbers[a->v];
    sti_lane_choose(&lanes->held[a->generalized], &none, &free, &numbers[lanes->at.xdot + a->v]);
}

// What sticks carries what its body had to be held with.
STI_INSIDE void take_held(const StiLanes *lanes, int i, Lane *numbers)
{
    const Wire *wire = &lanes->network->reactions[i].wire;
    const LaneMask *stuck = &lanes->frictions[i].stuck;
    const Lane *taken = &lanes->taken[wire->own_force];
    Lane *u = &numbers[lanes->at.u + wire->v],
         *force = &numbers[lanes->at.generalized + wire->own_force];
    const Lane left = *force - *taken;
    sti_lane_choose(stuck, taken, u, u);
    sti_lane_choose(stuck, &left, force, force);
}

STI_INSIDE void sum_up(const Lane *numbers, int count, Lane *sum)
{
    for (int i = 0; i < count; ++i) *sum += numbers[i] - numbers[i];
}

// What is not finite is looked at by the run itself, which says what it was.
STI_INSIDE void leave_infinite(StiLanes *lanes, const Lane *numbers)
{
    Lane sum = {0.0};
    sum_up(numbers + lanes->at.u, lanes->network->xhat_velocities, &sum);
    sum_up(numbers + lanes->at.xdot, lanes->network->x_count, &sum);
    for (int lane = 0; lane < lanes->count; ++lane)
        if (!(sum[lane] == 0.0)) lanes->runs[lane].taken = false;
}

STI_FOR_PROCESSORS
static void evaluate(StiLanes *lanes, double t, Lane *numbers)
{
    const StiNetwork *n = lanes->network;
    StiStage stage = {.t = t, .step = n->step, .k = lanes->k, .gravity = n->gravity};
    sense(lanes->lists, numbers);
    for (int i = 0; i < n->impedance_count; ++i) {
        listen(lanes, &n->impedances[i].connections, numbers);
        stage.tau = n->impedances[i].kind->stays_within ? n->step : 0.0;
        if (lanes->springs[i].known)
            answer_spring(lanes, i, numbers);
        else
            answer_impedance(lanes, i, &stage, numbers);
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        listen(lanes, &n->reactions[i].connections, numbers);
        if (lanes->frictions[i].known)
            numbers[lanes->at.u + n->reactions[i].wire.v] = lanes->frictions[i].force;
        else
            answer_reaction(lanes, i, numbers);
    }
    push(lanes->lists, lanes->at.generalized, n->generalized_count, numbers);
    stage.tau = 0.0;
    for (int i = 0; i < n->admittance_count; ++i) {
        if (lanes->masses[i].known)
            accelerate_mass(lanes, i, numbers);
        else if (n->admittances[i].size.velocities > 0)
            accelerate(lanes, i, stage, numbers);
    }
    for (int i = 0; i < n->reaction_count; ++i) take_held(lanes, i, numbers);
    leave_infinite(lanes, numbers);
}

// ---- the trial ----------------------------------------------------------------------------------------------------

STI_FOR_PROCESSORS
static void add_slopes(const StiLanes *lanes, int stages, const double *weights, Lane *to)
{
    const StiNetwork *n = lanes->network;
    for (int k = 0; k < n->x_count + n->y_count; ++k) {
        Lane sum = lanes->stages[0][k];
        for (int r = 0; r < stages; ++r) {
            const double weight = n->step * weights[r];
            if (weight != 0.0) sum += weight * lanes->stages[r][lanes->at.xdot + k];
        }
        to[k] = sum;
    }
}

// Functions of time are the same for all.
static bool take_sources(StiLanes *lanes, int leader, double t, Lane *numbers)
{
    const StiNetwork *n = lanes->network;
    StiScratch *scratch = lanes->runs[leader].scratch;
    scratch->beside.stage.t = t;
    if (sti_sources(n, NULL, scratch, &scratch->beside) != STI_OK) return false;
    for (int i = 0; i < n->source_values; ++i)
        numbers[lanes->at.sources + i] = (Lane){0.0} + scratch->beside.sources[i];
    return true;
}

static bool evaluate_at(StiLanes *lanes, int leader, double t, const Lane *before, bool again,
                        Lane *numbers)
{
    const StiNetwork *n = lanes->network;
    const int sources = lanes->at.sources;
    if (again)
        memcpy(numbers + sources, before + sources, (size_t)n->source_values * sizeof *numbers);
    else if (!take_sources(lanes, leader, t, numbers))
        return false;
    for (int i = 0; i < n->admittance_count; ++i)
        listen(lanes, &n->admittances[i].connections, numbers);
    evaluate(lanes, t, numbers);
    return true;
}

// A zero keeps its sign.
STI_FOR_PROCESSORS
static void stop_held(const StiLanes *lanes)
{
    const Lane none = {0.0};
    for (int i = 0; i < lanes->network->reaction_count; ++i) {
        Lane *v = &lanes->x_end[lanes->network->reactions[i].wire.own_v];
        const LaneMask moved = (LaneMask)(*v != none) & lanes->frictions[i].stuck;
        sti_lane_choose(&moved, &none, v, v);
    }
}

static double stick_margin(const LaneRun *run, int i, const Lane *numbers, const LanePlaces *at,
                           int lane)
{
    const Reaction *e = &run->network->reactions[i];
    const StageData *beside = &run->scratch->beside;
    const double u = numbers[at->u + e->wire.v][lane];
    sti_lane_give(e->size.signals, numbers + at->ports + e->port, lane, beside->ports + e->port);
    return e->kind->modes->limit(e->parameters, (double)((u > 0.0) - (u < 0.0)),
                                 beside->ports + e->port) -
           fabs(u);
}

// Of friction that is asked run by run.
static void find_stick_margins(StiLanes *lanes, int i)
{
    const Reaction *e = &lanes->network->reactions[i];
    for (int lane = 0; lane < lanes->count; ++lane) {
        const LaneRun *run = &lanes->runs[lane];
        if (!run->taken || lanes->s[e->s][lane] != STI_STICK) continue;
        lanes->g1[i][lane] = stick_margin(run, i, lanes->close, &lanes->at, lane);
        lanes->inside[i][lane] = stick_margin(run, i, lanes->stages[2], &lanes->at, lane);
    }
}

STI_FOR_PROCESSORS
static void find_margins(StiLanes *lanes)
{
    const LanePlaces *at = &lanes->at;
    const Lane none = {0.0};
    for (int i = 0; i < lanes->network->reaction_count; ++i) {
        const Reaction *e = &lanes->network->reactions[i];
        const LaneFriction *friction = &lanes->frictions[i];
        const Lane kept = lanes->s[e->s + 1], length = (Lane)((LaneMask)kept & INT64_MAX);
        const Lane speed = none + kept * lanes->close[at->velocity + e->wire.v];
        const LaneMask size = (LaneMask)lanes->close[at->u + e->wire.v] & INT64_MAX,
                       size_inside = (LaneMask)lanes->stages[2][at->u + e->wire.v] & INT64_MAX;
        const Lane left = friction->level - (Lane)size;
        lanes->inside[i] = friction->level - (Lane)size_inside;
        lanes->rate1[i] = (none + kept * lanes->close[at->xdot + e->wire.own_v]) / length;
        sti_lane_choose(&friction->stuck, &left, &speed, &lanes->g1[i]);
        if (!friction->known) find_stick_margins(lanes, i);
    }
}

// Does no mode come near its end? As root_of_margin and likely_end of cut/locate.c, which look closer.
static bool nothing_ends(const StiLanes *lanes, int lane)
{
    const double h = lanes->network->step;
    for (int i = 0; i < lanes->network->reaction_count; ++i) {
        const double g0 = lanes->g0[i][lane], g1 = lanes->g1[i][lane];
        const bool stuck = lanes->s[lanes->network->reactions[i].s][lane] == STI_STICK;
        if (stuck && !(lanes->inside[i][lane] >= 0.0 && g1 >= 0.0)) return false;
        if (stuck) continue;
        const double r0 = lanes->rate0[i][lane] * h, r1 = lanes->rate1[i][lane] * h;
        if (!(g0 > 0.0 && g1 > 0.0 && g0 + r0 / 3.0 >= 0.0 && g1 - r1 / 3.0 >= 0.0)) return false;
    }
    return true;
}

// Who sticks in this step, what that holds, and the forces of slip that do not change meanwhile.
STI_FOR_PROCESSORS
static void hold(StiLanes *lanes)
{
    const StiNetwork *n = lanes->network;
    const Lane none = {0.0};
    for (int i = 0; i < n->generalized_count; ++i) lanes->held[i] = (LaneMask){0};
    for (int i = 0; i < n->reaction_count; ++i) {
        LaneFriction *friction = &lanes->frictions[i];
        const Reaction *e = &n->reactions[i];
        const Lane kept = lanes->s[e->s + 1], length = (Lane)((LaneMask)kept & INT64_MAX);
        const Lane slip = friction->level * (kept / length);
        friction->stuck = (LaneMask)(lanes->s[e->s] == none + STI_STICK);
        lanes->held[e->wire.own_force] |= friction->stuck;
        sti_lane_choose(&friction->stuck, &none, &slip, &friction->force);
    }
}

static void take_none(StiLanes *lanes)
{
    for (int lane = 0; lane < lanes->count; ++lane) lanes->runs[lane].taken = false;
}

static bool try_stages(StiLanes *lanes, int leader)
{
    const StiNetwork *n = lanes->network;
    const StiMethod *pair = n->pair;
    const double t = sti_network_time(n, lanes->k), end = sti_network_time(n, lanes->k + 1);
    double before = t;
    for (int i = 1; i < pair->stages; ++i) {
        const double at = pair->c[i] == 1.0 ? end : t + pair->c[i] * n->step;
        add_slopes(lanes, i, pair->A[i], lanes->stages[i]);
        if (!evaluate_at(lanes, leader, at, lanes->stages[i - 1], at == before, lanes->stages[i]))
            return false;
        before = at;
    }
    add_slopes(lanes, pair->stages, pair->b, lanes->x_end);
    stop_held(lanes);
    memcpy(lanes->close, lanes->x_end, (size_t)(n->x_count + n->y_count) * sizeof *lanes->close);
    return evaluate_at(lanes, leader, end, lanes->stages[pair->stages - 1], end == before,
                       lanes->close);
}

void sti_lanes_try(StiLanes *lanes, int leader)
{
    StiScratch *scratch = lanes->runs[leader].scratch;
    scratch->smooth_from = lanes->from;
    scratch->smooth_to = lanes->to;
    for (int lane = 0; lane < lanes->count; ++lane) {
        const LaneRun *run = &lanes->runs[lane];
        if (run->taken && lanes->asks_bodies)
            sti_modes_hold_coordinates(run->network, run->scratch->substep->s, run->scratch);
    }
    hold(lanes);
    const bool tried = try_stages(lanes, leader);
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    if (!tried) {
        take_none(lanes);
        return;
    }
    find_margins(lanes);
    for (int lane = 0; lane < lanes->count; ++lane)
        lanes->runs[lane].taken = lanes->runs[lane].taken && nothing_ends(lanes, lane);
}
