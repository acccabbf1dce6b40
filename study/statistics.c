// Summaries, rank correlation, proportions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/study.h"

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int64_t count, double share)
{
    const double place = share * (double)(count - 1);
    const int64_t below = (int64_t)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

// Student's t of 97.5 %: a table, then Cornish-Fisher's expansion from the normal quantile (1e-4 from 11 degrees of
// freedom on).
static double student(int64_t count)
{
    static const double few[] = {INFINITY,    12.706204736, 4.302652730, 3.182446305,
                                 2.776445105, 2.570581836,  2.446911851, 2.364624252,
                                 2.306004135, 2.262157163,  2.228138852};
    const double z = 1.959963985, n = (double)(count - 1), z3 = z * z * z, z5 = z3 * z * z;
    if (count <= 11) return count < 2 ? INFINITY : few[count - 1];
    return z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n) +
           (3.0 * z5 * z * z + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n);
}

bool sti_summarise(const double *values, int64_t count, StiSummary *summary)
{
    double *sorted = malloc((size_t)(count > 0 ? count : 1) * sizeof *sorted), sum = 0.0, squares = 0.0;
    *summary = (StiSummary){.mean = NAN, .deviation = NAN, .half = NAN, .least = NAN, .q05 = NAN,
                            .q25 = NAN, .median = NAN, .q75 = NAN, .q95 = NAN, .most = NAN};
    if (sorted == NULL) return false;
    int64_t n = 0;
    for (int64_t i = 0; i < count; ++i)
        if (!isnan(values[i])) sorted[n++] = values[i];
    for (int64_t i = 0; i < n; ++i) sum += sorted[i];
    summary->count = n;
    if (n > 0) {
        const double mean = sum / (double)n;
        for (int64_t i = 0; i < n; ++i) squares += (sorted[i] - mean) * (sorted[i] - mean);
        qsort(sorted, (size_t)n, sizeof *sorted, by_value);
        const double deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
        *summary = (StiSummary){.count = n,
                                .mean = mean,
                                .deviation = deviation,
                                .half = n > 1 ? student(n) * deviation / sqrt((double)n) : NAN,
                                .least = sorted[0],
                                .q05 = quantile(sorted, n, 0.05),
                                .q25 = quantile(sorted, n, 0.25),
                                .median = quantile(sorted, n, 0.5),
                                .q75 = quantile(sorted, n, 0.75),
                                .q95 = quantile(sorted, n, 0.95),
                                .most = sorted[n - 1]};
    }
    free(sorted);
    return true;
}

// ---- ranks --------------------------------------------------------------------------------------------------

typedef struct Ranked {
    double value;
    int64_t place;
} Ranked;

static int by_rank(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void rank(Ranked *work, int64_t n, double *ranks)
{
    qsort(work, (size_t)n, sizeof *work, by_rank);
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && work[end].value == work[i].value;) ++end;
        for (int64_t k = i; k < end; ++k) ranks[work[k].place] = 0.5 * (double)(i + end - 1);
    }
}

static double correlation(const double *x, const double *y, int64_t n)
{
    double sx = 0.0, sy = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        sx += x[i];
        sy += y[i];
    }
    for (int64_t i = 0; i < n; ++i) {
        const double dx = x[i] - sx / (double)n, dy = y[i] - sy / (double)n;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : NAN;
}

double sti_rank_correlation(const double *x, const double *y, int64_t count)
{
    const size_t size = (size_t)(count > 0 ? count : 1);
    Ranked *work = malloc(size * sizeof *work);
    double *ranks = malloc(2 * size * sizeof *ranks), result = NAN;
    if (work != NULL && ranks != NULL) {
        int64_t n = 0;
        for (int side = 0; side < 2; ++side) {
            n = 0;
            for (int64_t i = 0; i < count; ++i)
                if (!isnan(x[i]) && !isnan(y[i])) {
                    work[n] = (Ranked){side == 0 ? x[i] : y[i], n};
                    ++n;
                }
            rank(work, n, ranks + (size_t)side * size);
        }
        if (n > 1) result = correlation(ranks, ranks + size, n);
    }
    free(work);
    free(ranks);
    return result;
}

StiInterval sti_proportion(int64_t hits, int64_t count)
{
    if (count <= 0) return (StiInterval){NAN, 0.0, 1.0};
    const double z = 1.959963985, n = (double)count, p = (double)hits / n;
    const double middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    const double half =
        z / (1.0 + z * z / n) * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
    return (StiInterval){p, hits == 0 ? 0.0 : middle - half, hits == count ? 1.0 : middle + half};
}
