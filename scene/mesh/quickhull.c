// Quickhull with a budget: every point that is outside waits at one face; the furthest of all joins.
#include "mesh/quickhull.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FACES = 4 * STI_HULL_VERTICES };

typedef struct Face {
    int corners[3]; // counter-clockwise from outside
    StiVec3 normal; // unit
    double height;
    bool alive;
    int waiting; // first point that is outside, then next[]; -1: none
    int furthest;
    double distance;
} Face;

typedef struct Hull {
    const StiVec3 *points;
    int *next; // of a point: another one that waits at the same face
    Face faces[MOST_FACES];
    int count;
    double tiny; // distances below are rounding
} Hull;

static double above(const Hull *hull, const Face *face, int point)
{
    return sti_vec3_dot(face->normal, hull->points[point]) - face->height;
}

static int add_face(Hull *hull, int a, int b, int c)
{
    int number = 0;
    while (number < hull->count && hull->faces[number].alive) ++number;
    if (number == MOST_FACES) return -1;
    if (number == hull->count) ++hull->count;
    const StiVec3 *p = hull->points;
    const StiVec3 n = sti_vec3_cross(sti_vec3_sub(p[b], p[a]), sti_vec3_sub(p[c], p[a]));
    const double length = sti_vec3_norm(n);
    Face *face = &hull->faces[number];
    *face = (Face){.corners = {a, b, c}, .alive = true, .waiting = -1, .furthest = -1};
    if (length > 0.0) face->normal = sti_vec3_scale(1.0 / length, n);
    face->height = sti_vec3_dot(face->normal, p[a]);
    return number;
}

// Puts a point in the queue of the face that it is furthest outside of, if there is one.
static void queue(Hull *hull, int point, const int *faces, int count)
{
    Face *best = NULL;
    double most = hull->tiny;
    for (int i = 0; i < count; ++i) {
        const double distance = above(hull, &hull->faces[faces[i]], point);
        if (distance <= most) continue;
        most = distance;
        best = &hull->faces[faces[i]];
    }
    if (best == NULL) return;
    hull->next[point] = best->waiting;
    best->waiting = point;
    if (most <= best->distance) return;
    best->distance = most;
    best->furthest = point;
}

// ---- four points to begin with ------------------------------------------------------------------

static int furthest_from(const StiVec3 *points, int count, double (*measure)(const StiVec3 *, StiVec3),
                         const StiVec3 *from, double *most)
{
    int best = 0;
    *most = -1.0;
    for (int i = 0; i < count; ++i) {
        const double here = measure(from, points[i]);
        if (here > *most) {
            *most = here;
            best = i;
        }
    }
    return best;
}

static double from_point(const StiVec3 *at, StiVec3 p) { return sti_vec3_norm(sti_vec3_sub(p, at[0])); }

static double from_line(const StiVec3 *at, StiVec3 p)
{
    return sti_vec3_norm(sti_vec3_cross(sti_vec3_sub(at[1], at[0]), sti_vec3_sub(p, at[0])));
}

static double from_plane(const StiVec3 *at, StiVec3 p)
{
    const StiVec3 n = sti_vec3_cross(sti_vec3_sub(at[1], at[0]), sti_vec3_sub(at[2], at[0]));
    return fabs(sti_vec3_dot(n, sti_vec3_sub(p, at[0])));
}

static bool first_four(Hull *hull, int count, int four[4])
{
    const StiVec3 *p = hull->points;
    StiVec3 at[3] = {p[0]};
    double size, width, depth;
    four[0] = furthest_from(p, count, from_point, at, &size);
    at[0] = p[four[0]];
    four[1] = furthest_from(p, count, from_point, at, &size);
    at[1] = p[four[1]];
    four[2] = furthest_from(p, count, from_line, at, &width);
    at[2] = p[four[2]];
    four[3] = furthest_from(p, count, from_plane, at, &depth);
    hull->tiny = 1e-9 * size;
    if (!isfinite(size) || !(width > 1e-9 * size * size) || !(depth > 1e-9 * size * width)) return false;
    const StiVec3 n = sti_vec3_cross(sti_vec3_sub(at[1], at[0]), sti_vec3_sub(at[2], at[0]));
    if (sti_vec3_dot(n, sti_vec3_sub(p[four[3]], at[0])) > 0.0) { // so that it is below the first face
        const int swapped = four[1];
        four[1] = four[2];
        four[2] = swapped;
    }
    return true;
}

static void begin(Hull *hull, int count, const int four[4])
{
    const int faces[4] = {add_face(hull, four[0], four[1], four[2]), add_face(hull, four[0], four[3], four[1]),
                          add_face(hull, four[1], four[3], four[2]), add_face(hull, four[2], four[3], four[0])};
    for (int i = 0; i < count; ++i) queue(hull, i, faces, 4);
}

// ---- one more -----------------------------------------------------------------------------------

static bool has_edge(const Face *face, int a, int b)
{
    for (int i = 0; i < 3; ++i)
        if (face->corners[i] == a && face->corners[(i + 1) % 3] == b) return true;
    return false;
}

// Faces that see the point go; new ones join it with the border of what they were.
static bool join(Hull *hull, int point)
{
    int seen[MOST_FACES], seen_count = 0, edges[MOST_FACES][2], edge_count = 0, made[MOST_FACES];
    for (int i = 0; i < hull->count; ++i)
        if (hull->faces[i].alive && above(hull, &hull->faces[i], point) > 0.0) seen[seen_count++] = i;
    for (int i = 0; i < seen_count; ++i)
        for (int k = 0; k < 3; ++k) {
            const Face *face = &hull->faces[seen[i]];
            const int a = face->corners[k], b = face->corners[(k + 1) % 3];
            bool inner = false;
            for (int j = 0; j < seen_count && !inner; ++j) inner = has_edge(&hull->faces[seen[j]], b, a);
            if (inner || edge_count == MOST_FACES) continue;
            edges[edge_count][0] = a;
            edges[edge_count++][1] = b;
        }
    int waiting = -1; // all that waited at faces that go
    for (int i = 0; i < seen_count; ++i) {
        hull->faces[seen[i]].alive = false;
        for (int p = hull->faces[seen[i]].waiting; p >= 0;) {
            const int after = hull->next[p];
            hull->next[p] = waiting;
            waiting = p;
            p = after;
        }
    }
    for (int i = 0; i < edge_count; ++i) {
        made[i] = add_face(hull, edges[i][0], edges[i][1], point);
        if (made[i] < 0) return false;
    }
    while (waiting >= 0) {
        const int after = hull->next[waiting];
        if (waiting != point) queue(hull, waiting, made, edge_count);
        waiting = after;
    }
    return true;
}

static int furthest_face(const Hull *hull)
{
    int best = -1;
    for (int i = 0; i < hull->count; ++i)
        if (hull->faces[i].alive && hull->faces[i].waiting >= 0 &&
            (best < 0 || hull->faces[i].distance > hull->faces[best].distance))
            best = i;
    return best;
}

// Of all that still waits, over all faces: one may be further from another face than from its own.
static double furthest_outside(const Hull *hull)
{
    double most = 0.0;
    for (int i = 0; i < hull->count; ++i)
        for (int p = hull->faces[i].alive ? hull->faces[i].waiting : -1; p >= 0; p = hull->next[p])
            for (int k = 0; k < hull->count; ++k)
                if (hull->faces[k].alive) most = fmax(most, above(hull, &hull->faces[k], p));
    return most;
}

bool quickhull(const StiVec3 *points, int count, int most, StiVec3 *chosen, int *chosen_count,
               double *outside)
{
    int four[4];
    if (count < 4) return false;
    Hull *hull = calloc(1, sizeof *hull);
    int *next = malloc((size_t)count * sizeof *next);
    bool good = hull != NULL && next != NULL;
    *chosen_count = 0;
    *outside = 0.0;
    if (good) {
        hull->points = points;
        hull->next = next;
        good = first_four(hull, count, four);
    }
    if (good) {
        begin(hull, count, four);
        for (int i = 0; i < 4; ++i) chosen[(*chosen_count)++] = points[four[i]];
        int face = furthest_face(hull);
        for (; good && face >= 0 && *chosen_count < most; face = furthest_face(hull)) {
            const int point = hull->faces[face].furthest;
            chosen[(*chosen_count)++] = points[point];
            good = join(hull, point);
        }
        if (face >= 0) *outside = furthest_outside(hull);
    }
    free(hull);
    free(next);
    return good;
}
