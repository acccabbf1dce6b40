// Least squares with some unknowns not negative, against all possible choices of those at zero.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "algebra/cholesky.h"
#include "solver/paper/regularised.h"
#include "support/random.h"

enum { MOST = 6 };

typedef struct Case {
    double B[MOST * MOST], g[MOST], lambda[MOST], f[MOST], M[MOST * MOST], factor[MOST * MOST],
        rhs[MOST], dual[MOST];
    bool not_negative[MOST], fixed[MOST];
    int free[MOST];
    LeastSquares problem;
} Case;

static double cost(const Case *c, int n, const double *f)
{
    double sum = 0.0;
    for (int r = 0; r < n; ++r) {
        double v = c->g[r];
        for (int i = 0; i < n; ++i) v += c->B[r * n + i] * f[i];
        sum += v * v;
    }
    for (int i = 0; i < n; ++i) sum += c->lambda[i] * f[i] * f[i];
    return sum;
}

// The least cost with the marked unknowns at 0; false where a sign is wrong.
static bool minimum(const Case *c, int n, unsigned zeros, double *f)
{
    double M[MOST * MOST], x[MOST];
    int free[MOST], count = 0;
    for (int i = 0; i < n; ++i)
        if (!(zeros >> i & 1u)) free[count++] = i;
    for (int a = 0; a < count; ++a) {
        x[a] = 0.0;
        for (int b = 0; b < count; ++b) M[a * count + b] = a == b ? c->lambda[free[a]] : 0.0;
        for (int r = 0; r < n; ++r) {
            x[a] -= c->B[r * n + free[a]] * c->g[r];
            for (int b = 0; b < count; ++b)
                M[a * count + b] += c->B[r * n + free[a]] * c->B[r * n + free[b]];
        }
    }
    assert_true(sti_cholesky_factor(count, M));
    sti_cholesky_solve(count, M, x);
    memset(f, 0, (size_t)n * sizeof *f);
    for (int a = 0; a < count; ++a) {
        f[free[a]] = x[a];
        if (c->not_negative[free[a]] && x[a] < 0.0) return false;
    }
    return true;
}

static void it_is_the_best_of_all_choices(void **state)
{
    (void)state;
    Random random = {17};
    for (int k = 0; k < 400; ++k) {
        Case c;
        const int n = 1 + k % MOST;
        unsigned signs = 0;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) c.B[i * n + j] = random_between(&random, -1.0, 1.0);
            c.g[i] = random_between(&random, -1.0, 1.0);
            c.lambda[i] = 1e-4;
            c.not_negative[i] = i % 3 == 2 || k % 2 == 0;
            if (c.not_negative[i]) signs |= 1u << i;
        }
        c.problem = (LeastSquares){.rows = n,
                                   .unknowns = n,
                                   .B = c.B,
                                   .g = c.g,
                                   .lambda = c.lambda,
                                   .not_negative = c.not_negative,
                                   .f = c.f,
                                   .M = c.M,
                                   .factor = c.factor,
                                   .rhs = c.rhs,
                                   .dual = c.dual,
                                   .free = c.free,
                                   .fixed = c.fixed};
        sti_least_squares(&c.problem);
        double best = INFINITY, f[MOST];
        for (unsigned zeros = 0; zeros < 1u << n; ++zeros)
            if ((zeros & ~signs) == 0 && minimum(&c, n, zeros, f))
                best = fmin(best, cost(&c, n, f));
        for (int i = 0; i < n; ++i) assert_true(!c.not_negative[i] || c.f[i] >= 0.0);
        assert_true(fabs(cost(&c, n, c.f) - best) <= 1e-10 * (1.0 + best));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_the_best_of_all_choices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
