#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/moving_links.h"
#include "support/near.h"

static const StiAdmittanceId BODY = {1}, OTHER = {2};
enum { CORNERS = 8 };

static void corners_are_counted_by_their_sides(void **state)
{
    (void)state;
    const StiFrame box = {.p = {1.0, 2.0, 3.0}}, a = {.q = {1.0, 0.0, 0.0, 0.0}};
    const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), up = sti_vec3(0.0, 0.0, 1.0);
    const StiWire wire = sti_wire_box_plane(BODY, 0, box, sti_vec3(0.5, 0.25, 0.125), zero, up);
    const Sensed s = sense_links(&wire, &a, &GROUND);
    for (int i = 0; i < CORNERS; ++i) {
        assert_true(s.x[3 * i + 0] == 1.0 + (i & 1 ? 0.5 : -0.5));
        assert_true(s.x[3 * i + 1] == 2.0 + (i & 2 ? 0.25 : -0.25));
        assert_true(s.x[3 * i + 2] == 3.0 + (i & 4 ? 0.125 : -0.125));
    }
    assert_int_equal(wire.kind->size(&wire).positions, 24);
    assert_int_equal(wire.kind->size(&wire).velocities, 24);
}

static StiWire random_wire(Random *random, StiFrame *box, StiVec3 *half)
{
    *box = random_frame(random, 1.0);
    *half = sti_vec3_add(sti_vec3(0.6, 0.5, 0.4), random_vec3(random, 0.3));
    const StiVec3 point = random_vec3(random, 1.0), normal = random_vec3(random, 1.0);
    return sti_wire_box_plane(BODY, 0, *box, *half, point, normal);
}

static StiVec3 corner_in_link(const StiFrame *box, StiVec3 half, int i)
{
    const StiVec3 in_box = sti_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                    i & 4 ? half.z : -half.z);
    return sti_vec3_add(box->p, sti_quat_rotate(box->q, in_box));
}

static void each_corner_is_a_point_against_the_plane(void **state)
{
    (void)state;
    Random random = {71};
    for (int trial = 0; trial < 200; ++trial) {
        StiFrame box;
        StiVec3 half;
        const StiWire wire = sti_wire_on_link(random_wire(&random, &box, &half), OTHER, 0);
        const StiFrame a = random_link(&random), b = random_link(&random);
        const Sensed s = sense_links(&wire, &a, &b);
        for (int i = 0; i < CORNERS; ++i) {
            StiWire point = wire;
            point.kind = &sti_wire_kind_sphere_plane;
            point.shape[0] = 0.0;
            point.a.frame.p = corner_in_link(&box, half, i);
            const Sensed alone = sense_links(&point, &a, &b);
            for (int j = 0; j < 3; ++j) {
                assert_near(s.x[3 * i + j], alone.x[j], 5e-15);
                assert_near(s.v[3 * i + j], alone.v[j], 2e-14);
            }
        }
    }
}

static void all_rows_are_rates(void **state)
{
    (void)state;
    Random random = {72};
    for (int trial = 0; trial < 100; ++trial) {
        StiFrame box;
        StiVec3 half;
        const StiWire wire = sti_wire_on_link(random_wire(&random, &box, &half), OTHER, 0);
        const StiFrame a = random_link(&random), b = random_link(&random);
        for (int row = 0; row < 3 * CORNERS; ++row)
            assert_near(rate_error(&wire, a, b, row), 0.0, 3e-9);
    }
}

static void forces_add_up_and_act_at_one_place_on_both(void **state)
{
    (void)state;
    Random random = {73};
    for (int trial = 0; trial < 200; ++trial) {
        StiFrame box;
        StiVec3 half;
        const StiWire wire = sti_wire_on_link(random_wire(&random, &box, &half), OTHER, 0);
        const StiFrame a = random_link(&random), b = random_link(&random);
        double u[3 * CORNERS], sum[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 3 * CORNERS; ++i) {
            u[i] = random_between(&random, -1.0, 1.0);
            sum[i % 3] += u[i];
        }
        const Wrenches w = apply_links(&wire, &a, &b, u);
        const StiQuat plane = sti_quat_multiply(b.q, wire.b.frame.q);
        const StiVec3 resultant = sti_quat_rotate(plane, sti_vec3(sum[0], sum[1], sum[2]));
        assert_near(distance(w.b.force, resultant), 0.0, 1e-14);
        assert_near(distance(w.a.force, sti_vec3_scale(-1.0, resultant)), 0.0, 1e-14);
        assert_near(sti_vec3_norm(total_moment_of(&w, &a, &b)), 0.0, 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_counted_by_their_sides),
        cmocka_unit_test(each_corner_is_a_point_against_the_plane),
        cmocka_unit_test(all_rows_are_rates),
        cmocka_unit_test(forces_add_up_and_act_at_one_place_on_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
