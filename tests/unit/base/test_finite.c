#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "base/finite.h"

static void all_finite_numbers_pass(void **state)
{
    (void)state;
    const double x[] = {0.0,           -0.0, DBL_MAX, -DBL_MAX, DBL_MIN,
                        DBL_MIN / 4.0, 1.0,  DBL_MAX, DBL_MAX};
    assert_true(sti_all_finite(x, sizeof x / sizeof x[0])); // sums of them would overflow
    assert_true(sti_all_finite(NULL, 0));
}

static void one_bad_number_anywhere_is_found(void **state)
{
    (void)state;
    const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 4; ++b)
        for (int at = 0; at < 9; ++at) {
            double x[9] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
            x[at] = bad[b];
            assert_false(sti_all_finite(x, 9));
            assert_true(sti_all_finite(x, at)); // it is not looked at
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_finite_numbers_pass),
        cmocka_unit_test(one_bad_number_anywhere_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
