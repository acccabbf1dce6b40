// A capsule: the part -half.z ... half.z of the z axis with a ball around it.
#include "shape/verbs.h"

StiShape sti_shape_capsule(StiFrame placement, double radius, double half_length)
{
    return (StiShape){.kind = &sti_shape_kind_capsule,
                      .p = placement.p,
                      .q = placement.q,
                      .radius = radius,
                      .half = {0.0, 0.0, half_length}};
}

static double reach(const StiShape *shape) { return shape->half.z + shape->radius; }

static StiVec3 support(const StiShape *shape, StiVec3 direction)
{
    return sti_vec3(0.0, 0.0, direction.z < 0.0 ? -shape->half.z : shape->half.z);
}

static int corners(const StiShape *shape, StiVec3 direction, StiCorner *corners)
{
    (void)direction;
    corners[0] = (StiCorner){{0.0, 0.0, -shape->half.z}, 0};
    corners[1] = (StiCorner){{0.0, 0.0, shape->half.z}, 1};
    return 2;
}

static int vertices(const StiShape *shape, StiVec3 *vertices)
{
    for (int i = 0; vertices != NULL && i < 2; ++i)
        vertices[i] = sti_vec3(0.0, 0.0, i == 0 ? -shape->half.z : shape->half.z);
    return 2;
}

static void patch(const StiShape *shape, StiVec3 direction, StiPatch *patch)
{
    patch->count = corners(shape, direction, patch->corners);
}

static bool surface(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface)
{
    (void)normal;
    const StiVec3 axis = {0.0, 0.0, 1.0};
    const bool end = fabs(point.z) > shape->half.z - STI_BORDER * reach(shape);
    *surface = end ? (StiSurface){.slides = 0}
                   : (StiSurface){.slides = 1, .slide = {axis}, .holds = 1, .hold = {axis}};
    return true;
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiShape *shape = parameters;
    sti_shape_check_size(check, "radius", shape->radius);
    sti_shape_check_size(check, "half_length", shape->half.z);
}

const StiShapeKind sti_shape_kind_capsule = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "capsule", .summary = "a cylinder along z with round ends", .check = check},
    .core = STI_CORE_SEGMENT,
    .rounding = sti_rounding_radius,
    .reach = reach,
    .support = support,
    .corners = corners,
    .vertices = vertices,
    .patch = patch,
    .surface = surface,
};
