// Private: LU factors of small dense matrices, in place and without allocation.
#ifndef STICTION_SRC_ALGEBRA_LU_H
#define STICTION_SRC_ALGEBRA_LU_H

#include <stdbool.h>

// A (n x n, row major) becomes L and U with rows exchanged as pivots say (n numbers). False if it is
// singular or not a number.
bool sti_lu_factor(int n, double *A, int *pivots);
// x := A^-1 x
void sti_lu_solve(int n, const double *LU, const int *pivots, double *x);

#endif
