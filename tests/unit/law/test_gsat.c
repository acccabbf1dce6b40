#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../../support/random.h"
#include "law/norm.h"
#include "stiction/law.h"

static void inside_the_limit_nothing_changes(void **state)
{
    (void)state;
    Random random = {10};
    for (int i = 0; i < 10000; ++i) {
        const int dim = 1 + random_below(&random, 3);
        double in[3], out[3];
        for (int k = 0; k < dim; ++k) in[k] = random_between(&random, -5.0, 5.0);
        assert_true(sti_gsat(dim, sti_norm(dim, in), in, out));
        assert_memory_equal(in, out, (size_t)dim * sizeof(double));
    }
}

static void outside_the_limit_keeps_the_direction(void **state)
{
    (void)state;
    Random random = {11};
    for (int i = 0; i < 10000; ++i) {
        const int dim = 1 + random_below(&random, 3);
        double in[3], out[3];
        for (int k = 0; k < dim; ++k) in[k] = random_between(&random, -5.0, 5.0);
        const double size = sti_norm(dim, in), limit = size * random_between(&random, 0.0, 0.999);
        assert_false(sti_gsat(dim, limit, in, out));
        assert_near(sti_norm(dim, out), limit, 1e-15 * limit);
        for (int k = 0; k < dim; ++k) assert_near(out[k], limit / size * in[k], 1e-15 * limit);
    }
}

static void one_dimension_saturates_exactly(void **state)
{
    (void)state;
    Random random = {12};
    for (int i = 0; i < 10000; ++i) {
        const double in = random_between(&random, -5.0, 5.0), limit = 0.9 * fabs(in);
        double out;
        assert_false(sti_gsat(1, limit, &in, &out));
        assert_true(out == copysign(limit, in));
    }
}

static void nothing_passes_at_limit_zero(void **state)
{
    (void)state;
    const double none[2] = {0.0, 0.0}, some[2] = {3.0, -4.0};
    double out[2];
    assert_true(sti_gsat(2, 0.0, none, out));
    assert_true(out[0] == 0.0 && out[1] == 0.0);
    assert_false(sti_gsat(2, 0.0, some, out));
    assert_true(out[0] == 0.0 && out[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_the_limit_nothing_changes),
        cmocka_unit_test(outside_the_limit_keeps_the_direction),
        cmocka_unit_test(one_dimension_saturates_exactly),
        cmocka_unit_test(nothing_passes_at_limit_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
