#include "algebra/lu.h"

#include <math.h>
#include <stddef.h>

static void swap_rows(double *A, int n, int a, int b)
{
    for (int k = 0; k < n; ++k) {
        const double x = A[a * n + k];
        A[a * n + k] = A[b * n + k];
        A[b * n + k] = x;
    }
}

// Two at a time: most rows are short.
static inline void take_off(double *restrict row, double times, const double *restrict other,
                            int count)
{
    int k = 0;
    for (; k + 2 <= count; k += 2) {
        row[k] -= times * other[k];
        row[k + 1] -= times * other[k + 1];
    }
    if (k < count) row[k] -= times * other[k];
}

static int largest_in_column(const double *A, int n, int k)
{
    int best = k;
    double most = fabs(A[k * n + k]);
    for (int i = k + 1; i < n; ++i) {
        const double size = fabs(A[i * n + k]);
        if (!(size > most)) continue;
        most = size;
        best = i;
    }
    return best;
}

bool sti_lu_factor_above(int n, double *A, int *pivot, double least, double *before)
{
    for (int k = 0; before != NULL && k < n; ++k) before[k] = least * fabs(A[k * n + k]);
    for (int k = 0; k < n; ++k) {
        double *top = A + k * n;
        pivot[k] = largest_in_column(A, n, k);
        if (pivot[k] != k) swap_rows(A, n, k, pivot[k]);
        if (!(fabs(top[k]) > (before != NULL ? before[k] : 0.0)) || !isfinite(top[k])) return false;
        const double inverse = 1.0 / top[k];
        top[k] = inverse;
        for (double *row = top + n; row < A + n * n; row += n) {
            const double ratio = row[k] * inverse;
            row[k] = ratio;
            if (ratio != 0.0) take_off(row + k + 1, ratio, top + k + 1, n - k - 1);
        }
    }
    return true;
}

bool sti_lu_factor(int n, double *A, int *pivot)
{
    return sti_lu_factor_above(n, A, pivot, 0.0, NULL);
}

// Column after column: then no number waits for a whole row of others.
void sti_lu_solve(int n, const double *A, const int *pivot, double *x)
{
    for (int k = 0; k < n; ++k) {
        const double picked = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = picked;
    }
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i) x[i] -= A[i * n + k] * x[k];
    for (int k = n - 1; k >= 0; --k) {
        x[k] *= A[k * n + k];
        for (int i = 0; i < k; ++i) x[i] -= A[i * n + k] * x[k];
    }
}
