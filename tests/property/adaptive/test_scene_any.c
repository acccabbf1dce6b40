// Random scenes of any kind: each is right, or was warned about, or stops and says why (support/scene_trial.h).
// One alone: STI_ANY_SEED=7 STI_ANY_COUNT=1 STI_ANY_SHOW=1 build/tests/test_property_adaptive_scene_any
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/scene_trial.h"
#include "support/short.h"

static int number_of(const char *name, int usual)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : usual;
}

static void all_is_right_or_told(void **state)
{
    (void)state;
    const int first = number_of("STI_ANY_SEED", 1);
    const int count = number_of("STI_ANY_COUNT", (int)steps_or(300, 40));
    static RandomScene drafted;
    if (getenv("STI_ANY_SHOW") != NULL) {
        random_scene_make_any(&drafted, first, (SceneVersion)number_of("STI_ANY_VERSION", SCENE_PLAIN));
        puts(drafted.text);
    }
    const TrialSums sums = scene_trials(first, count, 1);
    assert_int_equal(sums.ends[TRIAL_BAD], 0);
    assert_true(sums.ends[TRIAL_REFUSED] <= 1 + count / 4);
    assert_true(sums.ends[TRIAL_TOLD] <= 1 + count / 100);
}

// Each was wrong once: a rim on a box mirrored (4974); friction without a level at rest, beside contacts (5316, 10696);
// inertia lost in a step too long, unwarned (9063, 14060).
static void what_was_wrong_once_is_right(void **state)
{
    (void)state;
    static const int seeds[] = {4974, 5316, 9063, 10696, 14060};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; ++i)
        assert_int_equal(scene_trials(seeds[i], 1, 1).ends[TRIAL_BAD], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_right_or_told),
                                       cmocka_unit_test(what_was_wrong_once_is_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
