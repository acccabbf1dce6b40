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
enum { REFERENCE = 128, CROSSING = 1 << 16, NEAREST = 1 << 19, MOST = STI_CANDIDATES };

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

// Where the line from one corner, inside by d, to another, inside by e, meets the side.
static Cut crossing(const Side *side, const Cut *from, double d, const Cut *to, double e)
{
    const StiVec3 along = sti_vec3_sub(to->at, from->at);
    return (Cut){.at = sti_vec3_add_scaled(from->at, d / (d - e), along),
                 .feature = CROSSING + from->edge * 256 + side->edge,
                 .edge = d >= -side->tolerance ? side->edge : from->edge};
}

static void append(Polygon *polygon, const Cut *cut)
{
    if (polygon->count < MOST) polygon->corners[polygon->count++] = *cut;
}

// Cuts off what is outside. False: nothing is. The corners of a line or a point are not closed: from
// the last one no way leads back. (Sutherland, Hodgman)
static bool cut_by(const Side *side, bool closed, const Polygon *polygon, Polygon *result)
{
    double inside[MOST];
    const int count = polygon->count;
    bool all = true;
    for (int i = 0; i < count; ++i) {
        inside[i] = sti_vec3_dot(side->inward, sti_vec3_sub(polygon->corners[i].at, side->start));
        all = all && inside[i] >= -side->tolerance;
    }
    if (all) return false;
    result->count = 0;
    for (int i = 0; i < count; ++i) {
        const int next = i + 1 < count ? i + 1 : 0;
        const bool starts = inside[i] >= -side->tolerance;
        if (starts) append(result, &polygon->corners[i]);
        if ((next == 0 && !closed) || starts == (inside[next] >= -side->tolerance)) continue;
        const Cut cut =
            crossing(side, &polygon->corners[i], inside[i], &polygon->corners[next], inside[next]);
        append(result, &cut);
    }
    return true;
}

// The side from corner i of a patch to the next one; false if the polygon is inside of it anyway.
static bool side_cuts(const StiPatch *patch, StiVec3 out, int i, const Polygon *polygon, Side *side)
{
    const StiVec3 start = patch->corners[i].at;
    const StiVec3 along = sti_vec3_sub(patch->corners[i + 1 < patch->count ? i + 1 : 0].at, start);
    const StiVec3 inward = sti_vec3_cross(out, along);
    int k = 0;
    while (k < polygon->count &&
           sti_vec3_dot(inward, sti_vec3_sub(polygon->corners[k].at, start)) >= 0.0)
        ++k;
    if (k == polygon->count) return false;
    side->start = start;
    side->inward = sti_vec3_scale(1.0 / sti_vec3_norm(inward), inward);
    side->edge = REFERENCE + (uint32_t)i;
    return true;
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

// What is left of the polygon, as touches. Returns the least gap.
static double add_touches(const StiPlaced *a, const StiPatch *patch, StiVec3 normal,
                          const StiPlaced *b, const Polygon *polygon, uint32_t label,
                          StiCandidates *candidates)
{
    const double radius_a = sti_placed_rounding(a), radius_b = sti_placed_rounding(b);
    const StiVec3 out = sti_mat3_times(a->R, normal);
    const double slant = 1.0 / sti_vec3_dot(normal, patch->normal);
    double least = INFINITY;
    for (int i = 0; i < polygon->count; ++i) {
        const Cut *const cut = &polygon->corners[i];
        const double height =
            slant * sti_vec3_dot(patch->normal, sti_vec3_sub(cut->at, patch->corners[0].at));
        const StiVec3 on_b = sti_placed_to_world(a, cut->at);
        const StiTouch touch = {.point_a = sti_vec3_add_scaled(on_b, radius_a - height, out),
                                .point_b = sti_vec3_add_scaled(on_b, -radius_b, out),
                                .normal = sti_vec3_scale(-1.0, out),
                                .gap = height - radius_a - radius_b,
                                .feature = cut->feature + label};
        if (height < least) least = height;
        sti_candidates_add(candidates, &touch);
    }
    return least;
}

double sti_manifold_clip(const StiPlaced *a, const StiPatch *patch, StiVec3 out, const StiPlaced *b,
                         uint32_t label, double tolerance, StiCandidates *candidates)
{
    Polygon polygons[2];
    Side side = {.tolerance = tolerance};
    facing_patch(a, b, sti_vec3_scale(-1.0, out), &polygons[0]);
    const bool closed = polygons[0].count > 2;
    int now = 0;
    for (int i = 0; i < patch->count && polygons[now].count > 0; ++i) {
        if (side_cuts(patch, out, i, &polygons[now], &side) &&
            cut_by(&side, closed, &polygons[now], &polygons[1 - now]))
            now = 1 - now;
    }
    candidates->polygon = closed && candidates->count == 0;
    return add_touches(a, patch, out, b, &polygons[now], label, candidates);
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

// All that is nearly as deep as the least gap is at one border of the face: there may be other ways
// out.
static bool is_at_border(const StiPlaced *own, const StiPatch *patch, double least, double edge,
                         const StiCandidates *candidates)
{
    const double width = 2.0 * (edge + fmax(-least, 0.0));
    for (int i = 0; i < patch->count; ++i) {
        const StiVec3 start = patch->corners[i].at;
        const StiVec3 along =
            sti_vec3_sub(patch->corners[i + 1 < patch->count ? i + 1 : 0].at, start);
        const StiVec3 inward = sti_vec3_cross(patch->normal, along);
        const double far = width * sti_vec3_norm(inward);
        int k = 0;
        while (k < candidates->count &&
               (candidates->at[k].gap > least + edge ||
                sti_vec3_dot(inward, sti_vec3_sub(sti_placed_to_own(own, candidates->at[k].point_a),
                                                  start)) < far))
            ++k;
        if (k == candidates->count) return true;
    }
    return false;
}

// Where other ways out are as good, touches along the mean of them.
static bool add_along_mean(const StiPlaced *a, const StiPlaced *b, StiStart best,
                           const StiVec3 *points, StiCandidates *candidates)
{
    StiWays ways;
    StiVec3 normal;
    sti_ways_start(a, b, best, &ways);
    sti_ways_add_all(a, b, points, &ways);
    if (!sti_ways_mean(&ways, &normal)) return false;
    candidates->count = 0;
    sti_touch_along(a, b, normal, candidates);
    return true;
}

static const StiTouch *deepest(const StiCandidates *candidates)
{
    const StiTouch *best = &candidates->at[0];
    for (int i = 1; i < candidates->count; ++i)
        if (candidates->at[i].gap < best->gap) best = &candidates->at[i];
    return best;
}

typedef struct Faces {
    StiPatch of_a, of_b;
    StiStart from_a, from_b; // along their normals, from b to a
} Faces;

static void find_faces(const StiPlaced *a, const StiPlaced *b, StiVec3 normal, Faces *faces)
{
    const StiVec3 back = sti_vec3_scale(-1.0, normal);
    faces->from_a.gap = gap_from_face(a, b, back, &faces->of_a);
    faces->from_b.gap = gap_from_face(b, a, normal, &faces->of_b);
    faces->from_a.normal = sti_vec3_scale(-1.0, sti_mat3_times(a->R, faces->of_a.normal));
    faces->from_b.normal = sti_mat3_times(b->R, faces->of_b.normal);
}

// Two faces that are equally good, seen along the mean of their normals.
static bool add_both_faces(const StiPlaced *a, const StiPlaced *b, const Faces *faces,
                           StiCandidates *candidates)
{
    StiWays ways;
    StiVec3 normal;
    const bool by_a = faces->from_a.gap >= faces->from_b.gap;
    if (!(fmin(faces->from_a.gap, faces->from_b.gap) > -INFINITY)) return false;
    sti_ways_start(a, b, by_a ? faces->from_a : faces->from_b, &ways);
    sti_ways_add(&ways, faces->from_a);
    sti_ways_add(&ways, faces->from_b);
    if (!sti_ways_mean(&ways, &normal)) return false;
    sti_touch_along(a, b, normal, candidates);
    return true;
}

// Of two faces that lie on each other the larger shape's, so that the corners are the smaller one's.
static bool gives_normal(const StiPlaced *a, const StiPlaced *b, const Faces *faces,
                         double tolerance)
{
    const double more = faces->from_a.gap - faces->from_b.gap;
    if (!(fabs(more) <= tolerance)) return more > 0.0;
    return a->shape->kind->reach(a->shape) >= b->shape->kind->reach(b->shape);
}

// The touches of two shapes whose flat parts may lie on each other. False: somewhere else they are
// nearer.
static bool add_faces(const StiStarts *starts, const StiGap *gap, StiCandidates *candidates)
{
    const StiPlaced *const a = starts->a, *const b = starts->b;
    const double tolerance = 1e-9 * starts->size, edge = sti_gap_edge(a, b);
    Faces faces;
    find_faces(a, b, gap->normal, &faces);
    const bool by_a = gives_normal(a, b, &faces, tolerance);
    const StiStart *const from = by_a ? &faces.from_a : &faces.from_b;
    const StiPlaced *const own = by_a ? a : b, *const other = by_a ? b : a;
    const StiPatch *const patch = by_a ? &faces.of_a : &faces.of_b;
    if (!(from->gap >= gap->gap - tolerance)) return false;
    const double least = sti_manifold_clip(own, patch, patch->normal, other,
                                           by_a ? 0 : STI_FACE_OF_B, tolerance, candidates);
    // Deep in each other, a corner may be a better way out.
    const bool sharp = least < -edge || is_at_border(own, patch, least, edge, candidates);
    if (!by_a) sti_candidates_swap(candidates);
    if (!(least <= gap->gap + 2.0 * tolerance)) return false;
    if (sharp && candidates->count > 0) {
        const StiTouch *const touch = deepest(candidates);
        if (add_along_mean(a, b, *from, (const StiVec3[2]){touch->point_a, touch->point_b},
                           candidates))
            return true;
    }
    const int count = candidates->count;
    candidates->count = 0;
    if (add_both_faces(a, b, &faces, candidates)) return true;
    candidates->count = count;
    return true;
}

static void add_nearest(StiStarts *starts, double most, StiCandidates *candidates)
{
    const StiPlaced *const a = starts->a, *const b = starts->b;
    StiGap gap;
    if (!sti_gap_measure(starts, most, &gap)) return;
    gap.feature = NEAREST;
    const bool sharp = sti_placed_rounding(a) + sti_placed_rounding(b) == 0.0 &&
                       gap.gap < 20.0 * sti_gap_edge(a, b);
    if (sharp && add_along_mean(a, b, (StiStart){gap.normal, gap.gap},
                                (const StiVec3[2]){gap.point_a, gap.point_b}, candidates))
        return;
    // Round rims stand out between the corners of their polygons.
    if (add_faces(starts, &gap, candidates)) return;
    const int count = candidates->count;
    candidates->count = 0;
    if (sti_touch_parallel(a, b, gap.normal, candidates)) return;
    candidates->count = count;
    candidates->polygon = false;
    sti_candidates_add_gap(candidates, a, b, &gap);
}

static double largest_gap(const StiStarts *starts, const StiCandidates *candidates)
{
    return candidates->margin + (sti_placed_rounding(starts->a) + sti_placed_rounding(starts->b));
}

void sti_touch_beside_faces(const StiPlaced *a, const StiPlaced *b, StiVec3 normal,
                            StiCandidates *candidates)
{
    StiStarts starts;
    sti_gap_start(a, b, &starts);
    sti_gap_try(&starts, normal);
    add_nearest(&starts, largest_gap(&starts, candidates), candidates);
}

// A face first: what lies on it needs no search.
void sti_touch_convex(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates)
{
    StiStarts starts;
    StiGap gap;
    sti_gap_start(a, b, &starts);
    const double most = largest_gap(&starts, candidates);
    if (starts.at[0].gap > most) return;
    if (sti_gap_by_face(&starts, &gap)) {
        if (add_faces(&starts, &gap, candidates)) return;
        candidates->count = 0;
    }
    add_nearest(&starts, most, candidates);
}
