// Springs and dampers that hold two frames together except for the rotation about z, EQUATIONS 3.3.
// x = (pB - pE, qE, qB, angle of B about z), v = (vB - vE, wB - wE), as a frame wire gives them.
#include "base/default.h"
#include "stiction/spring.h"
#include "algebra/slices.h"

enum { POSITIONS = 12, VELOCITIES = 6 };

static StiVec3 z_axis(const double *quaternion)
{
    return sti_quat_rotate(sti_quat_read(quaternion), sti_vec3(0.0, 0.0, 1.0));
}
static StiVec3 axis_E(const double *x) { return z_axis(x + 3); }
static StiVec3 axis_B(const double *x) { return z_axis(x + 7); }

static StiVec3 without_part_along(StiVec3 axis, StiVec3 a)
{
    return sti_vec3_sub(a, sti_vec3_scale(sti_vec3_dot(a, axis), axis));
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = POSITIONS, .velocities = VELOCITIES};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiPenaltyJoint *p = parameters;
    const StiVec3 zB = axis_B(xhat->x), zE = axis_E(xhat->x);
    const StiVec3 bending = without_part_along(zB, sti_vec3_read(xhat->v + 3));
    const StiVec3 restoring = sti_vec3_scale(p->Kr, sti_vec3_cross(zB, zE)); // on B
    for (int i = 0; i < 3; ++i) u[i] = p->Kp * xhat->x[i] + p->Bp * xhat->v[i];
    sti_vec3_write(sti_vec3_sub(sti_vec3_scale(p->Br, bending), restoring), u + 3);
    return STI_OK;
}

// 1 - zB.zE as half of |zB - zE|^2: no digits are lost where the axes nearly agree.
static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)y;
    const StiPenaltyJoint *p = parameters;
    const StiVec3 gap = sti_vec3_read(xhat->x);
    const StiVec3 bend = sti_vec3_sub(axis_B(xhat->x), axis_E(xhat->x));
    return 0.5 * (p->Kp * sti_vec3_dot(gap, gap) + p->Kr * sti_vec3_dot(bend, bend));
}

// Taken where the axes agree: bent, it would depend on which of the two frames turns.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)y, (void)s;
    const StiPenaltyJoint *p = parameters;
    const double linear = p->Bp + stage->tau * p->Kp, angular = p->Br + stage->tau * p->Kr;
    double z[3];
    sti_vec3_write(axis_B(xhat->x), z);
    for (int i = 0; i < VELOCITIES * VELOCITIES; ++i) Z[i] = 0.0;
    for (int i = 0; i < 3; ++i) {
        Z[i * VELOCITIES + i] = linear;
        for (int j = 0; j < 3; ++j)
            Z[(3 + i) * VELOCITIES + 3 + j] = angular * ((i == j ? 1.0 : 0.0) - z[i] * z[j]);
    }
}

static const StiChannelInfo channels[] = {{"q", "rad"}, {"qd", "rad/s"}};

// The free rotation: what a joint in reduced coordinates would call its angle and rate.
static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)parameters, (void)stage, (void)y, (void)s, (void)u;
    values[0] = xhat->x[11];
    values[1] = sti_vec3_dot(sti_vec3_read(xhat->v + 3), axis_B(xhat->x));
}

static const StiField fields[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "Kp, against a gap",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiPenaltyJoint, Kp),
     .usual = 1e6},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "Bp, against a gap",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiPenaltyJoint, Bp),
     .usual = 300.0},
    {.name = "angular_stiffness",
     .unit = "N m",
     .meaning = "Kr, against bending of the axis",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiPenaltyJoint, Kr),
     .usual = 1000.0},
    {.name = "angular_damping",
     .unit = "N m s/rad",
     .meaning = "Br, against bending of the axis",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiPenaltyJoint, Br),
     .usual = 1.0},
};

static const StiPenaltyJoint example = {.Kp = 1e4, .Bp = 100.0, .Kr = 100.0, .Br = 1.0};

const StiImpedanceKind sti_kind_penalty_joint = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "penalty-joint",
             .summary = "holds two frames together except for the rotation about z",
             .size = sizeof(StiPenaltyJoint),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .example = &example},
    .continuous = true,
    .smooth = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 2,
    .observe = observe,
};

STI_DEFAULT(StiPenaltyJoint, penalty_joint, sti_kind_penalty_joint.info)
