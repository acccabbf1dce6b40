// Least squares with some unknowns not negative: normal equations, which are a linear complementarity
// problem with a positive definite matrix. All violators change sides at once while that helps; then
// the one with the least index alone, which always ends (Murty).
#include <math.h>
#include <string.h>

#include "algebra/cholesky.h"
#include "solver/paper/regularised.h"

enum { PATIENCE = 8 }; // block exchanges that need not help

static const double floor_of_lambda = 1e-14; // of the diagonal: redundant forces get the least norm
static const double rounding = 1e-12;

static void normal_equations(LeastSquares *p)
{
    const int n = p->unknowns;
    double most = 0.0;
    memset(p->M, 0, (size_t)n * (size_t)n * sizeof *p->M);
    memset(p->rhs, 0, (size_t)n * sizeof *p->rhs);
    for (int r = 0; r < p->rows; ++r) {
        const double *row = p->B + (size_t)r * (size_t)n;
        for (int i = 0; i < n; ++i) {
            if (row[i] == 0.0) continue;
            double *M = p->M + (size_t)i * (size_t)n;
            for (int j = 0; j <= i; ++j) M[j] += row[i] * row[j];
            p->rhs[i] -= row[i] * p->g[r];
        }
    }
    for (int i = 0; i < n; ++i) most = fmax(most, p->M[i * n + i]);
    for (int i = 0; i < n; ++i)
        p->M[i * n + i] += fmax(p->lambda[i], floor_of_lambda * (most > 0.0 ? most : 1.0));
}

static double entry(const LeastSquares *p, int i, int j)
{
    return i >= j ? p->M[i * p->unknowns + j] : p->M[j * p->unknowns + i];
}

// The free unknowns with the others at 0.
static void solve_free(LeastSquares *p)
{
    int count = 0;
    for (int i = 0; i < p->unknowns; ++i)
        if (!p->fixed[i]) p->free[count++] = i;
    for (int a = 0; a < count; ++a) {
        for (int b = 0; b <= a; ++b) p->factor[a * count + b] = entry(p, p->free[a], p->free[b]);
        p->dual[a] = p->rhs[p->free[a]];
    }
    memset(p->f, 0, (size_t)p->unknowns * sizeof *p->f);
    if (!sti_cholesky_factor(count, p->factor)) return; // not a number: the step will say so
    sti_cholesky_solve(count, p->factor, p->dual);
    for (int a = 0; a < count; ++a) p->f[p->free[a]] = p->dual[a];
}

// Gradient at an unknown that is fixed: below 0 it wants to grow.
static double pull(const LeastSquares *p, int i, double *size)
{
    double sum = -p->rhs[i];
    *size = fabs(sum);
    for (int j = 0; j < p->unknowns; ++j) {
        const double term = entry(p, i, j) * p->f[j];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

static bool violates(const LeastSquares *p, int i)
{
    double size;
    if (!p->not_negative[i]) return false;
    if (!p->fixed[i]) return p->f[i] < 0.0;
    return pull(p, i, &size) < -rounding * size;
}

// All are judged before any of them changes sides.
static int mark_violators(LeastSquares *p)
{
    int count = 0;
    for (int i = 0; i < p->unknowns; ++i) {
        p->dual[i] = violates(p, i) ? 1.0 : 0.0;
        count += p->dual[i] == 1.0;
    }
    return count;
}

static void exchange(LeastSquares *p, bool first_only)
{
    for (int i = 0; i < p->unknowns; ++i) {
        if (p->dual[i] != 1.0) continue;
        p->fixed[i] = !p->fixed[i];
        if (first_only) return;
    }
}

void sti_least_squares(LeastSquares *p)
{
    const int limit = 16 + 4 * p->unknowns;
    int fewest = p->unknowns + 1, patience = PATIENCE;
    normal_equations(p);
    for (int i = 0; i < p->unknowns; ++i) p->fixed[i] = false;
    for (int round = 0; round < limit; ++round) {
        solve_free(p);
        ++p->iterations;
        const int violations = mark_violators(p);
        if (violations == 0) return;
        patience = violations < fewest ? PATIENCE : patience - 1;
        fewest = violations < fewest ? violations : fewest;
        exchange(p, patience < 0);
    }
    for (int i = 0; i < p->unknowns; ++i)
        if (p->not_negative[i]) p->f[i] = fmax(p->f[i], 0.0);
}
