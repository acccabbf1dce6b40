#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "algebra/skyline.h"
#include "support/random.h"

enum { N = 9 };

// Random columns within the envelope, a diagonal that makes it positive.
static void solves_within_its_envelope(void **state)
{
    (void)state;
    Random random = {7};
    for (int round = 0; round < 50; ++round) {
        double A[N][N] = {{0.0}}, packed[N * N], x[N], right[N];
        int first[N], start[N], size = 0;
        for (int i = 0; i < N; ++i) {
            first[i] = i - random_below(&random, i + 1);
            start[i] = size;
            for (int k = first[i]; k < i; ++k)
                A[i][k] = A[k][i] = random_between(&random, -1.0, 1.0);
            A[i][i] = N;
            for (int k = first[i]; k <= i; ++k) packed[size++] = A[i][k];
            right[i] = random_between(&random, -1.0, 1.0);
            x[i] = right[i];
        }
        double left_over[N], unfactored[N * N];
        memcpy(unfactored, packed, sizeof packed);
        assert_true(sti_skyline_factor(N, first, start, 0.0, packed));
        sti_skyline_solve(N, first, start, packed, x);
        memcpy(left_over, right, sizeof right);
        sti_skyline_take_off(N, first, start, unfactored, x, left_over);
        for (int i = 0; i < N; ++i) {
            double left = 0.0;
            for (int k = 0; k < N; ++k) left += A[i][k] * x[k];
            assert_true(fabs(left - right[i]) < 1e-14);
            assert_true(fabs(right[i] - left - left_over[i]) < 1e-15);
        }
    }
}

static void says_where_there_is_no_factor(void **state)
{
    (void)state;
    const int first[2] = {0, 0}, start[2] = {0, 1};
    double indefinite[3] = {1.0, 2.0, 1.0}, unknown[3] = {1.0, NAN, 1.0};
    assert_false(sti_skyline_factor(2, first, start, 0.0, indefinite));
    assert_false(sti_skyline_factor(2, first, start, 0.0, unknown));
}

// Two rows that differ by rounding only.
static void says_where_a_pivot_is_rounding(void **state)
{
    (void)state;
    const int first[2] = {0, 0}, start[2] = {0, 1};
    double nearly[3] = {1.0, 1.0, 1.0 + 1e-14}, again[3] = {1.0, 1.0, 1.0 + 1e-14};
    assert_true(sti_skyline_factor(2, first, start, 0.0, nearly));
    assert_false(sti_skyline_factor(2, first, start, 1e-12, again));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_within_its_envelope),
                                       cmocka_unit_test(says_where_there_is_no_factor),
                                       cmocka_unit_test(says_where_a_pivot_is_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
