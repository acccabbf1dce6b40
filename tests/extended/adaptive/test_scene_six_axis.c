// The arms of property/adaptive/scene_six_axis, ten seconds of each.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/six_axis.h"

static void they_end(void **unused)
{
    (void)unused;
    static const char exactly[] = "{adaptive: dormand-prince, rtol: 1e-7, atol: 1e-9}";
    for (int seed = 1; seed <= 6; ++seed) {
        double cut[SIX_AXES], rule[SIX_AXES], exact[SIX_AXES];
        six_axis_run(six_axis_scene(seed, NULL, 1e-3, 10.0), cut);
        six_axis_run(six_axis_scene(seed, "rule", 1e-3, 10.0), rule);
        six_axis_run(six_axis_scene(seed, exactly, 1e-3, 10.0), exact);
        if (!(six_axis_apart(cut, exact) < 0.05) || !(six_axis_apart(rule, exact) < 0.1))
            fail_msg("seed %d: cut %g, rule %g rad off error control", seed,
                     six_axis_apart(cut, exact), six_axis_apart(rule, exact));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
