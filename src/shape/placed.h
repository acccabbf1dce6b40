// Private: a shape in the world.
#ifndef STICTION_SRC_SHAPE_PLACED_H
#define STICTION_SRC_SHAPE_PLACED_H

#include "algebra/spatial.h"
#include "stiction/shape.h"

typedef struct StiPlaced {
    const StiShape *shape;
    StiMat3 R; // own axes to world axes
    StiVec3 p; // own origin, world
} StiPlaced;

// A q of all zero, or of w alone, is no rotation.
static inline bool sti_shape_is_turned(const StiShape *shape)
{
    return shape->q.x != 0.0 || shape->q.y != 0.0 || shape->q.z != 0.0;
}

static inline StiMat3 sti_shape_attitude(const StiShape *shape, const StiFrame *link)
{
    return sti_mat3_of_quat(sti_shape_is_turned(shape) ? sti_quat_multiply(link->q, shape->q)
                                                       : link->q);
}
static inline StiVec3 sti_shape_origin(const StiShape *shape, const StiFrame *link)
{
    return sti_vec3_add(link->p, sti_quat_rotate(link->q, shape->p));
}
static inline StiPlaced sti_shape_placed(const StiShape *shape, const StiFrame *link)
{
    return (StiPlaced){shape, sti_shape_attitude(shape, link), sti_shape_origin(shape, link)};
}

static inline StiVec3 sti_placed_to_world(const StiPlaced *placed, StiVec3 own)
{
    return sti_vec3_add(placed->p, sti_mat3_times(placed->R, own));
}
static inline StiVec3 sti_placed_to_own(const StiPlaced *placed, StiVec3 world)
{
    return sti_mat3_transposed_times(placed->R, sti_vec3_sub(world, placed->p));
}
static inline StiVec3 sti_placed_axis_z(const StiPlaced *placed)
{
    return sti_vec3(placed->R.x.z, placed->R.y.z, placed->R.z.z);
}
// The point of the core that is furthest along a direction; all in world axes.
static inline StiVec3 sti_placed_support(const StiPlaced *placed, StiVec3 direction)
{
    const StiVec3 own = sti_mat3_transposed_times(placed->R, direction);
    return sti_placed_to_world(placed, placed->shape->kind->support(placed->shape, own));
}
static inline StiVec3 sti_placed_inner(const StiPlaced *placed)
{
    const StiHull *const hull = placed->shape->hull;
    return hull != NULL ? sti_placed_to_world(placed, hull->centre) : placed->p;
}
static inline double sti_placed_rounding(const StiPlaced *placed)
{
    return placed->shape->kind->rounding(placed->shape);
}

// A unit vector square to a unit vector; never from a short difference.
static inline StiVec3 sti_vec3_square_to(StiVec3 a)
{
    const StiVec3 other = fabs(a.x) < 0.6 ? sti_vec3(1.0, 0.0, 0.0) : sti_vec3(0.0, 1.0, 0.0);
    const StiVec3 b = sti_vec3_cross(a, other);
    return sti_vec3_scale(1.0 / sti_vec3_norm(b), b);
}

#endif
