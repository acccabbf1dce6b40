// Factors and substitutions against the product they should undo.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "algebra/lu.h"
#include "cone/elimination.h"
#include "support/random.h"

enum { MOST = 33 };

static double A[MOST * MOST], factor[MOST * MOST], wanted[MOST], x[MOST];
static int pivot[MOST];
static double before[MOST];

static void multiply(int n, const double *vector, double *product)
{
    for (int i = 0; i < n; ++i) {
        product[i] = 0.0;
        for (int k = 0; k < n; ++k) product[i] += A[i * n + k] * vector[k];
    }
}

static void start(Random *random, int n)
{
    for (int i = 0; i < n * n; ++i) A[i] = random_between(random, -1.0, 1.0);
    for (int i = 0; i < n; ++i) wanted[i] = random_between(random, -1.0, 1.0);
}

// The residual is rounding, however the system is conditioned.
static void assert_solved(int n)
{
    double given[MOST], reached[MOST], most = 0.0;
    multiply(n, wanted, given);
    multiply(n, x, reached);
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    for (int i = 0; i < n; ++i)
        assert_true(fabs(reached[i] - given[i]) <= 1e-13 * n * (1.0 + most));
}

static void dense_systems_with_zeros_on_the_diagonal(void **state)
{
    (void)state;
    Random random = {.state = 3};
    for (int n = 1; n <= MOST; ++n) {
        start(&random, n);
        for (int i = 0; n > 1 && i < n; i += 2) A[i * n + i] = 0.0;
        multiply(n, wanted, x);
        memcpy(factor, A, sizeof A);
        assert_true(sti_lu_factor_above(n, factor, pivot, 0.0, before));
        sti_lu_solve(n, factor, pivot, x);
        assert_solved(n);
    }
}

static void symmetric_systems(void **state)
{
    (void)state;
    Random random = {.state = 4};
    for (int n = 1; n <= MOST; ++n) {
        start(&random, n);
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < i; ++k) A[i * n + k] = A[k * n + i];
            A[i * n + i] = n + 1.0;
        }
        multiply(n, wanted, x);
        memcpy(factor, A, sizeof A);
        assert_true(sti_factor_symmetric(factor, n, 0.0, before));
        sti_solve_symmetric(factor, n, x);
        assert_solved(n);
    }
}

// Rows begin at random columns, and columns at the same rows.
static void systems_within_an_envelope(void **state)
{
    (void)state;
    Random random = {.state = 5};
    static double lower[MOST * MOST], upper[MOST * MOST], diagonal[MOST];
    int first[MOST], begin[MOST];
    for (int n = 1; n <= MOST; ++n) {
        start(&random, n);
        int size = 0;
        for (int p = 0; p < n; ++p) {
            first[p] = random_below(&random, p + 1);
            begin[p] = size;
            for (int q = 0; q < first[p]; ++q) A[p * n + q] = A[q * n + p] = 0.0;
            for (int q = first[p]; q < p; ++q, ++size) {
                lower[size] = A[p * n + q];
                upper[size] = A[q * n + p];
            }
            A[p * n + p] = diagonal[p] = n + 1.0;
        }
        const Envelope envelope = {n, first, begin, lower, upper, diagonal};
        multiply(n, wanted, x);
        assert_true(sti_factor_envelope(&envelope, 1e-15));
        sti_solve_envelope(&envelope, x);
        assert_solved(n);
    }
}

static void what_has_no_answer_is_refused(void **state)
{
    (void)state;
    const double twice[4] = {1.0, 2.0, 2.0, 4.0}, negative[4] = {1.0, 2.0, 2.0, 1.0};
    const int first[2] = {0, 0}, begin[2] = {0, 0};
    double lower[1] = {2.0}, upper[1] = {2.0}, diagonal[2] = {1.0, 4.0};
    memcpy(factor, twice, sizeof twice);
    assert_false(sti_lu_factor_above(2, factor, pivot, 0.0, before));
    memcpy(factor, twice, sizeof twice);
    assert_false(sti_factor_symmetric(factor, 2, 0.0, before));
    memcpy(factor, negative, sizeof negative);
    assert_false(sti_factor_symmetric(factor, 2, 0.0, before));
    assert_false(sti_factor_envelope(&(Envelope){2, first, begin, lower, upper, diagonal}, 1e-15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_systems_with_zeros_on_the_diagonal),
        cmocka_unit_test(symmetric_systems),
        cmocka_unit_test(systems_within_an_envelope),
        cmocka_unit_test(what_has_no_answer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
