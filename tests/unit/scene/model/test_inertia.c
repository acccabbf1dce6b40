// Inertias of model files: the nearest that a body can have, and bodies joined.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "algebra/symmetric3.h"
#include "model/inertia.h"
#include "support/near.h"
#include "support/random_inertia.h"
#include "support/short.h"

static double distance(const double a[6], const double b[6])
{
    double square = 0.0;
    for (int i = 0; i < 6; ++i) square += (i < 3 ? 1.0 : 2.0) * (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(square);
}

static void bodies_are_physical_and_stay(void **state)
{
    (void)state;
    Random random = {3};
    for (int k = 0; k < 500; ++k) {
        Inertia body = random_body(&random);
        double tensor[6];
        memcpy(tensor, body.tensor, sizeof tensor);
        assert_true(inertia_is_physical(tensor));
        assert_true(inertia_make_physical(tensor) == 0.0);
        assert_memory_equal(tensor, body.tensor, sizeof tensor);
    }
}

// The possible tensors are a convex cone: where no possible one near by is closer, none is.
static void nothing_possible_is_closer(void **state)
{
    (void)state;
    Random random = {4};
    for (int k = 0; k < (int)steps_or(400, 100); ++k) {
        double given[6], found[6], moments[3];
        for (int i = 0; i < 6; ++i) given[i] = random_between(&random, -1.0, 1.0);
        memcpy(found, given, sizeof found);
        const bool good = inertia_is_physical(given);
        const double change = inertia_make_physical(found);
        assert_true(good == (change == 0.0));
        assert_near(change * distance(given, (double[6]){0}), distance(given, found), 1e-12);
        sti_symmetric3_eigenvalues(found, moments);
        assert_true(moments[0] >= -1e-7 && moments[2] <= moments[0] + moments[1] + 1e-7);
        for (int j = 0; j < 200 && !good; ++j) {
            const Inertia body = random_body(&random);
            const double more = random_between(&random, 0.0, 0.1);
            const double less = 1.0 - more * random_below(&random, 2);
            double other[6]; // a sum of possible ones
            for (int i = 0; i < 6; ++i) other[i] = less * found[i] + more * body.tensor[i];
            assert_true(distance(given, other) >= distance(given, found) - 1e-9);
        }
    }
}

// A sum of points does not depend on the order, nor on where it is looked at from.
static void joined_bodies_do_not_know_the_order(void **state)
{
    (void)state;
    Random random = {5};
    for (int k = 0; k < 200; ++k) {
        const Inertia a = random_body(&random), b = random_body(&random);
        const StiFrame at = {.p = {0.3, -1.0, 0.2},
                             .q = sti_quat_normalise((StiQuat){0.3, random_between(&random, -1, 1),
                                                               0.5, -0.2})};
        const Inertia together = inertia_joined(&a, &b), turned = inertia_placed(&together, at);
        const Inertia here = inertia_placed(&a, at), there = inertia_placed(&b, at);
        const Inertia again = inertia_joined(&there, &here);
        assert_near(turned.mass, again.mass, 1e-14);
        assert_near(sti_vec3_norm(sti_vec3_sub(turned.centre, again.centre)), 0.0, 1e-14);
        for (int i = 0; i < 6; ++i) assert_near(turned.tensor[i], again.tensor[i], 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_physical_and_stay),
        cmocka_unit_test(nothing_possible_is_closer),
        cmocka_unit_test(joined_bodies_do_not_know_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
