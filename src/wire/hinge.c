// The rotation of a frame B against a frame E about the z axis of B.
#include <math.h>

#include "wire/end.h"

StiWire sti_wire_hinge(StiAdmittanceId a, int link_a, StiFrame B, StiAdmittanceId b, int link_b,
                       StiFrame E)
{
    return (StiWire){.kind = &sti_wire_kind_hinge,
                     .a = {.body = a, .place = link_a, .frame = sti_end_frame(B)},
                     .b = {.body = b, .place = link_b, .frame = sti_end_frame(E)},
                     .dim = 1};
}

static StiWireSize size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 1, .velocities = 1};
}

static StiVec3 hinge_axis(const StiWire *wire, const StiSide *a)
{
    return sti_quat_rotate(sti_quat_multiply(a->link->q, wire->a.frame.q), sti_vec3(0.0, 0.0, 1.0));
}

static double turning(const StiWire *wire, const StiSide *a, const StiSide *b)
{
    return sti_vec3_dot(sti_vec3_sub(a->link->w, b->link->w), hinge_axis(wire, a));
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    const StiQuat qB = sti_quat_multiply(a->link->q, wire->a.frame.q);
    const StiQuat qE = sti_quat_multiply(b->link->q, wire->b.frame.q);
    x[0] = sti_quat_twist(sti_quat_multiply(sti_quat_conjugate(qE), qB));
    v[0] = turning(wire, a, b);
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    (void)b;
    const StiVec3 moment = sti_vec3_scale(u[0], hinge_axis(wire, a));
    sti_end_twist(&wire->a, force_a, sti_vec3_scale(-1.0, moment));
    sti_end_twist(&wire->b, force_b, moment);
}

const StiWireKind sti_wire_kind_hinge = {
    .table_size = sizeof(StiWireKind),
    .is_angular = true,
    .turning = turning,
    .info = {.name = "hinge",
             .summary = "rotation of a frame on a link about its z axis against b"},
    .links = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
