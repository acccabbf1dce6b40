// A point or sphere against a shape that knows its nearest point in closed form.
#include "shape/touches.h"

void sti_touch_nearest(const StiPlaced *point, const StiPlaced *b, StiCandidates *candidates)
{
    const StiNearest nearest = b->shape->kind->nearest(b->shape, sti_placed_to_own(b, point->p));
    const StiGap gap = {.normal = sti_mat3_times(b->R, nearest.normal),
                        .gap = nearest.gap,
                        .point_a = point->p,
                        .point_b = sti_placed_to_world(b, nearest.at)};
    sti_candidates_add_gap(candidates, point, b, &gap);
}
