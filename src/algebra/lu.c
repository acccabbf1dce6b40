#include "algebra/lu.h"

#include <math.h>

static void exchange(int n, double *A, int i, int k)
{
    for (int j = 0; i != k && j < n; ++j) {
        const double kept = A[i * n + j];
        A[i * n + j] = A[k * n + j];
        A[k * n + j] = kept;
    }
}

static inline void subtract(int count, double l, const double *restrict row, double *restrict from)
{
    for (int j = 0; j < count; ++j) from[j] -= l * row[j];
}

bool sti_lu_factor(int n, double *A, int *pivots)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        if (!(fabs(A[best * n + k]) > 0.0) || !isfinite(A[best * n + k])) return false;
        pivots[k] = best;
        exchange(n, A, k, best);
        for (int i = k + 1; i < n; ++i) {
            const double l = A[i * n + k] /= A[k * n + k];
            if (l != 0.0) subtract(n - k - 1, l, &A[k * n + k + 1], &A[i * n + k + 1]);
        }
    }
    return true;
}

void sti_lu_solve(int n, const double *LU, const int *pivots, double *x)
{
    for (int k = 0; k < n; ++k) {
        const double kept = x[k];
        x[k] = x[pivots[k]];
        x[pivots[k]] = kept;
    }
    for (int i = 0; i < n; ++i) {
        double left = x[i];
        for (int j = 0; j < i; ++j) left -= LU[i * n + j] * x[j];
        x[i] = left;
    }
    for (int i = n - 1; i >= 0; --i) {
        double left = x[i];
        for (int j = i + 1; j < n; ++j) left -= LU[i * n + j] * x[j];
        x[i] = left / LU[i * n + i];
    }
}
