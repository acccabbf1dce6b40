// The choice among the corners of two faces that lie on each other: it ends, whatever rounding did to them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "shape/touches.h"
#include "support/random.h"

// A strip whose corners lie on its long sides, but for rounding: leaving one out may gain area.
static StiCandidates sliver(Random *random, int count)
{
    StiCandidates candidates = {.margin = 1e-3, .polygon = true};
    for (int i = 0; i < count; ++i) {
        const double along = i < count / 2 ? i : count - 1 - i;
        const double across =
            (i < count / 2 ? 0.0 : 1e-14) + 1e-13 * random_between(random, -1.0, 1.0);
        const StiVec3 place = {along + 0.3 * random_between(random, -1.0, 1.0), across, 0.0};
        sti_candidates_add(&candidates, &(StiTouch){.point_a = place,
                                                    .point_b = place,
                                                    .normal = {0.0, 0.0, 1.0},
                                                    .feature = (uint32_t)i});
    }
    return candidates;
}

static void corners_bent_by_rounding_are_chosen_in_finite_time(void **state)
{
    (void)state;
    Random random = {7};
    for (int i = 0; i < 2000; ++i) {
        StiCandidates candidates = sliver(&random, 5 + i % 4);
        StiTouch touches[STI_TOUCHES];
        const int count = sti_candidates_choose(&candidates, STI_TOUCHES, touches);
        assert_true(count >= 4 && count <= STI_TOUCHES);
        for (int k = 1; k < count; ++k) assert_true(touches[k - 1].feature < touches[k].feature);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_bent_by_rounding_are_chosen_in_finite_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
