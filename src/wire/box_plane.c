// The eight corners of a box against a plane, three numbers each.
#include "wire/plane.h"

enum { CORNERS = 8 };

StiWire sti_wire_box_plane(StiAdmittanceId a, int link, StiFrame box, StiVec3 half_edges,
                           StiVec3 plane_point, StiVec3 normal)
{
    return (StiWire){.kind = &sti_wire_kind_box_plane,
                     .a = {.body = a, .place = link, .frame = sti_end_frame(box)},
                     .b = sti_plane_end(plane_point, normal),
                     .dim = 3,
                     .shape = {half_edges.x, half_edges.y, half_edges.z}};
}

static StiWireSize size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 3 * CORNERS, .velocities = 3 * CORNERS};
}

// Bits 0, 1, 2 of the corner's number say on which side it is along the box's x, y, z.
static StiVec3 corner_arm(const StiWire *wire, const StiSide *a, int corner)
{
    const double *half = wire->shape;
    const StiVec3 in_box =
        sti_vec3(corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                 corner & 4 ? half[2] : -half[2]);
    const StiVec3 in_link = sti_vec3_add(wire->a.frame.p, sti_quat_rotate(wire->a.frame.q, in_box));
    return sti_quat_rotate(a->link->q, in_link);
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    const StiFrame plane = sti_end_in_world(&wire->b, b);
    for (int i = 0; i < CORNERS; ++i)
        sti_plane_sense(&plane, a, b, corner_arm(wire, a, i), x + 3 * i, v + 3 * i);
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    const StiFrame plane = sti_end_in_world(&wire->b, b);
    for (int i = 0; i < CORNERS; ++i) {
        const StiVec3 arm = corner_arm(wire, a, i);
        sti_plane_apply(wire, &plane, a, b, arm, u + 3 * i, force_a, force_b);
    }
}

static void check(const void *wire, const StiCheck *check) { sti_plane_check_shape(wire, check); }

const StiWireKind sti_wire_kind_box_plane = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "box-plane",
             .summary = "the eight corners of a box on a link against a plane",
             .check = check},
    .links = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
