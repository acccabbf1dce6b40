// A shape against a half space: the corners that may be lowest.
#include "shape/touches.h"

static double extent(StiVec3 a) { return fabs(a.x) + fabs(a.y) + fabs(a.z); }

// Much more than rounding can make of a height, m.
static double slack(const StiPlaced *a, const StiPlaced *plane)
{
    return 1e-9 * (a->shape->kind->reach(a->shape) + extent(a->p) + extent(plane->p));
}

void sti_touch_plane(const StiPlaced *a, const StiPlaced *plane, StiCandidates *candidates)
{
    const StiVec3 n = sti_placed_axis_z(plane);
    const StiVec3 down = sti_mat3_transposed_times(a->R, sti_vec3_scale(-1.0, n));
    const double radius = sti_placed_rounding(a);
    // Corners that are higher than this (m, own axes) are left out before they are reckoned exactly.
    const double origin = sti_vec3_dot(n, sti_vec3_sub(a->p, plane->p));
    const double too_high = candidates->margin + radius - origin + slack(a, plane);
    StiCorner corners[STI_HULL_VERTICES];
    const int count = a->shape->kind->corners(a->shape, down, corners);
    for (int i = 0; i < count; ++i) {
        if (-sti_vec3_dot(down, corners[i].at) > too_high) continue;
        const StiVec3 at = sti_placed_to_world(a, corners[i].at);
        const double height = sti_vec3_dot(n, sti_vec3_sub(at, plane->p));
        const StiTouch touch = {.point_a = sti_vec3_add_scaled(at, -radius, n),
                                .point_b = sti_vec3_add_scaled(at, -height, n),
                                .normal = n,
                                .gap = height - radius,
                                .feature = corners[i].feature};
        sti_candidates_add(candidates, &touch);
    }
}

int sti_touch_ball_plane(const StiPlaced *ball, const StiPlaced *plane, double margin,
                         StiTouch *touch)
{
    const StiVec3 n = sti_placed_axis_z(plane);
    const double height = sti_vec3_dot(n, sti_vec3_sub(ball->p, plane->p));
    const double radius = ball->shape->radius; // a point has none
    if (!(height - radius <= margin)) return 0;
    touch->point_a = sti_vec3_add_scaled(ball->p, -radius, n);
    touch->point_b = sti_vec3_add_scaled(ball->p, -height, n);
    touch->normal = n;
    touch->gap = height - radius;
    touch->feature = 0;
    return 1;
}
