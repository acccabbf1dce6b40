// Hulls, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "any_shape.h"
#include "support/near.h"

static int errors_of(StiShape shape)
{
    StiReport *report = sti_report_create();
    sti_shape_check(&shape, &(StiCheck){.report = report, .component = "shape"});
    const int count = sti_report_error_count(report);
    sti_report_destroy(report);
    return count;
}

static void sizes_are_checked(void **state)
{
    (void)state;
    Random random = {51};
    StiHull hull;
    for (int kind = 0; kind < SHAPE_KINDS; ++kind)
        assert_int_equal(errors_of(shape_of_kind(&random, kind, &hull)), 0);
    assert_int_equal(errors_of(sti_shape_sphere(sti_vec3(0, 0, 0), 0.0)), 1);
    assert_int_equal(errors_of(sti_shape_sphere(sti_vec3(0, NAN, 0), 1.0)), 1);
    assert_int_equal(errors_of(sti_shape_capsule(at_origin, -1.0, 0.0)), 2);
    assert_int_equal(errors_of(sti_shape_cylinder(at_origin, 1.0, INFINITY)), 1);
    assert_int_equal(errors_of(sti_shape_box(at_origin, sti_vec3(1, 0, NAN))), 2);
    assert_int_equal(errors_of(sti_shape_hull(at_origin, NULL)), 1);
    assert_true(errors_of(sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 0))) > 0);
    const StiFrame long_turn = {.q = {2.0, 0.0, 0.0, 0.0}};
    assert_int_equal(errors_of(sti_shape_box(long_turn, sti_vec3(1, 1, 1))), 1);
}

static void a_cube_with_points_inside_and_on_its_faces(void **state)
{
    (void)state;
    StiVec3 points[27];
    for (int i = 0; i < 27; ++i) points[i] = sti_vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    StiHull hull;
    assert_int_equal(sti_hull_build(points, 27, &hull), STI_OK);
    assert_int_equal(hull.vertex_count, 8);
    assert_int_equal(hull.face_count, 6);
    assert_int_equal(hull.first[6], 24);
    assert_near(hull.reach, sqrt(3.0), 1e-15);
}

// Euler's formula, faces that look outward, corners counter-clockwise, nothing above a face.
static void hulls_are_closed(void **state)
{
    (void)state;
    Random random = {52};
    for (int round = 0; round < 100; ++round) {
        StiHull hull;
        random_hull(&random, &hull);
        const int edges = hull.first[hull.face_count] / 2;
        assert_int_equal(hull.vertex_count - edges + hull.face_count, 2);
        for (int f = 0; f < hull.face_count; ++f) {
            const StiVec3 p = hull.vertices[hull.corners[hull.first[f]]];
            const StiVec3 q = hull.vertices[hull.corners[hull.first[f] + 1]];
            const StiVec3 r = hull.vertices[hull.corners[hull.first[f] + 2]];
            const StiVec3 turn = sti_vec3_cross(sti_vec3_sub(q, p), sti_vec3_sub(r, q));
            assert_true(sti_vec3_dot(turn, hull.normals[f]) > 0.0);
            for (int i = 0; i < hull.vertex_count; ++i)
                assert_true(sti_vec3_dot(hull.normals[f], sti_vec3_sub(hull.vertices[i], p)) <
                            1e-8);
        }
    }
}

static void flat_and_broken_point_sets_are_refused(void **state)
{
    (void)state;
    StiHull hull;
    StiVec3 points[65] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 1}};
    assert_int_equal(sti_hull_build(points, 4, &hull), STI_BAD_ARGUMENT);
    assert_int_equal(sti_hull_build(points, 5, &hull), STI_OK);
    assert_int_equal(sti_hull_build(points, 3, &hull), STI_BAD_ARGUMENT);
    assert_int_equal(sti_hull_build(points, 65, &hull), STI_BAD_ARGUMENT);
    points[2].z = NAN;
    assert_int_equal(sti_hull_build(points, 5, &hull), STI_BAD_ARGUMENT);
    for (int i = 0; i < 5; ++i) points[i] = sti_vec3(1, 1, 1);
    assert_int_equal(sti_hull_build(points, 5, &hull), STI_BAD_ARGUMENT);
}

static void as_many_corners_as_allowed(void **state)
{
    (void)state;
    Random random = {53};
    StiVec3 points[STI_HULL_VERTICES];
    for (int i = 0; i < STI_HULL_VERTICES; ++i) {
        const StiVec3 d = random_vec3(&random, 1.0);
        points[i] = sti_vec3_scale(1.0 / sti_vec3_norm(d), d);
    }
    StiHull hull;
    assert_int_equal(sti_hull_build(points, STI_HULL_VERTICES, &hull), STI_OK);
    assert_int_equal(hull.vertex_count, STI_HULL_VERTICES);
    assert_int_equal(hull.face_count, STI_HULL_FACES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(a_cube_with_points_inside_and_on_its_faces),
        cmocka_unit_test(hulls_are_closed),
        cmocka_unit_test(flat_and_broken_point_sets_are_refused),
        cmocka_unit_test(as_many_corners_as_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
