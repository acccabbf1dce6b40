#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../law/findings.h"
#include "problems.h"

static double quinn(const StiQuinn *p, double v, double h)
{
    double r;
    sti_quinn(p, NULL, &v, &h, &r);
    return r;
}

// (7) written out, here as a resistance.
static void one_dimension_is_equation_7(void **state)
{
    (void)state;
    Random random = {80};
    const double F = 10.0, eps = 0.1;
    const StiQuinn p = {.dim = 1, .law = sti_law_coulomb(F), .eps = eps};
    for (int i = 0; i < 10000; ++i) {
        const double v = random_between(&random, -0.3, 0.3);
        const double h = random_between(&random, -20.0, 20.0);
        const double vbar = fabs(h) <= F ? v + eps * h / F : v + copysign(eps, h);
        const double expected = fabs(vbar) <= eps ? F * vbar / eps : copysign(F, vbar);
        assert_near(quinn(&p, v, h), expected, 4e-15 * F);
    }
}

// With eps = T F/M and |h| <= F it is the finite-time rule.
static void best_width_is_the_finite_time_rule(void **state)
{
    (void)state;
    Random random = {81};
    for (int i = 0; i < 10000; ++i) {
        const double F = random_decades(&random, 0.1, 1e2), M = random_decades(&random, 0.1, 10.0);
        const double T = 1e-3, v = random_between(&random, -3.0, 3.0) * T * F / M;
        const double h = random_between(&random, -F, F);
        const StiQuinn p = {.dim = 1, .law = sti_law_coulomb(F), .eps = T * F / M};
        double v_new;
        const double f = sti_finite_time_mass(F, M, T, v + T * h / M, &v_new);
        assert_near(quinn(&p, v, h), f, 1e-14 * F);
    }
}

static void vectors_use_norms(void **state)
{
    (void)state;
    Random random = {82};
    const StiQuinn p = {.dim = 2, .law = sti_law_times_load(sti_law_coulomb(0.5)), .eps = 0.1};
    const StiQuinn line = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 0.1};
    const double load = -20.0;
    for (int i = 0; i < 1000; ++i) { // motion and push along one line
        const double angle = random_between(&random, 0.0, 6.28), d[2] = {cos(angle), sin(angle)};
        const double speed = random_between(&random, -0.3, 0.3);
        const double push = random_between(&random, -20.0, 20.0);
        const double v[2] = {speed * d[0], speed * d[1]}, h[2] = {push * d[0], push * d[1]};
        const double along = quinn(&line, speed, push);
        double r[2];
        sti_quinn(&p, &load, v, h, r);
        for (int k = 0; k < 2; ++k) assert_near(r[k], along * d[k], 1e-14 * 10.0);
    }
}

static void nothing_at_level_zero(void **state)
{
    (void)state;
    const StiQuinn p = {.dim = 1, .law = sti_law_coulomb(0.0), .eps = 0.1};
    assert_true(quinn(&p, 0.05, 3.0) == 0.0);
    assert_true(quinn(&p, 0.0, 0.0) == 0.0);
}

static void kind_works_on_velocities(void **state)
{
    (void)state;
    const StiQuinn p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 0.1};
    Problem problem = {.W = {0.5}, .v = {0.02}, .vbar = {0.02 + 1e-3 * 0.5 * 4.0}};
    StiReactionAnswer answer;
    double s = 1.0;
    point_views(&problem, 1, 1e-3);
    assert_int_equal(sti_kind_quinn.resolve(&p, &problem.view, &s, &answer), STI_OK);
    assert_near(answer.r[0], 10.0 * (0.02 + 0.1 * 0.4) / 0.1, 1e-12);
    assert_false(answer.stuck);
    sti_kind_quinn.settle(&p, &problem.view, &answer, &s);
    assert_true(s == 0.0); // on the ramp
    problem.v[0] = 0.2, problem.vbar[0] = 0.2 + 1e-3 * 0.5 * 4.0;
    sti_kind_quinn.settle(&p, &problem.view, &answer, &s);
    assert_true(s == 1.0);
}

static void kind_says_what_it_is(void **state)
{
    (void)state;
    const StiQuinn p = {.dim = 2, .law = sti_law_times_load(sti_law_coulomb(1.0)), .eps = 0.1};
    const StiReactionSize size = sti_kind_quinn.size(&p);
    assert_true(size.dim == 2 && size.discrete == 1 && size.signals == 1);
    assert_false(sti_kind_quinn.holds);
}

static void only_constant_levels_are_allowed(void **state)
{
    (void)state;
    StiQuinn p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 0.1};
    assert_no_findings(findings_of(&sti_kind_quinn.info, &p));
    p.law = sti_law_viscous(10.0, 1.0);
    assert_finding(findings_of(&sti_kind_quinn.info, &p), STI_ERROR, "law", "a constant level");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_dimension_is_equation_7),
        cmocka_unit_test(best_width_is_the_finite_time_rule),
        cmocka_unit_test(vectors_use_norms),
        cmocka_unit_test(nothing_at_level_zero),
        cmocka_unit_test(kind_works_on_velocities),
        cmocka_unit_test(kind_says_what_it_is),
        cmocka_unit_test(only_constant_levels_are_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
