// The reference motion: velocities v, no acceleration of any joint, the base falling upwards. What
// it needs is computed once; the recursions then work on accelerations relative to it, which obey
// da = X da_parent + S vdot without any velocity products.
#include "robot/recursion.h"

// K r: acceleration of a point at r relative to the origin, alpha x r + w x (w x r).
typedef struct Reference {
    StiVec3 w, alpha, a; // a: of the origin
    StiMat3 K;
} Reference;

static inline StiMat3 point_acceleration(StiVec3 w, StiVec3 alpha)
{
    const double xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    const double xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return (StiMat3){{-(yy + zz), xy - alpha.z, xz + alpha.y},
                     {xy + alpha.z, -(xx + zz), yz - alpha.x},
                     {xz - alpha.y, yz + alpha.x, -(xx + yy)}};
}

// Slides move across an axis that turns with the parent (Coriolis), turns about one that the parent
// carries along (gyroscopic).
static inline Reference carry(Reference parent, const RobotLink *link, const double *v, StiVec3 d,
                              const JointAxis *axes)
{
    Reference own = parent;
    own.a = sti_vec3_add(parent.a, sti_mat3_times(parent.K, d));
    for (int k = 0; k < link->slides; ++k) {
        const StiVec3 coriolis = sti_vec3_cross(parent.w, axes[k].s);
        own.a = sti_vec3_add_scaled(own.a, 2.0 * v[k], coriolis);
    }
    StiVec3 turning = {0.0, 0.0, 0.0};
    for (int k = link->slides; k < link->velocities; ++k)
        turning = sti_vec3_add_scaled(turning, v[k], axes[k].s);
    own.w = sti_vec3_add(parent.w, turning);
    own.alpha = sti_vec3_add(parent.alpha, sti_vec3_cross(parent.w, turning));
    own.K = point_acceleration(own.w, own.alpha);
    return own;
}

// Newton and Euler about the link's origin.
static inline StiWrench needed(const Reference *motion, const StiRigidInertia *I)
{
    const StiVec3 spin = sti_vec3_cross(motion->w, sti_sym3_times(I->J, motion->w));
    const StiVec3 moment = sti_vec3_add(sti_sym3_times(I->J, motion->alpha), spin);
    return (StiWrench){.force =
                           sti_vec3_add_scaled(sti_mat3_times(motion->K, I->mc), I->m, motion->a),
                       .moment = sti_vec3_add(moment, sti_vec3_cross(I->mc, motion->a))};
}

void sti_robot_apply(const StiRobot *robot, StiVec3 gravity, const double *v, const LinkSpot *spots,
                     const JointAxis *axes, const StiWrench *external, StiWrench *applied)
{
    sti_robot_apply_biased(robot, gravity, v, spots, axes, external, applied, NULL);
}

void sti_robot_apply_biased(const StiRobot *robot, StiVec3 gravity, const double *v,
                            const LinkSpot *spots, const JointAxis *axes, const StiWrench *external,
                            StiWrench *applied, StiTwist *bias)
{
    Reference waiting[STI_TREE_SLOTS];
    Reference here = {.a = sti_vec3_scale(-1.0, gravity)};
    waiting[0] = here; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        if (link->order.slot != STI_TREE_PREVIOUS) here = waiting[link->order.slot];
        here = carry(here, link, v + link->v, spots[i].d, axes + link->v);
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = here;
        const StiWrench wrench = needed(&here, &spots[i].inertia);
        const StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
        const StiWrench given = external ? external[link->order.link] : none;
        applied[link->order.link] = sti_wrench_sub(given, wrench);
        if (bias != NULL)
            bias[link->order.link] = (StiTwist){here.alpha, sti_vec3_add(here.a, gravity)};
    }
}
