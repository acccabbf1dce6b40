// Many fits with each kind of noise: true values are inside 95 % of the intervals, not fewer than 90, not more than 99.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fit_coverage.h"

static void check(const Covered *covered, NoiseKind noise, int fits)
{
    static const uint64_t seed = 70000; // not those on which the corrections were tried
    int all;
    const int held = coverage_count(covered, noise, seed, fits, &all);
    print_message("%d of %d intervals hold the true value\n", held, all);
    assert_in_range(1000 * held / all, 900, 990);
}

#define COVERAGE(name, covered, noise, fits) \
    static void name(void **state) \
    { \
        (void)state; \
        check(&(covered), noise, fits); \
    }
COVERAGE(sliding_white, sliding_block, NOISE_WHITE, 200)
COVERAGE(sliding_correlated, sliding_block, NOISE_CORRELATED, 200)
COVERAGE(sliding_quantised, sliding_block, NOISE_QUANTISED, 200)
COVERAGE(lugre_white, lugre_block, NOISE_WHITE, 80)
COVERAGE(lugre_correlated, lugre_block, NOISE_CORRELATED, 80)
COVERAGE(maxwell_slip_white, maxwell_slip_block, NOISE_WHITE, 80)
COVERAGE(maxwell_slip_correlated, maxwell_slip_block, NOISE_CORRELATED, 80)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_white),           cmocka_unit_test(sliding_correlated),
        cmocka_unit_test(sliding_quantised),       cmocka_unit_test(lugre_white),
        cmocka_unit_test(lugre_correlated),        cmocka_unit_test(maxwell_slip_white),
        cmocka_unit_test(maxwell_slip_correlated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
