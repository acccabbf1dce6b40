// Hulls of many points: what is chosen is on the hull, and nothing is further outside than is said.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "mesh/quickhull.h"
#include "support/near.h"
#include "support/random_space.h"

// How far a point is outside of a hull along its faces.
static double outside_of(const StiHull *hull, StiVec3 point)
{
    double most = -INFINITY;
    for (int i = 0; i < hull->face_count; ++i) {
        const StiVec3 corner = hull->vertices[hull->corners[hull->first[i]]];
        most = fmax(most, sti_vec3_dot(hull->normals[i], sti_vec3_sub(point, corner)));
    }
    return most;
}

static StiVec3 point_of(Random *random, int kind)
{
    const StiVec3 p = random_vec3(random, 1.0);
    const double length = sti_vec3_norm(p);
    if (kind == 0) return p;                                             // a cube
    if (kind == 1) return sti_vec3_scale(1.0 / fmax(length, 1e-9), p);   // a sphere
    return sti_vec3(p.x, 0.1 * p.y, length > 0.5 ? p.z : 0.01 * p.z); // something flat
}

static void nothing_is_further_outside(void **state)
{
    (void)state;
    Random random = {9};
    for (int k = 0; k < 60; ++k) {
        enum { POINTS = 400 };
        StiVec3 points[POINTS], chosen[STI_HULL_VERTICES];
        const int most = 4 + random_below(&random, STI_HULL_VERTICES - 3);
        int count;
        double outside;
        for (int i = 0; i < POINTS; ++i) points[i] = point_of(&random, k % 3);
        assert_true(quickhull(points, POINTS, most, chosen, &count, &outside));
        assert_in_range(count, 4, most);
        StiHull hull;
        assert_int_equal(sti_hull_build(chosen, count, &hull), STI_OK);
        double worst = 0.0;
        for (int i = 0; i < POINTS; ++i) worst = fmax(worst, outside_of(&hull, points[i]));
        assert_true(worst <= outside + 1e-8);
        if (count < most) assert_true(worst <= 1e-8); // the whole hull
    }
}

static void corners_of_a_cube_are_found_among_its_points(void **state)
{
    (void)state;
    enum { SIDE = 6 };
    StiVec3 points[SIDE * SIDE * SIDE], chosen[STI_HULL_VERTICES];
    int n = 0, count;
    double outside;
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j)
            for (int k = 0; k < SIDE; ++k) points[n++] = sti_vec3(i, j, k);
    assert_true(quickhull(points, n, STI_HULL_VERTICES, chosen, &count, &outside));
    StiHull hull;
    assert_int_equal(sti_hull_build(chosen, count, &hull), STI_OK);
    assert_int_equal(hull.vertex_count, 8);
    assert_true(outside == 0.0);
}

static void flat_and_few_points_are_refused(void **state)
{
    (void)state;
    const StiVec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.2, 0}};
    StiVec3 chosen[STI_HULL_VERTICES];
    int count;
    double outside;
    assert_false(quickhull(flat, 5, 64, chosen, &count, &outside));
    assert_false(quickhull(flat, 3, 64, chosen, &count, &outside));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_further_outside),
        cmocka_unit_test(corners_of_a_cube_are_found_among_its_points),
        cmocka_unit_test(flat_and_few_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
