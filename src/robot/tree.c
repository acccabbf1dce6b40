// Robots: made once from the user's links, then only read.
#include "robot/tree.h"

#include "robot/channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/slices.h"
#include "robot/recursion.h"

static bool copy_links(StiRobot *robot, const StiLink *links)
{
    const size_t size = (size_t)robot->count * sizeof *links;
    robot->given = sti_arena_copy(&robot->arena, links, size);
    for (int i = 0; !robot->arena.failed && i < robot->count; ++i) {
        robot->given[i].name = sti_arena_text(&robot->arena, links[i].name);
        robot->given[i].joint_name =
            sti_arena_text(&robot->arena, links[i].joint_name != NULL ? links[i].joint_name : "");
    }
    return !robot->arena.failed;
}

static bool take_memory(StiRobot *robot)
{
    StiArena *arena = &robot->arena;
    const size_t links = (size_t)robot->count, velocities = (size_t)robot->velocities;
    robot->sorted = sti_arena_take(arena, links, sizeof *robot->sorted);
    robot->links = sti_arena_take(arena, links, sizeof *robot->links);
    robot->directions = sti_arena_take(arena, velocities, sizeof *robot->directions);
    robot->armature = sti_arena_take(arena, velocities, sizeof *robot->armature);
    return !arena->failed;
}

static void count_velocities(StiRobot *robot)
{
    for (int i = 0; i < robot->count; ++i) {
        const StiJoint *joint = &sti_joints[robot->given[i].joint];
        robot->positions += sti_joint_positions(joint);
        robot->velocities += sti_joint_velocities(joint);
    }
}

// About the link's origin, link axes.
static StiRigidInertia inertia_of(const StiLink *given)
{
    const double *J = given->inertia;
    const StiRigidInertia about_centre = {given->mass,
                                          {0.0, 0.0, 0.0},
                                          {J[0], J[1], J[2], J[3], J[4], J[5]}};
    return sti_rigid_shift(about_centre, given->centre);
}

static StiVec3 unit_axis(const StiLink *given)
{
    if (!sti_joints[given->joint].axis) return given->axis;
    if (sti_is_unit(sti_vec3_dot(given->axis, given->axis))) return given->axis;
    return sti_vec3_scale(1.0 / sti_vec3_norm(given->axis), given->axis);
}

static void set_link(StiRobot *robot, RobotLink *link, int q, int v)
{
    const StiLink *given = &robot->given[link->order.link];
    const StiJoint *joint = &sti_joints[given->joint];
    const StiQuat placement = sti_quat_attitude(given->placement.q);
    const StiVec3 axis = unit_axis(given);
    link->q = q;
    link->v = v;
    link->slides = joint->slides;
    link->velocities = sti_joint_velocities(joint);
    link->rotation = joint->rotation;
    link->hinge.c = placement;
    link->hinge.s = sti_quat_multiply(placement, (StiQuat){0.0, axis.x, axis.y, axis.z});
    link->shift = given->placement.p;
    link->inertia = inertia_of(given);
    const StiSym3 J = link->inertia.J;
    link->principal = J.xy == 0.0 && J.xz == 0.0 && J.yz == 0.0;
    sti_joint_directions(given->joint, placement, axis, robot->directions + v);
    for (int k = 0; k < link->velocities; ++k) robot->armature[v + k] = given->armature;
}

// q and v have the order in which the user gave the links.
static void set_links(StiRobot *robot, const TreeOrder *orders)
{
    for (int i = 0; i < robot->count; ++i) {
        robot->links[i].order = orders[i];
        robot->sorted[orders[i].link] = i;
    }
    int q = 0, v = 0;
    for (int i = 0; i < robot->count; ++i) {
        RobotLink *link = &robot->links[robot->sorted[i]];
        set_link(robot, link, q, v);
        q += sti_joint_positions(&sti_joints[robot->given[i].joint]);
        v += link->velocities;
    }
}

// What is known only of the finished robot.
static void check_inertia(StiRobot *robot, StiReport *report)
{
    const int doubles = sti_robot_workspace(robot) + robot->positions + robot->velocities;
    double *workspace = malloc((size_t)doubles * sizeof *workspace);
    if (workspace != NULL) sti_tree_check_inertia(robot, workspace, report);
    robot->arena.failed = workspace == NULL;
    free(workspace);
}

static void build(StiRobot *robot, const StiLink *links, StiReport *report)
{
    if (!copy_links(robot, links)) return;
    count_velocities(robot);
    TreeOrder *orders = sti_arena_take(&robot->arena, (size_t)robot->count, sizeof *orders);
    if (!take_memory(robot) || !sti_tree_sort(links, robot->count, orders, report)) return;
    set_links(robot, orders);
    for (int i = 0; i < robot->count; ++i)
        sti_names_put(&robot->joints, &robot->arena, robot->given[i].joint_name, i);
    if (robot->arena.failed) return;
    if (sti_robot_name_channels(robot)) check_inertia(robot, report);
}

static StiRobot *create(const StiLink *links, int count, StiReport *report)
{
    const int before = sti_report_error_count(report);
    sti_tree_check(links, count, report);
    if (sti_report_error_count(report) > before) return NULL;
    StiRobot *robot = calloc(1, sizeof *robot);
    if (robot != NULL) {
        robot->count = count;
        build(robot, links, report);
    }
    if (robot == NULL || robot->arena.failed)
        sti_report_add(report, STI_ERROR, "", "", NAN, "out of memory");
    if (sti_report_error_count(report) == before) return robot;
    sti_robot_destroy(robot);
    return NULL;
}

StiRobot *sti_robot_create(const StiLink *links, int count, StiReport *report)
{
    if (report != NULL) return create(links, count, report);
    StiReport *unread = sti_report_create();
    StiRobot *robot = unread != NULL ? create(links, count, unread) : NULL;
    sti_report_destroy(unread);
    return robot;
}

void sti_robot_destroy(StiRobot *robot)
{
    if (robot == NULL) return;
    sti_arena_release(&robot->arena);
    free(robot);
}

int sti_robot_links(const StiRobot *robot) { return robot->count; }
int sti_robot_positions(const StiRobot *robot) { return robot->positions; }
int sti_robot_velocities(const StiRobot *robot) { return robot->velocities; }
const StiLink *sti_robot_link(const StiRobot *robot, int link) { return &robot->given[link]; }

int sti_robot_find_joint(const StiRobot *robot, const char *joint_name)
{
    return joint_name[0] != '\0' ? sti_names_find(&robot->joints, joint_name) : -1;
}

int sti_robot_joint_position(const StiRobot *robot, int link)
{
    return robot->links[robot->sorted[link]].q;
}
int sti_robot_joint_velocity(const StiRobot *robot, int link)
{
    return robot->links[robot->sorted[link]].v;
}

int sti_robot_joint_velocities(const StiRobot *robot, int link)
{
    return robot->links[robot->sorted[link]].velocities;
}

enum {
    SPOT = sizeof(LinkSpot) / sizeof(double),
    AXIS = sizeof(JointAxis) / sizeof(double),
    WRENCH = sizeof(StiWrench) / sizeof(double)
};

int sti_robot_prepared(const StiRobot *robot)
{
    return SPOT * robot->count + AXIS * robot->velocities;
}

int sti_robot_workspace(const StiRobot *robot)
{
    return sti_robot_prepared(robot) + 2 * WRENCH * robot->count;
}

RobotMemory sti_robot_memory(const StiRobot *robot, double *doubles)
{
    LinkSpot *spots = (void *)doubles;
    JointAxis *axes = (void *)(spots + robot->count);
    StiWrench *applied = (void *)(axes + robot->velocities);
    return (RobotMemory){spots, axes, applied, applied + robot->count};
}
