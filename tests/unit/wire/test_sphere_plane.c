#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

static const StiAdmittanceId BODY = {1}, OTHER = {2};

static StiWire random_wire(Random *random, double radius)
{
    const StiVec3 centre = random_vec3(random, 1.0), point = random_vec3(random, 1.0);
    const StiWire world =
        sti_wire_sphere_plane(BODY, 0, centre, radius, point, random_vec3(random, 1.0));
    return sti_wire_on_link(world, OTHER, 0);
}

static void on_the_floor_the_axes_are_those_of_the_world(void **state)
{
    (void)state;
    const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), up = sti_vec3(0.0, 0.0, 1.0);
    const StiWire wire = sti_wire_sphere_plane(BODY, 0, zero, 0.25, zero, up);
    const StiFrame a = {.p = {0.1, 0.7, 0.3},
                        .q = {0.6, 0.0, 0.8, 0.0},
                        .v = {1.0, 2.0, 3.0},
                        .w = {0.0, 5.0, 0.0}};
    const Sensed s = sense_links(&wire, &a, &GROUND);
    assert_true(s.x[0] == 0.1 && s.x[1] == 0.7 && s.x[2] == 0.3 - 0.25);
    assert_true(s.v[0] == 1.0 - 5.0 * 0.25 && s.v[1] == 2.0 && s.v[2] == 3.0);
}

static void a_rolling_sphere_does_not_slip(void **state)
{
    (void)state;
    Random random = {61};
    for (int trial = 0; trial < 500; ++trial) {
        const double R = random_decades(&random, 0.01, 1.0);
        const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), normal = random_vec3(&random, 1.0);
        const StiVec3 n = sti_vec3_scale(1.0 / sti_vec3_norm(normal), normal);
        const StiWire wire = sti_wire_sphere_plane(BODY, 0, zero, R, zero, normal);
        StiFrame a = random_link(&random);
        a.v = sti_vec3_scale(R, sti_vec3_cross(a.w, n));
        const Sensed s = sense_links(&wire, &a, &GROUND);
        for (int i = 0; i < 3; ++i) assert_near(s.v[i], 0.0, 5e-15);
        assert_near(s.x[2], sti_vec3_dot(n, a.p) - R, 5e-15);
    }
}

static void the_normal_row_is_a_rate(void **state)
{
    (void)state;
    Random random = {62};
    for (int trial = 0; trial < 500; ++trial) {
        const StiWire wire = random_wire(&random, 0.3);
        const StiFrame a = random_link(&random), b = random_link(&random);
        assert_near(rate_error(&wire, a, b, 2), 0.0, 3e-9);
    }
}

static void all_rows_are_rates_for_a_point_or_without_rolling(void **state)
{
    (void)state;
    Random random = {63};
    for (int trial = 0; trial < 500; ++trial) {
        const StiWire point = random_wire(&random, 0.0), sphere = random_wire(&random, 0.3);
        const StiFrame a = random_link(&random), b = random_link(&random);
        StiFrame carried = a;
        carried.w = b.w;
        for (int i = 0; i < 3; ++i) {
            assert_near(rate_error(&point, a, b, i), 0.0, 3e-9);
            assert_near(rate_error(&sphere, carried, b, i), 0.0, 3e-9);
        }
    }
}

static void the_force_acts_at_one_place_on_both(void **state)
{
    (void)state;
    Random random = {64};
    for (int trial = 0; trial < 500; ++trial) {
        const StiWire wire = random_wire(&random, 0.3);
        const StiFrame a = random_link(&random), b = random_link(&random);
        const double u[3] = {1.0, -2.0, -3.0};
        const Wrenches w = apply_links(&wire, &a, &b, u);
        assert_true(distance(w.a.force, sti_vec3_scale(-1.0, w.b.force)) == 0.0);
        assert_near(sti_vec3_norm(total_moment_of(&w, &a, &b)), 0.0, 5e-14);
    }
}

static void a_negative_normal_resistance_pushes_away(void **state)
{
    (void)state;
    const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), up = sti_vec3(0.0, 0.0, 1.0);
    const StiWire wire = sti_wire_sphere_plane(BODY, 0, zero, 0.5, zero, up);
    const double u[3] = {2.0, 0.0, -10.0};
    const Wrenches w = apply_links(&wire, &GROUND, &GROUND, u);
    assert_true(distance(w.a.force, sti_vec3(-2.0, 0.0, 10.0)) == 0.0);
    assert_true(distance(w.a.moment, sti_vec3(0.0, 1.0, 0.0)) == 0.0); // (0,0,-R) x (-2,0,10)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_the_floor_the_axes_are_those_of_the_world),
        cmocka_unit_test(a_rolling_sphere_does_not_slip),
        cmocka_unit_test(the_normal_row_is_a_rate),
        cmocka_unit_test(all_rows_are_rates_for_a_point_or_without_rolling),
        cmocka_unit_test(the_force_acts_at_one_place_on_both),
        cmocka_unit_test(a_negative_normal_resistance_pushes_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
