// Touches along a given normal: of two faces that look at each other, or of the edges or corners that
// are furthest along it.
#include "shape/gap.h"

enum { SHARP = 1 << 20 };

// Faces look at each other if they are turned from the normal by less than this (rad); an edge is
// square to the normal, and parallel to another, up to this.
static const double FACING = 0.1, SQUARE = 0.02;

typedef struct Line {
    StiVec3 ends[2]; // the same point twice: a corner
    uint32_t features[2];
} Line;

static bool looks_along(const StiPatch *patch, StiVec3 own)
{
    return patch->count >= 3 && sti_vec3_dot(patch->normal, own) > 1.0 - 0.5 * FACING * FACING;
}

static double slope(StiVec3 from, StiVec3 to, StiVec3 direction)
{
    const StiVec3 along = sti_vec3_sub(to, from);
    return fabs(sti_vec3_dot(along, direction)) / sti_vec3_norm(along);
}

// The furthest corner of a patch, with the neighbour that is as far, if there is one.
static Line furthest(const StiPlaced *placed, const StiPatch *patch, StiVec3 own)
{
    int best = 0;
    for (int i = 1; i < patch->count; ++i)
        if (sti_vec3_dot(own, patch->corners[i].at) > sti_vec3_dot(own, patch->corners[best].at))
            best = i;
    const StiCorner *const corner = &patch->corners[best];
    const StiCorner *const next = &patch->corners[best + 1 < patch->count ? best + 1 : 0];
    const StiCorner *const last = &patch->corners[best > 0 ? best - 1 : patch->count - 1];
    const StiCorner *other = corner;
    if (patch->count > 1) {
        const double to_next = slope(corner->at, next->at, own);
        const double to_last = slope(corner->at, last->at, own);
        if (fmin(to_next, to_last) < SQUARE) other = to_next < to_last ? next : last;
    }
    return (Line){{sti_placed_to_world(placed, corner->at), sti_placed_to_world(placed, other->at)},
                  {corner->feature, other->feature}};
}

typedef struct Facing {
    const StiPlaced *a, *b;
    StiVec3 normal;
    Line on_a, on_b;
} Facing;

static void add(const Facing *facing, StiVec3 on_a, StiVec3 on_b, uint32_t feature,
                StiCandidates *candidates)
{
    const StiVec3 n = facing->normal, middle = sti_vec3_scale(0.5, sti_vec3_add(on_a, on_b));
    const double gap = sti_vec3_dot(n, sti_vec3_sub(on_a, on_b));
    const StiGap at = {.point_a = sti_vec3_add_scaled(middle, 0.5 * gap, n),
                       .point_b = sti_vec3_add_scaled(middle, -0.5 * gap, n),
                       .normal = n,
                       .gap = gap,
                       .feature = feature + SHARP};
    sti_candidates_add_gap(candidates, facing->a, facing->b, &at);
}

static StiVec3 unit_along(const Line *line)
{
    const StiVec3 d = sti_vec3_sub(line->ends[1], line->ends[0]);
    const double length = sti_vec3_norm(d);
    return length > 0.0 ? sti_vec3_scale(1.0 / length, d) : d;
}

// The point of a line at a place along a direction that is nearly its own.
static StiVec3 at_place(const Line *line, StiVec3 along, double place)
{
    const double from = sti_vec3_dot(along, line->ends[0]);
    const double to = sti_vec3_dot(along, line->ends[1]);
    const double t = fmin(fmax((place - from) / (to - from), 0.0), 1.0);
    return sti_vec3_add_scaled(line->ends[0], t, sti_vec3_sub(line->ends[1], line->ends[0]));
}

// Both ends of the part where two parallel edges run beside each other. False: there is none.
static bool add_parallel(const Facing *facing, StiCandidates *candidates)
{
    const Line *const a = &facing->on_a, *const b = &facing->on_b;
    const StiVec3 u = unit_along(a), v = unit_along(b);
    const double side = sti_vec3_dot(u, v) < 0.0 ? -1.0 : 1.0;
    const StiVec3 sum = sti_vec3_add_scaled(u, side, v), across = sti_vec3_cross(u, v);
    if (sti_vec3_norm(u) + sti_vec3_norm(v) < 1.5 || sti_vec3_norm(across) > SQUARE) return false;
    const StiVec3 along = sti_vec3_scale(1.0 / sti_vec3_norm(sum), sum);
    const int near_b = side > 0.0 ? 0 : 1;
    const double low = fmax(sti_vec3_dot(along, a->ends[0]), sti_vec3_dot(along, b->ends[near_b]));
    const double high =
        fmin(sti_vec3_dot(along, a->ends[1]), sti_vec3_dot(along, b->ends[1 - near_b]));
    const double length = sti_vec3_norm(sti_vec3_sub(a->ends[1], a->ends[0]));
    if (!(high - low > 1e-6 * length)) return false;
    add(facing, at_place(a, along, low), at_place(b, along, low), a->features[0], candidates);
    add(facing, at_place(a, along, high), at_place(b, along, high), a->features[1], candidates);
    return true;
}

static double clamp(double value) { return fmin(fmax(value, 0.0), 1.0); }

// Place of the foot of a point on a line, 0 to 1.
static double foot(const Line *line, StiVec3 point)
{
    const StiVec3 d = sti_vec3_sub(line->ends[1], line->ends[0]);
    const double square = sti_vec3_dot(d, d);
    if (!(square > 0.0)) return 0.0;
    return clamp(sti_vec3_dot(d, sti_vec3_sub(point, line->ends[0])) / square);
}

static StiVec3 part(const Line *line, double t)
{
    return sti_vec3_add_scaled(line->ends[0], t, sti_vec3_sub(line->ends[1], line->ends[0]));
}

// Edges that cross, or a corner.
static void add_nearest(const Facing *facing, StiCandidates *candidates)
{
    const Line *const a = &facing->on_a, *const b = &facing->on_b;
    const StiVec3 u = sti_vec3_sub(a->ends[1], a->ends[0]);
    const StiVec3 v = sti_vec3_sub(b->ends[1], b->ends[0]);
    const StiVec3 d = sti_vec3_sub(b->ends[0], a->ends[0]), across = sti_vec3_cross(u, v);
    const double square = sti_vec3_dot(across, across);
    double s = foot(a, part(b, 0.5));
    if (square > 0.0) s = clamp(sti_vec3_dot(sti_vec3_cross(d, v), across) / square);
    const double t = foot(b, part(a, s));
    s = foot(a, part(b, t));
    add(facing, part(a, s), part(b, t), a->features[0], candidates);
}

void sti_touch_along(const StiPlaced *a, const StiPlaced *b, StiVec3 normal,
                     StiCandidates *candidates)
{
    const StiVec3 out_a = sti_mat3_transposed_times(a->R, sti_vec3_scale(-1.0, normal));
    const StiVec3 out_b = sti_mat3_transposed_times(b->R, normal);
    StiPatch patch_a, patch_b;
    a->shape->kind->patch(a->shape, out_a, &patch_a);
    b->shape->kind->patch(b->shape, out_b, &patch_b);
    if (looks_along(&patch_a, out_a) && looks_along(&patch_b, out_b)) {
        sti_manifold_clip(a, &patch_a, out_a, b, 0, 1e-9 * sti_gap_size(a, b), candidates);
        if (candidates->count > 0) return;
    }
    const Facing facing = {a, b, normal, furthest(a, &patch_a, out_a),
                           furthest(b, &patch_b, out_b)};
    if (!add_parallel(&facing, candidates)) add_nearest(&facing, candidates);
}

bool sti_touch_parallel(const StiPlaced *a, const StiPlaced *b, StiVec3 normal,
                        StiCandidates *candidates)
{
    const StiVec3 out_a = sti_mat3_transposed_times(a->R, sti_vec3_scale(-1.0, normal));
    const StiVec3 out_b = sti_mat3_transposed_times(b->R, normal);
    StiPatch patch_a, patch_b;
    a->shape->kind->patch(a->shape, out_a, &patch_a);
    b->shape->kind->patch(b->shape, out_b, &patch_b);
    const Facing facing = {a, b, normal, furthest(a, &patch_a, out_a),
                           furthest(b, &patch_b, out_b)};
    return add_parallel(&facing, candidates);
}
