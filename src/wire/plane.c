// Contact points against a plane.
#include "wire/plane.h"

StiEnd sti_plane_end(StiVec3 point, StiVec3 normal)
{
    return sti_end_ground((StiFrame){.p = point, .q = sti_plane_attitude(normal)});
}

StiWire sti_wire_on_link(StiWire wire, StiAdmittanceId b, int link)
{
    wire.b.body = b;
    wire.b.place = link;
    return wire;
}

static StiVec3 arm_of_b(const StiSide *a, const StiSide *b, StiVec3 arm)
{
    return sti_vec3_add(sti_vec3_sub(a->link->p, b->link->p), arm);
}

void sti_plane_sense(const StiFrame *plane, const StiSide *a, const StiSide *b, StiVec3 arm,
                     double *x, double *v)
{
    const StiVec3 from_plane = sti_vec3_add(sti_vec3_sub(a->link->p, plane->p), arm);
    const StiVec3 of_a = sti_frame_velocity_at(a->link, arm);
    const StiVec3 of_b = sti_frame_velocity_at(b->link, arm_of_b(a, b, arm));
    sti_vec3_write(sti_quat_unrotate(plane->q, from_plane), x);
    sti_vec3_write(sti_quat_unrotate(plane->q, sti_vec3_sub(of_a, of_b)), v);
}

void sti_plane_apply(const StiWire *wire, const StiFrame *plane, const StiSide *a, const StiSide *b,
                     StiVec3 arm, const double *u, const StiForce *force_a, const StiForce *force_b)
{
    const StiVec3 f = sti_quat_rotate(plane->q, sti_vec3_read(u));
    sti_end_push(&wire->a, force_a, sti_vec3_scale(-1.0, f), arm);
    sti_end_push(&wire->b, force_b, f, arm_of_b(a, b, arm));
}

void sti_plane_check_shape(const StiWire *wire, const StiCheck *check)
{
    for (int i = 0; i < 4; ++i)
        if (!(wire->shape[i] >= 0.0) || !isfinite(wire->shape[i]))
            sti_check_error(check, "wire", wire->shape[i],
                            "radius and edges of a shape must be finite and 0 or more");
}
