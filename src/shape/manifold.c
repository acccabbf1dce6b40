// Where two flat parts lie on each other: the polygon of one, clipped by the other. Everything is
// reckoned in the axes of the shape whose face is the reference.
#include "shape/gap.h"

// A corner of the polygon while it is cut. `edge` names the line from this corner to the next one:
// below 128 an edge of the polygon, from 128 on an edge of the reference. Corners that come about by
// cutting are named after the two lines that meet there.
typedef struct Cut {
    StiVec3 at;
    uint32_t feature, edge;
} Cut;
enum {
    REFERENCE = 128,
    CROSSING = 1 << 16,
    FACE_OF_B = 1 << 17,
    NEAREST = 1 << 19,
    MOST = STI_CANDIDATES
};

typedef struct Polygon {
    int count;
    Cut corners[MOST];
} Polygon;

// Inside where inward.(at - start) >= -tolerance.
typedef struct Side {
    StiVec3 start, inward;
    double tolerance;
    uint32_t edge;
} Side;

static double inside_by(const Side *side, StiVec3 at)
{
    return sti_vec3_dot(side->inward, sti_vec3_sub(at, side->start));
}

static Cut crossing(const Side *side, const Cut *from, const Cut *to)
{
    const double d = inside_by(side, from->at), e = inside_by(side, to->at);
    const StiVec3 along = sti_vec3_sub(to->at, from->at);
    return (Cut){.at = sti_vec3_add_scaled(from->at, d / (d - e), along),
                 .feature = CROSSING + from->edge * 256 + side->edge};
}

static void append(Polygon *polygon, Cut cut)
{
    if (polygon->count < MOST) polygon->corners[polygon->count++] = cut;
}

// One edge of the polygon, from a corner to the next. (Sutherland, Hodgman)
static void cut_edge(const Side *side, const Cut *from, const Cut *to, Polygon *result)
{
    const bool starts = inside_by(side, from->at) >= -side->tolerance;
    const bool ends = inside_by(side, to->at) >= -side->tolerance;
    if (starts) append(result, *from);
    if (starts == ends) return;
    Cut cut = crossing(side, from, to);
    cut.edge = starts ? side->edge : from->edge;
    append(result, cut);
}

static void cut_by(const Side *side, const Polygon *polygon, Polygon *result)
{
    result->count = 0;
    for (int i = 0; i < polygon->count; ++i) {
        const Cut *const next = &polygon->corners[(i + 1) % polygon->count];
        cut_edge(side, &polygon->corners[i], next, result);
    }
}

// A line has a start and an end, and no way back.
static void cut_line(const Side *side, const Polygon *line, Polygon *result)
{
    const Cut *const from = &line->corners[0], *const to = &line->corners[1];
    result->count = 0;
    cut_edge(side, from, to, result);
    if (inside_by(side, to->at) >= -side->tolerance) append(result, *to);
}

static void cut_point(const Side *side, const Polygon *point, Polygon *result)
{
    result->count = 0;
    if (inside_by(side, point->corners[0].at) >= -side->tolerance)
        append(result, point->corners[0]);
}

static Side side_of(const StiPatch *patch, int i, double tolerance)
{
    const StiVec3 start = patch->corners[i].at;
    const StiVec3 along = sti_vec3_sub(patch->corners[(i + 1) % patch->count].at, start);
    const StiVec3 inward = sti_vec3_cross(patch->normal, along);
    return (Side){start, sti_vec3_scale(1.0 / sti_vec3_norm(inward), inward), tolerance,
                  REFERENCE + (uint32_t)i};
}

// The part of b that faces a direction, in a's axes.
static void facing_patch(const StiPlaced *a, const StiPlaced *b, StiVec3 direction,
                         Polygon *polygon)
{
    StiPatch patch;
    const StiVec3 world = sti_mat3_times(a->R, direction);
    b->shape->kind->patch(b->shape, sti_mat3_transposed_times(b->R, world), &patch);
    polygon->count = patch.count;
    for (int i = 0; i < patch.count; ++i)
        polygon->corners[i] =
            (Cut){.at = sti_placed_to_own(a, sti_placed_to_world(b, patch.corners[i].at)),
                  .feature = patch.corners[i].feature,
                  .edge = (uint32_t)i};
}

static void add_touch(const StiPlaced *a, const StiPlaced *b, const StiPatch *patch, const Cut *cut,
                      double height, uint32_t label, StiCandidates *candidates)
{
    const double radius_a = sti_placed_rounding(a), radius_b = sti_placed_rounding(b);
    const StiVec3 out = sti_mat3_times(a->R, patch->normal);
    const StiVec3 on_b = sti_placed_to_world(a, cut->at);
    const StiTouch touch = {.point_a = sti_vec3_add_scaled(on_b, radius_a - height, out),
                            .point_b = sti_vec3_add_scaled(on_b, -radius_b, out),
                            .normal = sti_vec3_scale(-1.0, out),
                            .gap = height - radius_a - radius_b,
                            .feature = cut->feature + label};
    sti_candidates_add(candidates, touch);
}

double sti_manifold_clip(const StiPlaced *a, const StiPatch *patch, const StiPlaced *b,
                         uint32_t label, StiCandidates *candidates)
{
    Polygon polygons[2];
    facing_patch(a, b, sti_vec3_scale(-1.0, patch->normal), &polygons[0]);
    const int corners = polygons[0].count;
    const double tolerance = 1e-9 * sti_gap_size(a, b);
    int now = 0;
    for (int i = 0; i < patch->count && polygons[now].count > 0; ++i, now = 1 - now) {
        const Side side = side_of(patch, i, tolerance);
        if (corners > 2)
            cut_by(&side, &polygons[now], &polygons[1 - now]);
        else if (polygons[now].count == 2)
            cut_line(&side, &polygons[now], &polygons[1 - now]);
        else
            cut_point(&side, &polygons[now], &polygons[1 - now]);
    }
    double least = INFINITY;
    for (int i = 0; i < polygons[now].count; ++i) {
        const Cut *const cut = &polygons[now].corners[i];
        const double height =
            sti_vec3_dot(patch->normal, sti_vec3_sub(cut->at, patch->corners[0].at));
        least = fmin(least, height);
        add_touch(a, b, patch, cut, height, label, candidates);
    }
    return least;
}

// ---- which of the two faces ---------------------------------------------------------------------

// How far b is from the face of a that looks along a direction; -infinity if there is no face.
static double gap_from_face(const StiPlaced *a, const StiPlaced *b, StiVec3 direction,
                            StiPatch *patch)
{
    const StiVec3 own = sti_mat3_transposed_times(a->R, direction);
    a->shape->kind->patch(a->shape, own, patch);
    if (patch->count < 3) return -INFINITY;
    return sti_gap_along(a, b, sti_vec3_scale(-1.0, sti_mat3_times(a->R, patch->normal)));
}

void sti_manifold_add(const StiPlaced *a, const StiPlaced *b, const StiGap *gap,
                      StiCandidates *candidates)
{
    const double tolerance = 1e-9 * sti_gap_size(a, b);
    StiPatch patch_a, patch_b;
    const double from_a = gap_from_face(a, b, sti_vec3_scale(-1.0, gap->normal), &patch_a);
    const double from_b = gap_from_face(b, a, gap->normal, &patch_b);
    double least = INFINITY;
    if (from_a >= gap->gap - tolerance && from_a >= from_b - tolerance) {
        least = sti_manifold_clip(a, &patch_a, b, 0, candidates);
    } else if (from_b >= gap->gap - tolerance) {
        least = sti_manifold_clip(b, &patch_b, a, FACE_OF_B, candidates);
        sti_candidates_swap(candidates);
    }
    // Round rims stand out between the corners of their polygons.
    if (least > gap->gap + 2.0 * tolerance) sti_candidates_add_gap(candidates, a, b, gap);
}

void sti_touch_convex(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates)
{
    StiGap gap;
    const double rounding = sti_placed_rounding(a) + sti_placed_rounding(b);
    if (!sti_gap_measure(a, b, candidates->margin + rounding, &gap)) return;
    gap.feature = NEAREST;
    sti_manifold_add(a, b, &gap, candidates);
}
