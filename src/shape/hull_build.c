// The faces of a convex hull. Hulls are small, and built once: every plane through three points that
// has all others on one side is a face, with all points that lie in it as candidates for corners.
// Plain, and safe where points share planes and lines (boxes, prisms, grids).
#include <string.h>

#include "base/finite.h"
#include "shape/placed.h"

typedef struct Builder {
    const StiVec3 *points;
    int count;
    double tolerance;               // m: nearer to a plane than this is in it
    uint64_t faces[STI_HULL_FACES]; // sets of points
    StiHull *hull;
} Builder;

// The points in a plane as a set, or 0 if there are points above it.
static uint64_t points_in_plane(const Builder *builder, StiVec3 origin, StiVec3 normal)
{
    uint64_t set = 0;
    for (int i = 0; i < builder->count; ++i) {
        const double height = sti_vec3_dot(normal, sti_vec3_sub(builder->points[i], origin));
        if (height > builder->tolerance) return 0;
        if (height >= -builder->tolerance) set |= UINT64_C(1) << i;
    }
    return set;
}

// Corner after `from`, counter-clockwise about the normal: all others are to its left. Of several
// on a line the furthest, so that points within an edge are no corners.
static int next_corner(const Builder *builder, uint64_t set, StiVec3 normal, int from)
{
    const StiVec3 start = builder->points[from];
    int best = -1;
    for (int i = 0; i < builder->count; ++i) {
        if (i == from || !(set >> i & 1)) continue;
        const StiVec3 to = sti_vec3_sub(builder->points[i], start);
        if (sti_vec3_norm(to) <= builder->tolerance) continue;
        if (best < 0) {
            best = i;
            continue;
        }
        const StiVec3 along = sti_vec3_sub(builder->points[best], start);
        const double left = sti_vec3_dot(normal, sti_vec3_cross(along, to));
        const double wide = builder->tolerance * sti_vec3_norm(along);
        if (left < -wide || (left <= wide && sti_vec3_norm(to) > sti_vec3_norm(along))) best = i;
    }
    return best;
}

// A point that is a corner for certain: the furthest along some direction in the plane.
static int first_corner(const Builder *builder, uint64_t set, StiVec3 normal)
{
    const StiVec3 along = sti_vec3_square_to(normal), across = sti_vec3_cross(normal, along);
    int best = -1;
    for (int i = 0; i < builder->count; ++i) {
        if (!(set >> i & 1)) continue;
        if (best < 0) best = i;
        const StiVec3 d = sti_vec3_sub(builder->points[i], builder->points[best]);
        const double x = sti_vec3_dot(d, along), y = sti_vec3_dot(d, across);
        const double tolerance = builder->tolerance;
        if (x > tolerance || (x >= -tolerance && y > tolerance)) best = i;
    }
    return best;
}

static bool add_face(Builder *builder, uint64_t set, StiVec3 normal)
{
    StiHull *const hull = builder->hull;
    for (int i = 0; i < hull->face_count; ++i)
        if (builder->faces[i] == set && sti_vec3_dot(hull->normals[i], normal) > 0.0) return true;
    if (hull->face_count == STI_HULL_FACES) return false;
    int end = hull->first[hull->face_count];
    const int start = first_corner(builder, set, normal);
    int corner = start;
    do {
        if (corner < 0 || end == STI_HULL_CORNERS) return false;
        hull->corners[end++] = (int16_t)corner;
        corner = next_corner(builder, set, normal, corner);
    } while (corner != start);
    builder->faces[hull->face_count] = set;
    hull->normals[hull->face_count++] = normal;
    hull->first[hull->face_count] = (int16_t)end;
    return true;
}

static bool add_faces_through(Builder *builder, int i, int j, int k)
{
    const StiVec3 origin = builder->points[i];
    const StiVec3 u = sti_vec3_sub(builder->points[j], origin);
    const StiVec3 v = sti_vec3_sub(builder->points[k], origin);
    const StiVec3 across = sti_vec3_cross(u, v);
    const double area = sti_vec3_norm(across);
    // Three points on a line say nothing about a plane.
    if (!(area > builder->tolerance * fmax(sti_vec3_norm(u), sti_vec3_norm(v)))) return true;
    for (int side = 0; side < 2; ++side) {
        const StiVec3 normal = sti_vec3_scale((side ? -1.0 : 1.0) / area, across);
        const uint64_t set = points_in_plane(builder, origin, normal);
        if (set != 0 && !add_face(builder, set, normal)) return false;
    }
    return true;
}

// Vertices that are corners of no face are dropped; the others keep their order.
static void keep_corners(Builder *builder)
{
    StiHull *const hull = builder->hull;
    int16_t number[STI_HULL_VERTICES];
    memset(number, -1, sizeof number);
    for (int i = 0; i < hull->first[hull->face_count]; ++i) number[hull->corners[i]] = 0;
    for (int i = 0; i < builder->count; ++i) {
        if (number[i] < 0) continue;
        number[i] = (int16_t)hull->vertex_count;
        hull->vertices[hull->vertex_count++] = builder->points[i];
    }
    for (int i = 0; i < hull->first[hull->face_count]; ++i)
        hull->corners[i] = number[hull->corners[i]];
}

static void measure(StiHull *hull)
{
    StiVec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < hull->vertex_count; ++i) {
        sum = sti_vec3_add(sum, hull->vertices[i]);
        hull->reach = fmax(hull->reach, sti_vec3_norm(hull->vertices[i]));
    }
    hull->centre = sti_vec3_scale(1.0 / hull->vertex_count, sum);
}

static double extent(const StiVec3 *points, int count)
{
    double most = 0.0;
    for (int i = 1; i < count; ++i)
        most = fmax(most, sti_vec3_norm(sti_vec3_sub(points[i], points[0])));
    return most;
}

StiStatus sti_hull_build(const StiVec3 *points, int count, StiHull *hull)
{
    memset(hull, 0, sizeof *hull);
    if (count < 4 || count > STI_HULL_VERTICES) return STI_BAD_ARGUMENT;
    for (int i = 0; i < count; ++i)
        if (!sti_all_finite((const double[3]){points[i].x, points[i].y, points[i].z}, 3))
            return STI_BAD_ARGUMENT;
    Builder builder = {.points = points, .count = count, .hull = hull};
    builder.tolerance = 1e-9 * extent(points, count);
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            for (int k = j + 1; k < count; ++k)
                if (!add_faces_through(&builder, i, j, k)) return STI_BAD_ARGUMENT;
    if (hull->face_count < 4) { // all in one plane: two faces, or none
        memset(hull, 0, sizeof *hull);
        return STI_BAD_ARGUMENT;
    }
    keep_corners(&builder);
    measure(hull);
    return STI_OK;
}
