// Private: symmetric 3 x 3 matrices as six numbers xx, yy, zz, xy, xz, yz.
#ifndef STICTION_SRC_ALGEBRA_SYMMETRIC3_H
#define STICTION_SRC_ALGEBRA_SYMMETRIC3_H

#include <stdbool.h>

#include "stiction/vector.h"

StiVec3 sti_symmetric3_times(const double A[6], StiVec3 a);

// False, and nothing written, if A is not positive definite or not a number.
bool sti_symmetric3_invert(const double A[6], double inverse[6]);

// Ascending.
void sti_symmetric3_eigenvalues(const double A[6], double values[3]);

#endif
