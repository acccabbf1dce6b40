// Coordinates of one admittance, or their differences to those of another.
#include "stiction/robot.h"
#include "wire/end.h"

StiWire sti_wire_coordinate(StiAdmittanceId a, int first, int dim)
{
    return sti_wire_coordinate_pair(a, first, STI_GROUND, 0, dim);
}

StiWire sti_wire_coordinate_pair(StiAdmittanceId a, int first_a, StiAdmittanceId b, int first_b,
                                 int dim)
{
    const StiFrame unused = sti_end_point((StiVec3){0});
    return (StiWire){
        .kind = &sti_wire_kind_coordinate,
        .a = {.body = a, .place = first_a, .position = first_a, .frame = unused},
        .b = {.body = b, .place = first_b, .position = first_b, .frame = unused},
        .dim = dim};
}

StiWire sti_wire_joint(StiAdmittanceId a, const StiRobot *robot, int link)
{
    const int first = sti_robot_joint_velocity(robot, link);
    const int next = link + 1 < sti_robot_links(robot) ? sti_robot_joint_velocity(robot, link + 1)
                                                       : sti_robot_velocities(robot);
    StiWire wire = sti_wire_coordinate(a, first, next - first);
    wire.a.position = sti_robot_joint_position(robot, link);
    return wire;
}

static StiWireSize size(const StiWire *wire)
{
    return (StiWireSize){.positions = wire->dim, .velocities = wire->dim};
}

static double coordinate(const double *side, int index) { return side ? side[index] : 0.0; }

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    for (int i = 0; i < wire->dim; ++i) {
        x[i] = coordinate(a->q, wire->a.position + i) - coordinate(b->q, wire->b.position + i);
        v[i] = coordinate(a->v, wire->a.place + i) - coordinate(b->v, wire->b.place + i);
    }
}

static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    (void)a, (void)b;
    double *to_a = force_a->generalized, *to_b = force_b->generalized;
    for (int i = 0; to_a && i < wire->dim; ++i) to_a[wire->a.place + i] -= u[i];
    for (int i = 0; to_b && i < wire->dim; ++i) to_b[wire->b.place + i] += u[i];
}

const StiWireKind sti_wire_kind_coordinate = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "coordinate", .summary = "coordinates of a, minus those of b"},
    .coordinates = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
