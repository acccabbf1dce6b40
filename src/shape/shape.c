// What all shapes have in common: checks and bounds.
#include "base/finite.h"
#include "shape/touches.h"
#include "shape/verbs.h"

void sti_shape_check_size(const StiCheck *check, const char *name, double size)
{
    if (size > 0.0 && size < INFINITY) return;
    sti_check_error(check, name, size, "a shape's size must be above 0 m and finite");
}

void sti_shape_check(const StiShape *shape, const StiCheck *check)
{
    if (shape->kind->table_size != sizeof *shape->kind) {
        sti_check_error(check, "kind", NAN,
                        "the shape's table says table_size = %zu, and this library has %zu",
                        shape->kind->table_size, sizeof *shape->kind);
        return;
    }
    const double pose[7] = {shape->p.x, shape->p.y, shape->p.z, shape->q.w,
                            shape->q.x, shape->q.y, shape->q.z};
    if (!sti_all_finite(pose, 7))
        sti_check_error(check, "placement", NAN,
                        "the place of a shape must be finite (a plane needs a normal that is not "
                        "zero)");
    const double square =
        pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6];
    if (square != 0.0 && fabs(square - 1.0) > 1e-9)
        sti_check_error(check, "placement", sqrt(square),
                        "the quaternion of a shape must be of length 1 (or all zero)");
    if (shape->kind->info.check != NULL) shape->kind->info.check(shape, check);
}

static double support_along(const StiPlaced *placed, StiVec3 row, double sign)
{
    const StiVec3 direction = sti_vec3_scale(sign, row);
    return sti_vec3_dot(row, placed->shape->kind->support(placed->shape, direction));
}

// A plane bounds its half space only where its normal is an axis of the world.
static StiBounds half_space_bounds(const StiPlaced *placed)
{
    const StiVec3 n = sti_placed_axis_z(placed);
    StiBounds bounds = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    if (n.x == 1.0) bounds.upper.x = placed->p.x;
    if (n.x == -1.0) bounds.lower.x = placed->p.x;
    if (n.y == 1.0) bounds.upper.y = placed->p.y;
    if (n.y == -1.0) bounds.lower.y = placed->p.y;
    if (n.z == 1.0) bounds.upper.z = placed->p.z;
    if (n.z == -1.0) bounds.lower.z = placed->p.z;
    return bounds;
}

StiBounds sti_placed_bounds(const StiPlaced *placed)
{
    if (placed->shape->kind->half_space) return half_space_bounds(placed);
    const StiMat3 R = placed->R; // its rows are the world's axes in own axes
    const double r = sti_placed_rounding(placed);
    const StiVec3 lower = {support_along(placed, R.x, -1.0), support_along(placed, R.y, -1.0),
                           support_along(placed, R.z, -1.0)};
    const StiVec3 upper = {support_along(placed, R.x, 1.0), support_along(placed, R.y, 1.0),
                           support_along(placed, R.z, 1.0)};
    return (StiBounds){sti_vec3_add(placed->p, sti_vec3(lower.x - r, lower.y - r, lower.z - r)),
                       sti_vec3_add(placed->p, sti_vec3(upper.x + r, upper.y + r, upper.z + r))};
}

StiBounds sti_shape_bounds(const StiShape *shape, const StiFrame *link)
{
    const StiPlaced placed = sti_shape_placed(shape, link);
    return sti_placed_bounds(&placed);
}
