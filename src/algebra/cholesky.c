// Cholesky by rows: each row of L needs only the rows above it.
#include <math.h>

#include "algebra/cholesky.h"

static double row_product(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < count; ++k) sum += a[k] * b[k];
    return sum;
}

bool sti_cholesky_factor(int n, double *A)
{
    for (int i = 0; i < n; ++i) {
        double *row = A + i * n;
        for (int j = 0; j < i; ++j) {
            const double *above = A + j * n;
            row[j] = (row[j] - row_product(j, row, above)) / above[j];
        }
        const double pivot = row[i] - row_product(i, row, row);
        if (!(pivot > 0.0)) return false; // also where it is not a number
        row[i] = sqrt(pivot);
    }
    return true;
}

void sti_cholesky_solve(int n, const double *L, double *x)
{
    for (int i = 0; i < n; ++i) x[i] = (x[i] - row_product(i, L + i * n, x)) / L[i * n + i];
    for (int i = n - 1; i >= 0; --i) {
        x[i] /= L[i * n + i];
        for (int k = 0; k < i; ++k) x[k] -= L[i * n + k] * x[i];
    }
}
