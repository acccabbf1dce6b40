// Trials until the modes of all joints agree with their efforts and velocities. The problem is monotone
// (efforts within bounds, H positive definite): where bounds and levels of slip agree it has one solution.
#include "events/joint_modes.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "rows/reactions.h"

enum { TRIALS = 24, SMOOTH_AT = 3, LONG_CHAIN = 16 };
static const double rounding = 1e-12; // of the terms before they cancel

// ---- memory ---------------------------------------------------------------------------------------

bool sti_joints_apply(const StiNetwork *n)
{
    if (n->reaction_count == 0 || n->contact_count > 0 || n->iterates_loads || n->constrains)
        return false;
    for (int i = 0; i < n->impedance_count; ++i)
        if (n->impedances[i].kind->modes != NULL && !n->impedances[i].kind->modes->one_sided)
            return false;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (!e->held || e->size.dim != 1 || e->kind->modes == NULL ||
            n->admittances[e->wire.wire.a.admittance].robot == NULL)
            return false;
    }
    return true;
}

static bool is_chain(const StiRobot *robot)
{
    for (int i = 0; i < robot->count; ++i)
        if (robot->links[i].order.parent != i - 1) return false;
    return true;
}

// Trials of long chains go on where friction has changed.
static void take_marks(StiArena *arena, const StiRobot *robot, RobotTrial *trial)
{
    const int count = (robot->count + STI_TRIAL_STRIDE - 1) / STI_TRIAL_STRIDE;
    if (robot->count < LONG_CHAIN || !is_chain(robot)) return;
    trial->used = sti_arena_take(arena, (size_t)robot->velocities + 1, sizeof(AxisFriction));
    trial->marks = sti_arena_take(arena, (size_t)count, sizeof(TrialMark));
    StiDouble2 *none = sti_arena_take(arena, 1, sizeof *none);
    for (int i = 0; !arena->failed && i < count; ++i) trial->marks[i].pairs = none;
}

// The last axis of the nearest link further in that has one.
static int parent_axis(const StiRobot *robot, int link)
{
    for (int i = robot->links[link].order.parent; i >= 0; i = robot->links[i].order.parent)
        if (robot->links[i].velocities > 0)
            return robot->links[i].v + robot->links[i].velocities - 1;
    return -1;
}

static void take_robot(StiArena *arena, const Admittance *a, JointData *data, RobotTrial *trial)
{
    const StiRobot *robot = a->robot;
    const RobotMemory memory = sti_robot_memory(robot, data->placed + a->prepared);
    StiDouble2 *none =
        sti_arena_take(arena, 1, sizeof *none); // no pushes, but memory for none of them
    *trial =
        (RobotTrial){.robot = robot,
                     .v = data->v + a->generalized,
                     .tau = data->tau + a->generalized,
                     .applied = data->applied + a->link,
                     .friction = data->friction + a->generalized,
                     .spots = memory.spots,
                     .axes = memory.axes,
                     .ranges = sti_arena_take(arena, (size_t)robot->count + 1, sizeof(PushRange)),
                     .trial =
                         sti_arena_take(arena, (size_t)robot->velocities + 1, sizeof(AxisTrial)),
                     .Y = none,
                     .moved = none,
                     .W_size = none,
                     .P = sti_arena_take(arena, 1, sizeof(StiWrench2))};
    take_marks(arena, robot, trial);
    for (int i = 0; !arena->failed && i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        for (int k = link->v; k < link->v + link->velocities; ++k) {
            const int before = k > link->v ? k - 1 : parent_axis(robot, i);
            data->joints[a->generalized + k] =
                (JointBounds){.reaction = -1, .parent = before < 0 ? -1 : a->generalized + before};
        }
    }
}

JointData *sti_joints_take(StiArena *arena, const StiNetwork *n)
{
    JointData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL || !(n->method->cuts || n->method->continuous)) return data;
    const size_t all = (size_t)n->generalized_count + 1;
    if (!sti_joints_apply(n)) return data;
    data->trials = sti_arena_take(arena, (size_t)n->admittance_count + 1, sizeof(RobotTrial));
    data->joints = sti_arena_take(arena, all, sizeof(JointBounds));
    data->friction = sti_arena_take(arena, all, sizeof(AxisFriction));
    data->ends = sti_arena_take(arena, all, sizeof(AxisEnd));
    data->v = sti_arena_numbers(arena, n->generalized_count);
    data->tau = sti_arena_numbers(arena, n->generalized_count);
    data->placed = sti_arena_numbers(arena, n->prepared_count);
    data->applied = sti_arena_take(arena, (size_t)n->link_count + 1, sizeof(StiWrench));
    for (int i = 0; !arena->failed && i < n->admittance_count; ++i)
        if (n->admittances[i].robot != NULL)
            take_robot(arena, &n->admittances[i], data, &data->trials[i]);
    for (int i = 0; !arena->failed && i < n->reaction_count; ++i)
        data->joints[n->reactions[i].wire.own_force].reaction = i;
    data->applies = !arena->failed;
    return data;
}

void sti_joints_place(const StiNetwork *network, const double *x, JointData *data)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->robot == NULL) continue;
        const RobotMemory memory = sti_robot_memory(a->robot, data->placed + a->prepared);
        sti_robot_place(a->robot, x + a->q, memory.spots, memory.axes);
        data->trials[i].marked = false;
    }
}

// ---- one trial ------------------------------------------------------------------------------------

void sti_joint_set_mode(JointData *data, int i, AxisMode mode)
{
    const JointBounds *joint = &data->joints[i];
    data->friction[i] = (AxisFriction){.mode = mode};
    if (mode == AXIS_STUCK || mode == AXIS_FREE) return;
    data->friction[i].level = mode == AXIS_FORWARD ? -joint->forward : joint->backward;
    data->friction[i].slope = mode == joint->sense ? joint->slope : 0.0;
    data->friction[i].at = joint->at;
}

StiStatus sti_joints_try(const StiNetwork *network, double T, StiScratch *scratch)
{
    JointData *data = scratch->joints;
    StiDouble2 none = {0.0, 0.0};
    ++scratch->figures.trials;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        RobotTrial *trial = &data->trials[i];
        if (a->robot == NULL) continue;
        trial->T = T;
        if (sti_trial_inward(trial, &none, &none) >= 0)
            return sti_fault(scratch, STI_BAD_ARGUMENT, a->name, "inertia",
                             &scratch->stages[0].stage);
        scratch->figures.steep += trial->steep;
        sti_trial_outward(trial, &none, data->ends + a->generalized);
    }
    return STI_OK;
}

// ---- which modes are wrong ------------------------------------------------------------------------

static void check_joint(JointData *data, const AxisTrial *axis, double T, int i)
{
    JointBounds *joint = &data->joints[i];
    AxisEnd *end = &data->ends[i];
    const AxisMode mode = data->friction[i].mode;
    joint->violated = AXIS_FREE;
    if (mode == AXIS_FREE) return;
    if (mode == AXIS_STUCK) {
        const double nothing = rounding * (end->scale + fabs(joint->low) + fabs(joint->high));
        joint->excess = fmax(joint->low - end->effort, end->effort - joint->high);
        if (joint->excess > nothing)
            joint->violated = end->effort < joint->low ? AXIS_FORWARD : AXIS_BACKWARD;
        return;
    }
    const double backwards = -(double)mode * end->v;
    const double nothing = rounding * (fabs(data->v[i]) + T * end->scale / axis->D);
    joint->excess = backwards * axis->D / T;
    if (backwards > nothing)
        joint->violated = AXIS_STUCK;
    else if (fabs(end->v) <= nothing)
        end->v = 0.0;
}

int sti_joints_check(const StiNetwork *network, double T, JointData *data)
{
    int violations = 0;
    for (int r = 0; r < network->admittance_count; ++r) {
        const Admittance *a = &network->admittances[r];
        for (int k = 0; a->robot != NULL && k < a->dim; ++k) {
            check_joint(data, &data->trials[r].trial[k], T, a->generalized + k);
            violations += data->joints[a->generalized + k].violated != AXIS_FREE;
        }
    }
    return violations;
}

// ---- changing modes -------------------------------------------------------------------------------

static bool breaks_loose(const JointData *data, int i)
{
    return data->friction[i].mode == AXIS_STUCK && data->joints[i].violated != AXIS_FREE;
}

// Of neighbours that break loose in the same sense only the worst does so.
static void keep_worst_of_bands(const StiNetwork *network, JointData *data)
{
    JointBounds *joints = data->joints;
    for (int i = 0; i < network->generalized_count; ++i) joints[i].weaker = false;
    for (int i = 0; i < network->generalized_count; ++i) {
        const int p = joints[i].parent;
        if (!breaks_loose(data, i) || p < 0 || !breaks_loose(data, p)) continue;
        if (joints[i].violated != joints[p].violated) continue;
        joints[joints[i].excess > joints[p].excess ? p : i].weaker = true;
    }
    for (int i = 0; i < network->generalized_count; ++i)
        if (joints[i].weaker) joints[i].violated = AXIS_FREE;
}

static void change_modes(const StiNetwork *network, JointData *data)
{
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->joints[i].violated != AXIS_FREE)
            sti_joint_set_mode(data, i, data->joints[i].violated);
}

// Have these modes been tried already?
static bool seen_before(const StiNetwork *network, JointData *data)
{
    const int room = sizeof data->seen / sizeof data->seen[0];
    uint64_t hash = STI_HASH_START;
    for (int i = 0; i < network->generalized_count; ++i)
        hash = (hash ^ (uint64_t)(data->friction[i].mode + 1)) * UINT64_C(0x100000001b3);
    for (int i = 0; i < data->seen_count; ++i)
        if (data->seen[i] == hash) return true;
    if (data->seen_count < room) data->seen[data->seen_count++] = hash;
    return false;
}

// Where the pivots will start: from the first modes, unless others are much better. Few violations do not
// mean that the solution is near, and the first modes are those of the motion so far.
static void keep_best(const StiNetwork *network, int violations, JointData *data)
{
    enum { MUCH = 8 };
    if (data->fewest < INT_MAX && violations >= data->fewest / MUCH) return;
    data->fewest = violations;
    for (int i = 0; i < network->generalized_count; ++i)
        data->joints[i].best = data->friction[i].mode;
}

int sti_joints_agree(const StiNetwork *network, double T, StiScratch *scratch, StiStatus *status)
{
    JointData *data = scratch->joints;
    const int many = network->generalized_count < LONG_CHAIN ? network->generalized_count
                                                             : network->generalized_count / 8;
    data->seen_count = 0;
    data->fewest = INT_MAX;
    seen_before(network, data);
    for (int trial = 1; trial <= TRIALS; ++trial) {
        *status = sti_joints_try(network, T, scratch);
        if (*status != STI_OK) return -1;
        const int violations = sti_joints_check(network, T, data);
        if (violations == 0) return 0;
        if (trial == SMOOTH_AT && violations > many) {
            *status = sti_joints_smooth(network, T, scratch);
            if (*status != STI_OK) return -1;
            continue;
        }
        keep_best(network, violations, data);
        keep_worst_of_bands(network, data);
        change_modes(network, data);
        if (seen_before(network, data)) break;
    }
    return sti_joints_pivot(network, T, scratch, status);
}
