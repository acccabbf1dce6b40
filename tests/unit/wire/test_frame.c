#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

static const StiAdmittanceId BODY = {1}, OTHER = {2}, WORLD = {-1};

static StiQuat quat_at(const double *x) { return (StiQuat){x[0], x[1], x[2], x[3]}; }

static void x_holds_the_gap_and_both_attitudes(void **state)
{
    (void)state;
    Random random = {31};
    const StiFrame B = random_frame(&random, 1.0), E = random_frame(&random, 1.0);
    const StiFrame a = random_link(&random);
    const StiWire wire = sti_wire_frame(BODY, 0, B, WORLD, 0, E);
    const Sensed s = sense_links(&wire, &a, &GROUND);
    const StiVec3 pB = sti_vec3_add(a.p, sti_quat_rotate(a.q, B.p));
    const StiVec3 axis = random_vec3(&random, 1.0);
    assert_near(distance(sti_vec3(s.x[0], s.x[1], s.x[2]), sti_vec3_sub(pB, E.p)), 0.0, 1e-15);
    assert_near(distance(sti_quat_rotate(quat_at(s.x + 3), axis), sti_quat_rotate(E.q, axis)), 0.0,
                3e-15);
    assert_near(distance(sti_quat_rotate(quat_at(s.x + 7), axis),
                         sti_quat_rotate(a.q, sti_quat_rotate(B.q, axis))), 0.0, 3e-15);
    assert_int_equal(wire.kind->size(&wire).positions, 12);
    const StiQuat turn =
        sti_quat_multiply(sti_quat_conjugate(quat_at(s.x + 3)), quat_at(s.x + 7));
    assert_near(s.x[11], sti_quat_twist(turn), 1e-15);
    assert_int_equal(wire.kind->size(&wire).velocities, 6);
    assert_int_equal(wire.b.body.number, -1);
}

static void linear_rows_are_rates_of_the_gap(void **state)
{
    (void)state;
    Random random = {32};
    for (int trial = 0; trial < 500; ++trial) {
        const StiFrame B = random_frame(&random, 1.0), E = random_frame(&random, 1.0);
        const StiWire wire = sti_wire_frame(BODY, 0, B, OTHER, 0, E);
        const StiFrame a = random_link(&random), b = random_link(&random);
        for (int i = 0; i < 3; ++i) assert_near(rate_error(&wire, a, b, i), 0.0, 3e-9);
        const Sensed s = sense_links(&wire, &a, &b);
        assert_true(distance(sti_vec3(s.v[3], s.v[4], s.v[5]), sti_vec3_sub(a.w, b.w)) == 0.0);
    }
}

static void an_attitude_of_zeros_is_no_rotation(void **state)
{
    (void)state;
    const StiFrame plain = {.p = {1.0, 2.0, 3.0}}, twice = {.q = {0.0, 0.0, 2.0, 0.0}};
    const StiWire wire = sti_wire_frame(BODY, 0, plain, WORLD, 0, twice);
    assert_true(wire.a.frame.q.w == 1.0 && wire.a.frame.q.x == 0.0);
    assert_true(wire.b.frame.q.w == 0.0 && wire.b.frame.q.y == 1.0);
}

static void force_acts_at_the_origins_and_moment_anywhere(void **state)
{
    (void)state;
    const StiFrame B = {.p = {0.0, 2.0, 0.0}}, E = {.p = {0.0, 0.0, 3.0}};
    const StiFrame a = {.p = {5.0, 5.0, 5.0}, .q = {1.0, 0.0, 0.0, 0.0}}, b = GROUND;
    const StiWire wire = sti_wire_frame(BODY, 0, B, OTHER, 0, E);
    const double u[6] = {1.0, 0.0, 0.0, 10.0, 20.0, 30.0};
    const Wrenches w = apply_links(&wire, &a, &b, u);
    assert_true(distance(w.a.force, sti_vec3(-1.0, 0.0, 0.0)) == 0.0);
    assert_true(distance(w.b.force, sti_vec3(1.0, 0.0, 0.0)) == 0.0);
    assert_true(distance(w.a.moment, sti_vec3(-10.0, -20.0, 2.0 - 30.0)) == 0.0);
    assert_true(distance(w.b.moment, sti_vec3(10.0, 3.0 + 20.0, 30.0)) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_holds_the_gap_and_both_attitudes),
        cmocka_unit_test(linear_rows_are_rates_of_the_gap),
        cmocka_unit_test(an_attitude_of_zeros_is_no_rotation),
        cmocka_unit_test(force_acts_at_the_origins_and_moment_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
