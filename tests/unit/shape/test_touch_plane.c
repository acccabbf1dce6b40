// Shapes on planes, and lying on each other: how many touches, where, exactly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "any_shape.h"
#include "support/near.h"

static const double QUARTER = 1.57079632679489661923;

static int on_floor(const StiShape *shape, StiFrame link, double margin, StiTouch *touches)
{
    const StiShape floor = sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 3));
    return sti_shape_touch(shape, &link, &floor, &at_origin, margin, STI_TOUCHES, touches);
}

static StiFrame placed(double z, StiVec3 turn)
{
    return (StiFrame){.p = {0.0, 0.0, z}, .q = sti_quat_exp(turn)};
}

static void boxes(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(0.3, 0.2, 0.1));
    const StiVec3 none = {0, 0, 0};
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(on_floor(&box, placed(0.1, none), 1e-3, touches), 4);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(touches[i].feature, i); // the corners below
        assert_true(touches[i].gap == 0.0 && touches[i].point_a.z == 0.0);
        assert_true(touches[i].point_a.x == (i & 1 ? 0.3 : -0.3));
        assert_true(touches[i].point_a.y == (i & 2 ? 0.2 : -0.2));
    }
    // Sunk so far that all eight corners touch: the four lower ones are deepest and far apart.
    assert_int_equal(on_floor(&box, placed(-0.2, none), 1e-3, touches), 4);
    for (uint32_t i = 0; i < 4; ++i) assert_int_equal(touches[i].feature, i);
    // On an edge, on a corner.
    assert_int_equal(on_floor(&box, placed(0.22, sti_vec3(0.5, 0, 0)), 0.1, touches), 2);
    StiFrame tipped = placed(0.0, sti_vec3(0.7, 0.6, 0));
    tipped.p.z = -sti_shape_bounds(&box, &tipped).lower.z;
    assert_int_equal(on_floor(&box, tipped, 0.01, touches), 1);
    assert_near(touches[0].gap, 0.0, 1e-16);
    assert_int_equal(on_floor(&box, placed(0.1, none), -1e-9, touches), 0);
}

static void round_shapes(void **state)
{
    (void)state;
    const StiVec3 none = {0, 0, 0}, lying = {QUARTER, 0, 0};
    StiTouch touches[STI_TOUCHES];
    const StiShape sphere = sti_shape_sphere(sti_vec3(0, 0, 0.5), 0.25);
    assert_int_equal(on_floor(&sphere, placed(-0.25, none), 0.0, touches), 1);
    assert_true(touches[0].gap == 0.0 && touches[0].point_b.z == 0.0);
    const StiShape capsule = sti_shape_capsule(at_origin, 0.1, 0.4);
    assert_int_equal(on_floor(&capsule, placed(0.1, lying), 1e-6, touches), 2);
    assert_near(touches[0].point_a.y, 0.4, 1e-16);
    assert_near(touches[1].point_a.y, -0.4, 1e-16);
    assert_int_equal(on_floor(&capsule, placed(0.5, none), 1e-6, touches), 1);
    const StiShape point = sti_shape_point(sti_vec3(0.1, 0.2, 0.3));
    assert_int_equal(on_floor(&point, placed(-0.4, none), 0.0, touches), 1);
    assert_near(touches[0].gap, -0.1, 1e-16);
}

static void cylinders(void **state)
{
    (void)state;
    const StiVec3 none = {0, 0, 0}, lying = {QUARTER, 0, 0};
    const StiShape cylinder = sti_shape_cylinder(at_origin, 0.1, 0.4);
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(on_floor(&cylinder, placed(0.4, none), 1e-6, touches), 4);
    for (int i = 0; i < 4; ++i) {
        assert_true(touches[i].gap == 0.0);
        assert_near(hypot(touches[i].point_a.x, touches[i].point_a.y), 0.1, 1e-17);
    }
    assert_int_equal(on_floor(&cylinder, placed(0.1, lying), 1e-6, touches), 2);
    assert_near(touches[0].gap, 0.0, 1e-16);
    assert_near(touches[0].point_a.y + touches[1].point_a.y, 0.0, 1e-16);
    assert_near(fabs(touches[0].point_a.y), 0.4, 1e-16);
    // On its rim: the lowest point, wherever the cylinder is turned about its axis.
    for (int i = 0; i < 8; ++i) {
        StiFrame link = placed(0.0, sti_vec3(0.5, 0, 0));
        link.q = sti_quat_multiply(link.q, sti_quat_exp(sti_vec3(0, 0, 0.3 * i)));
        link.p.z = 0.4 * cos(0.5) + 0.1 * sin(0.5);
        assert_int_equal(on_floor(&cylinder, link, 1e-3, touches), 1);
        assert_near(touches[0].gap, 0.0, 1e-15);
    }
}

static void hulls(void **state)
{
    (void)state;
    StiVec3 points[16]; // a prism of eight sides
    for (int i = 0; i < 16; ++i)
        points[i] = sti_vec3(cos(QUARTER * 0.5 * i), sin(QUARTER * 0.5 * i), i < 8 ? -0.5 : 0.5);
    StiHull hull;
    assert_int_equal(sti_hull_build(points, 16, &hull), STI_OK);
    assert_int_equal(hull.face_count, 10);
    const StiShape prism = sti_shape_hull(at_origin, &hull);
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(on_floor(&prism, placed(0.5, sti_vec3(0, 0, 0)), 1e-3, touches), 8);
    double sum_x = 0.0, sum_y = 0.0;
    for (int i = 0; i < 8; ++i) {
        assert_true(touches[i].gap == 0.0);
        sum_x += touches[i].point_a.x;
        sum_y += touches[i].point_a.y;
    }
    assert_near(sum_x, 0.0, 1e-15);
    assert_near(sum_y, 0.0, 1e-15);
}

// The plane may be side a, and may move with a link.
static void a_moving_plane_as_side_a(void **state)
{
    (void)state;
    const StiShape plane = sti_shape_plane(sti_vec3(0.5, 0, 0), sti_vec3(-2, 0, 0));
    const StiShape sphere = sti_shape_sphere(sti_vec3(0, 0, 0), 0.25);
    const StiFrame link = {.p = {1.0, 0.0, 0.0}, .q = STI_QUAT_IDENTITY};
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(sti_shape_touch(&plane, &link, &sphere, &at_origin, 2.0, STI_TOUCHES, touches),
                     1);
    assert_near(touches[0].gap, 1.25, 1e-15);
    assert_near(touches[0].normal.x, 1.0, 1e-15); // from the sphere to the plane
    assert_near(touches[0].point_a.x, 1.5, 1e-15);
    assert_near(touches[0].point_b.x, 0.25, 1e-15);
    assert_int_equal(sti_shape_touch(&plane, &link, &plane, &at_origin, 9.0, 4, touches), 0);
}

static void normals_of_planes(void **state)
{
    (void)state;
    Random random = {31};
    for (int i = 0; i < 200; ++i) {
        StiVec3 n = random_vec3(&random, 1.0);
        if (i < 6) n = sti_vec3(i % 3 == 0 ? 1 : 0, i % 3 == 1 ? 1 : 0, i % 3 == 2 ? 1 : 0);
        if (i >= 3 && i < 6) n = sti_vec3_scale(-1.0, n);
        const StiShape plane = sti_shape_plane(sti_vec3(0, 0, 0), n);
        const StiVec3 z = sti_quat_rotate(plane.q, sti_vec3(0, 0, 1));
        assert_near(sti_vec3_dot(z, n), sti_vec3_norm(n), 1e-14);
    }
}

static void capsules_side_by_side(void **state)
{
    (void)state;
    const StiShape capsule = sti_shape_capsule(at_origin, 0.1, 0.4);
    StiTouch touches[STI_TOUCHES];
    StiFrame beside = {.p = {0.2, 0.0, 0.3}, .q = STI_QUAT_IDENTITY};
    assert_int_equal(sti_shape_touch(&capsule, &beside, &capsule, &at_origin, 1e-9, 4, touches), 2);
    assert_near(touches[0].gap, 0.0, 1e-16);
    assert_near(touches[0].point_b.z, -0.1, 1e-16);
    assert_near(touches[1].point_b.z, 0.4, 1e-16);
    beside.q = sti_quat_exp(sti_vec3(0.5, 0, 0)); // crossed
    assert_int_equal(sti_shape_touch(&capsule, &beside, &capsule, &at_origin, 1e-9, 4, touches), 1);
    assert_near(touches[0].gap, 0.0, 1e-16);
}

static void faces_of_hulls_and_cylinders_lie_flat(void **state)
{
    (void)state;
    const StiShape box = sti_shape_box(at_origin, sti_vec3(1.0, 1.0, 0.5));
    const StiShape cylinder = sti_shape_cylinder(at_origin, 0.3, 0.2);
    const StiFrame standing = placed(0.7, sti_vec3(0, 0, 0.4));
    StiTouch touches[STI_TOUCHES];
    assert_int_equal(sti_shape_touch(&cylinder, &standing, &box, &at_origin, 1e-6, 4, touches), 4);
    for (int i = 0; i < 4; ++i) {
        assert_near(touches[i].gap, 0.0, 1e-15);
        assert_true(touches[i].normal.z == 1.0);
        assert_near(hypot(touches[i].point_a.x, touches[i].point_a.y), 0.3, 1e-15);
    }
    const StiFrame lying = placed(0.8, sti_vec3(QUARTER, 0, 0));
    assert_int_equal(sti_shape_touch(&cylinder, &lying, &box, &at_origin, 1e-6, 4, touches), 2);
    assert_near(touches[0].gap, 0.0, 1e-15);
    const StiShape capsule = sti_shape_capsule(at_origin, 0.3, 0.2);
    assert_int_equal(sti_shape_touch(&capsule, &lying, &box, &at_origin, 1e-6, 4, touches), 2);
    assert_near(touches[0].gap, 0.0, 1e-15);
    const StiVec3 corners[5] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}};
    StiHull hull;
    assert_int_equal(sti_hull_build(corners, 5, &hull), STI_OK);
    const StiShape pyramid = sti_shape_hull(at_origin, &hull);
    const StiFrame on_top = placed(0.5, sti_vec3(0, 0, 0));
    assert_int_equal(sti_shape_touch(&pyramid, &on_top, &box, &at_origin, 1e-6, 4, touches), 4);
    for (int i = 0; i < 4; ++i) {
        assert_near(touches[i].gap, 0.0, 1e-15);
        assert_near(fabs(touches[i].point_a.x) + fabs(touches[i].point_a.y), 2.0, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(round_shapes),
        cmocka_unit_test(cylinders),
        cmocka_unit_test(hulls),
        cmocka_unit_test(a_moving_plane_as_side_a),
        cmocka_unit_test(normals_of_planes),
        cmocka_unit_test(capsules_side_by_side),
        cmocka_unit_test(faces_of_hulls_and_cylinders_lie_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
