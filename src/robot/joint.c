// Kinds of joints: rotations with their verbs, and one row per type.
#include "robot/joint.h"

#include "algebra/slices.h"

static StiQuat rigid_attitude(const StiHinge *hinge, const double *q)
{
    (void)q;
    return hinge->c;
}
static void rigid_rest(double *q) { (void)q; }
static void rigid_move(const double *v, double T, double *q) { (void)v, (void)T, (void)q; }
static void rigid_rates(const double *q, const double *v, double *qdot)
{
    (void)q, (void)v, (void)qdot;
}

static StiQuat hinge_attitude(const StiHinge *hinge, const double *q)
{
    return sti_hinge_attitude(hinge, q[0]);
}
static void hinge_rest(double *q) { q[0] = 0.0; }
static void hinge_move(const double *v, double T, double *q) { q[0] += T * v[0]; }
static void hinge_rates(const double *q, const double *v, double *qdot)
{
    (void)q;
    qdot[0] = v[0];
}

// v: angular velocity in the link's axes, so that the quaternion's rate is half of q (0, v).
static StiQuat ball_attitude(const StiHinge *hinge, const double *q)
{
    return sti_quat_multiply(hinge->c, sti_quat_normalise(sti_quat_read(q)));
}
static void ball_rest(double *q) { sti_quat_write(STI_QUAT_IDENTITY, q); }
static void ball_move(const double *v, double T, double *q)
{
    StiQuat turned = sti_quat_read(q);
    if (T != 0.0)
        turned = sti_quat_multiply(turned, sti_quat_exp(sti_vec3_scale(T, sti_vec3_read(v))));
    sti_quat_write(sti_quat_normalise(turned), q);
}
static void ball_rates(const double *q, const double *v, double *qdot)
{
    const StiQuat half = {0.0, 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]};
    sti_quat_write(sti_quat_multiply(sti_quat_read(q), half), qdot);
}

static const StiRotation rigid = {0, 0, rigid_attitude, rigid_rest, rigid_move, rigid_rates};
static const StiRotation ball = {4, 3, ball_attitude, ball_rest, ball_move, ball_rates};
static const StiRotation hinge_rotation = {1,          1,          hinge_attitude,
                                           hinge_rest, hinge_move, hinge_rates};

// Across the axis: the coordinate axis that follows its largest component, made perpendicular (the
// plane across z has x and y, across x it has y and z), and the one that makes both right-handed.
static void plane(StiVec3 n, StiVec3 across[2])
{
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const StiVec3 next = z >= x && z >= y ? sti_vec3(1.0, 0.0, 0.0)
                         : y >= x         ? sti_vec3(0.0, 0.0, 1.0)
                                          : sti_vec3(0.0, 1.0, 0.0);
    const StiVec3 a = sti_vec3_sub(next, sti_vec3_scale(sti_vec3_dot(next, n), n));
    across[0] = sti_vec3_scale(1.0 / sti_vec3_norm(a), a);
    across[1] = sti_vec3_cross(n, across[0]);
}

// One slide goes along the axis, two go across it, three along x, y, z.
static void slides(int count, StiVec3 axis, StiVec3 along[3])
{
    if (count == 1) along[0] = axis;
    if (count == 2) plane(axis, along);
    if (count == 3) {
        along[0] = sti_vec3(1.0, 0.0, 0.0);
        along[1] = sti_vec3(0.0, 1.0, 0.0);
        along[2] = sti_vec3(0.0, 0.0, 1.0);
    }
}

void sti_joint_directions(StiJointType type, StiQuat placement, StiVec3 axis, StiVec3 *directions)
{
    const StiJoint *joint = &sti_joints[type];
    StiVec3 along[3];
    slides(joint->slides, axis, along);
    for (int k = 0; k < joint->slides; ++k) directions[k] = sti_quat_rotate(placement, along[k]);
    StiVec3 *turns = directions + joint->slides;
    if (joint->rotation->velocities == 1) turns[0] = axis;
    if (joint->rotation->velocities == 3) slides(3, axis, turns);
}

const StiJoint sti_joints[STI_JOINT_TYPES] = {
    [STI_JOINT_FIXED] = {"fixed", "carries its link without motion", 0, false, &rigid},
    [STI_JOINT_REVOLUTE] = {"revolute", "turns about its axis, rad", 0, true, &hinge_rotation},
    [STI_JOINT_PRISMATIC] = {"prismatic", "slides along its axis, m", 1, true, &rigid},
    [STI_JOINT_SPHERICAL] = {"spherical", "turns any way: a quaternion, three angular velocities",
                             0, false, &ball},
    [STI_JOINT_PLANAR] = {"planar", "slides across its axis and turns about it: m, m, rad", 2, true,
                          &hinge_rotation},
    [STI_JOINT_FLOATING] = {"floating", "moves freely: a position and a quaternion, six velocities",
                            3, false, &ball},
};
