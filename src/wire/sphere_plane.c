// A sphere against a plane, and a point as the sphere of radius 0. The contact point is the
// deepest one, so it travels over the sphere as that rolls: along the tangents x is not the
// integral of v.
#include "wire/plane.h"

StiWire sti_wire_sphere_plane(StiAdmittanceId a, int link, StiVec3 centre, double radius,
                              StiVec3 plane_point, StiVec3 normal)
{
    return (StiWire){.kind = &sti_wire_kind_sphere_plane,
                     .a = {.body = a, .place = link, .frame = sti_end_point(centre)},
                     .b = sti_plane_end(plane_point, normal),
                     .dim = 3,
                     .shape = {radius}};
}

StiWire sti_wire_point_plane(StiAdmittanceId a, int link, StiVec3 point, StiVec3 plane_point,
                             StiVec3 normal)
{
    return sti_wire_sphere_plane(a, link, point, 0.0, plane_point, normal);
}

static StiWireSize size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 3, .velocities = 3};
}

// From the link's origin to the point of the sphere that is deepest in the plane.
static StiVec3 contact_arm(const StiWire *wire, const StiFrame *plane, const StiSide *a)
{
    const StiVec3 to_surface = sti_quat_rotate(plane->q, sti_vec3(0.0, 0.0, -wire->shape[0]));
    return sti_vec3_add(sti_end_arm(&wire->a, a), to_surface);
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    const StiFrame plane = sti_end_in_world(&wire->b, b);
    sti_plane_sense(&plane, a, b, contact_arm(wire, &plane, a), x, v);
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    const StiFrame plane = sti_end_in_world(&wire->b, b);
    const StiVec3 arm = contact_arm(wire, &plane, a);
    sti_plane_apply(wire, &plane, a, b, arm, u, force_a, force_b);
}

static void check(const void *wire, const StiCheck *check) { sti_plane_check_shape(wire, check); }

const StiWireKind sti_wire_kind_sphere_plane = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "sphere-plane",
             .summary = "a sphere or a point of a link against a plane",
             .check = check},
    .links = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
