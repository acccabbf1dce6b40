// The way of a point of a along the z axis of a frame on b.
#include "wire/end.h"

StiWire sti_wire_slide(StiAdmittanceId a, int link_a, StiFrame B, StiAdmittanceId b, int link_b,
                       StiFrame E)
{
    return (StiWire){.kind = &sti_wire_kind_slide,
                     .a = {.body = a, .place = link_a, .frame = sti_end_frame(B)},
                     .b = {.body = b, .place = link_b, .frame = sti_end_frame(E)},
                     .dim = 1};
}

static StiWireSize size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 1, .velocities = 1};
}

static StiVec3 axis_of(const StiWire *wire, const StiSide *b)
{
    return sti_quat_rotate(sti_quat_multiply(b->link->q, wire->b.frame.q), sti_vec3(0.0, 0.0, 1.0));
}

// From the origin of b's link to the point, which b sees moving.
static StiVec3 arm_on_b(const StiWire *wire, const StiSide *a, const StiSide *b)
{
    return sti_vec3_sub(sti_vec3_add(a->link->p, sti_end_arm(&wire->a, a)), b->link->p);
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    const StiVec3 axis = axis_of(wire, b), arm = arm_on_b(wire, a, b);
    x[0] = sti_vec3_dot(axis, sti_vec3_sub(arm, sti_end_arm(&wire->b, b)));
    v[0] = sti_vec3_dot(axis, sti_vec3_sub(sti_frame_velocity_at(a->link, sti_end_arm(&wire->a, a)),
                                           sti_frame_velocity_at(b->link, arm)));
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    const StiVec3 f = sti_vec3_scale(u[0], axis_of(wire, b));
    sti_end_push(&wire->a, force_a, sti_vec3_scale(-1.0, f), sti_end_arm(&wire->a, a));
    sti_end_push(&wire->b, force_b, f, arm_on_b(wire, a, b));
}

const StiWireKind sti_wire_kind_slide = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "slide", .summary = "the way of a point of a along an axis of b"},
    .links = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
