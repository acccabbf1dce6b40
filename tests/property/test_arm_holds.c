// A six-axis arm under gravity, held by its motors and shaken below the level of its friction, does
// not move: with the finite-time rule not by one bit; with elastic Coulomb its anchors do not walk.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/scenes/shaken_arm.h"
#include "support/short.h"

static void finite_time(void **state)
{
    (void)state;
    assert_arm_holds(steps_or(1000000, 5000));
}

static void elastic_coulomb(void **state)
{
    (void)state;
    assert_anchors_hold(steps_or(1000000, 5000));
}

// The same arm does move when it is shaken harder: the tests above can fail.
static void above_the_level_it_moves(void **state)
{
    (void)state;
    SixAxisMotors motors;
    Rig rig = rig_of(six_axis_plan(&motors, 1.5, false, 1e-3));
    rig_run(&rig, 1000);
    const double *q = sti_state_positions(rig.state, rig.network, (StiAdmittanceId){1});
    for (int i = 0; i < SIX_AXES; ++i) assert_true(q[i] != six_axis_pose[i]);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_time),
        cmocka_unit_test(elastic_coulomb),
        cmocka_unit_test(above_the_level_it_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
