// How a point of a link moves with each velocity.
#include "robot/recursion.h"

static void write_column(int n, int k, StiVec3 velocity, double *J)
{
    J[k] = velocity.x;
    J[n + k] = velocity.y;
    J[2 * n + k] = velocity.z;
}

void sti_robot_point_jacobian(const StiRobot *robot, const double *q, int link, StiVec3 point,
                              double *J, double *workspace)
{
    const int n = robot->velocities;
    const RobotMemory m = sti_robot_memory(robot, workspace);
    sti_robot_place(robot, q, m.spots, m.axes);
    for (int k = 0; k < 3 * n; ++k) J[k] = 0.0;
    // From the origin of the link that is looked at to the point.
    StiVec3 arm = sti_quat_rotate(m.spots[robot->sorted[link]].attitude, point);
    for (int i = robot->sorted[link]; i >= 0; i = robot->links[i].order.parent) {
        const RobotLink *own = &robot->links[i];
        for (int k = own->v; k < own->v + own->velocities; ++k) {
            const bool turn = k >= own->v + own->slides;
            write_column(n, k, turn ? sti_vec3_cross(m.axes[k].s, arm) : m.axes[k].s, J);
        }
        arm = sti_vec3_add(arm, m.spots[i].d);
    }
}
