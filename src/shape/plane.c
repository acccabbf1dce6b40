// A half space: all below z = 0 of its axes.
#include "stiction/shape.h"

// A rotation that turns z into a direction of any length.
static StiQuat turn_from_z(StiVec3 normal)
{
    const double length = sti_vec3_norm(normal);
    const StiVec3 n = sti_vec3_scale(1.0 / length, normal);
    if (n.x == 0.0 && n.y == 0.0)
        return n.z >= 0.0 ? STI_QUAT_IDENTITY : (StiQuat){0.0, 1.0, 0.0, 0.0};
    if (n.z < 0.0) { // half a turn about x first, so that 1 + n.z does not cancel
        const StiQuat rest = sti_quat_normalise((StiQuat){1.0 - n.z, n.y, -n.x, 0.0});
        return sti_quat_multiply(rest, (StiQuat){0.0, 1.0, 0.0, 0.0});
    }
    return sti_quat_normalise((StiQuat){1.0 + n.z, -n.y, n.x, 0.0});
}

StiShape sti_shape_plane(StiVec3 point, StiVec3 normal)
{
    return (StiShape){.kind = &sti_shape_kind_plane, .p = point, .q = turn_from_z(normal)};
}

const StiShapeKind sti_shape_kind_plane = {
    .info = {.name = "plane", .summary = "all below the plane z = 0"},
    .half_space = true,
};
