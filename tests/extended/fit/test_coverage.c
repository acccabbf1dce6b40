// 200 fits with each kind of noise: true values are inside 95 % of the intervals, not fewer than 90, not more than 99.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fit_coverage.h"

static void check(NoiseKind noise)
{
    enum { FITS = 200 };
    int all;
    const int held = coverage_count(noise, FITS, &all);
    print_message("%d of %d intervals hold the true value\n", held, all);
    assert_in_range(1000 * held / all, 900, 990);
}

static void white_noise(void **state)
{
    (void)state;
    check(NOISE_WHITE);
}

static void noise_over_ten_rows(void **state)
{
    (void)state;
    check(NOISE_CORRELATED);
}

static void quantised(void **state)
{
    (void)state;
    check(NOISE_QUANTISED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_noise),
        cmocka_unit_test(noise_over_ten_rows),
        cmocka_unit_test(quantised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
