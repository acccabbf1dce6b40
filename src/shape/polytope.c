#include "shape/polytope.h"

#include <string.h>

static void take_box(const StiShape *shape, StiPolytope *p)
{
    static const int faces[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                    {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    p->vertex_count = 8;
    for (int i = 0; i < 8; ++i)
        p->vertices[i] = sti_vec3((i & 1) != 0 ? shape->half.x : -shape->half.x,
                                  (i & 2) != 0 ? shape->half.y : -shape->half.y,
                                  (i & 4) != 0 ? shape->half.z : -shape->half.z);
    for (int i = 0; i < 8; ++i)
        for (int bit = 1; bit < 8; bit *= 2)
            if ((i & bit) == 0) {
                p->edges[p->edge_count][0] = i;
                p->edges[p->edge_count++][1] = i | bit;
            }
    p->face_count = 6;
    for (int f = 0; f < 6; ++f) {
        const double side = f % 2 == 0 ? 1.0 : -1.0;
        p->normals[f] =
            sti_vec3(f / 2 == 0 ? side : 0.0, f / 2 == 1 ? side : 0.0, f / 2 == 2 ? side : 0.0);
        p->corner_count[f] = 4;
        memcpy(p->corners[f], faces[f], sizeof faces[f]);
    }
}

static bool take_hull(const StiHull *hull, StiPolytope *p)
{
    if (hull->vertex_count > STI_POLY_VERTICES || hull->face_count > STI_POLY_FACES) return false;
    p->vertex_count = hull->vertex_count;
    p->face_count = hull->face_count;
    memcpy(p->vertices, hull->vertices, (size_t)p->vertex_count * sizeof *p->vertices);
    memcpy(p->normals, hull->normals, (size_t)p->face_count * sizeof *p->normals);
    for (int f = 0; f < p->face_count; ++f) {
        const int16_t *corners = hull->corners + hull->first[f];
        p->corner_count[f] = hull->first[f + 1] - hull->first[f];
        if (p->corner_count[f] > STI_POLY_BORDERS) return false;
        for (int k = 0; k < p->corner_count[f]; ++k) {
            const int next = corners[k + 1 < p->corner_count[f] ? k + 1 : 0];
            p->corners[f][k] = corners[k];
            if (next < corners[k]) continue; // the other face has it, too
            if (p->edge_count == STI_POLY_EDGES) return false;
            p->edges[p->edge_count][0] = corners[k];
            p->edges[p->edge_count++][1] = next;
        }
    }
    return true;
}

static void take_segment(const StiShape *shape, StiPolytope *p)
{
    p->vertex_count = 2;
    p->edge_count = 1;
    p->vertices[0] = sti_vec3(0.0, 0.0, -shape->half.z);
    p->vertices[1] = sti_vec3(0.0, 0.0, shape->half.z);
    p->edges[0][0] = 0, p->edges[0][1] = 1;
}

bool sti_polytope_of(const StiShape *shape, StiPolytope *polytope)
{
    polytope->vertex_count = polytope->edge_count = polytope->face_count = 0;
    if (shape->kind->half_space) return false;
    polytope->rounding = shape->kind->rounding(shape);
    if (shape->kind->core == STI_CORE_BOX)
        take_box(shape, polytope);
    else if (shape->kind->core == STI_CORE_SEGMENT)
        take_segment(shape, polytope);
    else if (shape->hull != NULL)
        return take_hull(shape->hull, polytope);
    return polytope->vertex_count > 0;
}

void sti_polytope_place(const StiPlaced *placed, StiPolytope *p)
{
    for (int i = 0; i < p->vertex_count; ++i)
        p->vertices[i] = sti_placed_to_world(placed, p->vertices[i]);
    for (int f = 0; f < p->face_count; ++f)
        p->normals[f] = sti_mat3_times(placed->R, p->normals[f]);
}

double sti_polytope_inside(const StiPolytope *p, int face, StiVec3 point)
{
    double least = INFINITY;
    const int count = p->corner_count[face];
    for (int k = 0; k < count; ++k) {
        const StiVec3 from = p->vertices[p->corners[face][k]];
        const StiVec3 to = p->vertices[p->corners[face][k + 1 < count ? k + 1 : 0]];
        const StiVec3 inward = sti_vec3_cross(p->normals[face], sti_vec3_sub(to, from));
        const double far = sti_vec3_dot(inward, sti_vec3_sub(point, from)) / sti_vec3_norm(inward);
        if (far < least) least = far;
    }
    return least;
}

// ---- edges --------------------------------------------------------------------------------------

typedef struct Line {
    StiVec3 at, along; // middle, unit
    double half, rounding;
} Line;

static Line line_of(const StiShape *shape, const StiFrame *link)
{
    const StiPlaced placed = sti_shape_placed(shape, link);
    return (Line){placed.p, sti_placed_axis_z(&placed), shape->half.z, shape->radius};
}

static void cross(Line A, Line B, double sense, StiCrossing *crossing)
{
    const StiVec3 across = sti_vec3_cross(A.along, B.along), apart = sti_vec3_sub(A.at, B.at);
    const double sine = sti_vec3_norm(across), square = sine * sine;
    crossing->sine = sine;
    crossing->inside = -INFINITY;
    if (!(sine > 0.0)) return;
    const StiVec3 n = sti_vec3_scale(sense / sine, across);
    const double on_a = sti_vec3_dot(sti_vec3_cross(B.along, apart), across) / square;
    const double on_b = sti_vec3_dot(sti_vec3_cross(A.along, apart), across) / square;
    const double gap = sti_vec3_dot(n, apart);
    crossing->inside = fmin(A.half - fabs(on_a), B.half - fabs(on_b));
    crossing->touch = (StiTouch){
        .point_a = sti_vec3_add_scaled(sti_vec3_add_scaled(A.at, on_a, A.along), -A.rounding, n),
        .point_b = sti_vec3_add_scaled(sti_vec3_add_scaled(B.at, on_b, B.along), B.rounding, n),
        .normal = n,
        .gap = gap - A.rounding - B.rounding};
}

void sti_edges_cross(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                     const StiFrame *link_b, double sense, StiCrossing *crossing)
{
    cross(line_of(a, link_a), line_of(b, link_b), sense, crossing);
}

static Line line_between(const StiPolytope *p, int edge)
{
    const StiVec3 from = p->vertices[p->edges[edge][0]], to = p->vertices[p->edges[edge][1]];
    const StiVec3 along = sti_vec3_sub(to, from);
    const double length = sti_vec3_norm(along);
    return (Line){sti_vec3_scale(0.5, sti_vec3_add(from, to)), sti_vec3_scale(1.0 / length, along),
                  0.5 * length, p->rounding};
}

void sti_polytopes_cross(const StiPolytope *a, int i, const StiPolytope *b, int j,
                         StiCrossing *crossing)
{
    cross(line_between(a, i), line_between(b, j), 1.0, crossing);
}

// With x on each edge, da, db along them:  xa' - xb' = g' n + g n',  x' = v + l' d of the edges themselves.
void sti_edges_motion(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                      const StiFrame *link_b, double sense, const StiTouch *touch,
                      StiTouchMotion *motion)
{
    const Line A = line_of(a, link_a), B = line_of(b, link_b);
    const StiVec3 n = touch->normal, across = sti_vec3_cross(A.along, B.along);
    const double sine = sti_vec3_norm(across), gap = touch->gap + A.rounding + B.rounding;
    const StiVec3 turned_a = sti_vec3_cross(link_a->w, A.along);
    const StiVec3 turned_b = sti_vec3_cross(link_b->w, B.along);
    const StiVec3 change =
        sti_vec3_add(sti_vec3_cross(turned_a, B.along), sti_vec3_cross(A.along, turned_b));
    const StiVec3 ndot =
        sti_vec3_scale(sense / sine, sti_vec3_add_scaled(change, -sti_vec3_dot(n, change), n));
    const StiVec3 on_a = sti_vec3_add_scaled(touch->point_a, A.rounding, n);
    const StiVec3 on_b = sti_vec3_add_scaled(touch->point_b, -B.rounding, n);
    const StiVec3 va = sti_frame_velocity_at(link_a, sti_vec3_sub(on_a, link_a->p));
    const StiVec3 vb = sti_frame_velocity_at(link_b, sti_vec3_sub(on_b, link_b->p));
    const StiVec3 wanted =
        sti_vec3_add_scaled(sti_vec3_scale(gap, ndot), -1.0, sti_vec3_sub(va, vb));
    const StiVec3 beside_b = sti_vec3_cross(B.along, n), beside_a = sti_vec3_cross(A.along, n);
    const double way_a = sti_vec3_dot(wanted, beside_b) / sti_vec3_dot(A.along, beside_b);
    const double way_b = -sti_vec3_dot(wanted, beside_a) / sti_vec3_dot(B.along, beside_a);
    motion->normal = ndot;
    motion->point_a =
        sti_vec3_add_scaled(sti_vec3_add_scaled(va, way_a, A.along), -A.rounding, ndot);
    motion->point_b =
        sti_vec3_add_scaled(sti_vec3_add_scaled(vb, way_b, B.along), B.rounding, ndot);
}

// A rotation that takes the z axis along a unit vector.
static StiQuat turn_to(StiVec3 d)
{
    if (d.z < -0.5) { // by way of the opposite
        const StiQuat back = turn_to(sti_vec3_scale(-1.0, d));
        return sti_quat_multiply(back, (StiQuat){0.0, 0.0, 1.0, 0.0});
    }
    const StiQuat q = {1.0 + d.z, -d.y, d.x, 0.0};
    const double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y);
    return (StiQuat){q.w / size, q.x / size, q.y / size, 0.0};
}

StiShape sti_polytope_edge(const StiShape *shape, const StiPolytope *own, int e)
{
    const bool turned = sti_shape_is_turned(shape);
    StiVec3 ends[2];
    for (int k = 0; k < 2; ++k) {
        const StiVec3 at = own->vertices[own->edges[e][k]];
        ends[k] = sti_vec3_add(shape->p, turned ? sti_quat_rotate(shape->q, at) : at);
    }
    const StiVec3 along = sti_vec3_sub(ends[1], ends[0]);
    const double length = sti_vec3_norm(along);
    const StiFrame at = {.p = sti_vec3_scale(0.5, sti_vec3_add(ends[0], ends[1])),
                         .q = turn_to(sti_vec3_scale(1.0 / length, along))};
    return sti_shape_capsule(at, own->rounding, 0.5 * length);
}
