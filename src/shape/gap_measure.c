// The signed gap of two convex cores, whether apart, touching or overlapping:
//     gap = max over unit normals n of s(n),   s(n) = min (a - b).n over a in A, b in B.
// Where they overlap or nearly touch, A is moved along the best normal so far until both are a safe
// distance d apart along it: t = d - s(n). The distance of the moved pair has a normal n' with
// s(n') >= s(n), since s(n') = distance - t n.n' >= d - t. So repeating it climbs, always with a
// well-posed distance, and ends at once where n is the normal of a face. No polytope has to be
// built, and touching at gap 0 is as good as any other case.
#include "shape/gap.h"

enum { MOST_MOVES = 40, FEW_MOVES = 3 };

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

// Sorted: the best one first, of equals the one that came first.
static void keep(StiStarts *starts, StiStart start)
{
    int place = starts->count < STI_STARTS ? starts->count++ : STI_STARTS;
    for (; place > 0 && start.gap > starts->at[place - 1].gap; --place)
        if (place < STI_STARTS) starts->at[place] = starts->at[place - 1];
    if (place < STI_STARTS) starts->at[place] = start;
}

static StiStart try_normal(StiStarts *starts, StiVec3 normal)
{
    const StiStart start = {normal, sti_gap_along(starts->a, starts->b, normal)};
    keep(starts, start);
    return start;
}

// The outward normal of the flat part of a shape that faces a direction; false if there is none.
static bool face_along(const StiPlaced *placed, StiVec3 direction, StiVec3 *normal)
{
    StiPatch patch;
    const StiVec3 own = sti_mat3_transposed_times(placed->R, direction);
    placed->shape->kind->patch(placed->shape, own, &patch);
    if (patch.count < 3) return false;
    *normal = sti_mat3_times(placed->R, patch.normal);
    return true;
}

static StiVec3 from_centre_to_centre(const StiPlaced *a, const StiPlaced *b)
{
    const StiVec3 between = sti_vec3_sub(sti_placed_inner(a), sti_placed_inner(b));
    const double distance = sti_vec3_norm(between);
    return distance > 0.0 ? sti_vec3_scale(1.0 / distance, between) : sti_placed_axis_z(b);
}

void sti_gap_start(const StiPlaced *a, const StiPlaced *b, StiStarts *starts)
{
    StiVec3 out;
    const StiVec3 n = from_centre_to_centre(a, b);
    starts->a = a, starts->b = b;
    starts->size = sti_gap_size(a, b);
    starts->count = 0;
    starts->face.gap = -INFINITY;
    const StiStart along = try_normal(starts, n);
    if (face_along(b, n, &out))
        starts->face = try_normal(starts, out);
    else
        keep(starts, along);
    if (face_along(a, sti_vec3_scale(-1.0, n), &out)) {
        const StiStart face = try_normal(starts, sti_vec3_scale(-1.0, out));
        if (face.gap > starts->face.gap) starts->face = face;
    } else {
        keep(starts, along);
    }
}

void sti_gap_try(StiStarts *starts, StiVec3 normal) { try_normal(starts, normal); }

// Along the axes of a shape and, of a hull, out of all its faces. side: 1 for b, -1 for a.
static void try_faces(StiStarts *starts, const StiPlaced *placed, double side)
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
static StiGap climb(const StiStarts *starts, StiStart best, double most, int moves)
{
    const StiPlaced *const a = starts->a, *const b = starts->b;
    const double size = starts->size;
    StiGap gap = {.normal = best.normal, .gap = best.gap};
    for (int i = 0; i < moves && best.gap <= most; ++i) {
        const double t = best.gap > APART * size ? 0.0 : SAFE * size - best.gap;
        const StiVec3 moved = sti_vec3_scale(t, best.normal);
        const StiGap measured = sti_gap_apart(a, moved, b);
        const double along = sti_gap_along(a, b, measured.normal);
        const bool higher = along > best.gap + 1e-14 * size;
        if (along > best.gap) best = (StiStart){measured.normal, along};
        gap = gap_at(&measured, moved, best.normal, best.gap);
        if (!higher || t == 0.0) break;
    }
    return gap;
}

// Climbs a little from every start, and to the end from the best place reached.
static void try_other_ways_out(StiStarts *starts, double most, StiGap *gap)
{
    try_faces(starts, starts->a, -1.0);
    try_faces(starts, starts->b, 1.0);
    StiGap best = {.gap = -INFINITY};
    for (int i = 0; i < starts->count; ++i) {
        const StiGap other = climb(starts, starts->at[i], most, FEW_MOVES);
        if (other.gap > best.gap) best = other;
    }
    // Nothing is lost by leaving out what ends where the first climb ended.
    if (fabs(best.gap - gap->gap) < 1e-6 * starts->size) return;
    const StiGap end = climb(starts, (StiStart){best.normal, best.gap}, most, MOST_MOVES);
    if (end.gap > gap->gap) *gap = end;
}

bool sti_gap_measure(StiStarts *starts, double most, StiGap *gap)
{
    *gap = climb(starts, starts->at[0], most, MOST_MOVES);
    if (gap->gap < -DEEP * starts->size) try_other_ways_out(starts, most, gap);
    return gap->gap <= most;
}

bool sti_gap_by_face(const StiStarts *starts, StiGap *gap)
{
    const StiStart *face = &starts->face;
    if (face->gap < -DEEP * starts->size || face->gap < starts->at[0].gap - 1e-14 * starts->size)
        return false;
    gap->normal = face->normal;
    gap->gap = face->gap;
    return true;
}
