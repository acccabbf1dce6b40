// Surfaces that run over their bodies: conveyors, treadmills, turntables. Shapes and bodies stay; what rubs
// on them feels the velocity of the surface.
#include "algebra/spatial.h"
#include "contact/points.h"

StiTwist sti_surface_run(const StiShape *shape, const StiFrame *link, StiVec3 arm)
{
    const StiVec3 w = sti_quat_rotate(link->q, shape->surface_spin);
    const StiVec3 v = sti_quat_rotate(link->q, shape->surface_velocity);
    const StiVec3 centre = sti_quat_rotate(link->q, shape->p);
    return (StiTwist){w, sti_vec3_add(v, sti_vec3_cross(w, sti_vec3_sub(arm, centre)))};
}

void sti_surfaces_run(const Contact *contact, const ContactPose *const poses[2],
                      ContactPoint *point)
{
    point->surface = point->surface_spin = (StiVec3){0.0, 0.0, 0.0};
    if (!contact->surfaces_run) return;
    const StiVec3 n = point->touch.normal;
    for (int side = 0; side < 2; ++side) {
        const StiShape *shape = &contact->shapes[point->shape[side]].shape;
        if (!sti_surface_runs(shape)) continue;
        const double sense = side == 0 ? 1.0 : -1.0;
        const StiTwist run = sti_surface_run(shape, poses[side]->link, point->arm[side]);
        point->surface = sti_vec3_add_scaled(point->surface, sense, run.v);
        point->surface_spin = sti_vec3_add_scaled(point->surface_spin, sense, run.w);
    }
    point->surface = sti_vec3_add_scaled(point->surface, -sti_vec3_dot(point->surface, n), n);
}

// The spot that the place has left goes along with the surface; the chord from there is turned back by half of
// what the surface has turned.
StiVec3 sti_surface_way(const StiShape *shape, StiVec3 from, StiVec3 to, double T)
{
    const StiQuat turn = sti_quat_exp(sti_vec3_scale(T, shape->surface_spin));
    const StiQuat back = sti_quat_exp(sti_vec3_scale(-0.5 * T, shape->surface_spin));
    const StiVec3 arm = sti_quat_rotate(turn, sti_vec3_sub(from, shape->p));
    const StiVec3 carried =
        sti_vec3_add_scaled(sti_vec3_add(shape->p, arm), T, shape->surface_velocity);
    return sti_quat_rotate(back, sti_vec3_sub(to, carried));
}
