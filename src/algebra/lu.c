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
            for (int j = k + 1; l != 0.0 && j < n; ++j) A[i * n + j] -= l * A[k * n + j];
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
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) x[i] -= LU[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) x[i] -= LU[i * n + j] * x[j];
        x[i] /= LU[i * n + i];
    }
}
