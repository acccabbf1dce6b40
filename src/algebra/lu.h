// Private: LU factors of small dense matrices, in place and without allocation.
#ifndef STICTION_SRC_ALGEBRA_LU_H
#define STICTION_SRC_ALGEBRA_LU_H

#include <stdbool.h>

// A (n x n, row major) becomes L and U, with the inverse of the diagonal and rows exchanged as pivots
// say (n numbers). False if it is singular or not a number.
bool sti_lu_factor(int n, double *A, int *pivots);
// The same, and false at a pivot that is not above `least` of the diagonal that was there before; before: n
// numbers to work in.
bool sti_lu_factor_above(int n, double *A, int *pivots, double least, double *before);
// Pivot i of the factor.
static inline double sti_lu_pivot(int n, const double *LU, int i) { return 1.0 / LU[i * (n + 1)]; }
// x := A^-1 x
void sti_lu_solve(int n, const double *LU, const int *pivots, double *x);

#endif
