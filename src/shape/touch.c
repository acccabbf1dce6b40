// Which way to find the touches of a pair.
#include "shape/touches.h"

// The core is the part -half.z ... half.z of the z axis, or a point.
static bool is_segment(const StiShapeKind *kind)
{
    return kind->core == STI_CORE_SEGMENT || kind->core == STI_CORE_POINT;
}
static bool is_point(const StiShapeKind *kind) { return kind->core == STI_CORE_POINT; }

static bool out_of_reach(const StiPlaced *a, const StiPlaced *b, double margin)
{
    const double reach = a->shape->kind->reach(a->shape) + b->shape->kind->reach(b->shape) + margin;
    const StiVec3 between = sti_vec3_sub(a->p, b->p);
    return reach < 0.0 || sti_vec3_dot(between, between) > reach * reach;
}

// False: the pair has to be looked at the other way round.
static bool touch(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates)
{
    const StiShapeKind *const kind_a = a->shape->kind, *const kind_b = b->shape->kind;
    if (kind_b->half_space)
        sti_touch_plane(a, b, candidates);
    else if (kind_a->half_space)
        return false;
    else if (is_segment(kind_a) && is_segment(kind_b))
        sti_touch_segments(a, b, candidates);
    else if (is_point(kind_a) && kind_b->nearest != NULL)
        sti_touch_nearest(a, b, candidates);
    else if (is_point(kind_b) && kind_a->nearest != NULL)
        return false;
    else if (kind_a->core == STI_CORE_BOX && kind_b->core == STI_CORE_BOX)
        sti_touch_boxes(a, b, candidates);
    else
        sti_touch_convex(a, b, candidates);
    return true;
}

int sti_placed_touch(const StiPlaced *a, const StiPlaced *b, double margin, int max,
                     StiTouch *touches)
{
    const bool plane_a = a->shape->kind->half_space, plane_b = b->shape->kind->half_space;
    if (plane_a && plane_b) return 0;
    if (plane_b && max > 0 && is_point(a->shape->kind))
        return sti_touch_ball_plane(a, b, margin, touches);
    if (!plane_a && !plane_b && out_of_reach(a, b, margin)) return 0;
    StiCandidates candidates; // large: not cleared
    candidates.margin = margin;
    candidates.count = 0;
    candidates.polygon = false;
    if (!touch(a, b, &candidates)) {
        touch(b, a, &candidates);
        sti_candidates_swap(&candidates);
    }
    return sti_candidates_choose(&candidates, max, touches);
}

int sti_shape_touch(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                    const StiFrame *link_b, double margin, int max, StiTouch *touches)
{
    const StiPlaced placed_a = sti_shape_placed(a, link_a), placed_b = sti_shape_placed(b, link_b);
    return sti_placed_touch(&placed_a, &placed_b, margin, max, touches);
}
