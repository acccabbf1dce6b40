// Boxes on boxes: resting ones exactly, and the same from step to step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "any_shape.h"
#include "support/near.h"

static int touch(const StiShape *a, StiFrame link_a, const StiShape *b, StiFrame link_b,
                 double margin, StiTouch *touches)
{
    return sti_shape_touch(a, &link_a, b, &link_b, margin, STI_TOUCHES, touches);
}

static StiFrame at(double x, double y, double z)
{
    return (StiFrame){.p = {x, y, z}, .q = STI_QUAT_IDENTITY};
}

static void a_box_on_an_equal_box_stands_on_its_corners(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.5, 0.25, 0.125));
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(touch(&box, at(0, 0, 0.25), &box, at_origin, 1e-3, touches), 4);
    int seen = 0;
    for (int i = 0; i < 4; ++i) {
        assert_true(touches[i].gap == 0.0 && touches[i].normal.z == 1.0);
        assert_true(fabs(touches[i].point_a.x) == 0.5 && fabs(touches[i].point_a.y) == 0.25);
        assert_true(touches[i].point_a.z == 0.125 && touches[i].point_b.z == 0.125);
        seen |= 1 << ((touches[i].point_a.x > 0.0) + 2 * (touches[i].point_a.y > 0.0));
    }
    assert_int_equal(seen, 15);
}

static void a_large_box_stands_on_the_corners_of_a_small_one(void **state)
{
    (void)state;
    const StiShape large = sti_shape_box(at_origin, sti_vec3(1.0, 1.0, 0.5));
    const StiShape small = sti_shape_box(at_origin, sti_vec3(0.25, 0.5, 0.5));
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(touch(&large, at(0.125, 0, 1), &small, at_origin, 0.0, touches), 4);
    for (int i = 0; i < 4; ++i) {
        assert_near(fabs(touches[i].point_a.x), 0.25, 1e-16);
        assert_near(fabs(touches[i].point_a.y), 0.5, 1e-16);
    }
    // Overhanging by half: the corners of the common part.
    assert_int_equal(touch(&small, at(1.0, 0, 1), &large, at_origin, 0.0, touches), 4);
    for (int i = 0; i < 4; ++i)
        assert_true(touches[i].point_a.x == 0.75 || touches[i].point_a.x == 1.0);
}

static void a_turned_box_keeps_all_corners(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.5, 0.5, 0.5));
    StiFrame top = at(0, 0, 1);
    top.q = sti_quat_exp(sti_vec3(0, 0, 0.78539816339744830962)); // the common part has 8 corners
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(touch(&box, top, &box, at_origin, 1e-3, touches), 8);
    StiVec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 8; ++i) {
        assert_near(touches[i].gap, 0.0, 1e-15);
        assert_near(hypot(touches[i].point_a.x, touches[i].point_a.y), 0.5411961001461969, 1e-12);
        sum = sti_vec3_add(sum, touches[i].point_a);
    }
    assert_near(hypot(sum.x, sum.y), 0.0, 1e-12);
}

// Nearly all of two equal faces is common: pairs of corners count as one.
static void a_little_turned_box_keeps_four_corners(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.5, 0.5, 0.5));
    for (double turn = 1e-12; turn < 0.02; turn *= 10.0) {
        StiFrame top = at(0, 0, 1);
        top.q = sti_quat_exp(sti_vec3(0, 0, turn));
        StiTouch touches[STI_TOUCHES];
        assert_int_equal(touch(&box, top, &box, at_origin, 1e-3, touches), 4);
        for (int i = 0; i < 4; ++i) {
            assert_near(fabs(touches[i].point_a.x), 0.5, 0.5 * turn + 1e-9);
            assert_near(fabs(touches[i].point_a.y), 0.5, 0.5 * turn + 1e-9);
        }
    }
}

// A pile that wobbles by what a solver leaves: places and names stay.
static void features_stay_under_tiny_motions(void **state)
{
    (void)state;
    Random random = {21};
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.5, 0.5, 0.5));
    const double turns[3] = {0.0, 0.3, 0.78539816339744830962};
    for (int turn = 0; turn < 3; ++turn) {
        StiFrame top = at(turn == 1 ? 0.125 : 0.0, 0.0, 1.0);
        top.q = sti_quat_exp(sti_vec3(0.0, 0.0, turns[turn]));
        StiTouch still[STI_TOUCHES], now[STI_TOUCHES];
        const int count = touch(&box, top, &box, at_origin, 1e-3, still);
        assert_in_range(count, 4, STI_TOUCHES);
        for (int i = 0; i < 200; ++i) {
            StiFrame wobbled = top;
            wobbled.p = sti_vec3_add(top.p, random_vec3(&random, 1e-12));
            wobbled.q = sti_quat_multiply(top.q, sti_quat_exp(random_vec3(&random, 1e-12)));
            assert_int_equal(touch(&box, wobbled, &box, at_origin, 1e-3, now), count);
            for (int k = 0; k < count; ++k) {
                assert_int_equal(now[k].feature, still[k].feature);
                const StiVec3 d = sti_vec3_sub(now[k].point_a, still[k].point_a);
                assert_true(sti_vec3_norm(d) < 1e-11);
            }
        }
    }
}

static void crossed_edges_touch_once(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.5, 0.5, 0.5));
    const double eighth = 0.78539816339744830962, half_diagonal = 0.70710678118654752440;
    StiFrame lower = at_origin, upper = at(0.0, 0.0, 2.0 * half_diagonal - 0.01);
    lower.q = sti_quat_exp(sti_vec3(eighth, 0, 0)); // an edge along x on top
    upper.q = sti_quat_exp(sti_vec3(0, eighth, 0)); // an edge along y below
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(touch(&box, upper, &box, lower, 0.0, touches), 1);
    assert_near(touches[0].gap, -0.01, 1e-15);
    assert_near(touches[0].normal.z, 1.0, 1e-15);
    assert_near(touches[0].point_a.z, half_diagonal - 0.01, 1e-15);
    upper.p.z += 0.02; // apart by as much
    assert_int_equal(touch(&box, upper, &box, lower, 0.02, touches), 1);
    assert_near(touches[0].gap, 0.01, 1e-15);
    assert_near(touches[0].normal.z, 1.0, 1e-14);
}

static void boxes_beside_each_other_are_as_far_as_their_edges(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.5, 0.5, 0.5));
    StiTouch touches[STI_TOUCHES];
    const int count = touch(&box, at(1.003, 0.0, 1.004), &box, at_origin, 0.01, touches);
    assert_in_range(count, 1, 2);
    assert_near(touches[0].gap, 0.005, 1e-14);
    assert_near(touches[0].normal.x, 0.6, 1e-12);
    assert_near(touches[0].normal.z, 0.8, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_on_an_equal_box_stands_on_its_corners),
        cmocka_unit_test(a_large_box_stands_on_the_corners_of_a_small_one),
        cmocka_unit_test(a_turned_box_keeps_all_corners),
        cmocka_unit_test(a_little_turned_box_keeps_four_corners),
        cmocka_unit_test(features_stay_under_tiny_motions),
        cmocka_unit_test(crossed_edges_touch_once),
        cmocka_unit_test(boxes_beside_each_other_are_as_far_as_their_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
