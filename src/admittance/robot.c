// A robot as one body: its coordinates are its joints', its links its own.
#include <string.h>

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
                               .workspace = sti_robot_workspace(robot)};
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

// The load of a joint: the size of the constraint force at its origin, N. What acts along its slides is
// not constrained; moments are left out.
static double load_of(const StiRobot *robot, const RobotMemory *m, int link)
{
    const RobotLink *joint = &robot->links[robot->sorted[link]];
    StiVec3 force = m->loads[link].force;
    for (int k = 0; k < joint->slides; ++k) {
        const StiVec3 s = m->axes[joint->v + k].s;
        force = sti_vec3_sub(force, sti_vec3_scale(sti_vec3_dot(force, s), s));
    }
    return sti_vec3_norm(force);
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
    if (status != STI_OK) return status;
    sti_robot_rates(robot, q, v, qdot);
    for (int i = 0; i < sti_robot_links(robot); ++i) loads[i] = load_of(robot, &m, i);
    return STI_OK;
}

static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    return sti_robot_prepare(robot_of(parameters), q, locked, added, prepared);
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

static bool turns(const void *parameters, int velocity)
{
    return sti_robot_turns(robot_of(parameters), velocity);
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

const StiAdmittanceKind sti_kind_robot = {
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
    .move = move,
    .stored = stored,
    .robot = robot_of,
    .channels = channels,
    .turns = turns,
    .load_channels = load_channels,
    .observe = observe,
};
