// Points, spheres and capsules among each other: their cores are segments, maybe of no length.
#include "shape/touches.h"

// Capsules whose axes make a smaller angle (rad) than this may touch along a line.
static const double NEARLY_PARALLEL = 1e-2;

typedef struct Segment {
    StiVec3 centre, along; // unit
    double half;
} Segment;

static Segment segment_of(const StiPlaced *placed)
{
    return (Segment){placed->p, sti_placed_axis_z(placed), placed->shape->half.z};
}

static double clamp(double value, double half) { return fmin(fmax(value, -half), half); }

static StiVec3 at(const Segment *segment, double s)
{
    return sti_vec3_add_scaled(segment->centre, s, segment->along);
}

// Place on a segment nearest to a point.
static double foot(const Segment *segment, StiVec3 point)
{
    const StiVec3 d = sti_vec3_sub(point, segment->centre);
    return clamp(sti_vec3_dot(d, segment->along), segment->half);
}

// Where the cores cross, no direction leads from one to the other: square to both, or to one.
static StiVec3 crossing_normal(const Segment *a, const Segment *b)
{
    const StiVec3 across = sti_vec3_cross(a->along, b->along);
    const double length = sti_vec3_norm(across);
    if (b->half == 0.0 && a->half == 0.0) return b->along;
    if (a->half == 0.0 || b->half == 0.0 || length < 1e-6)
        return sti_vec3_square_to(a->half > b->half ? a->along : b->along);
    const double side = sti_vec3_dot(across, sti_vec3_sub(a->centre, b->centre));
    return sti_vec3_scale((side < 0.0 ? -1.0 : 1.0) / length, across);
}

static StiGap gap_between(const Segment *a, double s, const Segment *b, double t, uint32_t feature)
{
    StiGap gap = {.point_a = at(a, s), .point_b = at(b, t), .feature = feature};
    const StiVec3 between = sti_vec3_sub(gap.point_a, gap.point_b);
    gap.gap = sti_vec3_norm(between);
    // Below this the direction of the difference is rounding.
    const bool crossing = gap.gap <= 1e-12 * (a->half + b->half) || gap.gap == 0.0;
    gap.normal = crossing ? crossing_normal(a, b) : sti_vec3_scale(1.0 / gap.gap, between);
    return gap;
}

static StiGap nearest_gap(const Segment *a, const Segment *b)
{
    const StiVec3 d = sti_vec3_sub(a->centre, b->centre);
    const double cosine = sti_vec3_dot(a->along, b->along);
    const double da = sti_vec3_dot(d, a->along), db = sti_vec3_dot(d, b->along);
    const StiVec3 across = sti_vec3_cross(a->along, b->along);
    const double sine2 = sti_vec3_dot(across, across); // exact where 1 - cos^2 cancels
    double s = 0.0;
    if (sine2 > 0.0) s = clamp((cosine * db - da) / sine2, a->half);
    const double t = foot(b, at(a, s));
    s = foot(a, at(b, t));
    return gap_between(a, s, b, foot(b, at(a, s)), 2);
}

// The place on a segment that is this far along a direction that is nearly its own.
static double place_at(const Segment *segment, StiVec3 along, double far)
{
    const double from = sti_vec3_dot(along, segment->centre);
    return clamp((far - from) / sti_vec3_dot(along, segment->along), segment->half);
}

// Both ends of the part where nearly parallel segments run beside each other, along the mean of their
// directions.
static void add_ends(const StiPlaced *pa, const StiPlaced *pb, const Segment *a, const Segment *b,
                     StiCandidates *candidates)
{
    const double side = sti_vec3_dot(a->along, b->along) < 0.0 ? -1.0 : 1.0;
    const StiVec3 sum = sti_vec3_add_scaled(b->along, side, a->along);
    const StiVec3 along = sti_vec3_scale(1.0 / sti_vec3_norm(sum), sum); // in b's order
    const double of_a = sti_vec3_dot(along, a->centre), of_b = sti_vec3_dot(along, b->centre);
    const double reach_a = side * sti_vec3_dot(along, a->along) * a->half;
    const double reach_b = sti_vec3_dot(along, b->along) * b->half;
    const double low = fmax(of_a - reach_a, of_b - reach_b);
    const double high = fmin(of_a + reach_a, of_b + reach_b);
    if (!(high - low > 1e-6 * (a->half + b->half))) return; // end to end
    const double ends[2] = {low, high};
    for (uint32_t i = 0; i < 2; ++i) {
        const StiGap gap =
            gap_between(a, place_at(a, along, ends[i]), b, place_at(b, along, ends[i]), i);
        sti_candidates_add_gap(candidates, pa, pb, &gap);
    }
}

void sti_touch_segments(const StiPlaced *pa, const StiPlaced *pb, StiCandidates *candidates)
{
    const Segment a = segment_of(pa), b = segment_of(pb);
    const StiVec3 across = sti_vec3_cross(a.along, b.along);
    if (a.half > 0.0 && b.half > 0.0 && sti_vec3_norm(across) < NEARLY_PARALLEL)
        add_ends(pa, pb, &a, &b, candidates);
    const StiGap nearest = nearest_gap(&a, &b);
    const double gap = nearest.gap - sti_placed_rounding(pa) - sti_placed_rounding(pb);
    // The nearest point says nothing new where an end is as near.
    for (int i = 0; i < candidates->count; ++i)
        if (candidates->at[i].gap <= gap + 1e-9 * (a.half + b.half)) return;
    sti_candidates_add_gap(candidates, pa, pb, &nearest);
}
