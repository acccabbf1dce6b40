// 20 000 random scenes of any kind: support/scene_trial.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/scene_trial.h"

enum { SCENES = 20000 };

static void all_is_right_or_told(void **state)
{
    (void)state;
    const TrialSums sums = scene_trials(1000, SCENES, 1);
    assert_int_equal(sums.ends[TRIAL_BAD], 0);
    assert_true(sums.ends[TRIAL_REFUSED] <= 1 + SCENES / 4);
    assert_true(sums.ends[TRIAL_TOLD] <= SCENES / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_right_or_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
