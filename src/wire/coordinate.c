// Coordinates of one admittance, or their differences to those of another.
#include "wire/end.h"

StiWire sti_wire_coordinate(StiAdmittanceId a, int first, int dim)
{
    return sti_wire_coordinate_pair(a, first, (StiAdmittanceId){-1}, 0, dim);
}

StiWire sti_wire_coordinate_pair(StiAdmittanceId a, int first_a, StiAdmittanceId b, int first_b,
                                 int dim)
{
    const StiFrame unused = sti_end_point((StiVec3){0});
    return (StiWire){.kind = &sti_wire_kind_coordinate,
                     .a = {.admittance = a.index, .place = first_a, .frame = unused},
                     .b = {.admittance = b.index, .place = first_b, .frame = unused},
                     .dim = dim};
}

static StiWireSize size(const StiWire *wire)
{
    return (StiWireSize){.positions = wire->dim, .velocities = wire->dim};
}

static double coordinate(const double *side, int index) { return side ? side[index] : 0.0; }

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    for (int i = 0; i < wire->dim; ++i) {
        const int at_a = wire->a.place + i, at_b = wire->b.place + i;
        x[i] = coordinate(a->q, at_a) - coordinate(b->q, at_b);
        v[i] = coordinate(a->v, at_a) - coordinate(b->v, at_b);
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
    .info = {.name = "coordinate", .summary = "coordinates of a, minus those of b"},
    .coordinates = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
