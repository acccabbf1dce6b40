#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "algebra/cholesky.h"
#include "support/near.h"
#include "support/random.h"

enum { LARGEST = 12 };

// G G^T + I: positive definite, with eigenvalues of at least 1.
static void random_matrix(Random *random, int n, double *A)
{
    double G[LARGEST * LARGEST];
    for (int i = 0; i < n * n; ++i) G[i] = random_between(random, -1.0, 1.0);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            A[i * n + j] = i == j ? 1.0 : 0.0;
            for (int k = 0; k < n; ++k) A[i * n + j] += G[i * n + k] * G[j * n + k];
        }
    }
}

static void factor_reproduces_the_matrix(void **state)
{
    (void)state;
    Random random = {1};
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 1 + trial % LARGEST;
        double A[LARGEST * LARGEST], L[LARGEST * LARGEST];
        random_matrix(&random, n, A);
        for (int i = 0; i < n * n; ++i) L[i] = A[i];
        assert_true(sti_cholesky_factor(n, L));
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j) {
                double product = 0.0;
                for (int k = 0; k <= j; ++k) product += L[i * n + k] * L[j * n + k];
                assert_near(product, A[i * n + j], 1e-14);
            }
        }
    }
}

static void solve_leaves_no_residual(void **state)
{
    (void)state;
    Random random = {2};
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 1 + trial % LARGEST;
        double A[LARGEST * LARGEST], L[LARGEST * LARGEST], x[LARGEST], b[LARGEST];
        random_matrix(&random, n, A);
        for (int i = 0; i < n * n; ++i) L[i] = A[i];
        for (int i = 0; i < n; ++i) x[i] = b[i] = random_between(&random, -1.0, 1.0);
        assert_true(sti_cholesky_factor(n, L));
        sti_cholesky_solve(n, L, x);
        for (int i = 0; i < n; ++i) {
            double product = 0.0;
            for (int k = 0; k < n; ++k) product += A[i * n + k] * x[k];
            assert_near(product, b[i], 1e-14);
        }
    }
}

static void only_the_lower_triangle_is_used(void **state)
{
    (void)state;
    double L[4] = {4.0, NAN, 2.0, 5.0}, x[2] = {8.0, 8.0};
    assert_true(sti_cholesky_factor(2, L));
    sti_cholesky_solve(2, L, x);
    assert_true(x[0] == 1.5 && x[1] == 1.0);
    assert_true(isnan(L[1]));
}

static void what_is_not_positive_definite_is_refused(void **state)
{
    (void)state;
    double indefinite[4] = {1.0, 2.0, 2.0, 1.0};
    double singular[4] = {1.0, 1.0, 1.0, 1.0};
    double no_number[4] = {1.0, NAN, NAN, 1.0};
    assert_false(sti_cholesky_factor(2, indefinite));
    assert_false(sti_cholesky_factor(2, singular));
    assert_false(sti_cholesky_factor(2, no_number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_reproduces_the_matrix),
        cmocka_unit_test(solve_leaves_no_residual),
        cmocka_unit_test(only_the_lower_triangle_is_used),
        cmocka_unit_test(what_is_not_positive_definite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
