// Newton and Euler: what the joints transmit at given accelerations.
#include "robot/recursion.h"

// What each link needs beyond what is applied to it.
static void need_of_links(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                          const double *vdot, const StiWrench *applied, StiWrench *loads)
{
    StiTwist waiting[STI_TREE_SLOTS], da = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    waiting[0] = da; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        const int own = link->order.link;
        if (link->order.slot != STI_TREE_PREVIOUS) da = waiting[link->order.slot];
        da = sti_twist_shift(da, spots[i].d);
        for (int k = link->v; k < link->v + link->slides; ++k)
            da.v = sti_vec3_add_scaled(da.v, vdot[k], axes[k].s);
        for (int k = link->v + link->slides; k < link->v + link->velocities; ++k)
            da.w = sti_vec3_add_scaled(da.w, vdot[k], axes[k].s);
        loads[own] = sti_wrench_sub(sti_rigid_times(spots[i].inertia, da), applied[own]);
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = da;
    }
}

void sti_robot_collect(const StiRobot *robot, const LinkSpot *spots, StiWrench *loads)
{
    for (int i = robot->count - 1; i >= 0; --i) {
        const TreeOrder *order = &robot->links[i].order;
        if (order->parent < 0) continue;
        const int own = order->link, parent = robot->links[order->parent].order.link;
        loads[parent] = sti_wrench_add(loads[parent], sti_wrench_shift(loads[own], spots[i].d));
    }
}

void sti_robot_transmit(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                        const double *vdot, const StiWrench *applied, StiWrench *loads)
{
    need_of_links(robot, spots, axes, vdot, applied, loads);
    sti_robot_collect(robot, spots, loads);
}

// Whatever of a load works on a joint's axes comes from its drive, which also turns its rotor.
void sti_robot_efforts(const StiRobot *robot, const JointAxis *axes, const double *vdot,
                       const StiWrench *loads, double *tau)
{
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        for (int k = link->v; k < link->v + link->velocities; ++k) {
            const bool turn = k >= link->v + link->slides;
            const double body = sti_robot_along(turn, axes[k].s, loads[link->order.link]);
            tau[k] = body + robot->armature[k] * vdot[k];
        }
    }
}

void sti_robot_take(const StiRobot *robot, const JointAxis *axes, const bool *locked,
                    const StiWrench *loads, const double *tau, double *taken)
{
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        for (int k = link->v; k < link->v + link->velocities; ++k) {
            const bool turn = k >= link->v + link->slides;
            taken[k] = locked[k]
                           ? tau[k] - sti_robot_along(turn, axes[k].s, loads[link->order.link])
                           : 0.0;
        }
    }
}

void sti_robot_inverse(const StiRobot *robot, StiVec3 gravity, const double *q, const double *v,
                       const double *vdot, const StiWrench *external, double *tau, StiWrench *loads,
                       double *workspace)
{
    const RobotMemory m = sti_robot_memory(robot, workspace);
    StiWrench *transmitted = loads ? loads : m.loads;
    sti_robot_place(robot, q, m.spots, m.axes);
    sti_robot_apply(robot, gravity, v, m.spots, m.axes, external, m.applied);
    sti_robot_transmit(robot, m.spots, m.axes, vdot, m.applied, transmitted);
    sti_robot_efforts(robot, m.axes, vdot, transmitted, tau);
}
