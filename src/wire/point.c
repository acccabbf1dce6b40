// A point of a link against a fixed point of the world or a point of another link.
#include "wire/end.h"

StiWire sti_wire_point(StiAdmittanceId a, int link, StiVec3 point, StiVec3 anchor, int dim)
{
    return sti_wire_point_pair(a, link, point, STI_GROUND, 0, anchor, dim);
}

StiWire sti_wire_point_pair(StiAdmittanceId a, int link_a, StiVec3 point_a, StiAdmittanceId b,
                            int link_b, StiVec3 point_b, int dim)
{
    return (StiWire){.kind = &sti_wire_kind_point,
                     .a = {.body = a, .place = link_a, .frame = sti_end_point(point_a)},
                     .b = {.body = b, .place = link_b, .frame = sti_end_point(point_b)},
                     .dim = dim};
}

static StiWireSize size(const StiWire *wire)
{
    return (StiWireSize){.positions = wire->dim, .velocities = wire->dim};
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    const StiFrame at_a = sti_end_in_world(&wire->a, a), at_b = sti_end_in_world(&wire->b, b);
    sti_vec3_write_axes(wire->dim, sti_vec3_sub(at_a.p, at_b.p), x);
    sti_vec3_write_axes(wire->dim, sti_vec3_sub(at_a.v, at_b.v), v);
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    const StiVec3 f = sti_vec3_read_axes(wire->dim, u);
    sti_end_push(&wire->a, force_a, sti_vec3_scale(-1.0, f), sti_end_arm(&wire->a, a));
    sti_end_push(&wire->b, force_b, f, sti_end_arm(&wire->b, b));
}

static void check(const void *wire, const StiCheck *check)
{
    const int dim = ((const StiWire *)wire)->dim;
    if (dim > 3) sti_check_error(check, "wire", dim, "a point has 1, 2 or 3 axes, not %d", dim);
}

const StiWireKind sti_wire_kind_point = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "point",
             .summary = "a point of a link against a point of the world or of b",
             .check = check},
    .links = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
