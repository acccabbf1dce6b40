#include "algebra/skyline.h"

#include <math.h>

bool sti_skyline_factor(int n, const int *first, const int *start, double least, double *A)
{
    for (int i = 0; i < n; ++i) {
        double *row = A + start[i] - first[i]; // so that row[j] is column j
        for (int j = first[i]; j < i; ++j) {
            const double *other = A + start[j] - first[j];
            double sum = row[j];
            for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; ++k)
                sum -= row[k] * other[k];
            row[j] = sum / other[j];
        }
        const double diagonal = row[i];
        double pivot = diagonal;
        for (int k = first[i]; k < i; ++k) pivot -= row[k] * row[k];
        if (!(pivot > least * diagonal) || !isfinite(pivot)) return false;
        row[i] = sqrt(pivot);
    }
    return true;
}

void sti_skyline_solve(int n, const int *first, const int *start, const double *L, double *x)
{
    for (int i = 0; i < n; ++i) {
        const double *row = L + start[i] - first[i];
        for (int k = first[i]; k < i; ++k) x[i] -= row[k] * x[k];
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *row = L + start[i] - first[i];
        x[i] /= row[i];
        for (int k = first[i]; k < i; ++k) x[k] -= row[k] * x[i];
    }
}

void sti_skyline_take_off(int n, const int *first, const int *start, const double *A,
                          const double *x, double *y)
{
    for (int i = 0; i < n; ++i) {
        const double *row = A + start[i] - first[i];
        double sum = row[i] * x[i];
        for (int k = first[i]; k < i; ++k) {
            sum += row[k] * x[k];
            y[k] -= row[k] * x[i];
        }
        y[i] -= sum;
    }
}
