// A half space: all below z = 0 of its axes.
#include "algebra/attitude.h"
#include "stiction/shape.h"

StiShape sti_shape_plane(StiVec3 point, StiVec3 normal)
{
    return (StiShape){.kind = &sti_shape_kind_plane, .p = point, .q = sti_plane_attitude(normal)};
}

const StiShapeKind sti_shape_kind_plane = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "plane", .summary = "all below the plane z = 0"},
    .half_space = true,
};
