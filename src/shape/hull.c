// A convex hull. Features of corners are the numbers of its vertices.
#include "shape/placed.h"
#include "shape/verbs.h"

StiShape sti_shape_hull(StiFrame placement, const StiHull *hull)
{
    return (
        StiShape){.kind = &sti_shape_kind_hull, .p = placement.p, .q = placement.q, .hull = hull};
}

static double reach(const StiShape *shape) { return shape->hull->reach; }

static StiVec3 support(const StiShape *shape, StiVec3 direction)
{
    const StiHull *const hull = shape->hull;
    int best = 0;
    double most = sti_vec3_dot(hull->vertices[0], direction);
    for (int i = 1; i < hull->vertex_count; ++i) {
        const double here = sti_vec3_dot(hull->vertices[i], direction);
        if (here > most) {
            most = here;
            best = i;
        }
    }
    return hull->vertices[best];
}

static int corners(const StiShape *shape, StiVec3 direction, StiCorner *corners)
{
    (void)direction;
    const StiHull *const hull = shape->hull;
    for (int i = 0; i < hull->vertex_count; ++i)
        corners[i] = (StiCorner){hull->vertices[i], (uint32_t)i};
    return hull->vertex_count;
}

static int vertices(const StiShape *shape, StiVec3 *vertices)
{
    const StiHull *hull = shape->hull;
    for (int i = 0; vertices != NULL && i < hull->vertex_count; ++i) vertices[i] = hull->vertices[i];
    return hull->vertex_count;
}

static void patch(const StiShape *shape, StiVec3 direction, StiPatch *patch)
{
    const StiHull *const hull = shape->hull;
    int best = 0;
    for (int i = 1; i < hull->face_count; ++i)
        if (sti_vec3_dot(hull->normals[i], direction) >
            sti_vec3_dot(hull->normals[best], direction))
            best = i;
    patch->normal = hull->normals[best];
    patch->count = 0;
    for (int i = hull->first[best]; i < hull->first[best + 1]; ++i) {
        const int vertex = hull->corners[i];
        patch->corners[patch->count++] = (StiCorner){hull->vertices[vertex], (uint32_t)vertex};
    }
}

static int faces(const StiShape *shape, StiVec3 direction, StiFace *faces)
{
    const StiHull *const hull = shape->hull;
    int count = 0;
    for (int i = 0; i < hull->face_count; ++i) {
        const StiVec3 normal = hull->normals[i];
        if (sti_vec3_dot(normal, direction) < -STI_AWAY) continue;
        const StiVec3 on_face = hull->vertices[hull->corners[hull->first[i]]];
        faces[count++] = (StiFace){normal, sti_vec3_dot(normal, on_face)};
    }
    return count;
}

// ---- the point of the surface nearest to a point ------------------------------------------------

static double height(const StiHull *hull, int face, StiVec3 point)
{
    const StiVec3 on_face = hull->vertices[hull->corners[hull->first[face]]];
    return sti_vec3_dot(hull->normals[face], sti_vec3_sub(point, on_face));
}

static StiVec3 nearest_on_edge(StiVec3 from, StiVec3 to, StiVec3 point)
{
    const StiVec3 along = sti_vec3_sub(to, from);
    const double t = sti_vec3_dot(along, sti_vec3_sub(point, from)) / sti_vec3_dot(along, along);
    return sti_vec3_add(from, sti_vec3_scale(fmin(fmax(t, 0.0), 1.0), along));
}

// Of a point above the face: its foot, or the nearest point of the edges that it is outside of.
static StiVec3 nearest_on_face(const StiHull *hull, int face, StiVec3 point, bool *is_foot)
{
    const StiVec3 n = hull->normals[face];
    StiVec3 best = sti_vec3_sub(point, sti_vec3_scale(height(hull, face, point), n));
    double least = INFINITY;
    *is_foot = true;
    int from = hull->corners[hull->first[face + 1] - 1];
    for (int i = hull->first[face]; i < hull->first[face + 1]; ++i) {
        const int to = hull->corners[i];
        const StiVec3 start = hull->vertices[from];
        const StiVec3 along = sti_vec3_sub(hull->vertices[to], start);
        from = to;
        if (sti_vec3_dot(sti_vec3_cross(n, along), sti_vec3_sub(point, start)) >= 0.0) continue;
        const StiVec3 here = nearest_on_edge(start, hull->vertices[to], point);
        const double away = sti_vec3_norm(sti_vec3_sub(point, here));
        *is_foot = false;
        if (away < least) {
            least = away;
            best = here;
        }
    }
    return best;
}

static StiNearest nearest_outside(const StiHull *hull, StiVec3 point)
{
    StiNearest nearest = {.gap = INFINITY};
    for (int i = 0; i < hull->face_count; ++i) {
        if (!(height(hull, i, point) > 0.0)) continue;
        bool is_foot;
        const StiVec3 at = nearest_on_face(hull, i, point, &is_foot), out = sti_vec3_sub(point, at);
        const double gap = sti_vec3_norm(out);
        if (!(gap < nearest.gap)) continue;
        nearest = (StiNearest){.at = at, .gap = gap, .normal = sti_vec3_scale(1.0 / gap, out)};
        if (is_foot) nearest.normal = hull->normals[i]; // exact, however near
    }
    return nearest;
}

static StiNearest nearest(const StiShape *shape, StiVec3 point)
{
    const StiHull *const hull = shape->hull;
    StiNearest nearest = {.gap = -INFINITY};
    for (int i = 0; i < hull->face_count; ++i) {
        const double gap = height(hull, i, point);
        if (gap > nearest.gap)
            nearest =
                (StiNearest){.normal = hull->normals[i], .gap = gap, .feature = (uint32_t)(1 + i)};
    }
    // A point that is a rounding error above a face would divide by it.
    if (nearest.gap > 1e-12 * hull->reach) return nearest_outside(hull, point);
    nearest.at = sti_vec3_sub(point, sti_vec3_scale(nearest.gap, nearest.normal));
    return nearest;
}

// ---- how the surface goes on --------------------------------------------------------------------

typedef struct Around {
    int count;      // of faces that the point is on
    StiVec3 out[2]; // normals of the first two
    bool held;      // the normal is that of one of them
} Around;

static Around faces_around(const StiHull *hull, StiVec3 point, StiVec3 normal)
{
    Around around = {.count = 0};
    for (int i = 0; i < hull->face_count; ++i) {
        if (height(hull, i, point) < -STI_BORDER * hull->reach) continue;
        const StiVec3 out = hull->normals[i];
        if (around.count < 2) around.out[around.count] = out;
        if (sti_vec3_norm(sti_vec3_cross(out, normal)) < STI_BORDER) around.held = true;
        ++around.count;
    }
    return around;
}

static bool surface(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface)
{
    const Around around = faces_around(shape->hull, point, normal);
    const bool face = around.count == 1, edge = around.count == 2;
    const StiVec3 out = face ? around.out[0] : normal;
    const StiVec3 line =
        edge ? sti_vec3_cross(around.out[0], around.out[1]) : sti_vec3_square_to(out);
    const StiVec3 along = sti_vec3_scale(1.0 / sti_vec3_norm(line), line);
    const StiVec3 across = sti_vec3_cross(out, along);
    *surface = (StiSurface){.slides = face   ? 2
                                      : edge ? 1
                                             : 0,
                            .slide = {along, across},
                            .holds = face || around.held ? 2
                                     : edge              ? 1
                                                         : 0,
                            .hold = {along, across}};
    return around.count > 0;
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiShape *shape = parameters;
    if (shape->hull == NULL || shape->hull->face_count < 4)
        sti_check_error(check, "hull", NAN, "a hull must have been built by sti_hull_build");
}

const StiShapeKind sti_shape_kind_hull = {
    .table_size = sizeof(StiShapeKind),
    .info = {.name = "hull", .summary = "the convex hull of points", .check = check},
    .rounding = sti_rounding_none,
    .reach = reach,
    .support = support,
    .corners = corners,
    .vertices = vertices,
    .patch = patch,
    .faces = faces,
    .nearest = nearest,
    .surface = surface,
};
