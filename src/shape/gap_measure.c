// The signed gap of two convex cores, whether apart, touching or overlapping:
//     gap = max over unit normals n of s(n),   s(n) = min (a - b).n over a in A, b in B.
// Where they overlap or nearly touch, A is moved along the best normal so far until both are a safe
// distance d apart along it: t = d - s(n). The distance of the moved pair has a normal n' with
// s(n') >= s(n), since s(n') = distance - t n.n' >= d - t. So repeating it climbs, always with a
// well-posed distance, and ends at once where n is the normal of a face. No polytope has to be
// built, and touching at gap 0 is as good as any other case.
#include "shape/gap.h"

enum { MOST_MOVES = 40, FEW_MOVES = 3, STARTS = 6 };

// In parts of the size: how far apart cores are moved, and from which depth on there may be several
// ways out, so that more than one start is tried.
static const double SAFE = 0.02, DEEP = 0.02;
// From this gap on the distance as it is is well-posed enough.
static const double APART = 1e-6;

double sti_gap_along(const StiPlaced *a, const StiPlaced *b, StiVec3 normal)
{
    const StiVec3 near_a = sti_placed_support(a, sti_vec3_scale(-1.0, normal));
    return sti_vec3_dot(normal, sti_vec3_sub(near_a, sti_placed_support(b, normal)));
}

typedef struct Start {
    StiVec3 normal;
    double gap;
} Start;

// The best normals tried so far, the best one first.
typedef struct Starts {
    const StiPlaced *a, *b;
    int count;
    Start at[STARTS];
} Starts;

static void try_normal(Starts *starts, StiVec3 normal)
{
    const Start start = {normal, sti_gap_along(starts->a, starts->b, normal)};
    int place = starts->count < STARTS ? starts->count++ : STARTS;
    for (; place > 0 && start.gap > starts->at[place - 1].gap; --place)
        if (place < STARTS) starts->at[place] = starts->at[place - 1];
    if (place < STARTS) starts->at[place] = start;
}

// The outward normal of the flat part of a shape that faces a direction; the direction if none.
static StiVec3 facing(const StiPlaced *placed, StiVec3 direction)
{
    StiPatch patch;
    const StiVec3 own = sti_mat3_transposed_times(placed->R, direction);
    placed->shape->kind->patch(placed->shape, own, &patch);
    return patch.count < 3 ? direction : sti_mat3_times(placed->R, patch.normal);
}

static StiVec3 inner_point(const StiPlaced *placed)
{
    const StiHull *const hull = placed->shape->hull;
    return hull != NULL ? sti_placed_to_world(placed, hull->centre) : placed->p;
}

// From centre to centre, and out of the faces that look that way.
static void try_centres(Starts *starts)
{
    const StiPlaced *const a = starts->a, *const b = starts->b;
    const StiVec3 between = sti_vec3_sub(inner_point(a), inner_point(b));
    const double distance = sti_vec3_norm(between);
    const StiVec3 n =
        distance > 0.0 ? sti_vec3_scale(1.0 / distance, between) : sti_placed_axis_z(b);
    try_normal(starts, n);
    try_normal(starts, facing(b, n));
    try_normal(starts, sti_vec3_scale(-1.0, facing(a, sti_vec3_scale(-1.0, n))));
}

// Along the axes of a shape and, of a hull, out of all its faces. side: 1 for b, -1 for a.
static void try_faces(Starts *starts, const StiPlaced *placed, double side)
{
    const StiMat3 R = placed->R;
    const StiVec3 axes[3] = {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
    for (int i = 0; i < 3; ++i) {
        try_normal(starts, axes[i]);
        try_normal(starts, sti_vec3_scale(-1.0, axes[i]));
    }
    const StiHull *const hull = placed->shape->hull;
    for (int i = 0; hull != NULL && i < hull->face_count; ++i)
        try_normal(starts, sti_vec3_scale(side, sti_mat3_times(R, hull->normals[i])));
}

// Both points on one line along the normal, as rounding leaves them nearly so.
static StiGap gap_at(const StiGap *measured, StiVec3 moved, StiVec3 normal, double gap)
{
    const StiVec3 point_a = sti_vec3_sub(measured->point_a, moved);
    const StiVec3 middle = sti_vec3_scale(0.5, sti_vec3_add(point_a, measured->point_b));
    return (StiGap){.normal = normal,
                    .gap = gap,
                    .point_a = sti_vec3_add_scaled(middle, 0.5 * gap, normal),
                    .point_b = sti_vec3_add_scaled(middle, -0.5 * gap, normal)};
}

// Ends early, with a gap above `most`, when that is certain.
static StiGap climb(const StiPlaced *a, const StiPlaced *b, Start best, double most, int moves)
{
    const double size = sti_gap_size(a, b);
    StiGap gap = {.normal = best.normal, .gap = best.gap};
    for (int i = 0; i < moves && best.gap <= most; ++i) {
        const double t = best.gap > APART * size ? 0.0 : SAFE * size - best.gap;
        const StiVec3 moved = sti_vec3_scale(t, best.normal);
        const StiGap measured = sti_gap_apart(a, moved, b);
        const double along = sti_gap_along(a, b, measured.normal);
        const bool higher = along > best.gap + 1e-14 * size;
        if (along > best.gap) best = (Start){measured.normal, along};
        gap = gap_at(&measured, moved, best.normal, best.gap);
        if (!higher || t == 0.0) break;
    }
    return gap;
}

// Climbs a little from every start, and to the end from the best place reached.
static void try_other_ways_out(Starts *starts, double most, StiGap *gap)
{
    const StiPlaced *const a = starts->a, *const b = starts->b;
    try_faces(starts, a, -1.0);
    try_faces(starts, b, 1.0);
    StiGap best = {.gap = -INFINITY};
    for (int i = 0; i < starts->count; ++i) {
        const StiGap other = climb(a, b, starts->at[i], most, FEW_MOVES);
        if (other.gap > best.gap) best = other;
    }
    // Nothing is lost by leaving out what ends where the first climb ended.
    if (fabs(best.gap - gap->gap) < 1e-6 * sti_gap_size(a, b)) return;
    const StiGap end = climb(a, b, (Start){best.normal, best.gap}, most, MOST_MOVES);
    if (end.gap > gap->gap) *gap = end;
}

bool sti_gap_measure(const StiPlaced *a, const StiPlaced *b, double most, StiGap *gap)
{
    Starts starts = {.a = a, .b = b};
    try_centres(&starts);
    *gap = climb(a, b, starts.at[0], most, MOST_MOVES);
    if (gap->gap < -DEEP * sti_gap_size(a, b)) try_other_ways_out(&starts, most, gap);
    return gap->gap <= most;
}
