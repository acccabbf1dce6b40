// The algebra of cones, on random points inside them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cone/cone_step.h"
#include "support/random.h"

static void point_inside(Random *random, int n, double *x)
{
    for (int k = 1; k < n; ++k) x[k] = random_between(random, -1.0, 1.0);
    x[0] = sti_cone_tail(x, n) + random_decades(random, 1e-3, 10.0);
}

static void near(const double *a, const double *b, int n, double size)
{
    for (int k = 0; k < n; ++k) assert_true(fabs(a[k] - b[k]) <= 1e-9 * size);
}

static void division_undoes_the_product(void **state)
{
    (void)state;
    Random random = {.state = 1};
    for (int i = 0; i < 4000; ++i) {
        const int n = 1 + i % CONE_MOST;
        double x[CONE_MOST], y[CONE_MOST], product[CONE_MOST], back[CONE_MOST];
        point_inside(&random, n, x);
        for (int k = 0; k < n; ++k) y[k] = random_between(&random, -1.0, 1.0);
        sti_cone_product(x, y, n, product);
        sti_cone_divide(x, product, n, back);
        near(y, back, n, x[0] / sti_cone_det(x, n) + 1.0);
    }
}

// S z = S^-1 x, and theta = S^-2.
static void scaling_makes_both_equal(void **state)
{
    (void)state;
    Random random = {.state = 2};
    for (int i = 0; i < 4000; ++i) {
        const int n = 1 + i % CONE_MOST;
        Cone cone;
        double other[CONE_MOST], once[CONE_MOST], twice[CONE_MOST], y[CONE_MOST];
        point_inside(&random, n, cone.x);
        point_inside(&random, n, cone.z);
        assert_true(sti_cone_prepare(&cone, n));
        sti_cone_scale(&cone, cone.x, n, -1.0, other);
        near(cone.lambda, other, n, 1e3 * cone.lambda[0]);
        for (int k = 0; k < n; ++k) y[k] = random_between(&random, -1.0, 1.0);
        sti_cone_scale(&cone, y, n, -1.0, once);
        sti_cone_scale(&cone, once, n, -1.0, twice);
        for (int k = 0; k < n; ++k) {
            const double product = sti_cone_dot(cone.theta[k], y, n);
            assert_true(fabs(product - twice[k]) <= 1e-9 * (1.0 + cone.theta[0][0]));
        }
    }
}

static void outside_is_refused(void **state)
{
    (void)state;
    Cone cone = {.x = {1.0, 1.0, 0.5}, .z = {1.0, 0.0, 0.0}};
    assert_false(sti_cone_prepare(&cone, 3));
    cone.x[1] = NAN;
    assert_false(sti_cone_prepare(&cone, 3));
}

// As far as the surface, and no further.
static void reach_ends_at_the_surface(void **state)
{
    (void)state;
    Random random = {.state = 3};
    int ends = 0;
    for (int i = 0; i < 4000; ++i) {
        const int n = 1 + i % CONE_MOST;
        double x[CONE_MOST], d[CONE_MOST], at[CONE_MOST];
        point_inside(&random, n, x);
        for (int k = 0; k < n; ++k) d[k] = random_between(&random, -1.0, 1.0);
        const double a = sti_cone_reach(x, d, n), steps[2] = {0.999 * a, 1.001 * a};
        for (int side = 0; side < 2; ++side) {
            if (a >= 1e9) continue;
            for (int k = 0; k < n; ++k) at[k] = x[k] + steps[side] * d[k];
            assert_true((at[0] > sti_cone_tail(at, n)) == (side == 0));
        }
        ends += a < 1e9;
        for (int k = 0; a >= 1e9 && k < n; ++k) at[k] = x[k] + 1e3 * d[k];
        if (a >= 1e9) assert_true(at[0] > sti_cone_tail(at, n));
    }
    assert_true(ends > 1000 && ends < 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(division_undoes_the_product),
        cmocka_unit_test(scaling_makes_both_equal),
        cmocka_unit_test(outside_is_refused),
        cmocka_unit_test(reach_ends_at_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
