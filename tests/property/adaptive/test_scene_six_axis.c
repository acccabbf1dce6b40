// Arms with Stribeck friction in all joints that run into a table: they end, by every method, in the same place.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/short.h"
#include "support/six_axis.h"

static void the_default_and_the_rule_end_alike(void **unused)
{
    (void)unused;
    const long seeds = steps_or(4, 1);
    for (int seed = 1; seed <= seeds; ++seed) {
        double cut[SIX_AXES], rule[SIX_AXES];
        six_axis_run(six_axis_scene(seed, NULL, 1e-3, 2.0), cut);
        six_axis_run(six_axis_scene(seed, "rule", 1e-3, 2.0), rule);
        if (!(six_axis_apart(cut, rule) < 0.1))
            fail_msg("seed %d: %g rad apart", seed, six_axis_apart(cut, rule));
    }
}

static void so_does_error_control(void **unused)
{
    (void)unused;
    static const char exactly[] = "{adaptive: dormand-prince, rtol: 1e-7, atol: 1e-9}";
    double cut[SIX_AXES], exact[SIX_AXES];
    six_axis_run(six_axis_scene(1, NULL, 1e-3, 0.5), cut);
    six_axis_run(six_axis_scene(1, exactly, 1e-3, 0.5), exact);
    assert_true(six_axis_apart(cut, exact) < 2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_and_the_rule_end_alike),
        cmocka_unit_test(so_does_error_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
