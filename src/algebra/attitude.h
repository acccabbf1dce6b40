// Private: attitudes of planes.
#ifndef STICTION_SRC_ALGEBRA_ATTITUDE_H
#define STICTION_SRC_ALGEBRA_ATTITUDE_H

#include "stiction/vector.h"

// Turns z into a normal of any length by the shortest way; exactly no rotation for the normal z.
// Half-way quaternion (1 + z.n, z x n). Below the horizon 1 + z.n would lose digits.
static inline StiQuat sti_plane_attitude(StiVec3 normal)
{
    const StiVec3 n = sti_vec3_scale(1.0 / sti_vec3_norm(normal), normal);
    if (n.x == 0.0 && n.y == 0.0 && n.z < 0.0) return (StiQuat){0.0, 1.0, 0.0, 0.0};
    const double w = n.z >= 0.0 ? 1.0 + n.z : (n.x * n.x + n.y * n.y) / (1.0 - n.z);
    return sti_quat_normalise((StiQuat){w, -n.y, n.x, 0.0});
}

#endif
