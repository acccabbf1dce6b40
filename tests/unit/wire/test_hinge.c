#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/moving_links.h"
#include "support/near.h"

static const StiAdmittanceId BODY = {1}, OTHER = {2}, WORLD = {-1};
static const double PI = 3.14159265358979323846;

// A link b anywhere, and a link a whose frame B is E turned by angle about their z axis, as a hinge
// holds it. rate: of the angle.
typedef struct Hinged {
    StiWire wire;
    StiFrame a, b;
} Hinged;

static StiQuat about_z(double angle)
{
    return (StiQuat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
}

static Hinged random_hinge(Random *random, double angle, double rate)
{
    const StiFrame B = {.q = random_attitude(random)}, E = {.q = random_attitude(random)};
    Hinged h = {.wire = sti_wire_hinge(BODY, 0, B, OTHER, 0, E), .b = random_link(random)};
    const StiQuat qE = sti_quat_multiply(h.b.q, E.q);
    h.a = random_link(random);
    h.a.q = sti_quat_multiply(sti_quat_multiply(qE, about_z(angle)), sti_quat_conjugate(B.q));
    const StiVec3 axis = sti_quat_rotate(qE, sti_vec3(0.0, 0.0, 1.0));
    h.a.w = sti_vec3_add(h.b.w, sti_vec3_scale(rate, axis));
    return h;
}

static void x_is_the_angle_and_v_its_rate(void **state)
{
    (void)state;
    Random random = {41};
    for (int trial = 0; trial < 500; ++trial) {
        const double angle = random_between(&random, -PI, PI) * (1.0 - 1e-3);
        const double rate = random_between(&random, -3.0, 3.0);
        const Hinged h = random_hinge(&random, angle, rate);
        const Sensed s = sense_links(&h.wire, &h.a, &h.b);
        assert_near(s.x[0], angle, 1e-14);
        assert_near(s.v[0], rate, 1e-14);
        assert_near(rate_error(&h.wire, h.a, h.b, 0), 0.0, 3e-9);
    }
}

static double world_angle(StiQuat q)
{
    const StiFrame none = {.q = {0.0, 0.0, 0.0, 0.0}}, a = {.q = q};
    const StiWire wire = sti_wire_hinge(BODY, 0, none, WORLD, 0, none);
    return sense_links(&wire, &a, &GROUND).x[0];
}

static void the_angle_is_above_minus_pi_and_up_to_pi(void **state)
{
    (void)state;
    for (int i = -400; i <= 400; ++i) {
        const double angle = 0.01 * PI * i;
        const double wrapped = angle - 2.0 * PI * ceil((angle - PI) / (2.0 * PI));
        const double x = world_angle(about_z(angle));
        assert_true(x > -PI && x <= PI);
        if (abs(i) % 200 != 100) assert_near(x, wrapped, 4e-15);
    }
    // Half turns: both signs of the quaternion are the same attitude.
    assert_true(world_angle((StiQuat){0.0, 0.0, 0.0, 1.0}) == PI);
    assert_true(world_angle((StiQuat){0.0, 0.0, 0.0, -1.0}) == PI);
    assert_true(world_angle((StiQuat){-1.0, 0.0, 0.0, 0.0}) == 0.0);
}

static void moment_acts_about_the_axis_of_a(void **state)
{
    (void)state;
    Random random = {42};
    for (int trial = 0; trial < 100; ++trial) {
        const StiFrame B = {.q = random_attitude(&random)}, E = {.q = random_attitude(&random)};
        const StiWire wire = sti_wire_hinge(BODY, 0, B, OTHER, 0, E);
        const StiFrame a = random_link(&random), b = random_link(&random);
        const double u = 2.0;
        const Wrenches w = apply_links(&wire, &a, &b, &u);
        const StiVec3 in_B = sti_quat_unrotate(B.q, sti_quat_unrotate(a.q, w.a.moment));
        assert_near(distance(in_B, sti_vec3(0.0, 0.0, -2.0)), 0.0, 1e-14);
        assert_true(distance(w.b.moment, sti_vec3_scale(-1.0, w.a.moment)) == 0.0);
        assert_true(sti_vec3_norm(w.a.force) == 0.0 && sti_vec3_norm(w.b.force) == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_is_the_angle_and_v_its_rate),
        cmocka_unit_test(the_angle_is_above_minus_pi_and_up_to_pi),
        cmocka_unit_test(moment_acts_about_the_axis_of_a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
