// 1e7 steps of dither below the level: the six-axis arm holds.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/scenes/shaken_arm.h"

enum { STEPS = 10000000 };

static void finite_time(void **state)
{
    (void)state;
    assert_arm_holds(STEPS);
}

static void elastic_coulomb(void **state)
{
    (void)state;
    assert_anchors_hold(STEPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_time),
        cmocka_unit_test(elastic_coulomb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
