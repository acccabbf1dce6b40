// Sobol's indices from Saltelli's design, by Jansen's estimators: M. J. W. Jansen, "Analysis of variance designs
// for model output", Comput. Phys. Commun. 117 (1999); A. Saltelli et al., Comput. Phys. Commun. 181 (2010).
#include <math.h>
#include <stdlib.h>

#include "random.h"
#include "stiction/study.h"

enum { SAMPLES = 200 };

// Blocks of points: f(A), f(B), then f of A with column i of B.
typedef struct Blocks {
    const double *values;
    int64_t *good; // points without NaN
    int64_t count;
    int width; // parameters + 2
} Blocks;

static double variance(const Blocks *blocks, const int64_t *chosen)
{
    double sum = 0.0, squares = 0.0;
    const double n = 2.0 * (double)blocks->count;
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < blocks->count; ++i) {
            const double *f = blocks->values + chosen[i] * blocks->width;
            for (int k = 0; k < 2; ++k) {
                if (pass == 0) sum += f[k];
                if (pass == 1) squares += (f[k] - sum / n) * (f[k] - sum / n);
            }
        }
    return squares / n;
}

// first: 1 - mean (f(B) - f(AB_i))^2 / 2V; total: mean (f(A) - f(AB_i))^2 / 2V.
static void estimate(const Blocks *blocks, const int64_t *chosen, int i, double v, double *first,
                     double *total)
{
    double of_b = 0.0, of_a = 0.0;
    for (int64_t k = 0; k < blocks->count; ++k) {
        const double *f = blocks->values + chosen[k] * blocks->width;
        of_a += (f[0] - f[i + 2]) * (f[0] - f[i + 2]);
        of_b += (f[1] - f[i + 2]) * (f[1] - f[i + 2]);
    }
    const double scale = 2.0 * (double)blocks->count * v;
    *first = 1.0 - of_b / scale;
    *total = of_a / scale;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The middle 95 % of the bootstrap samples.
static StiInterval interval(double value, double *samples)
{
    qsort(samples, SAMPLES, sizeof *samples, by_value);
    return (StiInterval){value, samples[SAMPLES / 40], samples[SAMPLES - 1 - SAMPLES / 40]};
}

static void find_good(Blocks *blocks, int64_t points)
{
    for (int64_t i = 0; i < points; ++i) {
        bool whole = true;
        for (int k = 0; k < blocks->width; ++k)
            whole = whole && !isnan(blocks->values[i * blocks->width + k]);
        if (whole) blocks->good[blocks->count++] = i;
    }
}

bool sti_sobol_indices(const double *values, int64_t runs, int parameters, StiInterval *first,
                       StiInterval *total)
{
    Blocks blocks = {.values = values, .width = parameters + 2};
    const int64_t points = runs / blocks.width;
    const size_t size = (size_t)(points > 0 ? points : 1);
    blocks.good = malloc(2 * size * sizeof *blocks.good);
    // Of each bootstrap sample and parameter: first, then total.
    double *samples = malloc((size_t)parameters * 2 * SAMPLES * sizeof *samples);
    bool good = blocks.good != NULL && samples != NULL;
    if (good) find_good(&blocks, points);
    good = good && blocks.count >= 2;
    for (int s = -1; good && s < SAMPLES; ++s) { // -1: the points as they are
        int64_t *chosen = s < 0 ? blocks.good : blocks.good + size;
        for (int64_t k = 0; s >= 0 && k < blocks.count; ++k) {
            const double u = study_uniform(1, (uint64_t)k, (uint64_t)s);
            chosen[k] = blocks.good[(int64_t)(u * (double)blocks.count)];
        }
        const double v = variance(&blocks, chosen);
        for (int i = 0; i < parameters; ++i) {
            double a, b;
            estimate(&blocks, chosen, i, v, &a, &b);
            if (s < 0) {
                first[i].value = a;
                total[i].value = b;
            } else {
                samples[(2 * i) * SAMPLES + s] = a;
                samples[(2 * i + 1) * SAMPLES + s] = b;
            }
        }
    }
    for (int i = 0; good && i < parameters; ++i) {
        first[i] = interval(first[i].value, samples + 2 * i * SAMPLES);
        total[i] = interval(total[i].value, samples + (2 * i + 1) * SAMPLES);
    }
    free(blocks.good);
    free(samples);
    return good;
}
