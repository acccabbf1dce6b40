// Two boxes: the 15 axes along which boxes can be apart. Exact where they overlap, and where a face
// is nearest to the other box; edges and corners that are apart go the general way.
#include "shape/gap.h"

// An edge pair wins over a face only by more than this part of the size; of faces the first wins.
// Boxes that lie on each other so keep the same face from step to step.
static const double BIAS = 1e-9;

typedef struct Boxes {
    StiVec3 half[2];    // of a, of b
    StiVec3 axes[2][3]; // world
    StiVec3 between;    // from b's centre to a's
    double bias;
    StiStart faces[6]; // of a, of b: filled by widest_axis
} Boxes;

typedef struct Best {
    double gap;
    int box;        // whose face; 2: a pair of edges
    StiVec3 normal; // from b to a
    int edge[2];    // axes of the edges
} Best;

static double component(StiVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void set_axes(const StiPlaced *placed, StiVec3 *axes)
{
    const StiMat3 R = placed->R;
    axes[0] = sti_vec3(R.x.x, R.y.x, R.z.x);
    axes[1] = sti_vec3(R.x.y, R.y.y, R.z.y);
    axes[2] = sti_vec3(R.x.z, R.y.z, R.z.z);
}

static double extent(const Boxes *boxes, int box, StiVec3 n)
{
    const StiVec3 *const axes = boxes->axes[box], half = boxes->half[box];
    return half.x * fabs(sti_vec3_dot(axes[0], n)) + half.y * fabs(sti_vec3_dot(axes[1], n)) +
           half.z * fabs(sti_vec3_dot(axes[2], n));
}

static StiStart try_axis(const Boxes *boxes, StiVec3 axis, Best candidate, Best *best)
{
    const double along = sti_vec3_dot(boxes->between, axis);
    candidate.gap = fabs(along) - extent(boxes, 0, axis) - extent(boxes, 1, axis);
    candidate.normal = sti_vec3_scale(along < 0.0 ? -1.0 : 1.0, axis);
    if (candidate.gap > best->gap + boxes->bias) *best = candidate;
    return (StiStart){candidate.normal, candidate.gap};
}

static Best widest_axis(Boxes *boxes)
{
    Best best = {.gap = -INFINITY};
    for (int box = 0; box < 2; ++box)
        for (int i = 0; i < 3; ++i)
            boxes->faces[3 * box + i] =
                try_axis(boxes, boxes->axes[box][i], (Best){.box = box}, &best);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const StiVec3 across = sti_vec3_cross(boxes->axes[0][i], boxes->axes[1][j]);
            const double length = sti_vec3_norm(across);
            if (length < 1e-6) continue; // parallel: a face is as good
            try_axis(boxes, sti_vec3_scale(1.0 / length, across), (Best){.box = 2, .edge = {i, j}},
                     &best);
        }
    }
    return best;
}

// Middle of the edge along `axis` that is furthest along n.
static StiVec3 edge_middle(const StiPlaced *placed, const StiVec3 *axes, int axis, StiVec3 n)
{
    StiVec3 at = placed->p;
    for (int i = 0; i < 3; ++i) {
        if (i == axis) continue;
        const double half = component(placed->shape->half, i);
        at = sti_vec3_add_scaled(at, sti_vec3_dot(axes[i], n) < 0.0 ? -half : half, axes[i]);
    }
    return at;
}

// Where two edges cross, seen along the normal. False: near an end of one, where other ways out may
// be as good.
static bool add_edges(const StiPlaced *a, const StiPlaced *b, const Boxes *boxes, const Best *best,
                      StiCandidates *candidates)
{
    const StiVec3 n = best->normal, back = sti_vec3_scale(-1.0, n);
    const StiVec3 u = boxes->axes[0][best->edge[0]], v = boxes->axes[1][best->edge[1]];
    const StiVec3 p = edge_middle(a, boxes->axes[0], best->edge[0], back);
    const StiVec3 q = edge_middle(b, boxes->axes[1], best->edge[1], n);
    const StiVec3 d = sti_vec3_sub(q, p), across = sti_vec3_cross(u, v);
    const double square = sti_vec3_dot(across, across);
    const double s = sti_vec3_dot(sti_vec3_cross(d, v), across) / square;
    const double t = sti_vec3_dot(sti_vec3_cross(d, u), across) / square;
    const double edge = sti_gap_edge(a, b);
    const double border = -best->gap < 20.0 * edge ? 2.0 * (edge - best->gap) / sqrt(square) : 0.0;
    if (fabs(s) > component(a->shape->half, best->edge[0]) - border ||
        fabs(t) > component(b->shape->half, best->edge[1]) - border)
        return false;
    const StiGap gap = {.normal = n,
                        .gap = best->gap,
                        .point_a = sti_vec3_add_scaled(p, s, u),
                        .point_b = sti_vec3_add_scaled(q, t, v),
                        .feature = (uint32_t)(1 << 18) + (uint32_t)(3 * best->edge[0]) +
                                   (uint32_t)best->edge[1]};
    sti_candidates_add_gap(candidates, a, b, &gap);
    return true;
}

// Least gap between the face and the other box, over the part where they are opposite.
static double add_face(const StiPlaced *a, const StiPlaced *b, const Best *best, double bias,
                       StiCandidates *candidates)
{
    const StiPlaced *const own = best->box == 0 ? a : b, *const other = best->box == 0 ? b : a;
    const StiVec3 out = sti_vec3_scale(best->box == 0 ? -1.0 : 1.0, best->normal);
    StiPatch patch;
    own->shape->kind->patch(own->shape, sti_mat3_transposed_times(own->R, out), &patch);
    const uint32_t label = best->box == 0 ? 0 : STI_FACE_OF_B;
    const double least =
        sti_manifold_clip(own, &patch, patch.normal, other, label, bias, candidates);
    if (best->box == 1) sti_candidates_swap(candidates);
    return least;
}

// Another face with another normal is nearly as good; a quick look before an exact one.
static bool has_rivals(const Boxes *boxes, const Best *best)
{
    const double nearly = best->gap - 1e6 * boxes->bias; // a thousandth of the size
    for (int i = 0; i < 6; ++i) {
        if (!(boxes->faces[i].gap > nearly)) continue;
        const StiVec3 off = sti_vec3_sub(boxes->faces[i].normal, best->normal);
        if (sti_vec3_dot(off, off) > 1e-20) return true;
    }
    return false;
}

// Where edges meet that are nearly parallel, or corners, other faces are as good.
static bool find_mean(const StiPlaced *a, const StiPlaced *b, const Boxes *boxes, const Best *best,
                      StiVec3 *normal)
{
    StiWays ways;
    sti_ways_start(a, b, (StiStart){best->normal, best->gap}, &ways);
    for (int i = 0; i < 6; ++i) sti_ways_add(&ways, boxes->faces[i]);
    return sti_ways_mean(&ways, normal);
}

void sti_touch_boxes(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates)
{
    Boxes boxes = {.half = {a->shape->half, b->shape->half},
                   .between = sti_vec3_sub(a->p, b->p),
                   .bias = BIAS * sti_gap_size(a, b)};
    set_axes(a, boxes.axes[0]);
    set_axes(b, boxes.axes[1]);
    const Best best = widest_axis(&boxes);
    if (best.gap > candidates->margin) return;
    StiVec3 mean;
    const bool tie = has_rivals(&boxes, &best) && find_mean(a, b, &boxes, &best, &mean);
    if (tie && best.gap <= sti_gap_edge(a, b)) {
        sti_touch_along(a, b, mean, candidates);
        return;
    }
    if (best.box < 2 && !tie) {
        const double least = add_face(a, b, &best, boxes.bias, candidates);
        if (least <= best.gap + 2.0 * boxes.bias) return;
    } else if (best.box == 2 && best.gap <= 0.0) {
        if (add_edges(a, b, &boxes, &best, candidates)) return;
    }
    candidates->count = 0; // apart, and nearest at edges or corners
    sti_touch_beside_faces(a, b, best.normal, candidates);
}
