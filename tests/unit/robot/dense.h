// Dense linear algebra for tests, row major. Include after cmocka.h.
#ifndef STICTION_TESTS_DENSE_H
#define STICTION_TESTS_DENSE_H

#include <math.h>

// x := A^-1 x by elimination with row exchanges; A is destroyed.
static inline void dense_solve(int n, double *A, double *x)
{
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k])) p = i;
        assert_true(fabs(A[p * n + k]) > 0.0);
        for (int j = 0; j < n; ++j) {
            const double held = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = held;
        }
        const double held = x[k];
        x[k] = x[p];
        x[p] = held;
        for (int i = k + 1; i < n; ++i) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) x[i] -= A[i * n + j] * x[j];
        x[i] /= A[i * n + i];
    }
}

// y = A x
static inline void dense_times(int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < n; ++i) {
        y[i] = 0.0;
        for (int j = 0; j < n; ++j) y[i] += A[i * n + j] * x[j];
    }
}

#endif
