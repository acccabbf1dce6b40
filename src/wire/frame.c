// A frame B on one link against a frame E on another: all six velocities, both attitudes, and the angle
// of B about z.
#include "wire/end.h"

StiWire sti_wire_frame(StiAdmittanceId a, int link_a, StiFrame B, StiAdmittanceId b, int link_b,
                       StiFrame E)
{
    return (StiWire){.kind = &sti_wire_kind_frame,
                     .a = {.body = a, .place = link_a, .frame = sti_end_frame(B)},
                     .b = {.body = b, .place = link_b, .frame = sti_end_frame(E)},
                     .dim = 6};
}

static StiWireSize size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 12, .velocities = 6};
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    const StiFrame B = sti_end_in_world(&wire->a, a), E = sti_end_in_world(&wire->b, b);
    sti_vec3_write(sti_vec3_sub(B.p, E.p), x);
    sti_quat_write(E.q, x + 3);
    sti_quat_write(B.q, x + 7);
    x[11] = sti_quat_twist(sti_quat_multiply(sti_quat_conjugate(E.q), B.q));
    sti_vec3_write(sti_vec3_sub(B.v, E.v), v);
    sti_vec3_write(sti_vec3_sub(B.w, E.w), v + 3);
}

static double turning(const StiWire *wire, const StiSide *a, const StiSide *b)
{
    const StiFrame B = sti_end_in_world(&wire->a, a), E = sti_end_in_world(&wire->b, b);
    return sti_vec3_dot(sti_vec3_sub(B.w, E.w), sti_quat_rotate(B.q, sti_vec3(0.0, 0.0, 1.0)));
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    const StiVec3 f = sti_vec3_read(u), moment = sti_vec3_read(u + 3);
    sti_end_push(&wire->a, force_a, sti_vec3_scale(-1.0, f), sti_end_arm(&wire->a, a));
    sti_end_twist(&wire->a, force_a, sti_vec3_scale(-1.0, moment));
    sti_end_push(&wire->b, force_b, f, sti_end_arm(&wire->b, b));
    sti_end_twist(&wire->b, force_b, moment);
}

const StiWireKind sti_wire_kind_frame = {
    .table_size = sizeof(StiWireKind),
    .is_angular = true,
    .translations = 3,
    .turning = turning,
    .angle = 11,
    .info = {.name = "frame", .summary = "a frame on a link against a frame on b or the world"},
    .links = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
