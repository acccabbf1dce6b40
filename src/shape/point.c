// A point; and what a sphere, whose core is a point, shares with it.
#include "shape/verbs.h"

StiShape sti_shape_point(StiVec3 at)
{
    return (StiShape){.kind = &sti_shape_kind_point, .p = at, .q = STI_QUAT_IDENTITY};
}

StiVec3 sti_point_support(const StiShape *shape, StiVec3 direction)
{
    (void)shape;
    (void)direction;
    return sti_vec3(0.0, 0.0, 0.0);
}

int sti_point_corners(const StiShape *shape, StiVec3 direction, StiCorner *corners)
{
    (void)shape;
    (void)direction;
    corners[0] = (StiCorner){{0.0, 0.0, 0.0}, 0};
    return 1;
}

int sti_point_vertices(const StiShape *shape, StiVec3 *vertices)
{
    (void)shape;
    if (vertices != NULL) vertices[0] = sti_vec3(0.0, 0.0, 0.0);
    return 1;
}

void sti_point_patch(const StiShape *shape, StiVec3 direction, StiPatch *patch)
{
    patch->count = sti_point_corners(shape, direction, patch->corners);
}

bool sti_point_surface(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface)
{
    (void)shape;
    (void)point;
    (void)normal;
    *surface = (StiSurface){.slides = 0};
    return true;
}

double sti_rounding_none(const StiShape *shape)
{
    (void)shape;
    return 0.0;
}

const StiShapeKind sti_shape_kind_point = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "point", .summary = "a point of a link"},
    .core = STI_CORE_POINT,
    .rounding = sti_rounding_none,
    .reach = sti_rounding_none,
    .support = sti_point_support,
    .corners = sti_point_corners,
    .vertices = sti_point_vertices,
    .patch = sti_point_patch,
    .surface = sti_point_surface,
};
