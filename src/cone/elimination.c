// Gaussian elimination of systems that need no pivots: small symmetric ones, larger ones within their
// envelope.
#include "cone/elimination.h"

#include <math.h>

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

// Where all rows are held the matrix is W and a little more on the diagonal: half the work. The
// upper triangle becomes D L^T, the lower one L, the diagonal 1/D.
bool sti_factor_symmetric(double *A, int n, double least, double *before)
{
    for (int k = 0; k < n; ++k) before[k] = least * A[k * n + k];
    for (int k = 0; k < n; ++k) {
        double *row = A + k * n;
        if (!(row[k] > before[k])) return false;
        row[k] = 1.0 / row[k];
        for (int i = k + 1; i < n; ++i) {
            const double ratio = row[i] * row[k];
            A[i * n + k] = ratio;
            if (ratio != 0.0) take_off(A + i * n + i, ratio, row + i, n - i);
        }
    }
    return true;
}

void sti_solve_symmetric(const double *A, int n, double *x)
{
    for (int k = 0; k < n; ++k) {
        x[k] *= A[k * n + k];
        take_off(x + k + 1, x[k], A + k * n + k + 1, n - k - 1);
    }
    for (int k = n - 1; k > 0; --k) take_off(x, x[k], A + k * n, k);
}

// Four sums, always in the same order: faster than one, and the same bits every time.
static double dot(const double *a, const double *b, int n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; ++k) s0 += a[k] * b[k];
    return (s0 + s1) + (s2 + s3);
}

bool sti_factor_envelope(const Envelope *m, double least)
{
    for (int p = 0; p < m->rows; ++p) {
        const int first = m->first[p];
        double *row = m->lower + m->start[p], *column = m->upper + m->start[p];
        double size = fabs(m->diagonal[p]);
        for (int j = first; j < p; ++j) {
            const int from = first > m->first[j] ? first : m->first[j];
            const double *lower = m->lower + m->start[j] + from - m->first[j];
            const double *upper = m->upper + m->start[j] + from - m->first[j];
            row[j - first] -= dot(row + from - first, upper, j - from);
            row[j - first] *= m->diagonal[j];
            column[j - first] -= dot(column + from - first, lower, j - from);
        }
        const double pivot = m->diagonal[p] - dot(row, column, p - first);
        if (!(fabs(pivot) > least * size)) return false;
        m->diagonal[p] = 1.0 / pivot;
    }
    return true;
}

void sti_solve_envelope(const Envelope *m, double *x)
{
    for (int p = 0; p < m->rows; ++p)
        x[p] -= dot(m->lower + m->start[p], x + m->first[p], p - m->first[p]);
    for (int p = m->rows - 1; p >= 0; --p) {
        x[p] *= m->diagonal[p];
        const double *column = m->upper + m->start[p];
        for (int k = m->first[p]; k < p; ++k) x[k] -= column[k - m->first[p]] * x[p];
    }
}
