// The arms of property/adaptive/scene_six_axis, ten seconds of each. Not under error control, which stops with "events
// accumulate" in some of them after seconds of stick and slip in six joints and a contact.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/six_axis.h"

static void they_end(void **unused)
{
    (void)unused;
    for (int seed = 1; seed <= 6; ++seed) {
        double cut[SIX_AXES], rule[SIX_AXES];
        six_axis_run(six_axis_scene(seed, NULL, 1e-3, 10.0), cut);
        six_axis_run(six_axis_scene(seed, "rule", 1e-3, 10.0), rule);
        if (!(six_axis_apart(cut, rule) < 0.1))
            fail_msg("seed %d: cut and rule are %g rad apart", seed, six_axis_apart(cut, rule));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
