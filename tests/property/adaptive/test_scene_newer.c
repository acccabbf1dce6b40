// Random scenes of the kinds that came later, under the judges of scene_any: finite, no energy made, the same bits resumed
// and reordered, the mirror image mirrored. One alone: STI_ANY_SEED=7 STI_ANY_COUNT=1 STI_ANY_SHOW=1, as there.
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
    const int first = SCENE_NEWER + number_of("STI_ANY_SEED", 1);
    const int count = number_of("STI_ANY_COUNT", (int)steps_or(60, 8));
    static RandomScene drafted;
    if (getenv("STI_ANY_SHOW") != NULL) {
        random_scene_make_any(&drafted, first, (SceneVersion)number_of("STI_ANY_VERSION", SCENE_PLAIN));
        puts(drafted.text);
    }
    const TrialSums sums = scene_trials(first, count, 1);
    assert_int_equal(sums.ends[TRIAL_BAD], 0);
    assert_true(sums.ends[TRIAL_REFUSED] <= 1 + count / 10);
    assert_true(sums.ends[TRIAL_TOLD] <= 1 + count / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_right_or_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
