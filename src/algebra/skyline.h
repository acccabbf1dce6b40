// Private: Cholesky factors of symmetric positive matrices within an envelope. Row i of the lower half has its
// numbers from column first[i] to i, and begins at start[i].
#ifndef STICTION_SRC_ALGEBRA_SKYLINE_H
#define STICTION_SRC_ALGEBRA_SKYLINE_H

#include <stdbool.h>

// A becomes L, A = L L^T. False where a pivot is not above this part of the diagonal it came from: 0 asks for a
// positive matrix, more for one that rounding has not made positive.
bool sti_skyline_factor(int n, const int *first, const int *start, double least, double *A);
// x := A^-1 x
void sti_skyline_solve(int n, const int *first, const int *start, const double *L, double *x);
// y -= A x
void sti_skyline_take_off(int n, const int *first, const int *start, const double *A,
                          const double *x, double *y);

#endif
