// Vectors, quaternions (w, x, y, z; body to world), frames and wrenches, all by value.
#ifndef STICTION_VECTOR_H
#define STICTION_VECTOR_H

#include <math.h>

#include "elementary.h"

typedef struct StiVec3 {
    double x, y, z;
} StiVec3;
typedef struct StiQuat {
    double w, x, y, z;
} StiQuat;

// A moving frame: origin, attitude, velocity of the origin, angular velocity; world axes.
typedef struct StiFrame {
    StiVec3 p; // m
    StiQuat q; // unit
    StiVec3 v; // m/s
    StiVec3 w; // rad/s, world axes
} StiFrame;

// Force and moment about a frame's origin, world axes.
typedef struct StiWrench {
    StiVec3 force;  // N
    StiVec3 moment; // N m
} StiWrench;

static const StiQuat STI_QUAT_IDENTITY = {1.0, 0.0, 0.0, 0.0};

static inline StiVec3 sti_vec3(double x, double y, double z) 
{
    const StiVec3 v = {x, y, z};
    return v;
}
static inline StiVec3 sti_vec3_add(StiVec3 a, StiVec3 b)
{
    return sti_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline StiVec3 sti_vec3_sub(StiVec3 a, StiVec3 b)
{
    return sti_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline StiVec3 sti_vec3_scale(double s, StiVec3 a)
{
    return sti_vec3(s * a.x, s * a.y, s * a.z);
}
static inline double sti_vec3_dot(StiVec3 a, StiVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double sti_vec3_norm(StiVec3 a) { return sqrt(sti_vec3_dot(a, a)); }
static inline StiVec3 sti_vec3_cross(StiVec3 a, StiVec3 b)
{
    return sti_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline StiQuat sti_quat_multiply(StiQuat a, StiQuat b)
{
    const StiQuat q = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                       a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                       a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return q;
}
static inline StiQuat sti_quat_conjugate(StiQuat q)
{
    const StiQuat back = {q.w, -q.x, -q.y, -q.z};
    return back;
}
static inline StiQuat sti_quat_normalise(StiQuat q)
{
    const double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const StiQuat unit = {s * q.w, s * q.x, s * q.y, s * q.z};
    return unit;
}
// Body axes to world axes; q must be of unit length.
static inline StiVec3 sti_quat_rotate(StiQuat q, StiVec3 a)
{
    const StiVec3 u = {q.x, q.y, q.z};
    const StiVec3 t = sti_vec3_scale(2.0, sti_vec3_cross(u, a));
    return sti_vec3_add(a, sti_vec3_add(sti_vec3_scale(q.w, t), sti_vec3_cross(u, t)));
}
static inline StiVec3 sti_quat_unrotate(StiQuat q, StiVec3 a)
{
    return sti_quat_rotate(sti_quat_conjugate(q), a);
}
// Rotation vector (angle times axis, rad) to quaternion.
static inline StiQuat sti_quat_exp(StiVec3 r)
{
    const double angle = sti_vec3_norm(r);
    double sine, cosine;
    sti_sincos(0.5 * angle, &sine, &cosine);
    const double s = angle > 1e-8 ? sine / angle : 0.5 - angle * angle / 48.0;
    const StiQuat q = {cosine, s * r.x, s * r.y, s * r.z};
    return q;
}

// The part of a rotation that is about z, in (-pi, pi] rad: q and -q are the same rotation.
static inline double sti_quat_twist(StiQuat q)
{
    const double pi = 3.14159265358979323846, angle = 2.0 * sti_atan2(q.z, q.w);
    if (angle > pi) return angle - 2.0 * pi;
    return angle > -pi ? angle : angle + 2.0 * pi;
}

// A point fixed in the frame at r (world axes, from the origin): its velocity.
static inline StiVec3 sti_frame_velocity_at(const StiFrame *frame, StiVec3 r)
{
    return sti_vec3_add(frame->v, sti_vec3_cross(frame->w, r));
}
// Adds a force that acts at r (world axes, from the frame's origin).
static inline void sti_wrench_add_force(StiWrench *wrench, StiVec3 force, StiVec3 r)
{
    wrench->force = sti_vec3_add(wrench->force, force);
    wrench->moment = sti_vec3_add(wrench->moment, sti_vec3_cross(r, force));
}

#endif
