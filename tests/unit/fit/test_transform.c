#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "transform.h"

static const struct {
    double least, most, start;
} ranges[] = {{-INFINITY, INFINITY, 3.0}, {0.0, INFINITY, 2.0}, {-INFINITY, 5.0, 1.0},
              {-2.0, 7.0, 0.5},           {1e2, 1e7, 3e4}};
enum { RANGES = sizeof ranges / sizeof ranges[0] };

static Transform transform_number(int i)
{
    return transform_of(ranges[i].least, ranges[i].most, ranges[i].start, fabs(ranges[i].start));
}

static void values_stay_within_their_bounds(void **state)
{
    (void)state;
    for (int i = 0; i < RANGES; ++i) {
        const Transform t = transform_number(i);
        for (double u = -50.0; u < 50.0; u += 0.37) {
            const double x = transform_value(&t, u);
            assert_true(isfinite(x) && x >= ranges[i].least && x <= ranges[i].most);
        }
    }
}

static void the_inverse_leads_back(void **state)
{
    (void)state;
    for (int i = 0; i < RANGES; ++i) {
        const Transform t = transform_number(i);
        for (double share = 0.05; share < 1.0; share += 0.05) {
            const double x = transform_share(&t, share);
            const double back = transform_value(&t, transform_inverse(&t, x));
            assert_true(fabs(back - x) < 1e-12 * (1.0 + fabs(x)));
        }
    }
}

// On a bound the slope would be 0, and no search would leave it.
static void searches_start_inside(void **state)
{
    (void)state;
    for (int i = 1; i < RANGES; ++i) {
        const Transform t = transform_number(i);
        const double bound = isfinite(t.least) ? t.least : t.most;
        const double u = transform_inverse(&t, bound);
        assert_true(fabs(transform_value(&t, u + 1e-4) - transform_value(&t, u)) > 0.0);
        assert_true(transform_at_bound(&t, bound));
        assert_false(transform_at_bound(&t, ranges[i].start));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay_within_their_bounds),
        cmocka_unit_test(the_inverse_leads_back),
        cmocka_unit_test(searches_start_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
