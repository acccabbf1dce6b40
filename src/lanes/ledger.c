// Energies of all runs at once: the operations of cut/account.c, record/energy.c and record/runaway.c, in their order.
#include "lanes/lanes.h"

#include <math.h>

// Of the step, now accepted: what `count` numbers take up at u with the velocities at v, into *work.
STI_FOR_PROCESSORS
static void add_works(const StiLanes *lanes, int count, int u, int v, Lane *work)
{
    const StiMethod *pair = lanes->network->pair;
    for (int r = 0; r < pair->stages; ++r) {
        const Lane *stage = r == 0 ? lanes->close : lanes->stages[r];
        const double h = lanes->network->step * pair->b[r];
        Lane power = {0.0};
        if (pair->b[r] == 0.0) continue;
        for (int d = 0; d < count; ++d) power += stage[u + d] * stage[v + d];
        *work += h * power;
    }
}

static void follow_elements(StiLanes *lanes)
{
    const StiNetwork *n = lanes->network;
    const LanePlaces *at = &lanes->at;
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        Lane work = {0.0};
        if (e->wired && !e->kind->only_senses)
            add_works(lanes, e->wire.size.velocities, at->u + e->wire.v, at->velocity + e->wire.v,
                      &work);
        lanes->ledger.by_impedance[i] += work;
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        const int v = n->reactions[i].wire.v;
        Lane work = {0.0};
        add_works(lanes, 1, at->u + v, at->velocity + v, &work);
        lanes->ledger.by_reaction[i] += work;
    }
}

static void follow_bodies(StiLanes *lanes)
{
    const StiNetwork *n = lanes->network;
    const LanePlaces *at = &lanes->at;
    LaneLedger *ledger = &lanes->ledger;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        Lane work = {0.0};
        add_works(lanes, a->dim, at->generalized + a->generalized,
                  a->kind->prescribed ? at->ports + a->port + a->dim : a->v, &work);
        if (a->kind->prescribed)
            ledger->work_of_motions -= work;
        else
            ledger->work_on_bodies += work;
    }
}

// Of one run and one of its bodies.
static double in_body(const StiLanes *lanes, int lane, int i, StiVec3 gravity)
{
    const LaneRun *run = &lanes->runs[lane];
    const StageData *beside = &run->scratch->beside;
    const Admittance *a = &run->network->admittances[i];
    for (int d = 0; d < a->size.velocities; ++d) {
        beside->x[a->q + d] = lanes->stages[0][a->q + d][lane];
        beside->x[a->v + d] = lanes->stages[0][a->v + d][lane];
    }
    return a->kind->stored(a->parameters, gravity, beside->x + a->q, beside->x + a->v,
                           run->scratch->workspace);
}

// Of a mass, as its kind does it: the other two axes add zeros.
STI_FOR_PROCESSORS
static void add_mass(const StiLanes *lanes, int i, const StiVec3 *gravity, Lane *sum)
{
    const Admittance *a = &lanes->network->admittances[i];
    const Lane *q = &lanes->stages[0][a->q], *v = &lanes->stages[0][a->v];
    const double others[2] = {gravity->y * 0.0, gravity->z * 0.0};
    *sum += lanes->masses[i].mass *
            (0.5 * (*v * *v + 0.0 + 0.0) - (gravity->x * *q + others[0] + others[1]));
}

static void weigh_bodies(const StiLanes *lanes, const StiVec3 *gravity, Lane *sum)
{
    *sum = (Lane){0.0};
    for (int i = 0; i < lanes->network->admittance_count; ++i) {
        const Admittance *a = &lanes->network->admittances[i];
        if (a->kind->stored == NULL || a->kind->prescribed) continue;
        if (lanes->masses[i].known)
            add_mass(lanes, i, gravity, sum);
        else
            for (int lane = 0; lane < lanes->count; ++lane)
                if (lanes->runs[lane].taken) (*sum)[lane] += in_body(lanes, lane, i, *gravity);
    }
}

static double in_impedance(const StiLanes *lanes, int lane, int i)
{
    const LaneRun *run = &lanes->runs[lane];
    const Impedance *e = &run->network->impedances[i];
    const StageData *beside = &run->scratch->beside;
    const Lane *point = lanes->stages[0];
    const LanePlaces *at = &lanes->at;
    const StiMotion xhat = {.x = beside->position + e->wire.x,
                            .v = beside->velocity + e->wire.v,
                            .signals = beside->ports + e->port};
    if (e->kind->stored == NULL) return 0.0;
    for (int d = 0; e->wired && d < e->wire.size.positions; ++d)
        beside->position[e->wire.x + d] = point[at->position + e->wire.x + d][lane];
    for (int d = 0; e->wired && d < e->wire.size.velocities; ++d)
        beside->velocity[e->wire.v + d] = point[at->velocity + e->wire.v + d][lane];
    for (int d = 0; d < e->size.signals; ++d)
        beside->ports[e->port + d] = point[at->ports + e->port + d][lane];
    for (int d = 0; d < e->size.memory; ++d) beside->y[e->y + d] = point[at->y + e->y + d][lane];
    return e->kind->stored(e->parameters, &xhat, beside->y + e->y);
}

static void weigh_impedances(StiLanes *lanes)
{
    for (int i = 0; i < lanes->network->impedance_count; ++i) {
        const LaneSpring *spring = &lanes->springs[i];
        const int x = lanes->at.position + lanes->network->impedances[i].wire.x;
        const Lane stretched = lanes->stages[0][x] - spring->rest;
        lanes->ledger.stored[i] = 0.5 * spring->K * ((Lane){0.0} + stretched * stretched);
        for (int lane = 0; !spring->known && lane < lanes->count; ++lane)
            if (lanes->runs[lane].taken)
                lanes->ledger.stored[i][lane] = in_impedance(lanes, lane, i);
    }
}

// What the watch over energy looks at.
typedef struct Look {
    Lane work, made, moving, height, numerical;
} Look;

static void look(const StiLanes *lanes, const Lane *kinetic, Look *look)
{
    const StiNetwork *n = lanes->network;
    const LaneLedger *l = &lanes->ledger;
    Lane work = l->work_of_motions, stored = l->in_bodies, start = l->in_bodies_start,
         elements = {0.0};
    for (int i = 0; i < n->impedance_count; ++i) {
        if (n->impedances[i].kind->gives_work) work -= l->by_impedance[i];
        stored += l->stored[i];
        start += l->stored_start[i];
        elements += l->stored[i];
    }
    *look = (Look){.work = work,
                   .made = stored - start - work,
                   .moving = *kinetic + elements,
                   .height = l->in_bodies - *kinetic,
                   .numerical = l->in_bodies - l->in_bodies_start - l->work_on_bodies};
}

static double larger(double a, double b) { return a > b ? a : b; }

static void watch(StiLanes *lanes, int lane, const Look *look)
{
    LaneLedger *l = &lanes->ledger;
    StiRecorder *recorder = lanes->runs[lane].recorder;
    const double given = l->given[lane] + fabs(look->work[lane] - l->work[lane]),
                 highest = larger(look->height[lane], l->highest[lane]),
                 lowest = -larger(-look->height[lane], -l->lowest[lane]);
    const RunawaySight sight = {.made = look->made[lane],
                                .moving = look->moving[lane],
                                .all = given + (highest - lowest),
                                .moving_most = larger(look->moving[lane], l->moving_most[lane]),
                                .numerical = look->numerical[lane]};
    if (sti_runaway_minds(&recorder->runaway, &sight)) { // the recorder itself looks
        sti_lanes_give_row(lanes, lane);
        sti_runaway_look(recorder, lanes->k);
    }
    l->given[lane] = given;
    l->work[lane] = look->work[lane];
    l->highest[lane] = highest;
    l->lowest[lane] = lowest;
    l->moving_most[lane] = sight.moving_most;
}

void sti_lanes_weigh(StiLanes *lanes)
{
    static const StiVec3 none = {0.0, 0.0, 0.0};
    Lane kinetic;
    Look sight;
    follow_elements(lanes);
    follow_bodies(lanes);
    weigh_bodies(lanes, &lanes->network->gravity, &lanes->ledger.in_bodies);
    weigh_bodies(lanes, &none, &kinetic);
    weigh_impedances(lanes);
    look(lanes, &kinetic, &sight);
    for (int lane = 0; lane < lanes->count; ++lane)
        if (lanes->runs[lane].taken) watch(lanes, lane, &sight);
}
