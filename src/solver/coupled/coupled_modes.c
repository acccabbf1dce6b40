// Trials until the modes of all joints and the forces of the block agree (COUPLED 2.2 - 2.6).
#include <math.h>

#include "base/hash.h"
#include "solver/coupled/coupled.h"

enum { TRIALS = 400, LAW_ROUNDS = 100 };
static const double rounding = 1e-12; // of the terms before they cancel

// ---- one trial ----------------------------------------------------------------------------------

static StiStatus solve_block(const StiNetwork *network, StiScratch *scratch)
{
    RowSet *set = coupled_data(scratch)->set;
    sti_bristles_enter(scratch);
    const StiStatus status = sti_rows_solve(set, true, false);
    sti_bristles_leave(scratch);
    scratch->figures.sweeps += set->answer.sweeps;
    scratch->figures.block_iterations += set->answer.iterations;
    if (status != STI_OK)
        return sti_fault(scratch, status, sti_node_name(network, scratch, set->answer.worst),
                         "reaction", &scratch->stages[0].stage);
    return STI_OK;
}

static StiStatus try_modes(const StiNetwork *network, StiScratch *scratch)
{
    ++scratch->figures.trials;
    StiStatus status = sti_coupled_robots(network, scratch);
    if (status == STI_OK) status = solve_block(network, scratch);
    if (status == STI_OK) sti_rows_end_robots(network, coupled_data(scratch)->set);
    return status;
}

// ---- which modes are wrong ----------------------------------------------------------------------

static void check_stuck(const StiNetwork *network, StiScratch *scratch, int i)
{
    CoupledData *data = coupled_data(scratch);
    const AxisEnd *end = &data->set->ends[i];
    const double direction = end->effort < 0.0 ? 1.0 : -1.0; // friction acts against it
    const double limit = sti_joint_limit(network, scratch, i, direction);
    const double excess = fabs(end->effort) - limit;
    if (!(excess > rounding * end->scale)) return;
    data->joints[i].violated = direction > 0.0 ? AXIS_FORWARD : AXIS_BACKWARD;
    data->joints[i].excess = excess;
}

static void check_slip(CoupledData *data, const AxisTrial *axis, double T, double v, int i)
{
    AxisEnd *end = &data->set->ends[i];
    const double nothing = rounding * (fabs(v) + T * end->scale / axis->D);
    const double backwards = -(double)data->set->friction[i].mode * end->v;
    if (backwards > nothing) {
        data->joints[i].violated = AXIS_STUCK;
        data->joints[i].excess = backwards * axis->D / T;
    } else if (fabs(end->v) <= nothing) {
        end->v = 0.0; // slips in mode only: something else stops it
    }
}

// Returns how many joints are not content.
static int check_joints(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    int violations = 0;
    for (int r = 0; r < data->set->robot_count; ++r) {
        const RobotPart *part = &data->set->robots[r];
        const Admittance *a = &network->admittances[part->admittance];
        for (int k = 0; k < a->dim; ++k) {
            const int i = a->generalized + k;
            Joint *joint = &data->joints[i];
            joint->violated = AXIS_FREE;
            if (data->set->friction[i].mode == AXIS_FREE) continue;
            if (data->set->friction[i].mode == AXIS_STUCK)
                check_stuck(network, scratch, i);
            else
                check_slip(data, &part->trial.trial[k], network->step, part->trial.v[k], i);
            violations += joint->violated != AXIS_FREE;
        }
    }
    return violations;
}

// ---- changing modes -----------------------------------------------------------------------------

static bool same_sense(const CoupledData *data, int a, int b)
{
    return data->joints[a].violated == data->joints[b].violated &&
           data->set->friction[a].mode == AXIS_STUCK && data->set->friction[b].mode == AXIS_STUCK;
}

// Of neighbours that break loose in the same sense only the worst does so.
static void keep_worst_of_bands(const StiNetwork *network, CoupledData *data)
{
    for (int i = 0; i < network->generalized_count; ++i) data->stuck_again[i] = false;
    for (int i = 0; i < network->generalized_count; ++i) {
        const Joint *joint = &data->joints[i];
        if (data->set->friction[i].mode != AXIS_STUCK || joint->violated == AXIS_FREE) continue;
        const int p = joint->parent;
        if (p < 0 || data->joints[p].violated == AXIS_FREE || !same_sense(data, i, p)) continue;
        data->stuck_again[joint->excess > data->joints[p].excess ? p : i] = true;
    }
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->stuck_again[i]) data->joints[i].violated = AXIS_FREE;
}

static bool make_node(const StiNetwork *network, StiScratch *scratch, int i)
{
    CoupledData *data = coupled_data(scratch);
    for (int r = 0; r < data->set->robot_count; ++r) {
        RobotPart *part = &data->set->robots[r];
        const Admittance *a = &network->admittances[part->admittance];
        if (i < a->generalized || i >= a->generalized + a->dim) continue;
        if (part->nodes == STI_JOINT_NODES || data->joints[i].node) return false;
        ++part->nodes;
        data->joints[i].node = true;
        data->set->friction[i] = (AxisFriction){.mode = AXIS_FREE};
        ++scratch->figures.joint_rows;
        return true;
    }
    return false;
}

// The block with its new nodes; forces of the others start where they were in the last step.
static void regroup(const StiNetwork *network, StiScratch *scratch)
{
    sti_coupled_rows(network, scratch);
    sti_coupled_fixed(network, scratch);
}

static uint64_t hash_modes(const StiNetwork *network, const CoupledData *data)
{
    uint64_t hash = STI_HASH_START;
    for (int i = 0; i < network->generalized_count; ++i)
        hash = (hash ^ (uint64_t)(data->set->friction[i].mode + 1)) * UINT64_C(0x100000001b3);
    return hash;
}

// Have these modes been tried in this step already?
static bool seen_before(const StiNetwork *network, CoupledData *data)
{
    const uint64_t hash = hash_modes(network, data);
    const int room = sizeof data->seen / sizeof data->seen[0];
    for (int i = 0; i < data->seen_count; ++i)
        if (data->seen[i] == hash) return true;
    if (data->seen_count < room) data->seen[data->seen_count++] = hash;
    return false;
}

static void change_modes(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    keep_worst_of_bands(network, data);
    for (int i = 0; i < network->generalized_count; ++i) {
        Joint *joint = &data->joints[i];
        if (joint->violated == AXIS_FREE || data->set->friction[i].mode == AXIS_FREE) continue;
        data->set->friction[i].mode = joint->violated;
        joint->changed = true;
        sti_joint_linearise(network, scratch, i, data->set->ends[i].v);
    }
}

// Joints that go round in circles become nodes, as long as there is room.
static bool break_cycle(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    bool made = false;
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->joints[i].changed && data->joints[i].violated != AXIS_FREE)
            made = make_node(network, scratch, i) || made;
    if (made) {
        regroup(network, scratch);
        data->seen_count = 0;
    }
    return made;
}

static void keep_worst(const StiNetwork *network, CoupledData *data)
{
    int worst = -1;
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->joints[i].violated != AXIS_FREE &&
            (worst < 0 || data->joints[i].excess > data->joints[worst].excess))
            worst = i;
    for (int i = 0; i < network->generalized_count; ++i)
        if (i != worst) data->joints[i].violated = AXIS_FREE;
}

// The block has no answer although the modes agree: the joint nearest to a change joins it.
static bool join_nearest(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    int nearest = -1;
    double least = INFINITY;
    for (int r = 0; r < data->set->robot_count; ++r) {
        const RobotPart *part = &data->set->robots[r];
        const Admittance *a = &network->admittances[part->admittance];
        for (int k = 0; part->nodes < STI_JOINT_NODES && k < a->dim; ++k) {
            const int i = a->generalized + k;
            if (data->joints[i].reaction < 0 || data->joints[i].node) continue;
            const double limit = sti_joint_limit(network, scratch, i, 1.0);
            const double margin =
                data->set->friction[i].mode == AXIS_STUCK
                    ? (limit - fabs(data->set->ends[i].effort)) / limit
                    : fabs(data->set->ends[i].v) * part->trial.trial[k].D / (network->step * limit);
            if (!(margin < least)) continue;
            least = margin;
            nearest = i;
        }
    }
    if (nearest < 0 || !make_node(network, scratch, nearest)) return false;
    regroup(network, scratch);
    return true;
}

static StiStatus agree(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    bool one_at_a_time = false;
    data->seen_count = 0;
    seen_before(network, data);
    for (int trial = 1;; ++trial) {
        const StiStatus status = try_modes(network, scratch);
        if (status != STI_OK) return status;
        const int violations = check_joints(network, scratch);
        if (violations == 0 && data->set->answer.outcome <= STI_BLOCK_SOFT) return STI_OK;
        if (violations == 0) {
            if (trial < TRIALS && join_nearest(network, scratch)) continue;
            return STI_OK;
        }
        if (trial >= TRIALS) {
            scratch->figures.unsettled_joints = violations;
            return STI_OK;
        }
        if (sti_smoothing_pays(network, scratch, trial, violations)) {
            const StiStatus smoothed = sti_coupled_smooth(network, scratch);
            if (smoothed != STI_OK) return smoothed;
            continue;
        }
        if (one_at_a_time) keep_worst(network, data);
        change_modes(network, scratch);
        if (!seen_before(network, data) || break_cycle(network, scratch)) continue;
        one_at_a_time = true;
        data->seen_count = 0;
    }
}

StiStatus sti_coupled_trial(const StiNetwork *network, StiScratch *scratch)
{
    return try_modes(network, scratch);
}

StiStatus sti_coupled_modes(const StiNetwork *network, StiScratch *scratch)
{
    scratch->figures.unsettled_joints = 0;
    for (int round = 0; round < LAW_ROUNDS; ++round) {
        const StiStatus status = agree(network, scratch);
        if (status != STI_OK) return status;
        coupled_data(scratch)->law_round = round;
        if (sti_joints_release(network, scratch)) continue;
        if (!sti_levels_moved(network, scratch)) return STI_OK;
    }
    if (scratch->figures.unsettled_joints == 0) scratch->figures.unsettled_joints = 1;
    return STI_OK;
}
