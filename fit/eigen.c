// Jacobi's method: small symmetric matrices of any size, all eigenvalues to rounding (src/algebra/symmetric3 knows 3 x 3 only).
#include <math.h>

#include "uncertainty.h"

static void rotate(int n, double *a, double *v, int p, int q)
{
    const double apq = a[p * n + q];
    if (apq == 0.0) return;
    const double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(1.0 + theta * theta));
    const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < n; ++k) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; ++k) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        const double vx = v[k * n + p], vy = v[k * n + q];
        v[k * n + p] = c * vx - s * vy;
        v[k * n + q] = s * vx + c * vy;
    }
}

void symmetric_eigen(int n, double *matrix, double *values, double *vectors)
{
    enum { SWEEPS = 60 };
    for (int i = 0; i < n * n; ++i) vectors[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        double off = 0.0, on = 0.0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                *(i == j ? &on : &off) += matrix[i * n + j] * matrix[i * n + j];
        if (!(off > 1e-30 * on)) break;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) rotate(n, matrix, vectors, p, q);
    }
    for (int i = 0; i < n; ++i) values[i] = matrix[i * n + i];
}
