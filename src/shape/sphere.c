// A sphere: a point with a ball around it.
#include "shape/verbs.h"

StiShape sti_shape_sphere(StiVec3 centre, double radius)
{
    return (StiShape){.kind = &sti_shape_kind_sphere,
                      .p = centre,
                      .q = STI_QUAT_IDENTITY,
                      .radius = radius};
}

double sti_rounding_radius(const StiShape *shape) { return shape->radius; }

static void check(const void *parameters, const StiCheck *check)
{
    const StiShape *shape = parameters;
    sti_shape_check_size(check, "radius", shape->radius);
}

const StiShapeKind sti_shape_kind_sphere = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "sphere", .summary = "a sphere around p", .check = check},
    .core = STI_CORE_POINT,
    .rounding = sti_rounding_radius,
    .reach = sti_rounding_radius,
    .support = sti_point_support,
    .corners = sti_point_corners,
    .vertices = sti_point_vertices,
    .patch = sti_point_patch,
    .surface = sti_point_surface,
};
