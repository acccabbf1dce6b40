// A sum of two coordinates with factors: the slip of a belt, the way along a thread.
#include "wire/end.h"

StiWire sti_wire_combination(StiAdmittanceId a, int first_a, double factor_a, StiAdmittanceId b,
                             int first_b, double factor_b, bool angular)
{
    StiWire wire = sti_wire_coordinate_pair(a, first_a, b, first_b, 1);
    wire.kind = angular ? &sti_wire_kind_angular_combination : &sti_wire_kind_combination;
    wire.shape[0] = factor_a;
    wire.shape[1] = factor_b;
    return wire;
}

StiWire sti_wire_helix(StiAdmittanceId a, int first_a, double factor_a, StiAdmittanceId b,
                       int first_b, double factor_b, bool angular)
{
    StiWire wire = sti_wire_combination(a, first_a, factor_a, b, first_b, factor_b, angular);
    wire.kind = angular ? &sti_wire_kind_angular_helix : &sti_wire_kind_helix;
    return wire;
}

static StiWireSize size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){.positions = 1, .velocities = 1};
}

static void sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    x[0] = v[0] = 0.0;
    if (a->q != NULL) {
        x[0] += wire->shape[0] * a->q[wire->a.position];
        v[0] += wire->shape[0] * a->v[wire->a.place];
    }
    if (b->q != NULL) {
        x[0] += wire->shape[1] * b->q[wire->b.position];
        v[0] += wire->shape[1] * b->v[wire->b.place];
    }
}

// Against the sum: both factors with the same sign.
static void apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b)
{
    (void)a, (void)b;
    if (force_a->generalized) force_a->generalized[wire->a.place] -= wire->shape[0] * u[0];
    if (force_b->generalized) force_b->generalized[wire->b.place] -= wire->shape[1] * u[0];
}

const StiWireKind sti_wire_kind_combination = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "combination", .summary = "a sum of two coordinates with factors, m"},
    .size = size,
    .sense = sense,
    .apply = apply,
};

const StiWireKind sti_wire_kind_angular_combination = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "angular-combination", .summary = "a sum of two coordinates with factors, rad"},
    .is_angular = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};

const StiWireKind sti_wire_kind_helix = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "helix", .summary = "the way along a thread, m"},
    .stops_both = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};

const StiWireKind sti_wire_kind_angular_helix = {
    .table_size = sizeof(StiWireKind),
    .info = {.name = "angular-helix", .summary = "the way along a worm's thread, rad"},
    .stops_both = true,
    .is_angular = true,
    .size = size,
    .sense = sense,
    .apply = apply,
};
