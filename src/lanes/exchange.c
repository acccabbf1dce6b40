// Between the lanes and the runs by themselves.
#include <string.h>

#include "lanes/lanes.h"

static void give_ledger(const StiLanes *lanes, int lane)
{
    const StiNetwork *n = lanes->network;
    const LaneLedger *from = &lanes->ledger;
    Ledger *to = &lanes->runs[lane].recorder->ledger;
    Runaway *watch = &lanes->runs[lane].recorder->runaway;
    sti_lane_give(n->impedance_count, from->by_impedance, lane, to->absorbed_by_impedance);
    sti_lane_give(n->reaction_count, from->by_reaction, lane, to->absorbed_by_reaction);
    sti_lane_give(n->impedance_count, from->stored, lane, to->stored_in_impedance);
    to->work_of_motions = from->work_of_motions[lane];
    to->work_on_bodies = from->work_on_bodies[lane];
    to->stored_in_bodies = from->in_bodies[lane];
    watch->given = from->given[lane];
    watch->work = from->work[lane];
    watch->highest = from->highest[lane];
    watch->lowest = from->lowest[lane];
    watch->moving_most = from->moving_most[lane];
}

static void take_ledger(StiLanes *lanes, int lane)
{
    const StiNetwork *n = lanes->network;
    LaneLedger *to = &lanes->ledger;
    const Ledger *from = &lanes->runs[lane].recorder->ledger;
    const Runaway *watch = &lanes->runs[lane].recorder->runaway;
    sti_lane_take(n->impedance_count, from->absorbed_by_impedance, lane, to->by_impedance);
    sti_lane_take(n->reaction_count, from->absorbed_by_reaction, lane, to->by_reaction);
    sti_lane_take(n->impedance_count, from->stored_in_impedance, lane, to->stored);
    sti_lane_take(n->impedance_count, from->stored_in_impedance_start, lane, to->stored_start);
    to->work_of_motions[lane] = from->work_of_motions;
    to->work_on_bodies[lane] = from->work_on_bodies;
    to->in_bodies[lane] = from->stored_in_bodies;
    to->in_bodies_start[lane] = from->stored_in_bodies_start;
    to->given[lane] = watch->given;
    to->work[lane] = watch->work;
    to->highest[lane] = watch->highest;
    to->lowest[lane] = watch->lowest;
    to->moving_most[lane] = watch->moving_most;
}

void sti_lanes_give_state(StiLanes *lanes, int lane)
{
    const StiNetwork *n = lanes->network;
    const LaneRun *run = &lanes->runs[lane];
    if (!run->behind) return;
    sti_lane_give(n->x_count + n->y_count, lanes->stages[0], lane, run->state->values);
    run->state->k = lanes->k;
    // Of the row before, a step of its own asks the recorder for the signals.
    sti_lane_give(n->port_count, lanes->stages[0] + lanes->at.ports, lane,
                  run->recorder->row.ports);
    give_ledger(lanes, lane);
}

// Means over the stages of the step, as enter_stage of cut/account.c.
static double mean_force(const StiLanes *lanes, int u, int lane)
{
    const StiMethod *pair = lanes->network->pair;
    double sum = 0.0;
    for (int r = 0; r < pair->stages; ++r) {
        const Lane *stage = r == 0 ? lanes->close : lanes->stages[r];
        const double share = lanes->network->step * pair->b[r] / lanes->network->step;
        if (pair->b[r] != 0.0) sum += share * stage[lanes->at.u + u][lane];
    }
    return sum;
}

void sti_lanes_give_row(StiLanes *lanes, int lane)
{
    const StiNetwork *n = lanes->network;
    LaneRun *run = &lanes->runs[lane];
    StageData *row = &run->recorder->row;
    const Lane *point = lanes->stages[0];
    const LanePlaces *at = &lanes->at;
    if (!run->behind) return;
    sti_lanes_give_state(lanes, lane);
    run->behind = false;
    row->stage.t = sti_network_time(n, lanes->k);
    row->stage.k = lanes->k;
    sti_lane_give(n->x_count + n->y_count, point, lane, row->x);
    memcpy(run->recorder->s, run->state->values + run->state->s,
           (size_t)n->s_count * sizeof(double));
    sti_lane_give(n->source_values, point + at->sources, lane, row->sources);
    sti_lane_give(n->xhat_positions, point + at->position, lane, row->position);
    sti_lane_give(n->xhat_velocities, point + at->velocity, lane, row->velocity);
    for (int i = 0; i < n->xhat_velocities; ++i) row->u[i] = mean_force(lanes, i, lane);
    for (int i = 0; i < n->reaction_count; ++i)
        run->recorder->resistances[n->reactions[i].row] = row->u[n->reactions[i].wire.v];
}

void sti_lanes_take_point(StiLanes *lanes, int lane)
{
    const StiNetwork *n = lanes->network;
    LaneRun *run = &lanes->runs[lane];
    const SubstepData *data = run->scratch->substep;
    const StageData *point = &run->scratch->stages[0];
    run->behind = false;
    run->ready = data->kept && data->judged && data->kept_usual && data->kept_from == lanes->from &&
                 data->kept_to == lanes->to;
    sti_lane_take(lanes->at.count, point->x, lane, lanes->stages[0]);
    sti_lane_take(n->s_count, run->state->values + run->state->s, lane, lanes->s);
    for (int i = 0; i < n->reaction_count; ++i) {
        lanes->g0[i][lane] = data->before[i].g;
        lanes->rate0[i][lane] = data->before[i].rate;
    }
    take_ledger(lanes, lane);
}
