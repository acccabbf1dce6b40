// The short form of extended/fit/coverage.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fit_coverage.h"

// Of 60 intervals 57 are expected; fewer than 51 would come by chance once in 500 times, and the seed is fixed.
static void intervals_hold_true_values(void **state)
{
    (void)state;
    int all;
    const int held = coverage_count(&sliding_block, NOISE_WHITE, 5000, 20, &all);
    print_message("%d of %d intervals hold the true value\n", held, all);
    assert_true(100 * held >= 85 * all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(intervals_hold_true_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
