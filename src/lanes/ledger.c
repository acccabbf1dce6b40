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

// Of one run: stored in its bodies with this gravity.
static double in_bodies(const StiLanes *lanes, int lane, StiVec3 gravity)
{
    const LaneRun *run = &lanes->runs[lane];
    const StageData *beside = &run->scratch->beside;
    double sum = 0.0;
    for (int i = 0; i < run->network->admittance_count; ++i) {
        const Admittance *a = &run->network->admittances[i];
        if (a->kind->stored == NULL || a->kind->prescribed) continue;
        for (int d = 0; d < a->size.velocities; ++d) {
            beside->x[a->q + d] = lanes->stages[0][a->q + d][lane];
            beside->x[a->v + d] = lanes->stages[0][a->v + d][lane];
        }
        sum += a->kind->stored(a->parameters, gravity, beside->x + a->q, beside->x + a->v,
                               run->scratch->workspace);
    }
    return sum;
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

// What the watch over energy saw, and what it looks at now.
typedef struct Look {
    double given, work, highest, lowest, moving_most;
    double made, moving, numerical;
} Look;

static Look look_at(const StiLanes *lanes, int lane, double kinetic)
{
    const StiNetwork *n = lanes->network;
    const LaneLedger *l = &lanes->ledger;
    double work = l->work_of_motions[lane], stored = l->in_bodies[lane],
           start = l->in_bodies_start[lane], elements = 0.0;
    for (int i = 0; i < n->impedance_count; ++i) {
        if (n->impedances[i].kind->gives_work) work -= l->by_impedance[i][lane];
        stored += l->stored[i][lane];
        start += l->stored_start[i][lane];
        elements += l->stored[i][lane];
    }
    const double moving = kinetic + elements, height = l->in_bodies[lane] - kinetic;
    return (Look){.given = l->given[lane] + fabs(work - l->work[lane]),
                  .work = work,
                  .highest = fmax(l->highest[lane], height),
                  .lowest = fmin(l->lowest[lane], height),
                  .moving_most = fmax(l->moving_most[lane], moving),
                  .made = stored - start - work,
                  .moving = moving,
                  .numerical =
                      l->in_bodies[lane] - l->in_bodies_start[lane] - l->work_on_bodies[lane]};
}

static void watch(StiLanes *lanes, int lane, double kinetic)
{
    LaneLedger *l = &lanes->ledger;
    StiRecorder *recorder = lanes->runs[lane].recorder;
    const Look look = look_at(lanes, lane, kinetic);
    const RunawaySight sight = {.made = look.made,
                                .moving = look.moving,
                                .all = look.given + (look.highest - look.lowest),
                                .moving_most = look.moving_most,
                                .numerical = look.numerical};
    if (sti_runaway_minds(&recorder->runaway, &sight)) { // the recorder itself looks
        sti_lanes_give_row(lanes, lane);
        sti_runaway_look(recorder, lanes->k);
    }
    l->given[lane] = look.given;
    l->work[lane] = look.work;
    l->highest[lane] = look.highest;
    l->lowest[lane] = look.lowest;
    l->moving_most[lane] = look.moving_most;
}

void sti_lanes_weigh(StiLanes *lanes)
{
    static const StiVec3 none = {0.0, 0.0, 0.0};
    const StiVec3 gravity = lanes->network->gravity;
    follow_elements(lanes);
    follow_bodies(lanes);
    for (int lane = 0; lane < lanes->count; ++lane) {
        if (!lanes->runs[lane].taken) continue;
        lanes->ledger.in_bodies[lane] = in_bodies(lanes, lane, gravity);
        for (int i = 0; i < lanes->network->impedance_count; ++i)
            lanes->ledger.stored[i][lane] = in_impedance(lanes, lane, i);
        watch(lanes, lane, in_bodies(lanes, lane, none));
    }
}
