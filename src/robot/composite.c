// The mass matrix by composite bodies: what hangs on an axis, moved with a unit acceleration, is
// felt by this axis and by all between it and the world.
#include "robot/recursion.h"

void sti_robot_compose(const StiRobot *robot, LinkSpot *spots)
{
    for (int i = robot->count - 1; i >= 0; --i) {
        const int parent = robot->links[i].order.parent;
        if (parent < 0) continue;
        const StiRigidInertia moved = sti_rigid_shift(spots[i].inertia, spots[i].d);
        spots[parent].inertia = sti_rigid_add(spots[parent].inertia, moved);
    }
}

// Entries of row and column k for the axes of one link up to k.
static void fill(const StiRobot *robot, const RobotLink *link, const JointAxis *axes, StiWrench F,
                 int k, double *H)
{
    const size_t n = (size_t)robot->velocities, row = (size_t)k;
    for (int j = link->v; j < link->v + link->velocities; ++j) {
        const bool turn = j >= link->v + link->slides;
        const size_t column = (size_t)j;
        H[row * n + column] = H[column * n + row] = sti_robot_along(turn, axes[j].s, F);
    }
}

static void fill_to_root(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes, int i,
                         int k, double *H)
{
    const RobotLink *link = &robot->links[i];
    StiWrench F = sti_robot_column(spots[i].inertia, k >= link->v + link->slides, axes[k].s);
    for (int j = i; j >= 0; j = robot->links[j].order.parent) {
        fill(robot, &robot->links[j], axes, F, k, H);
        F = sti_wrench_shift(F, spots[j].d);
    }
}

void sti_robot_mass_matrix(const StiRobot *robot, const double *q, double *H, double *workspace)
{
    const size_t n = (size_t)robot->velocities;
    const RobotMemory m = sti_robot_memory(robot, workspace);
    sti_robot_place(robot, q, m.spots, m.axes);
    sti_robot_compose(robot, m.spots);
    for (size_t k = 0; k < n * n; ++k) H[k] = 0.0;
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        for (int k = link->v; k < link->v + link->velocities; ++k)
            fill_to_root(robot, m.spots, m.axes, i, k, H);
    }
    for (size_t k = 0; k < n; ++k) H[k * n + k] += robot->armature[k];
}
