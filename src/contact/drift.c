// How the velocity of a touch along its rows changes while all generalized velocities stay: Jdot v,
// with the motion of the touch over both surfaces.
#include "algebra/spatial.h"
#include "contact/points.h"

// d/dt of sti_contact_tangents(n).
static void tangent_rates(StiVec3 n, StiVec3 ndot, const StiVec3 *tangent, StiVec3 *rate)
{
    const StiVec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    const StiVec3 along = fabs(n.x) < 0.9 ? x : y;
    const StiVec3 t = tangent[0];
    const double length = sti_vec3_dot(along, t);
    const StiVec3 change = sti_vec3_add(sti_vec3_scale(-sti_vec3_dot(along, ndot), n),
                                        sti_vec3_scale(-sti_vec3_dot(along, n), ndot));
    const StiVec3 turned = sti_vec3_add_scaled(change, -sti_vec3_dot(t, change), t);
    rate[0] = sti_vec3_scale(1.0 / length, turned);
    rate[1] = sti_vec3_add(sti_vec3_cross(ndot, t), sti_vec3_cross(n, rate[0]));
}

// Of the point of a link that is at the place of the touch, while this place moves with `moving`.
static StiVec3 acceleration(const StiFrame *link, const StiTwist *bias, StiVec3 arm, StiVec3 moving)
{
    const StiVec3 turning = sti_vec3_cross(link->w, sti_vec3_sub(moving, link->v));
    const StiVec3 own = sti_vec3_add(bias->v, sti_vec3_cross(bias->w, arm));
    return sti_vec3_add(own, turning);
}

void sti_contact_drift(const StiTouch *touch, const StiTouchMotion *motion,
                       const StiFrame *const links[2], const StiTwist bias[2], double *drift)
{
    const StiVec3 at = sti_vec3_scale(0.5, sti_vec3_add(touch->point_a, touch->point_b));
    const StiVec3 moving = sti_vec3_scale(0.5, sti_vec3_add(motion->point_a, motion->point_b));
    const StiVec3 arm[2] = {sti_vec3_sub(at, links[0]->p), sti_vec3_sub(at, links[1]->p)};
    const StiVec3 u = sti_vec3_sub(sti_frame_velocity_at(links[0], arm[0]),
                                   sti_frame_velocity_at(links[1], arm[1]));
    const StiVec3 udot = sti_vec3_sub(acceleration(links[0], &bias[0], arm[0], moving),
                                      acceleration(links[1], &bias[1], arm[1], moving));
    StiVec3 row[3], rate[3];
    sti_contact_tangents(touch->normal, row);
    tangent_rates(touch->normal, motion->normal, row, rate);
    row[2] = touch->normal, rate[2] = motion->normal;
    for (int d = 0; d < 3; ++d) drift[d] = sti_vec3_dot(row[d], udot) + sti_vec3_dot(rate[d], u);
}

void sti_contact_drift_of_surface(const StiShape *shape, const StiFrame *link,
                                  const StiTouch *touch, const StiTouchMotion *motion, double sense,
                                  double *drift)
{
    const StiVec3 at = sti_vec3_scale(0.5, sti_vec3_add(touch->point_a, touch->point_b));
    const StiVec3 moving = sti_vec3_scale(0.5, sti_vec3_add(motion->point_a, motion->point_b));
    const StiVec3 arm = sti_vec3_sub(at, link->p);
    const StiTwist run = sti_surface_run(shape, link, arm);
    const StiVec3 over = sti_vec3_sub(moving, sti_frame_velocity_at(link, arm)); // the body
    const StiVec3 rate = sti_vec3_add(sti_vec3_cross(link->w, run.v), sti_vec3_cross(run.w, over));
    StiVec3 row[2], row_rate[2];
    sti_contact_tangents(touch->normal, row);
    tangent_rates(touch->normal, motion->normal, row, row_rate);
    for (int d = 0; d < 2; ++d)
        drift[d] += sense * (sti_vec3_dot(row[d], rate) + sti_vec3_dot(row_rate[d], run.v));
}
