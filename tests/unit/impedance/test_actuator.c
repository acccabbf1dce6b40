// Drives: what robot descriptions call motor, position and velocity actuators.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/actuator.h"
#include "support/near.h"

static void torque_is_affine_and_goes_through_the_gear_twice(void **state)
{
    (void)state;
    const StiActuator drive = {.gain = 3.0, .K = 2.0, .B = 0.5, .offset = 0.25, .gear = 4.0};
    assert_near(sti_actuator(&drive, 0.1, 0.2, -0.3),
                4.0 * (0.3 - 2.0 * 4.0 * 0.2 + 0.5 * 4.0 * 0.3 + 0.25), 1e-15);
}

static void limits_hold_before_the_gear(void **state)
{
    (void)state;
    const StiActuator drive = {.gain = 1.0, .gear = 10.0, .lower = -1.0, .upper = 2.0};
    assert_true(sti_actuator(&drive, 5.0, 0.0, 0.0) == 20.0);
    assert_true(sti_actuator(&drive, -5.0, 0.0, 0.0) == -10.0);
    assert_true(sti_actuator(&drive, 0.5, 0.0, 0.0) == 5.0);
}

static void default_is_a_plain_motor(void **state)
{
    (void)state;
    const StiActuator drive = sti_default_actuator();
    assert_true(sti_actuator(&drive, 0.7, 1.0, 1.0) == 0.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_is_affine_and_goes_through_the_gear_twice),
        cmocka_unit_test(limits_hold_before_the_gear),
        cmocka_unit_test(default_is_a_plain_motor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
