// A box around p. Bits 0, 1, 2 of a corner's number say on which side it is along x, y, z.
#include "shape/verbs.h"

StiShape sti_shape_box(StiFrame placement, StiVec3 half_edges)
{
    return (StiShape){.kind = &sti_shape_kind_box,
                      .p = placement.p,
                      .q = placement.q,
                      .half = half_edges};
}

static double reach(const StiShape *shape) { return sti_vec3_norm(shape->half); }

static double along(double direction, double half) { return direction < 0.0 ? -half : half; }

static StiVec3 support(const StiShape *shape, StiVec3 direction)
{
    return sti_vec3(along(direction.x, shape->half.x), along(direction.y, shape->half.y),
                    along(direction.z, shape->half.z));
}

static StiCorner corner(const StiShape *shape, uint32_t number)
{
    const StiVec3 half = shape->half;
    return (StiCorner){{number & 1 ? half.x : -half.x, number & 2 ? half.y : -half.y,
                        number & 4 ? half.z : -half.z},
                       number};
}

static int corners(const StiShape *shape, StiVec3 direction, StiCorner *corners)
{
    (void)direction;
    for (uint32_t i = 0; i < 8; ++i) corners[i] = corner(shape, i);
    return 8;
}

// Corners of the faces -x, x, -y, y, -z, z, counter-clockwise from outside.
static const uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static int vertices(const StiShape *shape, StiVec3 *vertices)
{
    const StiVec3 h = shape->half;
    for (int i = 0; vertices != NULL && i < 8; ++i)
        vertices[i] = sti_vec3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    return 8;
}

static void patch(const StiShape *shape, StiVec3 direction, StiPatch *patch)
{
    const double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    const int axis = z >= x && z >= y ? 2 : x >= y ? 0 : 1;
    const double component = axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z;
    const double side = component < 0.0 ? -1.0 : 1.0;
    const uint8_t *const face = faces[2 * axis + (side > 0.0)];
    patch->normal =
        sti_vec3(axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0);
    patch->count = 4;
    for (int i = 0; i < 4; ++i) patch->corners[i] = corner(shape, face[i]);
}

static int facing(const StiShape *shape, StiVec3 direction, StiFace *found)
{
    const double d[3] = {direction.x, direction.y, direction.z};
    const double half[3] = {shape->half.x, shape->half.y, shape->half.z};
    int count = 0;
    for (int i = 0; i < 6; ++i) {
        const int axis = i / 2;
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        if (side * d[axis] < -STI_AWAY) continue;
        found[count++] =
            (StiFace){{axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0},
                      half[axis]};
    }
    return count;
}

static double clamp(double value, double half) { return fmin(fmax(value, -half), half); }

// Through the nearest face, when the point is inside.
static StiNearest nearest_inside(const StiShape *shape, StiVec3 point)
{
    const double x = fabs(point.x) - shape->half.x, y = fabs(point.y) - shape->half.y;
    const double z = fabs(point.z) - shape->half.z;
    StiNearest nearest = {.at = point};
    if (z >= x && z >= y) {
        nearest.gap = z;
        nearest.normal.z = along(point.z, 1.0);
        nearest.at.z = along(point.z, shape->half.z);
        nearest.feature = point.z < 0.0 ? 4 : 5;
    } else if (x >= y) {
        nearest.gap = x;
        nearest.normal.x = along(point.x, 1.0);
        nearest.at.x = along(point.x, shape->half.x);
        nearest.feature = point.x < 0.0 ? 0 : 1;
    } else {
        nearest.gap = y;
        nearest.normal.y = along(point.y, 1.0);
        nearest.at.y = along(point.y, shape->half.y);
        nearest.feature = point.y < 0.0 ? 2 : 3;
    }
    return nearest;
}

static StiNearest nearest(const StiShape *shape, StiVec3 point)
{
    const StiVec3 at = {clamp(point.x, shape->half.x), clamp(point.y, shape->half.y),
                        clamp(point.z, shape->half.z)};
    const StiVec3 out = sti_vec3_sub(point, at);
    const double gap = sti_vec3_norm(out);
    if (!(gap > 0.0)) return nearest_inside(shape, point);
    return (StiNearest){.at = at, .normal = sti_vec3_scale(1.0 / gap, out), .gap = gap};
}

static bool surface(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface)
{
    const double border = STI_BORDER * reach(shape);
    const double at[3] = {fabs(point.x) - shape->half.x, fabs(point.y) - shape->half.y,
                          fabs(point.z) - shape->half.z};
    const double n[3] = {normal.x, normal.y, normal.z};
    *surface = (StiSurface){.slides = 0};
    int face = -1;
    for (int i = 0; i < 3; ++i) {
        const StiVec3 axis = {i == 0, i == 1, i == 2};
        if (at[i] < -border) surface->slide[surface->slides++] = axis;
        if (at[i] >= -border && fabs(n[i]) > 1.0 - STI_BORDER * STI_BORDER) face = i;
    }
    // At its edges and corners, too, the normal of a face is held by it.
    for (int i = 0; i < 3; ++i)
        if (i != face && (face >= 0 || at[i] < -border))
            surface->hold[surface->holds++] = sti_vec3(i == 0, i == 1, i == 2);
    return surface->slides < 3;
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiShape *shape = parameters;
    sti_shape_check_size(check, "half_edges[0]", shape->half.x);
    sti_shape_check_size(check, "half_edges[1]", shape->half.y);
    sti_shape_check_size(check, "half_edges[2]", shape->half.z);
}

const StiShapeKind sti_shape_kind_box = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "box", .summary = "a box around p", .check = check},
    .core = STI_CORE_BOX,
    .rounding = sti_rounding_none,
    .reach = reach,
    .support = support,
    .corners = corners,
    .vertices = vertices,
    .patch = patch,
    .faces = facing,
    .nearest = nearest,
    .surface = surface,
};
