// 20 000 random scenes of any kind: support/scene_trial.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/scene_trial.h"

enum { FIRST = 1000, SCENES = 20000 };

// Still wrong, and why. A seed that is cured goes out of this list.
//   6660   friction under the load of its own driven joint, on a level that falls faster than its spring yields: 3 %
//          of the energy is made in steps that cannot be followed
//   20676  three shapes that tumble over each other at 5 ms: mirrored 0.1 rad/s off; the cause was not found yet
static const int known[] = {6660, 20676};

static int known_among(int first, int count)
{
    int bad = 0;
    puts("known:");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (known[i] >= first && known[i] < first + count) bad += scene_trials(known[i], 1, 1).ends[TRIAL_BAD];
    return bad;
}

static void all_is_right_or_told(void **state)
{
    (void)state;
    const TrialSums sums = scene_trials(FIRST, SCENES, 1);
    assert_int_equal(sums.ends[TRIAL_BAD], known_among(FIRST, SCENES));
    assert_true(sums.ends[TRIAL_REFUSED] <= 1 + SCENES / 4);
    assert_true(sums.ends[TRIAL_TOLD] <= SCENES / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_right_or_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
