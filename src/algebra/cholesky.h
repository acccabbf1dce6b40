// Private: Cholesky factors of small dense matrices, in place and without allocation.
#ifndef STICTION_SRC_ALGEBRA_CHOLESKY_H
#define STICTION_SRC_ALGEBRA_CHOLESKY_H

#include <stdbool.h>

// A (n x n, row major, symmetric positive definite; only its lower triangle is read) becomes L with
// A = L L^T, in its lower triangle. False if A is not positive definite or not a number.
bool sti_cholesky_factor(int n, double *A);

// x := (L L^T)^-1 x.
void sti_cholesky_solve(int n, const double *L, double *x);

#endif
