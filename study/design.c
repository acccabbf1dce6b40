#include "design.h"

#include <math.h>

#include "random.h"
#include "sobol.h"
#include "spread.h"

int64_t study_design_runs(const StiDesign *design)
{
    int64_t runs = 1;
    switch (design->sample) {
    case STI_SAMPLE_GRID:
        for (int i = 0; i < design->varied_count; ++i) runs *= design->varied[i].count;
        return runs;
    case STI_SAMPLE_LIST:
        return design->varied_count > 0 ? design->varied[0].count : 0;
    case STI_SAMPLE_SALTELLI:
        return design->runs * (design->varied_count + 2);
    case STI_SAMPLE_RANDOM:
    case STI_SAMPLE_LATIN:
    case STI_SAMPLE_SOBOL:
        break;
    }
    return design->runs;
}

bool study_design_factor(const StiDesign *design, double *factor)
{
    const int n = design->varied_count;
    for (int i = 0; i < n * n; ++i) factor[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int i = 0; i < design->correlation_count; ++i) {
        const StiCorrelation *c = &design->correlations[i];
        const int row = c->first > c->second ? c->first : c->second;
        factor[row * n + (c->first + c->second - row)] = c->value;
    }
    for (int j = 0; j < n; ++j) // Cholesky, in place
        for (int i = j; i < n; ++i) {
            double sum = factor[i * n + j];
            for (int k = 0; k < j; ++k) sum -= factor[i * n + k] * factor[j * n + k];
            if (i == j && !(sum > 1e-12)) return false;
            factor[i * n + j] = i == j ? sqrt(sum) : sum / factor[j * n + j];
        }
    return true;
}

// The last name varies fastest.
static void grid_values(const StiDesign *design, int64_t run, double *values)
{
    for (int i = design->varied_count - 1; i >= 0; --i) {
        const StiVaried *varied = &design->varied[i];
        values[i] = varied->values[run % varied->count];
        run /= varied->count;
    }
}

// The matrices A and B of Saltelli's design are two halves of one sequence; the block of a point has A, B, then A
// with one column of B after the other.
static double saltelli_share(const StiDesign *design, int64_t run, int i)
{
    const int n = design->varied_count, block = n + 2;
    const int64_t point = run / block, member = run % block;
    const bool of_b = member == 1 || member == i + 2;
    return study_sobol(design->seed, (uint32_t)point, of_b ? n + i : i);
}

// One run in each of equally likely strips of every parameter.
static double latin_share(const StiDesign *design, int64_t run, int i)
{
    const uint64_t own = study_mix(design->seed, (uint64_t)i), runs = (uint64_t)design->runs;
    const uint64_t strip = study_permute(own, runs, (uint64_t)run);
    const double share =
        ((double)strip + study_uniform(own, (uint64_t)run, (uint64_t)i)) / (double)runs;
    return fmin(share, 1.0 - 0x1p-53); // a sum may round to 1
}

static double share_of(const StiDesign *design, int64_t run, int i)
{
    switch (design->sample) {
    case STI_SAMPLE_LATIN:
        return latin_share(design, run, i);
    case STI_SAMPLE_SOBOL:
        return study_sobol(design->seed, (uint32_t)run, i);
    case STI_SAMPLE_SALTELLI:
        return saltelli_share(design, run, i);
    case STI_SAMPLE_RANDOM:
    case STI_SAMPLE_GRID:
    case STI_SAMPLE_LIST:
        break;
    }
    return study_uniform(design->seed, (uint64_t)run, (uint64_t)i);
}

// Correlated normal scores become shares again (a Gaussian copula): each parameter keeps its own distribution.
static void correlate(const StiDesign *design, const double *factor, double *shares)
{
    const int n = design->varied_count;
    for (int i = 0; i < n; ++i) shares[i] = study_normal_quantile(shares[i]);
    for (int i = n - 1; i >= 0; --i) {
        double score = 0.0;
        for (int k = 0; k <= i; ++k) score += factor[i * n + k] * shares[k];
        shares[i] = score;
    }
    for (int i = 0; i < n; ++i) {
        const double share = study_normal_share(shares[i]);
        shares[i] = fmax(0x1p-60, fmin(share, 1.0 - 0x1p-53));
    }
}

void study_design_values(const StiDesign *design, const double *factor, int64_t run, double *values)
{
    const int n = design->varied_count;
    if (design->sample == STI_SAMPLE_GRID) {
        grid_values(design, run, values);
        return;
    }
    for (int i = 0; i < n; ++i)
        values[i] = design->sample == STI_SAMPLE_LIST ? design->varied[i].values[run]
                                                       : share_of(design, run, i);
    if (design->sample == STI_SAMPLE_LIST) return;
    if (factor != NULL) correlate(design, factor, values);
    for (int i = 0; i < n; ++i) values[i] = study_spread_value(&design->varied[i], values[i]);
}
