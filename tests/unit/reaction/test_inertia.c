#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "problems.h"
#include "reaction/inertia.h"

static void axes_are_orthonormal_and_diagonalise_W(void **state)
{
    (void)state;
    Random random = {40};
    for (int n = 0; n < 20000; ++n) {
        const int dim = 1 + random_below(&random, 3);
        Problem problem;
        StiInertia inertia;
        random_problem(&random, dim, &problem);
        assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
        bool regular = true; // else eigenvalues below 1e-13 were taken for 0
        for (int i = 0; i < dim; ++i) regular = regular && inertia.g[i] > 0.0;
        const double tolerance = (regular ? 3e-15 : 1e-13) * inertia.largest;
        for (int i = 0; i < dim; ++i) {
            for (int k = 0; k < dim; ++k) {
                double W = 0.0;
                for (int m = 0; m < dim; ++m)
                    W += inertia.axis[m][i] * inertia.g[m] * inertia.axis[m][k];
                assert_near(W, problem.view.T * problem.W[dim * i + k], tolerance);
                assert_near(dot(dim, inertia.axis[i], inertia.axis[k]), i == k, 3e-15);
            }
        }
    }
}

static void isotropy_is_exact(void **state)
{
    (void)state;
    Problem problem = {.W = {2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0}};
    StiInertia inertia;
    point_views(&problem, 3, 0.1);
    assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
    assert_true(inertia.isotropic);
    problem.W[1] = problem.W[3] = 1e-300;
    assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
    assert_false(inertia.isotropic);
}

static void force_makes_the_change(void **state)
{
    (void)state;
    Random random = {41};
    for (int n = 0; n < 20000; ++n) {
        const int dim = 1 + random_below(&random, 3);
        Problem problem;
        StiInertia inertia;
        double force[3], rest[3];
        random_problem(&random, dim, &problem);
        random_inertia(&random, dim, dim, problem.W);
        assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
        assert_true(sti_inertia_force(&inertia, problem.vbar, force));
        velocity_after(&problem.view, force, rest);
        assert_true(norm(dim, rest) <= 4.0 * velocity_rounding(&problem.view, force));
    }
}

// Rank one: changes along the column are made by the force along it, others are not made at all.
static void singular_inertia_has_the_smallest_force(void **state)
{
    (void)state;
    Random random = {42};
    for (int n = 0; n < 20000; ++n) {
        const int dim = 2 + random_below(&random, 2);
        Problem problem;
        StiInertia inertia;
        double change[3], force[3];
        random_problem(&random, dim, &problem);
        random_inertia(&random, dim, 1, problem.W);
        const double *column = problem.W; // the first row is a multiple of the column
        const double size = norm(dim, column);
        for (int i = 0; i < dim; ++i) change[i] = 3.0 * column[i] / size;
        assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
        assert_true(sti_inertia_force(&inertia, change, force));
        const double along = norm(dim, force) * size;
        assert_near(dot(dim, force, column), along, 1e-14 * along);
        change[0] += 1e-6 * column[1] / size, change[1] -= 1e-6 * column[0] / size;
        assert_false(sti_inertia_force(&inertia, change, force));
    }
}

static void zero_inertia_needs_no_force_for_nothing(void **state)
{
    (void)state;
    Problem problem = {.v = {1.0, 2.0}, .vbar = {3.0, 4.0}};
    StiInertia inertia;
    double force[2], h[2] = {9.0, 9.0};
    const double none[2] = {0.0, 0.0};
    point_views(&problem, 2, 0.1);
    assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
    assert_true(sti_inertia_force(&inertia, none, force));
    assert_false(sti_inertia_force(&inertia, problem.vbar, force));
    assert_int_equal(sti_other_forces(&problem.view, h), STI_OK);
    assert_true(h[0] == 0.0 && h[1] == 0.0);
}

static void other_forces_are_mass_times_acceleration(void **state)
{
    (void)state;
    Problem problem = {.W = {0.5, 0.0, 0.0, 0.25}, .v = {1.0, 2.0}, .vbar = {1.5, 1.0}};
    double h[2];
    point_views(&problem, 2, 0.1);
    assert_int_equal(sti_other_forces(&problem.view, h), STI_OK);
    assert_near(h[0], 2.0 * 0.5 / 0.1, 1e-14);
    assert_near(h[1], -4.0 * 1.0 / 0.1, 1e-14);
}

static StiStatus status_of(int dim, double T, double W)
{
    Problem problem = {.W = {W, 0.0, 0.0, 1.0}};
    StiInertia inertia;
    point_views(&problem, dim, T);
    return sti_inertia_prepare(&problem.view, &inertia);
}

static void wrong_problems_are_refused(void **state)
{
    (void)state;
    assert_int_equal(status_of(2, 0.1, 1.0), STI_OK);
    assert_int_equal(status_of(0, 0.1, 1.0), STI_BAD_ARGUMENT);
    assert_int_equal(status_of(4, 0.1, 1.0), STI_BAD_ARGUMENT);
    assert_int_equal(status_of(2, 0.0, 1.0), STI_BAD_ARGUMENT);
    assert_int_equal(status_of(2, 0.1, -1.0), STI_BAD_ARGUMENT);
    assert_int_equal(status_of(1, 0.1, -1.0), STI_BAD_ARGUMENT);
    assert_int_equal(status_of(2, NAN, 1.0), STI_NOT_FINITE);
    assert_int_equal(status_of(2, 0.1, NAN), STI_NOT_FINITE);
    assert_int_equal(status_of(2, 0.1, INFINITY), STI_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_orthonormal_and_diagonalise_W),
        cmocka_unit_test(isotropy_is_exact),
        cmocka_unit_test(force_makes_the_change),
        cmocka_unit_test(singular_inertia_has_the_smallest_force),
        cmocka_unit_test(zero_inertia_needs_no_force_for_nothing),
        cmocka_unit_test(other_forces_are_mass_times_acceleration),
        cmocka_unit_test(wrong_problems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
