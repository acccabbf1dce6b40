// Sums over all links: energy and momentum.
#include "robot/recursion.h"

typedef struct Moving {
    StiVec3 p; // of the origin
    StiTwist velocity;
} Moving;

typedef struct Sums {
    double kinetic;
    StiVec3 first_moment; // mass times centre
    StiWrench momentum;   // about the world's origin
} Sums;

static Moving carry(Moving parent, const RobotLink *link, const double *v, StiVec3 d,
                    const JointAxis *axes)
{
    Moving own = {sti_vec3_add(parent.p, d), sti_twist_shift(parent.velocity, d)};
    for (int k = 0; k < link->slides; ++k)
        own.velocity.v = sti_vec3_add_scaled(own.velocity.v, v[k], axes[k].s);
    for (int k = link->slides; k < link->velocities; ++k)
        own.velocity.w = sti_vec3_add_scaled(own.velocity.w, v[k], axes[k].s);
    return own;
}

static void add(Sums *sums, const Moving *moving, StiRigidInertia I)
{
    const StiWrench momentum = sti_rigid_times(I, moving->velocity);
    sums->kinetic += 0.5 * sti_wrench_power(momentum, moving->velocity);
    sums->momentum = sti_wrench_add(sums->momentum, sti_wrench_shift(momentum, moving->p));
    const StiVec3 of_link = sti_vec3_add_scaled(I.mc, I.m, moving->p);
    sums->first_moment = sti_vec3_add(sums->first_moment, of_link);
}

static Sums sums_over_links(const StiRobot *robot, const double *q, const double *v,
                            double *workspace)
{
    const RobotMemory m = sti_robot_memory(robot, workspace);
    sti_robot_place(robot, q, m.spots, m.axes);
    Sums sums = {.kinetic = 0.0};
    Moving waiting[STI_TREE_SLOTS], here = {.p = {0.0, 0.0, 0.0}};
    waiting[0] = here; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        if (link->order.slot != STI_TREE_PREVIOUS) here = waiting[link->order.slot];
        here = carry(here, link, v + link->v, m.spots[i].d, m.axes + link->v);
        add(&sums, &here, m.spots[i].inertia);
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = here;
    }
    return sums;
}

double sti_robot_energy(const StiRobot *robot, StiVec3 gravity, const double *q, const double *v,
                        double *workspace)
{
    const Sums sums = sums_over_links(robot, q, v, workspace);
    double rotors = 0.0;
    for (int k = 0; k < robot->velocities; ++k) rotors += 0.5 * robot->armature[k] * v[k] * v[k];
    return sums.kinetic + rotors - sti_vec3_dot(gravity, sums.first_moment);
}

StiWrench sti_robot_momentum(const StiRobot *robot, const double *q, const double *v,
                             double *workspace)
{
    return sums_over_links(robot, q, v, workspace).momentum;
}
