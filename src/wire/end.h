// Private: points and frames fixed in the links that wires join.
#ifndef STICTION_SRC_WIRE_END_H
#define STICTION_SRC_WIRE_END_H

#include "stiction/wire.h"
#include "algebra/slices.h"

// A point of a link: nothing turns there.
static inline StiFrame sti_end_point(StiVec3 p)
{
    return (StiFrame){.p = p, .q = STI_QUAT_IDENTITY};
}

// A frame as a user gives it, with a unit attitude (all zero means no rotation).
static inline StiFrame sti_end_frame(StiFrame given)
{
    return (StiFrame){.p = given.p, .q = sti_quat_attitude(given.q)};
}

static inline StiEnd sti_end_ground(StiFrame frame)
{
    return (StiEnd){.body = STI_GROUND, .frame = frame};
}

// From the origin of the link to the end, in world axes. sense and apply take the same arm, so that
// no power is lost to rounding far from the world's origin.
static inline StiVec3 sti_end_arm(const StiEnd *end, const StiSide *side)
{
    return sti_quat_rotate(side->link->q, end->frame.p);
}

// The end's frame in the world, moving with its link.
static inline StiFrame sti_end_in_world(const StiEnd *end, const StiSide *side)
{
    const StiVec3 arm = sti_end_arm(end, side);
    return (StiFrame){.p = sti_vec3_add(side->link->p, arm),
                      .q = sti_quat_multiply(side->link->q, end->frame.q),
                      .v = sti_frame_velocity_at(side->link, arm),
                      .w = side->link->w};
}

// What an end receives: a force at arm and a moment, world axes. The ground takes all.
static inline void sti_end_push(const StiEnd *end, const StiForce *force, StiVec3 f, StiVec3 arm)
{
    if (force->links) sti_wrench_add_force(&force->links[end->place], f, arm);
}
static inline void sti_end_twist(const StiEnd *end, const StiForce *force, StiVec3 moment)
{
    if (!force->links) return;
    StiWrench *wrench = &force->links[end->place];
    wrench->moment = sti_vec3_add(wrench->moment, moment);
}

#endif
