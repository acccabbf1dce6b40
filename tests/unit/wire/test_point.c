#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

static const StiAdmittanceId BODY = {1}, OTHER = {2};

static void x_is_the_way_from_the_anchor(void **state)
{
    (void)state;
    // A quarter turn about z: the point at (1, 0, 0) of the link stands at +y.
    const StiFrame link = {.p = {1.0, 2.0, 3.0},
                           .q = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)},
                           .v = {0.5, 0.0, 0.0},
                           .w = {0.0, 0.0, 2.0}};
    const StiWire wire =
        sti_wire_point(BODY, 0, sti_vec3(1.0, 0.0, 0.0), sti_vec3(0.0, 1.0, 0.0), 3);
    const Sensed s = sense_links(&wire, &link, &GROUND);
    assert_near(s.x[0], 1.0, 1e-15);
    assert_near(s.x[1], 2.0, 1e-15);
    assert_near(s.x[2], 3.0, 1e-15);
    assert_near(s.v[0], 0.5 - 2.0, 1e-15);
    assert_near(s.v[1], 0.0, 1e-15);
    assert_true(wire.b.body.number == -1 && wire.kind->links && !wire.kind->coordinates);
}

static void v_is_the_rate_of_x(void **state)
{
    (void)state;
    Random random = {21};
    for (int trial = 0; trial < 500; ++trial) {
        const StiVec3 on_a = random_vec3(&random, 1.0), on_b = random_vec3(&random, 1.0);
        const StiWire wire = sti_wire_point_pair(BODY, 0, on_a, OTHER, 0, on_b, 3);
        const StiFrame a = random_link(&random), b = random_link(&random);
        for (int i = 0; i < 3; ++i) assert_near(rate_error(&wire, a, b, i), 0.0, 3e-9);
    }
}

static void fewer_axes_are_the_first_ones(void **state)
{
    (void)state;
    Random random = {22};
    const StiFrame a = random_link(&random), b = random_link(&random);
    const StiVec3 on_a = random_vec3(&random, 1.0), on_b = random_vec3(&random, 1.0);
    const StiWire space = sti_wire_point_pair(BODY, 0, on_a, OTHER, 0, on_b, 3);
    const Sensed all = sense_links(&space, &a, &b);
    for (int dim = 1; dim < 3; ++dim) {
        const StiWire wire = sti_wire_point_pair(BODY, 0, on_a, OTHER, 0, on_b, dim);
        const double u[3] = {1.0, 2.0, NAN}, same[3] = {1.0, dim > 1 ? 2.0 : 0.0, 0.0};
        const Sensed some = sense_links(&wire, &a, &b);
        assert_int_equal(wire.kind->size(&wire).velocities, dim);
        assert_memory_equal(some.x, all.x, (size_t)dim * sizeof(double));
        assert_memory_equal(some.v, all.v, (size_t)dim * sizeof(double));
        const Wrenches some_u = apply_links(&wire, &a, &b, u);
        const Wrenches all_u = apply_links(&space, &a, &b, same);
        assert_true(distance(some_u.a.force, all_u.a.force) == 0.0);
        assert_true(distance(some_u.b.moment, all_u.b.moment) == 0.0);
    }
}

static void force_acts_at_the_points(void **state)
{
    (void)state;
    const StiFrame a = {.p = {5.0, 5.0, 5.0}, .q = {1.0, 0.0, 0.0, 0.0}}, b = GROUND;
    const StiWire wire = sti_wire_point_pair(BODY, 0, sti_vec3(0.0, 2.0, 0.0), OTHER, 0,
                                             sti_vec3(0.0, 0.0, 3.0), 3);
    const double u[3] = {1.0, 0.0, 0.0};
    const Wrenches w = apply_links(&wire, &a, &b, u);
    assert_true(distance(w.a.force, sti_vec3(-1.0, 0.0, 0.0)) == 0.0);
    assert_true(distance(w.b.force, sti_vec3(1.0, 0.0, 0.0)) == 0.0);
    assert_true(distance(w.a.moment, sti_vec3(0.0, 0.0, 2.0)) == 0.0); // (0,2,0) x (-1,0,0)
    assert_true(distance(w.b.moment, sti_vec3(0.0, 3.0, 0.0)) == 0.0); // (0,0,3) x (1,0,0)
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_is_the_way_from_the_anchor),
        cmocka_unit_test(v_is_the_rate_of_x),
        cmocka_unit_test(fewer_axes_are_the_first_ones),
        cmocka_unit_test(force_acts_at_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
