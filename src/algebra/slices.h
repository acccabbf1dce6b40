// Private: vectors and quaternions read from and written to slices of a state, and products of slices.
#ifndef STICTION_SRC_ALGEBRA_SLICES_H
#define STICTION_SRC_ALGEBRA_SLICES_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "stiction/vector.h"

static inline StiVec3 sti_vec3_read(const double *a) { return (StiVec3){a[0], a[1], a[2]}; }
static inline void sti_vec3_write(StiVec3 a, double *to)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}
static inline StiQuat sti_quat_read(const double *a) { return (StiQuat){a[0], a[1], a[2], a[3]}; }
static inline void sti_quat_write(StiQuat q, double *to)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

// The first dim axes of a slice; missing axes read 0.
static inline StiVec3 sti_vec3_read_axes(int dim, const double *a)
{
    return (StiVec3){a[0], dim > 1 ? a[1] : 0.0, dim > 2 ? a[2] : 0.0};
}
static inline void sti_vec3_write_axes(int dim, StiVec3 a, double *to)
{
    const double axes[3] = {a.x, a.y, a.z};
    for (int i = 0; i < dim; ++i) to[i] = axes[i];
}

// Of unit length but for rounding, by its square: to normalise it again would only change bits, and
// what is exported and read back would differ.
static inline bool sti_is_unit(double square) { return fabs(square - 1.0) <= 8.0 * DBL_EPSILON; }

// What a user gives as an attitude: any length, and all zero means no rotation.
static inline StiQuat sti_quat_attitude(StiQuat given)
{
    const double square =
        given.w * given.w + given.x * given.x + given.y * given.y + given.z * given.z;
    const bool none = given.w == 0.0 && given.x == 0.0 && given.y == 0.0 && given.z == 0.0;
    return none ? STI_QUAT_IDENTITY : sti_is_unit(square) ? given : sti_quat_normalise(given);
}

static inline double sti_dot(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

#endif
