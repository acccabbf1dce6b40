// Slipping against an inertia that differs between directions (EQUATIONS 2.10).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../law/laws.h"
#include "problems.h"
#include "reaction/slide.h"

static const double EXAMPLE[4] = {4.0, 1.5, 1.5, 1.0};

static double degrees_between(const double *a, const double *b)
{
    return fabs(atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])) * 57.29577951308232;
}

// The velocity ends along the friction; with f = F vbar/|vbar| it does not, by far.
static void equations_example(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(10.0);
    double worst = 0.0;
    for (int i = 0; i < 360; ++i) {
        Problem problem = {.W = {EXAMPLE[0], EXAMPLE[1], EXAMPLE[2], EXAMPLE[3]}};
        StiInertia inertia;
        double v[2], literal[2], literal_v[2];
        const double angle = i / 57.29577951308232;
        problem.vbar[0] = 0.05 * cos(angle), problem.vbar[1] = 0.05 * sin(angle);
        point_views(&problem, 2, 1e-3);
        assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
        const StiSlide slide = sti_slide(&inertia, &law, NULL, problem.vbar);
        velocity_after(&problem.view, slide.r, v);
        assert_near(norm(2, slide.r), 10.0, 1e-14);
        assert_near(degrees_between(v, slide.r), 0.0, 1e-12);
        assert_near(norm(2, v), slide.speed, 1e-16);
        for (int k = 0; k < 2; ++k) literal[k] = 10.0 * problem.vbar[k] / 0.05;
        velocity_after(&problem.view, literal, literal_v);
        worst = fmax(worst, degrees_between(literal_v, literal));
    }
    assert_true(worst > 15.0);
}

// |r| = level(|v|), v along r, to rounding, for any law.
static void conditions_hold_to_rounding(void **state)
{
    (void)state;
    Random random = {50};
    int slips = 0;
    for (int n = 0; n < 100000; ++n) {
        const int dim = 2 + random_below(&random, 2);
        double table[2 * LAW_TABLE_POINTS], v[3], needed[3];
        const StiLaw law = random_law(&random, table);
        Problem problem;
        StiInertia inertia;
        random_problem(&random, dim, &problem);
        if (law.kind->directional) continue;
        assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
        const bool possible = sti_inertia_force(&inertia, problem.vbar, needed);
        if (inertia.isotropic) continue;
        if (possible && norm(dim, needed) <= sti_law_level(&law, 0.0, 0.0, NULL)) continue;
        const StiSlide slide = sti_slide(&inertia, &law, NULL, problem.vbar);
        velocity_after(&problem.view, slide.r, v);
        const double slope = sti_law_slope(&law, 0.999999 * slide.speed, 0.0, NULL);
        const double grain = inertia.largest * fabs(slope) * 4e-16 * slide.speed; // of steep laws
        const double rounding = velocity_rounding(&problem.view, slide.r) + grain;
        const double r = norm(dim, slide.r);
        assert_near(norm(dim, v), slide.speed, rounding);
        for (int i = 0; i < dim; ++i)
            assert_near(v[i] * r, slide.speed * slide.r[i], 2.0 * rounding * r);
        const double level = sti_law_level(&law, slide.speed, 0.0, NULL);
        assert_near(r, level, r * (1e-14 + grain / norm(dim, problem.vbar)));
        ++slips;
    }
    assert_true(slips > 30000);
}

// Equal g along all axes: nothing but (16b) along vbar, and its count of solutions.
static void equal_axes_give_the_scalar_equation(void **state)
{
    (void)state;
    Random random = {51};
    int several = 0;
    for (int n = 0; n < 100000; ++n) {
        double table[2 * LAW_TABLE_POINTS];
        const int dim = 2 + random_below(&random, 2);
        const StiLaw law = random_law(&random, table);
        const double g = random_decades(&random, 1e-5, 1e-1), T = 0.1;
        Problem problem = {.W = {0.0}};
        StiInertia inertia;
        if (law.kind->directional) continue;
        for (int i = 0; i < dim; ++i) {
            problem.W[(dim + 1) * i] = g / T;
            problem.vbar[i] = random_between(&random, -1.0, 1.0);
        }
        problem.W[1] = problem.W[dim] = 1e-30; // takes the general way
        point_views(&problem, dim, T);
        const double a = norm(dim, problem.vbar);
        const StiSlipSolution scalar = sti_law_solve(&law, g, a, 0.0, NULL);
        if (scalar.stuck) continue;
        assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
        assert_false(inertia.isotropic);
        const StiSlide slide = sti_slide(&inertia, &law, NULL, problem.vbar);
        const double slope = fabs(sti_law_slope(&law, scalar.speed, 0.0, NULL));
        const double speed_rounding = 1e-15 * a * (1.0 + g * slope);
        if (slide.several != scalar.several) continue; // sampled here, exact there
        assert_near(slide.speed, scalar.speed, 8.0 * speed_rounding);
        for (int i = 0; i < dim; ++i)
            assert_near(slide.r[i], scalar.level * problem.vbar[i] / a,
                        1e-14 * scalar.level + 8.0 * slope * speed_rounding);
        several += slide.several;
    }
    assert_true(several > 100);
}

static void nothing_resists_at_level_zero(void **state)
{
    (void)state;
    const double falling[] = {0.0, 0.01, 5.0, 0.0}; // nothing beyond 0.01 m/s
    const StiLaw none = sti_law_coulomb(0.0), lost = sti_law_table(falling, 2);
    Problem problem = {.W = {4.0, 1.5, 1.5, 1.0}, .vbar = {0.3, -0.4}};
    StiInertia inertia;
    point_views(&problem, 2, 1e-4);
    assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
    const StiSlide free = sti_slide(&inertia, &none, NULL, problem.vbar);
    const StiSlide fast = sti_slide(&inertia, &lost, NULL, problem.vbar);
    assert_true(free.r[0] == 0.0 && free.r[1] == 0.0 && fast.r[0] == 0.0 && fast.r[1] == 0.0);
    assert_near(free.speed, 0.5, 1e-15);
    assert_near(fast.speed, 0.5, 1e-15);
}

// A velocity that no force can change remains; friction still resists it.
static void immovable_direction_slips_for_ever(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(10.0);
    Problem problem = {.W = {1.0, 0.0, 0.0, 0.0}, .vbar = {0.005, 0.5}};
    StiInertia inertia;
    double v[2];
    point_views(&problem, 2, 1e-3);
    assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
    const StiSlide slide = sti_slide(&inertia, &law, NULL, problem.vbar);
    velocity_after(&problem.view, slide.r, v);
    assert_near(norm(2, slide.r), 10.0, 1e-14);
    assert_near(v[1], 0.5, 0.0);
    assert_near(v[0] * slide.r[1], v[1] * slide.r[0], 1e-15);
}

static void falling_law_may_stick_or_slip(void **state)
{
    (void)state;
    const StiLaw steep = sti_law_stribeck(10.0, 15.0, 1e-3, 2.0, 0.0);
    const StiLaw mild = sti_law_stribeck(10.0, 15.0, 1.0, 2.0, 0.0);
    Problem problem = {.W = {2.0, 0.5, 0.5, 1.0}};
    StiInertia inertia;
    point_views(&problem, 2, 1e-3);
    assert_int_equal(sti_inertia_prepare(&problem.view, &inertia), STI_OK);
    for (int i = 0; i < 36; ++i) { // sticking would need 14 N, or 5 N
        double along[2] = {cos(0.1745 * i), sin(0.1745 * i)}, r[2];
        sti_inertia_force(&inertia, along, r);
        for (int k = 0; k < 2; ++k) problem.vbar[k] = along[k] * 14.0 / norm(2, r);
        assert_true(sti_slide_exists(&inertia, &steep, NULL, problem.vbar));
        assert_false(sti_slide_exists(&inertia, &mild, NULL, problem.vbar));
        for (int k = 0; k < 2; ++k) problem.vbar[k] *= 5.0 / 14.0;
        assert_false(sti_slide_exists(&inertia, &steep, NULL, problem.vbar));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_example),
        cmocka_unit_test(conditions_hold_to_rounding),
        cmocka_unit_test(equal_axes_give_the_scalar_equation),
        cmocka_unit_test(nothing_resists_at_level_zero),
        cmocka_unit_test(immovable_direction_slips_for_ever),
        cmocka_unit_test(falling_law_may_stick_or_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
