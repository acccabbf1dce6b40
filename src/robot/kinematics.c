// From positions to frames, and to what the recursions need of them.
#include <string.h>

#include "robot/recursion.h"

static inline StiVec3 position_in_parent(const RobotLink *link, const StiVec3 *directions,
                                         const double *q)
{
    StiVec3 shift = link->shift;
    for (int k = 0; k < link->slides; ++k)
        shift = sti_vec3_add_scaled(shift, q[link->q + k], directions[link->v + k]);
    return shift;
}

// Attitude in the world: the quaternion is multiplied from link to link, the matrix rotates.
typedef struct Attitude {
    StiQuat q;
    StiMat3 R;
} Attitude;

// Axes from first to last, fixed in the axes that R turns into the world's.
static inline void turn_axes(const StiRobot *robot, StiMat3 R, int first, int last, JointAxis *axes)
{
    for (int k = first; k < last; ++k) axes[k].s = sti_mat3_times(R, robot->directions[k]);
}

// Most links have their principal moments along their axes.
static inline StiRigidInertia rotate(StiMat3 R, const RobotLink *link)
{
    const StiRigidInertia I = link->inertia;
    return (StiRigidInertia){I.m, sti_mat3_times(R, I.mc),
                             link->principal ? sti_sym3_rotate_diagonal(R, I.J)
                                             : sti_sym3_rotate(R, I.J)};
}

void sti_robot_place(const StiRobot *robot, const double *q, LinkSpot *spots, JointAxis *axes)
{
    // In the parent's axes at first. All sines and cosines in a loop of their own: calls would
    // drive the numbers of the loop below out of the registers.
    for (int i = 0; i < robot->count; ++i)
        spots[i].attitude = sti_link_attitude(&robot->links[i], q);
    Attitude waiting[STI_TREE_SLOTS];
    Attitude here = {STI_QUAT_IDENTITY, sti_mat3_of_quat(STI_QUAT_IDENTITY)};
    waiting[0] = here; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        const int turns = link->v + link->slides, end = link->v + link->velocities;
        if (link->order.slot != STI_TREE_PREVIOUS) here = waiting[link->order.slot];
        // The parent is here.
        spots[i].d = sti_mat3_times(here.R, position_in_parent(link, robot->directions, q));
        turn_axes(robot, here.R, link->v, turns, axes);
        here.q = sti_quat_multiply(here.q, spots[i].attitude);
        here.R = sti_mat3_of_quat(here.q);
        // The link itself is here.
        spots[i].attitude = here.q;
        spots[i].inertia = rotate(here.R, link);
        turn_axes(robot, here.R, turns, end, axes);
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = here;
    }
}

// Relative velocities of a joint, world axes.
static StiTwist joint_twist(const StiRobot *robot, const RobotLink *link, const double *v,
                            StiQuat parent, StiQuat own)
{
    const StiVec3 *directions = robot->directions + link->v;
    StiTwist local = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 0; k < link->slides; ++k)
        local.v = sti_vec3_add_scaled(local.v, v[link->v + k], directions[k]);
    for (int k = link->slides; k < link->velocities; ++k)
        local.w = sti_vec3_add_scaled(local.w, v[link->v + k], directions[k]);
    return (StiTwist){.w = sti_quat_rotate(own, local.w), .v = sti_quat_rotate(parent, local.v)};
}

void sti_robot_frames(const StiRobot *robot, const double *q, const double *v, StiFrame *links)
{
    const StiFrame world = {.q = STI_QUAT_IDENTITY};
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        const int parent = robot->given[link->order.link].parent;
        const StiFrame *from = parent < 0 ? &world : &links[parent];
        const StiQuat attitude = sti_quat_multiply(from->q, sti_link_attitude(link, q));
        const StiVec3 d = sti_quat_rotate(from->q, position_in_parent(link, robot->directions, q));
        const StiTwist relative = joint_twist(robot, link, v, from->q, attitude);
        links[link->order.link] =
            (StiFrame){.p = sti_vec3_add(from->p, d),
                       .q = attitude,
                       .v = sti_vec3_add(sti_frame_velocity_at(from, d), relative.v),
                       .w = sti_vec3_add(from->w, relative.w)};
    }
}

void sti_robot_frames_at(const StiRobot *robot, const double *v, const LinkSpot *spots,
                         const JointAxis *axes, StiFrame *links)
{
    const StiFrame world = {.q = STI_QUAT_IDENTITY};
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        const int parent = robot->given[link->order.link].parent;
        const StiFrame *from = parent < 0 ? &world : &links[parent];
        StiFrame *own = &links[link->order.link];
        StiVec3 velocity = sti_frame_velocity_at(from, spots[i].d), w = from->w;
        for (int k = link->v; k < link->v + link->slides; ++k)
            velocity = sti_vec3_add_scaled(velocity, v[k], axes[k].s);
        for (int k = link->v + link->slides; k < link->v + link->velocities; ++k)
            w = sti_vec3_add_scaled(w, v[k], axes[k].s);
        own->p = sti_vec3_add(from->p, spots[i].d);
        own->q = spots[i].attitude;
        own->v = velocity;
        own->w = w;
    }
}

void sti_robot_rest(const StiRobot *robot, double *q)
{
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        for (int k = 0; k < link->slides; ++k) q[link->q + k] = 0.0;
        link->rotation->rest(q + link->q + link->slides);
    }
}

void sti_robot_move(const StiRobot *robot, const double *v, double T, double *q)
{
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        for (int k = 0; k < link->slides; ++k) q[link->q + k] += T * v[link->v + k];
        link->rotation->move(v + link->v + link->slides, T, q + link->q + link->slides);
    }
}

void sti_robot_rates(const StiRobot *robot, const double *q, const double *v, double *qdot)
{
    if (robot->positions == robot->velocities) { // no quaternions: both have the user's order
        memcpy(qdot, v, (size_t)robot->velocities * sizeof *v);
        return;
    }
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        const int k = link->q + link->slides;
        for (int j = 0; j < link->slides; ++j) qdot[link->q + j] = v[link->v + j];
        link->rotation->rates(q + k, v + link->v + link->slides, qdot + k);
    }
}
