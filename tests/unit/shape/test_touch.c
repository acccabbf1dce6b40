// Random pairs of all kinds. The gap is proved, not compared: it is the separation along the normal
// (so the true gap is not smaller), its points belong to the shapes (so, apart, it is not larger),
// and where shapes overlap no search finds a better normal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "any_shape.h"
#include "support/near.h"
#include "support/short.h"

enum { EVERYTHING = 10 }; // a margin of 10 m

typedef struct Pair {
    StiHull hulls[2];
    StiShape a, b;
    Placed placed;
} Pair;

static void make_pair(Random *random, int kind_a, int kind_b, double apart, Pair *pair)
{
    pair->a = shape_of_kind(random, kind_a, &pair->hulls[0]);
    pair->b = shape_of_kind(random, kind_b, &pair->hulls[1]);
    const StiFrame link_a = random_frame(random, apart), link_b = random_frame(random, apart);
    pair->placed = (Placed){&pair->a, &pair->b, link_a, link_b};
}

static int touch(const Placed *pair, double margin, StiTouch *touches)
{
    return sti_shape_touch(pair->a, &pair->link_a, pair->b, &pair->link_b, margin, STI_TOUCHES,
                           touches);
}

static int deepest(const StiTouch *touches, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (touches[i].gap < touches[best].gap) best = i;
    return best;
}

// How far a point is outside of a shape, as far as random directions tell.
static double outside(const StiShape *shape, const StiFrame *link, StiVec3 point, Random *random)
{
    double most = -INFINITY;
    for (int i = 0; i < 40; ++i) {
        const StiVec3 d = random_vec3(random, 1.0);
        const StiVec3 n = sti_vec3_scale(1.0 / sti_vec3_norm(d), d);
        most = fmax(most, sti_vec3_dot(n, point) - height_along(shape, link, n));
    }
    return most;
}

// A rim meets a rim or an edge where both are curved: the gap is exact to rounding, and so the
// normal and the points, at which it is largest, to the square root of that.
static double tolerance(const Placed *pair)
{
    const bool curved =
        pair->a->kind == &sti_shape_kind_cylinder || pair->b->kind == &sti_shape_kind_cylinder;
    return curved ? 2e-5 : 1e-9;
}

static void check_pair(Random *random, int kind_a, int kind_b)
{
    Pair pair;
    make_pair(random, kind_a, kind_b, 0.9, &pair);
    const Placed *placed = &pair.placed;
    StiTouch touches[STI_TOUCHES];
    const int count = touch(placed, EVERYTHING, touches);
    assert_in_range(count, 1, STI_TOUCHES);
    const StiTouch *least = &touches[deepest(touches, count)];
    assert_near(apart_along(placed, least->normal), least->gap, 1e-12);
    for (int i = 0; i < count; ++i) {
        const StiTouch *here = &touches[i];
        const StiVec3 between = sti_vec3_sub(here->point_a, here->point_b);
        assert_near(sti_vec3_norm(here->normal), 1.0, 1e-14);
        assert_near(sti_vec3_norm(sti_vec3_sub(between, sti_vec3_scale(here->gap, here->normal))),
                    0.0, 1e-12);
        assert_true(outside(placed->a, &placed->link_a, here->point_a, random) < tolerance(placed));
        assert_true(outside(placed->b, &placed->link_b, here->point_b, random) < tolerance(placed));
        assert_true(i == 0 || touches[i - 1].feature < here->feature);
    }
    // Deep in each other there are several ways out, and the best one is not always found.
    if (least->gap < -0.05) return;
    const double found = gap_by_search(placed, random);
    assert_true(found <= least->gap + 1e-9);
}

static void gaps_are_right(void **state)
{
    (void)state;
    Random random = {11};
    const long rounds = steps_or(60, 4);
    for (int a = 0; a < SHAPE_KINDS; ++a)
        for (int b = 0; b < SHAPE_KINDS; ++b)
            for (long i = 0; i < rounds; ++i) check_pair(&random, a, b);
}

static void swapped_sides_turn_the_normal(void **state)
{
    (void)state;
    Random random = {12};
    for (int i = 0; i < 600; ++i) {
        Pair pair;
        make_pair(&random, i % SHAPE_KINDS, random_below(&random, SHAPE_KINDS), 1.2, &pair);
        const Placed p = pair.placed, swapped = {p.b, p.a, p.link_b, p.link_a};
        StiTouch there[STI_TOUCHES], back[STI_TOUCHES];
        const int count = touch(&p, EVERYTHING, there), other = touch(&swapped, EVERYTHING, back);
        const StiTouch *t = &there[deepest(there, count)], *u = &back[deepest(back, other)];
        if (t->gap < -0.05) continue;
        assert_near(t->gap, u->gap, 2e-9);
        assert_near(sti_vec3_norm(sti_vec3_add(t->normal, u->normal)), 0.0, tolerance(&p));
    }
}

static StiFrame moved(const StiFrame *by, const StiFrame *frame)
{
    return (StiFrame){.p = sti_vec3_add(by->p, sti_quat_rotate(by->q, frame->p)),
                      .q = sti_quat_multiply(by->q, frame->q)};
}

static void a_rigid_motion_moves_the_touches_along(void **state)
{
    (void)state;
    Random random = {13};
    for (int i = 0; i < 600; ++i) {
        Pair pair;
        make_pair(&random, i % SHAPE_KINDS, random_below(&random, SHAPE_KINDS), 0.9, &pair);
        const StiFrame by = random_frame(&random, 5.0);
        const Placed p = pair.placed;
        const Placed q = {p.a, p.b, moved(&by, &p.link_a), moved(&by, &p.link_b)};
        StiTouch here[STI_TOUCHES], there[STI_TOUCHES];
        const int count = touch(&p, EVERYTHING, here), other = touch(&q, EVERYTHING, there);
        const StiTouch *t = &here[deepest(here, count)], *u = &there[deepest(there, other)];
        if (t->gap < -0.05) continue; // ways out of equal length may be exchanged
        assert_near(t->gap, u->gap, 2e-9);
        const StiVec3 turned = sti_quat_rotate(by.q, t->normal);
        assert_near(sti_vec3_norm(sti_vec3_sub(turned, u->normal)), 0.0, tolerance(&p));
    }
}

// One shape passes through another: the gap cannot change by more than the way.
static void the_gap_is_continuous(void **state)
{
    (void)state;
    Random random = {14};
    for (int i = 0; i < 80; ++i) {
        Pair pair;
        make_pair(&random, i % SHAPE_KINDS, random_below(&random, SHAPE_KINDS), 0.5, &pair);
        Placed p = pair.placed;
        const StiVec3 way = {1.0 / 64.0, 0.0, 0.0};
        p.link_a.p.x = p.link_b.p.x - 3.0;
        double last = NAN;
        for (int k = 0; k < 180; ++k) {
            StiTouch touches[STI_TOUCHES];
            const int count = touch(&p, EVERYTHING, touches);
            const double gap = touches[deepest(touches, count)].gap;
            if (k > 0 && gap > -0.05 && last > -0.05) assert_true(fabs(gap - last) <= way.x + 1e-9);
            last = gap;
            p.link_a.p = sti_vec3_add(p.link_a.p, way);
        }
    }
}

static bool finite_touch(const StiTouch *touch)
{
    const double sum = touch->gap + sti_vec3_norm(touch->normal) + sti_vec3_norm(touch->point_a) +
                       sti_vec3_norm(touch->point_b);
    return sum - sum == 0.0;
}

// Centres on centres, axes on axes, faces on faces.
static void coincident_shapes_give_numbers(void **state)
{
    (void)state;
    Random random = {15};
    StiHull hulls[2];
    const StiQuat turns[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0.6, 0.8, 0, 0}};
    for (int a = 0; a < SHAPE_KINDS; ++a)
        for (int b = 0; b < SHAPE_KINDS; ++b)
            for (int i = 0; i < 12; ++i) {
                StiShape s = shape_of_kind(&random, a, &hulls[0]);
                StiShape t = shape_of_kind(&random, b, &hulls[1]);
                s.p = t.p = sti_vec3(0.0, 0.0, 0.0);
                s.q = turns[i % 3];
                t.q = turns[(i / 3) % 3];
                const Placed p = {&s, &t, at_origin, at_origin};
                StiTouch touches[STI_TOUCHES];
                const int count = touch(&p, EVERYTHING, touches);
                assert_in_range(count, 1, STI_TOUCHES);
                for (int k = 0; k < count; ++k) {
                    assert_true(finite_touch(&touches[k]));
                    assert_near(sti_vec3_norm(touches[k].normal), 1.0, 1e-12);
                }
            }
}

static void nothing_beyond_the_margin(void **state)
{
    (void)state;
    Random random = {16};
    for (int i = 0; i < 600; ++i) {
        Pair pair;
        make_pair(&random, i % SHAPE_KINDS, random_below(&random, SHAPE_KINDS), 1.5, &pair);
        StiTouch all[STI_TOUCHES], some[STI_TOUCHES];
        const int count = touch(&pair.placed, EVERYTHING, all);
        const double least = all[deepest(all, count)].gap, margin = 0.1;
        const int near = touch(&pair.placed, margin, some);
        assert_int_equal(near > 0, least <= margin);
        for (int k = 0; k < near; ++k) assert_true(some[k].gap <= margin);
    }
}

// A prism with eight sides.
static StiShape prism(StiHull *hull)
{
    StiVec3 points[16];
    for (int i = 0; i < 16; ++i) {
        const double turn = 0.78539816339744830962 * i;
        points[i] = sti_vec3(0.1 * cos(turn), 0.1 * sin(turn), i < 8 ? -0.1 : 0.1);
    }
    if (sti_hull_build(points, 16, hull) != STI_OK) abort();
    return sti_shape_hull(at_origin, hull);
}

// A little tilted (rad) and turned by any angle about z.
static StiQuat nearly_flat(Random *random, double tilt)
{
    const double half = random_between(random, -1.5, 1.5);
    const StiQuat turn = {cos(half), 0.0, 0.0, sin(half)};
    const StiVec3 lean = {random_between(random, -tilt, tilt), random_between(random, -tilt, tilt),
                          0.0};
    return sti_quat_multiply(sti_quat_exp(lean), turn);
}

// What lies nearly flat on a larger face touches it at both ends, or at three points or more.
static void what_lies_on_a_face_lies_on_all_of_it(void **state)
{
    (void)state;
    Random random = {17};
    StiHull hull;
    const StiQuat lying = {sqrt(0.5), sqrt(0.5), 0.0, 0.0};
    const StiShape table = sti_shape_box(at_origin, sti_vec3(0.3, 0.3, 0.1));
    const StiShape shapes[3] = {prism(&hull), sti_shape_cylinder(at_origin, 0.1, 0.1),
                                sti_shape_capsule((StiFrame){.q = lying}, 0.1, 0.05)};
    for (long i = 0; i < steps_or(6000, 600); ++i) {
        const double tilt = i % 4 == 0 ? 0.0 : pow(10.0, random_between(&random, -9.0, -5.0));
        const StiFrame link = {.p = {random_between(&random, -0.03, 0.03),
                                     random_between(&random, -0.03, 0.03),
                                     0.2 + random_between(&random, -1e-5, 1e-5)},
                               .q = nearly_flat(&random, tilt)};
        const Placed pair = {&shapes[i % 3], &table, link, at_origin};
        StiTouch touches[STI_TOUCHES];
        const int count = touch(&pair, 1e-3, touches);
        assert_in_range(count, i % 3 == 2 ? 2 : 3, STI_TOUCHES);
        const StiTouch *least = &touches[deepest(touches, count)];
        // Faces of nearly the same gap are as good as each other, rims nearly as good as their corners:
        // 1e-9 and 2e-9 of the size, which is 0.6 m at most.
        assert_near(apart_along(&pair, least->normal), least->gap, 3e-9 * 0.6);
    }
}

static void as_many_as_there_is_room_for(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(1.0, 1.0, 1.0));
    const StiShape floor = sti_shape_plane(sti_vec3(0.0, 0.0, -1.0), sti_vec3(0.0, 0.0, 1.0));
    StiTouch touches[STI_TOUCHES];
    for (int max = 0; max < 6; ++max)
        assert_int_equal(sti_shape_touch(&box, &at_origin, &floor, &at_origin, 0.0, max, touches),
                         max < 4 ? max : 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_right),
        cmocka_unit_test(swapped_sides_turn_the_normal),
        cmocka_unit_test(a_rigid_motion_moves_the_touches_along),
        cmocka_unit_test(the_gap_is_continuous),
        cmocka_unit_test(coincident_shapes_give_numbers),
        cmocka_unit_test(nothing_beyond_the_margin),
        cmocka_unit_test(what_lies_on_a_face_lies_on_all_of_it),
        cmocka_unit_test(as_many_as_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
