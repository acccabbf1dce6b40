// A robot as one body: its coordinates are its joints', its links its own.
#include <string.h>

#include "base/default.h"
#include "admittance/robot_parameters.h"
#include "robot/channels.h"
#include "robot/recursion.h"

static const StiRobot *robot_of(const void *parameters)
{
    return ((const StiRobotBody *)parameters)->robot;
}

static StiAdmittanceSize size(const void *parameters)
{
    const StiRobot *robot = robot_of(parameters);
    return (StiAdmittanceSize){.positions = sti_robot_positions(robot),
                               .velocities = sti_robot_velocities(robot),
                               .links = sti_robot_links(robot),
                               .loads = sti_robot_links(robot),
                               .prepared = sti_robot_prepared(robot),
                               .workspace =
                                   sti_robot_workspace(robot) + 2 * sti_robot_velocities(robot)};
}

static void start(const void *parameters, double *q, double *v)
{
    const StiRobotBody *p = parameters;
    sti_robot_rest(p->robot, q);
    memset(v, 0, (size_t)sti_robot_velocities(p->robot) * sizeof *v);
    if (p->position != NULL) memcpy(q, p->position, (size_t)p->positions * sizeof *q);
    if (p->velocity != NULL) memcpy(v, p->velocity, (size_t)p->velocities * sizeof *v);
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    (void)signals;
    sti_robot_frames(robot_of(parameters), q, v, links);
}

// The load of a joint: what its bearing carries, N m; without one the size of the constraint force at its
// origin, N. What acts along its slides is not constrained.
static inline double load_of(const StiRobot *robot, const RobotMemory *m, int link)
{
    const RobotLink *joint = &robot->links[robot->sorted[link]];
    const StiBearing *bearing = &robot->given[link].bearing;
    StiVec3 force = m->loads[link].force;
    if (sti_bearing_given(bearing))
        return sti_bearing_load(bearing, m->axes[joint->v].s, force, m->loads[link].moment);
    for (int k = 0; k < joint->slides; ++k) {
        const StiVec3 s = m->axes[joint->v + k].s;
        force = sti_vec3_sub(force, sti_vec3_scale(sti_vec3_dot(force, s), s));
    }
    return sti_vec3_norm(force);
}

static void rates(const void *parameters, const double *q, const double *v, double *qdot)
{
    sti_robot_rates(robot_of(parameters), q, v, qdot);
}

// Compile has seen to it that inertia opposes every velocity. Where none does now, positions are so large that it is lost.
static StiStatus left_the_numbers(StiStatus status)
{
    return status == STI_BAD_ARGUMENT ? STI_NOT_FINITE : status;
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    (void)signals;
    const StiRobot *robot = robot_of(parameters);
    const RobotMemory m = sti_robot_memory(robot, stage->workspace);
    const StiStatus status = sti_robot_forward(robot, stage->gravity, q, v, uhat->generalized,
                                               uhat->links, vdot, m.loads, stage->workspace);
    if (status != STI_OK) return left_the_numbers(status);
    sti_robot_rates(robot, q, v, qdot);
    for (int i = 0; i < sti_robot_links(robot); ++i) loads[i] = load_of(robot, &m, i);
    return STI_OK;
}

// What eval_held keeps from call to call: a robot that stands still is placed and factored once.
typedef struct Kept {
    double *known;   // 0: nothing yet
    double *applied; // 0: something acted on the links
    double *q, *v, *held;
    RobotMemory robot;
} Kept;

static int memory(const void *parameters)
{
    const StiRobot *robot = robot_of(parameters);
    return 2 + robot->positions + 2 * robot->velocities + sti_robot_workspace(robot);
}

static Kept kept_in(const StiRobot *robot, double *numbers)
{
    double *q = numbers + 2, *v = q + robot->positions, *held = v + robot->velocities;
    return (Kept){numbers, numbers + 1, q,
                  v,       held,        sti_robot_memory(robot, held + robot->velocities)};
}

static bool same_numbers(double *kept, const double *now, int count)
{
    if (memcmp(kept, now, (size_t)count * sizeof *now) == 0) return true;
    memcpy(kept, now, (size_t)count * sizeof *now);
    return false;
}

static bool same_held(double *kept, const bool *held, int count)
{
    bool same = true;
    for (int k = 0; k < count; ++k) {
        const double now = held != NULL && held[k] ? 1.0 : 0.0;
        same = same && kept[k] == now;
        kept[k] = now;
    }
    return same;
}

// Placed, and with all that acts at these velocities, as far as that is not known. factored: also that is
// known.
static void get_ready(const StiRobot *robot, const StiStage *stage, const double *q,
                      const double *v, const StiWrench *external, const bool *held,
                      const Kept *kept, bool *factored)
{
    const RobotMemory *m = &kept->robot;
    const bool known = *kept->known != 0.0;
    const bool placed = same_numbers(kept->q, q, robot->positions) && known;
    const bool moving = same_numbers(kept->v, v, robot->velocities) && placed;
    const bool free = external == NULL;
    *factored = same_held(kept->held, held, robot->velocities) && placed;
    if (!placed) sti_robot_place(robot, q, m->spots, m->axes);
    if (!moving || !free || *kept->applied == 0.0)
        sti_robot_apply(robot, stage->gravity, v, m->spots, m->axes, external, m->applied);
    *kept->applied = free;
}

// Everything at the accelerations that follow from uhat with held velocities locked.
static StiStatus eval_held(const void *parameters, const StiStage *stage, const double *q,
                           const double *v, const double *signals, const StiForce *uhat,
                           const bool *held, double *memory, double *qdot, double *vdot,
                           double *loads, double *taken)
{
    (void)signals;
    const StiRobot *robot = robot_of(parameters);
    const Kept kept = kept_in(robot, memory);
    const RobotMemory *m = &kept.robot;
    const double *tau = uhat->generalized;
    bool factored;
    get_ready(robot, stage, q, v, uhat->links, held, &kept, &factored);
    *kept.known = 0.0;
    if (factored)
        sti_robot_solve_loaded(robot, m->spots, m->axes, tau, m->applied, vdot, m->loads);
    else if (sti_robot_factor_and_solve(robot, m->spots, held, tau, m->applied, m->axes, vdot,
                                        m->loads) >= 0)
        return STI_NOT_FINITE;
    *kept.known = 1.0;
    sti_robot_rates(robot, q, v, qdot);
    for (int i = 0; i < robot->count; ++i) loads[i] = load_of(robot, m, i);
    if (held != NULL) sti_robot_take(robot, m->axes, held, m->loads, tau, taken);
    return STI_OK;
}

// H v of the held velocities pulls at the others.
static StiStatus stop_locked(const void *parameters, const double *q, const bool *held, double *v,
                             double *workspace)
{
    const StiRobot *robot = robot_of(parameters);
    const RobotMemory m = sti_robot_memory(robot, workspace);
    double *stopped = workspace + sti_robot_workspace(robot), *pull = stopped + robot->velocities;
    const StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    for (int i = 0; i < robot->count; ++i) m.applied[i] = none;
    for (int k = 0; k < robot->velocities; ++k) stopped[k] = held[k] ? v[k] : 0.0;
    sti_robot_place(robot, q, m.spots, m.axes);
    sti_robot_transmit(robot, m.spots, m.axes, stopped, m.applied, m.loads);
    sti_robot_efforts(robot, m.axes, stopped, m.loads, pull);
    if (sti_robot_factor(robot, m.spots, held, NULL, m.axes) >= 0) return STI_NOT_FINITE;
    sti_robot_solve(robot, m.spots, m.axes, pull, NULL, pull);
    for (int k = 0; k < robot->velocities; ++k) v[k] = held[k] ? 0.0 : v[k] + pull[k];
    return STI_OK;
}

static const StiAdmittanceHold hold = {.table_size = sizeof(StiAdmittanceHold),
                                       .memory = memory,
                                       .eval = eval_held,
                                       .stop_locked = stop_locked};

static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    return left_the_numbers(sti_robot_prepare(robot_of(parameters), q, locked, added, prepared));
}

static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    (void)q;
    sti_robot_respond(robot_of(parameters), prepared, force->generalized, force->links, dv);
}

static void move(const void *parameters, const double *v, double T, double *q)
{
    sti_robot_move(robot_of(parameters), v, T, q);
}

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    return sti_robot_energy(robot_of(parameters), gravity, q, v, workspace);
}

static bool is_angular(const void *parameters, int velocity)
{
    return sti_robot_is_angular(robot_of(parameters), velocity);
}

static const StiChannelInfo *load_channels(const void *parameters)
{
    return robot_of(parameters)->load_channels;
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    return sti_robot_channels(robot_of(parameters), names);
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)signals;
    const StiRobot *robot = robot_of(parameters);
    for (int i = 0; i < sti_robot_links(robot); ++i)
        values = sti_robot_observe_joint(robot, i, q, v, values);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiRobotBody *p = parameters;
    if (p->robot == NULL) {
        sti_check_error(check, "robot", 0.0, "a robot is needed: sti_robot_create");
        return;
    }
    if (p->position != NULL && p->positions != sti_robot_positions(p->robot))
        sti_check_error(check, "position", p->positions, "the robot has %d positions",
                        sti_robot_positions(p->robot));
    if (p->velocity != NULL && p->velocities != sti_robot_velocities(p->robot))
        sti_check_error(check, "velocity", p->velocities, "the robot has %d velocities",
                        sti_robot_velocities(p->robot));
    sti_robot_check_parameters(p, check);
}

static bool joint(const void *parameters, const char *name, StiJointPlace *place)
{
    const StiRobot *robot = robot_of(parameters);
    const int link = sti_robot_find_joint(robot, name);
    if (link < 0) return false;
    *place = (StiJointPlace){.link = link,
                             .position = sti_robot_joint_position(robot, link),
                             .velocity = sti_robot_joint_velocity(robot, link),
                             .count = sti_robot_joint_velocities(robot, link)};
    return true;
}

const StiAdmittanceKind sti_kind_robot = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "robot",
             .summary = "a tree of links in reduced coordinates",
             .size = sizeof(StiRobotBody),
             .inside = &sti_robot_inside,
             .check = check},
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .prepare = prepare,
    .respond = respond,
    .hold = &hold,
    .rates = rates,
    .move = move,
    .stored = stored,
    .robot = robot_of,
    .channels = channels,
    .is_angular = is_angular,
    .load_channels = load_channels,
    .observe = observe,
    .joint = joint,
};

STI_DEFAULT(StiRobotBody, robot_body, sti_kind_robot.info)
