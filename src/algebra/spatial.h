// Private: spatial algebra by value. World axes; every quantity is taken about the origin of the
// link it belongs to. All is written out by components, so that it stays out of memory and -O2 is
// as fast as -O3.
#ifndef STICTION_SRC_ALGEBRA_SPATIAL_H
#define STICTION_SRC_ALGEBRA_SPATIAL_H

#include "stiction/vector.h"

typedef struct StiMat3 {
    StiVec3 x, y, z;
} StiMat3; // rows
typedef struct StiSym3 {
    double xx, yy, zz, xy, xz, yz;
} StiSym3;

// Angular and linear part of a velocity, or of an acceleration, of an origin.
typedef struct StiTwist {
    StiVec3 w, v;
} StiTwist;

// Of one rigid body: mass, mass times centre, moments about the origin.
typedef struct StiRigidInertia {
    double m;
    StiVec3 mc;
    StiSym3 J;
} StiRigidInertia;

// What a link with all that hangs on it opposes to an acceleration (alpha, a) of its origin:
// moment = J alpha + B a, force = B^T alpha + M a.
typedef struct StiArticulatedInertia {
    StiSym3 J;
    StiMat3 B;
    StiSym3 M;
} StiArticulatedInertia;

// a + s b
static inline StiVec3 sti_vec3_add_scaled(StiVec3 a, double s, StiVec3 b)
{
    return sti_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline StiVec3 sti_mat3_times(StiMat3 A, StiVec3 a)
{
    return sti_vec3(sti_vec3_dot(A.x, a), sti_vec3_dot(A.y, a), sti_vec3_dot(A.z, a));
}
static inline StiVec3 sti_mat3_transposed_times(StiMat3 A, StiVec3 a)
{
    return sti_vec3(A.x.x * a.x + A.y.x * a.y + A.z.x * a.z,
                    A.x.y * a.x + A.y.y * a.y + A.z.y * a.z,
                    A.x.z * a.x + A.y.z * a.y + A.z.z * a.z);
}
static inline StiMat3 sti_mat3_add(StiMat3 A, StiMat3 B)
{
    return (StiMat3){sti_vec3_add(A.x, B.x), sti_vec3_add(A.y, B.y), sti_vec3_add(A.z, B.z)};
}

// Body axes to world axes; q must be of unit length.
static inline StiMat3 sti_mat3_of_quat(StiQuat q)
{
    const double x = q.x + q.x, y = q.y + q.y, z = q.z + q.z;
    const double wx = q.w * x, wy = q.w * y, wz = q.w * z;
    const double xx = q.x * x, xy = q.x * y, xz = q.x * z;
    const double yy = q.y * y, yz = q.y * z, zz = q.z * z;
    return (StiMat3){{1.0 - (yy + zz), xy - wz, xz + wy},
                     {xy + wz, 1.0 - (xx + zz), yz - wx},
                     {xz - wy, yz + wx, 1.0 - (xx + yy)}};
}

static inline StiSym3 sti_sym3_add(StiSym3 A, StiSym3 B)
{
    return (StiSym3){A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.xz + B.xz, A.yz + B.yz};
}
static inline StiVec3 sti_sym3_times(StiSym3 A, StiVec3 a)
{
    return sti_vec3(A.xx * a.x + A.xy * a.y + A.xz * a.z, A.xy * a.x + A.yy * a.y + A.yz * a.z,
                    A.xz * a.x + A.yz * a.y + A.zz * a.z);
}
// A - a b^T, where b is parallel to a.
static inline StiSym3 sti_sym3_less(StiSym3 A, StiVec3 a, StiVec3 b)
{
    return (StiSym3){A.xx - a.x * b.x, A.yy - a.y * b.y, A.zz - a.z * b.z,
                     A.xy - a.x * b.y, A.xz - a.x * b.z, A.yz - a.y * b.z};
}
// R A R^T
static inline StiSym3 sti_sym3_rotate(StiMat3 R, StiSym3 A)
{
    const StiVec3 x = sti_sym3_times(A, R.x), y = sti_sym3_times(A, R.y);
    const StiVec3 z = sti_sym3_times(A, R.z);
    return (StiSym3){sti_vec3_dot(R.x, x), sti_vec3_dot(R.y, y), sti_vec3_dot(R.z, z),
                     sti_vec3_dot(R.x, y), sti_vec3_dot(R.x, z), sti_vec3_dot(R.y, z)};
}

// The same where only the diagonal of A is not zero.
static inline StiSym3 sti_sym3_rotate_diagonal(StiMat3 R, StiSym3 A)
{
    const StiVec3 x = {A.xx * R.x.x, A.yy * R.x.y, A.zz * R.x.z};
    const StiVec3 y = {A.xx * R.y.x, A.yy * R.y.y, A.zz * R.y.z};
    const StiVec3 z = {A.xx * R.z.x, A.yy * R.z.y, A.zz * R.z.z};
    return (StiSym3){sti_vec3_dot(R.x, x), sti_vec3_dot(R.y, y), sti_vec3_dot(R.z, z),
                     sti_vec3_dot(R.x, y), sti_vec3_dot(R.x, z), sti_vec3_dot(R.y, z)};
}

// d: from the origin that the twist belongs to, to the new one on the same body.
static inline StiTwist sti_twist_shift(StiTwist twist, StiVec3 d)
{
    return (StiTwist){twist.w, sti_vec3_add(twist.v, sti_vec3_cross(twist.w, d))};
}

static inline StiWrench sti_wrench_add(StiWrench a, StiWrench b)
{
    return (StiWrench){sti_vec3_add(a.force, b.force), sti_vec3_add(a.moment, b.moment)};
}
static inline StiWrench sti_wrench_sub(StiWrench a, StiWrench b)
{
    return (StiWrench){sti_vec3_sub(a.force, b.force), sti_vec3_sub(a.moment, b.moment)};
}
static inline StiWrench sti_wrench_scale(double s, StiWrench a)
{
    return (StiWrench){sti_vec3_scale(s, a.force), sti_vec3_scale(s, a.moment)};
}
static inline StiWrench sti_wrench_add_scaled(StiWrench a, double s, StiWrench b)
{
    return (StiWrench){sti_vec3_add_scaled(a.force, s, b.force),
                       sti_vec3_add_scaled(a.moment, s, b.moment)};
}
// d: from the new origin to the one that the wrench belongs to.
static inline StiWrench sti_wrench_shift(StiWrench wrench, StiVec3 d)
{
    return (StiWrench){wrench.force, sti_vec3_add(wrench.moment, sti_vec3_cross(d, wrench.force))};
}
static inline double sti_wrench_power(StiWrench wrench, StiTwist twist)
{
    return sti_vec3_dot(wrench.moment, twist.w) + sti_vec3_dot(wrench.force, twist.v);
}

static inline StiRigidInertia sti_rigid_rotate(StiMat3 R, StiRigidInertia I)
{
    return (StiRigidInertia){I.m, sti_mat3_times(R, I.mc), sti_sym3_rotate(R, I.J)};
}
static inline StiWrench sti_rigid_times(StiRigidInertia I, StiTwist a)
{
    return (StiWrench){.force = sti_vec3_add_scaled(sti_vec3_cross(a.w, I.mc), I.m, a.v),
                       .moment = sti_vec3_add(sti_sym3_times(I.J, a.w), sti_vec3_cross(I.mc, a.v))};
}
static inline StiRigidInertia sti_rigid_add(StiRigidInertia a, StiRigidInertia b)
{
    return (StiRigidInertia){a.m + b.m, sti_vec3_add(a.mc, b.mc), sti_sym3_add(a.J, b.J)};
}
// d: from the new origin to the one that the inertia belongs to. The moments grow by those of the
// mass at d and of the centre beside it: a b^T terms with a = mc + m d, symmetrised.
static inline StiRigidInertia sti_rigid_shift(StiRigidInertia I, StiVec3 d)
{
    const StiVec3 a = sti_vec3_add_scaled(I.mc, I.m, d), c = I.mc;
    const double xx = (c.x + a.x) * d.x, yy = (c.y + a.y) * d.y, zz = (c.z + a.z) * d.z;
    return (StiRigidInertia){I.m,
                             a,
                             {I.J.xx + (yy + zz), I.J.yy + (xx + zz), I.J.zz + (xx + yy),
                              I.J.xy - (c.x * d.y + a.y * d.x), I.J.xz - (c.x * d.z + a.z * d.x),
                              I.J.yz - (c.y * d.z + a.z * d.y)}};
}

static inline StiArticulatedInertia sti_articulated_add(StiArticulatedInertia a,
                                                        StiArticulatedInertia b)
{
    return (StiArticulatedInertia){sti_sym3_add(a.J, b.J), sti_mat3_add(a.B, b.B),
                                   sti_sym3_add(a.M, b.M)};
}
static inline StiArticulatedInertia sti_articulated_add_rigid(StiArticulatedInertia a,
                                                              StiRigidInertia I)
{
    const StiVec3 c = I.mc;
    return (
        StiArticulatedInertia){sti_sym3_add(a.J, I.J),
                               {{a.B.x.x, a.B.x.y - c.z, a.B.x.z + c.y},
                                {a.B.y.x + c.z, a.B.y.y, a.B.y.z - c.x},
                                {a.B.z.x - c.y, a.B.z.y + c.x, a.B.z.z}},
                               {a.M.xx + I.m, a.M.yy + I.m, a.M.zz + I.m, a.M.xy, a.M.xz, a.M.yz}};
}
// I - U V^T, where V is parallel to U.
static inline StiArticulatedInertia sti_articulated_less(StiArticulatedInertia I, StiWrench U,
                                                         StiWrench V)
{
    return (StiArticulatedInertia){sti_sym3_less(I.J, U.moment, V.moment),
                                   {sti_vec3_add_scaled(I.B.x, -U.moment.x, V.force),
                                    sti_vec3_add_scaled(I.B.y, -U.moment.y, V.force),
                                    sti_vec3_add_scaled(I.B.z, -U.moment.z, V.force)},
                                   sti_sym3_less(I.M, U.force, V.force)};
}
// d: from the new origin to the one that the inertia belongs to. With X a = d x a:
// B' = B + X M, J' = J + B X^T + X B'^T; row i of B X^T is d x (row i of B).
static inline StiArticulatedInertia sti_articulated_shift(StiArticulatedInertia I, StiVec3 d)
{
    const StiSym3 M = I.M, J = I.J;
    const StiMat3 B = I.B;
    const StiMat3 N = {{B.x.x + (d.y * M.xz - d.z * M.xy), B.x.y + (d.y * M.yz - d.z * M.yy),
                        B.x.z + (d.y * M.zz - d.z * M.yz)},
                       {B.y.x + (d.z * M.xx - d.x * M.xz), B.y.y + (d.z * M.xy - d.x * M.yz),
                        B.y.z + (d.z * M.xz - d.x * M.zz)},
                       {B.z.x + (d.x * M.xy - d.y * M.xx), B.z.y + (d.x * M.yy - d.y * M.xy),
                        B.z.z + (d.x * M.yz - d.y * M.xz)}};
    return (
        StiArticulatedInertia){{J.xx + (d.y * (B.x.z + N.x.z) - d.z * (B.x.y + N.x.y)),
                                J.yy + (d.z * (B.y.x + N.y.x) - d.x * (B.y.z + N.y.z)),
                                J.zz + (d.x * (B.z.y + N.z.y) - d.y * (B.z.x + N.z.x)),
                                J.xy + ((d.z * B.x.x - d.x * B.x.z) + (d.y * N.y.z - d.z * N.y.y)),
                                J.xz + ((d.x * B.x.y - d.y * B.x.x) + (d.y * N.z.z - d.z * N.z.y)),
                                J.yz + ((d.x * B.y.y - d.y * B.y.x) + (d.z * N.z.x - d.x * N.z.z))},
                               N,
                               M};
}

#endif
