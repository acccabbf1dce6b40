#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

static const StiAdmittanceId BODY = {1}, OTHER = {2};

static const double q_a[4] = {1.0, 2.0, 4.0, 8.0}, v_a[4] = {16.0, 32.0, 64.0, 128.0};
static const double q_b[4] = {0.5, 0.25, 0.125, 0.0625}, v_b[4] = {10.0, 20.0, 30.0, 40.0};
static const StiSide side_a = {q_a, v_a, &GROUND}, side_b = {q_b, v_b, &GROUND};
static const StiSide ground = {NULL, NULL, &GROUND};

static void against_the_ground_the_coordinates_themselves(void **state)
{
    (void)state;
    const StiWire wire = sti_wire_coordinate(BODY, 1, 2);
    double x[2], v[2];
    wire.kind->sense(&wire, &side_a, &ground, x, v);
    assert_true(x[0] == 2.0 && x[1] == 4.0 && v[0] == 32.0 && v[1] == 64.0);
    assert_int_equal(wire.b.body.number, -1);
    assert_int_equal(wire.kind->size(&wire).positions, 2);
    assert_int_equal(wire.kind->size(&wire).velocities, 2);
    assert_true(wire.kind->coordinates && !wire.kind->links);
}

static void a_pair_gives_differences(void **state)
{
    (void)state;
    const StiWire wire = sti_wire_coordinate_pair(BODY, 2, OTHER, 0, 2);
    double x[2], v[2];
    wire.kind->sense(&wire, &side_a, &side_b, x, v);
    assert_true(x[0] == 3.5 && x[1] == 7.75 && v[0] == 54.0 && v[1] == 108.0);
    assert_true(wire.a.body.number == 1 && wire.b.body.number == 2);
}

static void resistance_is_taken_from_a_and_given_to_b(void **state)
{
    (void)state;
    const StiWire wire = sti_wire_coordinate_pair(BODY, 2, OTHER, 0, 2);
    const double u[2] = {5.0, 7.0};
    double to_a[4] = {1.0, 1.0, 1.0, 1.0}, to_b[4] = {1.0, 1.0, 1.0, 1.0};
    const StiForce force_a = {.generalized = to_a}, force_b = {.generalized = to_b};
    wire.kind->apply(&wire, &side_a, &side_b, u, &force_a, &force_b);
    const double expected_a[4] = {1.0, 1.0, -4.0, -6.0}, expected_b[4] = {6.0, 8.0, 1.0, 1.0};
    assert_memory_equal(to_a, expected_a, sizeof to_a);
    assert_memory_equal(to_b, expected_b, sizeof to_b);
}

static void the_ground_takes_any_force(void **state)
{
    (void)state;
    const StiWire wire = sti_wire_coordinate(BODY, 0, 1);
    const double u = 3.0;
    double to_a = 0.0;
    const StiForce force_a = {.generalized = &to_a}, none = {NULL, NULL};
    wire.kind->apply(&wire, &side_a, &ground, &u, &force_a, &none);
    assert_true(to_a == -3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_the_ground_the_coordinates_themselves),
        cmocka_unit_test(a_pair_gives_differences),
        cmocka_unit_test(resistance_is_taken_from_a_and_given_to_b),
        cmocka_unit_test(the_ground_takes_any_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
