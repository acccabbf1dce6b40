// The distance between two convex cores that are apart: the point of their difference that is
// nearest to the origin, found among simplices of at most four of its points. (Gilbert, Johnson and
// Keerthi 1988; all faces of a simplex are tried and the nearest is kept, which needs no case
// analysis and cannot go wrong in a thin simplex.)
#include <string.h>

#include "shape/gap.h"

enum { MOST_ROUNDS = 64 };

typedef struct Corner {
    StiVec3 w, a, b; // w = a - b
} Corner;

typedef struct Simplex {
    int count;
    Corner corners[4];
    double weights[4];
    StiVec3 v;     // nearest to the origin
    double square; // v.v
} Simplex;

// Keeps a face of a simplex as the best so far if its foot is within it and nearer.
static void keep(Simplex *best, const Simplex *all, const int *which, const double *weights,
                 int count, StiVec3 v)
{
    const double square = sti_vec3_dot(v, v);
    for (int i = 0; i < count; ++i)
        if (!(weights[i] > 0.0)) return;
    if (!(square < best->square)) return;
    best->count = count;
    best->v = v;
    best->square = square;
    for (int i = 0; i < count; ++i) {
        best->corners[i] = all->corners[which[i]];
        best->weights[i] = weights[i];
    }
}

static void try_corner(Simplex *best, const Simplex *all, int i)
{
    keep(best, all, &i, &(double){1.0}, 1, all->corners[i].w);
}

static void try_edge(Simplex *best, const Simplex *all, int i, int j)
{
    const StiVec3 p = all->corners[i].w, along = sti_vec3_sub(all->corners[j].w, p);
    const double length2 = sti_vec3_dot(along, along);
    if (!(length2 > 0.0)) return;
    const double t = -sti_vec3_dot(p, along) / length2;
    keep(best, all, (const int[2]){i, j}, (const double[2]){1.0 - t, t}, 2,
         sti_vec3_add_scaled(p, t, along));
}

// By one edge and what of the other is square to it: corners that lie close to each other on a rim make thin triangles,
// whose normal and areas rounding would take.
static void try_triangle(Simplex *best, const Simplex *all, int i, int j, int k)
{
    const StiVec3 p = all->corners[i].w;
    const StiVec3 first = sti_vec3_sub(all->corners[j].w, p),
                  other = sti_vec3_sub(all->corners[k].w, p);
    const double first2 = sti_vec3_dot(first, first);
    const double share = sti_vec3_dot(first, other) / first2;
    const StiVec3 square = sti_vec3_add_scaled(other, -share, first);
    const double square2 = sti_vec3_dot(square, square);
    if (!(first2 > 0.0) || !(square2 > 0.0)) return;
    const double t_other = -sti_vec3_dot(p, square) / square2;
    const double along = -sti_vec3_dot(p, first) / first2, t_first = along - t_other * share;
    const StiVec3 on_edge = sti_vec3_add_scaled(p, along, first);
    keep(best, all, (const int[3]){i, j, k},
         (const double[3]){1.0 - t_first - t_other, t_first, t_other}, 3,
         sti_vec3_add_scaled(on_edge, t_other, square));
}

// The face nearest to the origin. The newest corner is the last one and belongs to it.
static void find_nearest_face(const Simplex *all, Simplex *best)
{
    best->square = INFINITY;
    best->count = 0;
    const int n = all->count - 1;
    try_corner(best, all, n);
    for (int i = 0; i < n; ++i) try_edge(best, all, i, n);
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) try_triangle(best, all, i, j, n);
}

static Corner corner_along(const StiPlaced *a, StiVec3 shift, const StiPlaced *b, StiVec3 v)
{
    const StiVec3 point_a = sti_vec3_add(sti_placed_support(a, sti_vec3_scale(-1.0, v)), shift);
    const StiVec3 point_b = sti_placed_support(b, v);
    return (Corner){sti_vec3_sub(point_a, point_b), point_a, point_b};
}

static bool has_corner(const Simplex *simplex, const Corner *corner)
{
    for (int i = 0; i < simplex->count; ++i)
        if (memcmp(&simplex->corners[i].w, &corner->w, sizeof corner->w) == 0) return true;
    return false;
}

static StiGap gap_of(const Simplex *simplex)
{
    StiGap gap = {.gap = sqrt(simplex->square)};
    for (int i = 0; i < simplex->count; ++i) {
        const Corner *const corner = &simplex->corners[i];
        gap.point_a = sti_vec3_add_scaled(gap.point_a, simplex->weights[i], corner->a);
        gap.point_b = sti_vec3_add_scaled(gap.point_b, simplex->weights[i], corner->b);
    }
    gap.normal =
        gap.gap > 0.0 ? sti_vec3_scale(1.0 / gap.gap, simplex->v) : sti_vec3(0.0, 0.0, 1.0);
    return gap;
}

static void start_at(const Corner *corner, Simplex *simplex)
{
    simplex->count = 1;
    simplex->corners[0] = *corner;
    simplex->weights[0] = 1.0;
    simplex->v = corner->w;
    simplex->square = sti_vec3_dot(corner->w, corner->w);
}

StiGap sti_gap_apart(const StiPlaced *a, StiVec3 shift, const StiPlaced *b)
{
    const StiVec3 start = sti_vec3_sub(sti_vec3_add(a->p, shift), b->p);
    const Corner first = corner_along(a, shift, b, start);
    Simplex simplices[2], *simplex = &simplices[0], *next = &simplices[1];
    start_at(&first, simplex);
    for (int round = 0; round < MOST_ROUNDS && simplex->count < 4; ++round) {
        const Corner corner = corner_along(a, shift, b, simplex->v);
        const double progress = simplex->square - sti_vec3_dot(simplex->v, corner.w);
        if (progress <= 1e-15 * simplex->square || has_corner(simplex, &corner)) break;
        simplex->corners[simplex->count++] = corner;
        find_nearest_face(simplex, next);
        if (!(next->square < simplex->square)) { // rounding: no nearer face
            simplex->count--;
            break;
        }
        Simplex *const last = simplex;
        simplex = next;
        next = last;
    }
    return gap_of(simplex);
}
