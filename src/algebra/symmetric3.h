// Private: symmetric 3 x 3 matrices as six numbers xx, yy, zz, xy, xz, yz.
#ifndef STICTION_SRC_ALGEBRA_SYMMETRIC3_H
#define STICTION_SRC_ALGEBRA_SYMMETRIC3_H

#include <stdbool.h>

#include "stiction/vector.h"

static inline StiVec3 sti_symmetric3_times(const double A[6], StiVec3 a)
{
    return sti_vec3(A[0] * a.x + A[3] * a.y + A[4] * a.z, A[3] * a.x + A[1] * a.y + A[5] * a.z,
                    A[4] * a.x + A[5] * a.y + A[2] * a.z);
}

// False, and nothing written, if A is not positive definite or not a number.
bool sti_symmetric3_invert(const double A[6], double inverse[6]);

// Ascending.
void sti_symmetric3_eigenvalues(const double A[6], double values[3]);

#endif
