// Distances of cores with rims: the mirror image of a pair touches at the mirror image, to what a maximum allows.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "any_shape.h"
#include "support/short.h"

static StiVec3 mirrored(StiVec3 v) { return sti_vec3(-v.x, v.y, v.z); }

static StiFrame mirrored_frame(StiFrame f)
{
    return (StiFrame){.p = mirrored(f.p), .q = {f.q.w, f.q.x, -f.q.y, -f.q.z}};
}

// Its own mirror image: box, cylinder, or a tetrahedron on a base that is.
static StiShape symmetric_shape(Random *random, int kind, StiHull *hull)
{
    const double x = random_between(random, 0.05, 0.2), y = random_between(random, 0.05, 0.2);
    const double z = random_between(random, 0.05, 0.2);
    const StiVec3 corners[] = {{-x, 0.0, -0.3 * z},
                               {x, 0.0, -0.3 * z},
                               {0.0, y, -0.3 * z},
                               {0.0, 0.0, 0.6 * z}};
    if (kind == 0) return sti_shape_cylinder(at_origin, x, z);
    if (kind == 1) return sti_shape_box(at_origin, sti_vec3(x, y, z));
    assert_int_equal(sti_hull_build(corners, 4, hull), STI_OK);
    return sti_shape_hull(at_origin, hull);
}

static double least_gap(const Placed *pair)
{
    StiTouch touches[STI_TOUCHES];
    double least = INFINITY;
    const int count =
        sti_shape_touch(pair->a, &pair->link_a, pair->b, &pair->link_b, 10.0, STI_TOUCHES, touches);
    for (int i = 0; i < count; ++i) least = fmin(least, touches[i].gap);
    return least;
}

// Moves a along a random line until it nearly touches: by 1 mm, by 1 um, or as exactly as numbers allow.
static void bring_together(Random *random, Placed *pair)
{
    const StiVec3 d = random_vec3(random, 1.0), along = sti_vec3_scale(1.0 / sti_vec3_norm(d), d);
    double inside = 0.0, outside = 1.0;
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (inside + outside);
        pair->link_a.p = sti_vec3_scale(middle, along);
        *(least_gap(pair) > 0.0 ? &outside : &inside) = middle;
    }
    const double off[] = {1e-3, 1e-6, 0.0};
    const double by = off[random_below(random, 3)] * random_between(random, -1.0, 1.0);
    pair->link_a.p = sti_vec3_scale(outside + by, along);
}

// How far the mirror image of a touch is from the nearest of some others: normals, and points in units of 0.1 m.
static double nearest_to(const StiTouch *touch, const StiTouch *others, int count)
{
    double nearest = INFINITY;
    for (int i = 0; i < count; ++i) {
        const StiVec3 n = sti_vec3_sub(mirrored(touch->normal), others[i].normal);
        const StiVec3 p = sti_vec3_sub(mirrored(touch->point_a), others[i].point_a);
        nearest = fmin(nearest, sti_vec3_norm(n) + 10.0 * sti_vec3_norm(p));
    }
    return nearest;
}

static void mirrored_pairs_touch_mirrored(void **state)
{
    (void)state;
    const double most =
        3e-6; // a maximum of rounding 1e-15 is known to the root of that, over the curvature of a rim
    Random random = {20};
    const int pairs = (int)steps_or(2000, 100);
    for (int i = 0; i < pairs; ++i) {
        StiHull hulls[2];
        const StiShape a = symmetric_shape(&random, random_below(&random, 3), &hulls[0]);
        const StiShape b = symmetric_shape(&random, random_below(&random, 3), &hulls[1]);
        Placed pair = {&a, &b, random_frame(&random, 0.0), random_frame(&random, 0.0)};
        bring_together(&random, &pair);
        const StiFrame link_a = mirrored_frame(pair.link_a), link_b = mirrored_frame(pair.link_b);
        StiTouch plain[STI_TOUCHES], mirror[STI_TOUCHES];
        const int count =
            sti_shape_touch(&a, &pair.link_a, &b, &pair.link_b, 5e-3, STI_TOUCHES, plain);
        assert_int_equal(sti_shape_touch(&a, &link_a, &b, &link_b, 5e-3, STI_TOUCHES, mirror),
                         count);
        assert_true(count > 0);
        for (int k = 0; k < count; ++k) assert_true(nearest_to(&plain[k], mirror, count) < most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mirrored_pairs_touch_mirrored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
