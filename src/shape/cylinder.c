// A cylinder around the z axis from -half.z to half.z, with flat caps.
#include "shape/verbs.h"

// Features: bit 4 says which cap (16: that at +z), the lower bits which of its rim points. Points
// 0 ... 15 are fixed in the cylinder; the lowest one of a tilted cylinder (and those a quarter turn
// from it) have numbers of their own, 32 and above, because they run around the rim.
enum { RIM = 16, UPPER = 16, RUNNING = 32 };

// Below this tilt (rad) a cap is taken to lie flat, and points fixed in it are used: the lowest
// point of a flat rim is not defined. The gap jumps by less than this times the radius.
static const double FLAT = 1e-6;

StiShape sti_shape_cylinder(StiFrame placement, double radius, double half_length)
{
    return (StiShape){.kind = &sti_shape_kind_cylinder,
                      .p = placement.p,
                      .q = placement.q,
                      .radius = radius,
                      .half = {0.0, 0.0, half_length}};
}

static double reach(const StiShape *shape) { return sti_hypot(shape->radius, shape->half.z); }

static double radial(StiVec3 direction)
{
    return sqrt(direction.x * direction.x + direction.y * direction.y);
}

// Rim points at the angle whose cosine and sine are given.
static StiCorner rim(const StiShape *shape, bool upper, double c, double s, uint32_t feature)
{
    const double z = upper ? shape->half.z : -shape->half.z;
    return (StiCorner){{shape->radius * c, shape->radius * s, z}, feature + (upper ? UPPER : 0)};
}

static StiVec3 support(const StiShape *shape, StiVec3 direction)
{
    const double across = radial(direction);
    const double s = across > 0.0 ? 1.0 / across : 0.0;
    return rim(shape, direction.z >= 0.0, s * direction.x, s * direction.y, 0).at;
}

static int corners(const StiShape *shape, StiVec3 direction, StiCorner *corners)
{
    const double across = radial(direction);
    const bool upper = direction.z >= 0.0;
    const bool flat = across <= FLAT * fabs(direction.z);
    const double c = flat ? 1.0 : direction.x / across, s = flat ? 0.0 : direction.y / across;
    const uint32_t first = flat ? 0 : RUNNING;
    corners[0] = rim(shape, upper, c, s, first);
    corners[1] = rim(shape, upper, -s, c, first + 4);
    corners[2] = rim(shape, upper, -c, -s, first + 8);
    corners[3] = rim(shape, upper, s, -c, first + 12);
    if (flat) return 4;
    corners[4] = rim(shape, !upper, c, s, first);
    return 5;
}

// cos and sin of i/16 of a turn.
static const double circle[RIM / 4 + 1] = {0.0, 0.38268343236508977173, 0.70710678118654752440,
                                           0.92387953251128675613, 1.0};

// Point i of a cap, counted from the one at the angle whose cosine and sine are given.
static StiCorner rim_point(const StiShape *shape, bool upper, double c, double s, int i,
                           uint32_t first)
{
    const int quarter = i / 4, rest = i % 4;
    const double sine = circle[rest], cosine = circle[RIM / 4 - rest];
    const double cosines[4] = {cosine, -sine, -cosine, sine};
    const double sines[4] = {sine, cosine, -sine, -cosine};
    const double p = cosines[quarter], q = sines[quarter];
    return rim(shape, upper, p * c - q * s, p * s + q * c, first + (uint32_t)i);
}

static void patch(const StiShape *shape, StiVec3 direction, StiPatch *patch)
{
    const double across = radial(direction);
    const bool upper = direction.z >= 0.0;
    const bool flat = across <= FLAT * fabs(direction.z);
    const double c = flat ? 1.0 : direction.x / across, s = flat ? 0.0 : direction.y / across;
    const uint32_t first = flat ? 0 : RUNNING;
    if (across > fabs(direction.z)) { // the side: a line
        patch->count = 2;
        patch->corners[0] = rim(shape, false, c, s, first);
        patch->corners[1] = rim(shape, true, c, s, first);
        return;
    }
    patch->count = RIM;
    patch->normal = sti_vec3(0.0, 0.0, upper ? 1.0 : -1.0);
    for (int i = 0; i < RIM; ++i)
        patch->corners[i] = rim_point(shape, upper, c, s, upper ? i : RIM - 1 - i, first);
}

// The caps, and the line of the side.
static int faces(const StiShape *shape, StiVec3 direction, StiFace *faces)
{
    const double across = radial(direction), half = shape->half.z;
    int count = 0;
    if (direction.z > -STI_AWAY) faces[count++] = (StiFace){{0.0, 0.0, 1.0}, half};
    if (direction.z < STI_AWAY) faces[count++] = (StiFace){{0.0, 0.0, -1.0}, half};
    if (across > FLAT)
        faces[count++] =
            (StiFace){{direction.x / across, direction.y / across, 0.0}, shape->radius};
    return count;
}

static StiNearest nearest(const StiShape *shape, StiVec3 point)
{
    const double across = radial(point), side = point.z < 0.0 ? -1.0 : 1.0;
    const double out = across - shape->radius, over = fabs(point.z) - shape->half.z;
    const StiVec3 u =
        across > 0.0 ? sti_vec3(point.x / across, point.y / across, 0.0) : sti_vec3(1.0, 0.0, 0.0);
    const StiVec3 on_side = sti_vec3(shape->radius * u.x, shape->radius * u.y, point.z);
    if (out <= 0.0 && over >= out) // nearer to the cap
        return (StiNearest){.at = sti_vec3(point.x, point.y, side * shape->half.z),
                            .normal = sti_vec3(0.0, 0.0, side),
                            .gap = over,
                            .feature = side > 0.0 ? 1 : 2};
    if (over <= 0.0) return (StiNearest){.at = on_side, .normal = u, .gap = out};
    const double gap = sti_hypot(out, over);
    return (StiNearest){.at = sti_vec3(on_side.x, on_side.y, side * shape->half.z),
                        .normal = sti_vec3(u.x * out / gap, u.y * out / gap, side * over / gap),
                        .gap = gap};
}

// Of a rim the normal turns within the plane through the axis without moving the point, and about the
// axis with it, also where the point is not the lowest one but runs around beside it.
static bool surface(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface)
{
    const StiVec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    const double border = STI_BORDER * reach(shape), across = radial(normal);
    const bool cap = fabs(point.z) > shape->half.z - border;
    *surface = (StiSurface){.slide = {x, y}, .hold = {x, y}};
    if (cap && radial(point) < shape->radius - border) surface->slides = 2;
    if (surface->slides == 2 || across <= FLAT * fabs(normal.z)) { // or a point fixed in the rim
        surface->holds = 2;
        return true;
    }
    surface->round = sti_vec3(-normal.y / across, normal.x / across, 0.0);
    surface->way = sti_vec3(-point.y / shape->radius, point.x / shape->radius, 0.0);
    surface->radius = shape->radius / across;
    if (!cap) {
        surface->slides = surface->holds = 1;
        surface->slide[0] = surface->hold[0] = z;
    }
    return true;
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiShape *shape = parameters;
    sti_shape_check_size(check, "radius", shape->radius);
    sti_shape_check_size(check, "half_length", shape->half.z);
}

const StiShapeKind sti_shape_kind_cylinder = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "cylinder", .summary = "a cylinder along z with flat caps", .check = check},
    .rounding = sti_rounding_none,
    .reach = reach,
    .support = support,
    .corners = corners,
    .patch = patch,
    .faces = faces,
    .nearest = nearest,
    .surface = surface,
};
