#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../law/findings.h"
#include "problems.h"

static double karnopp(const StiKarnopp *p, double v, double h)
{
    double r;
    sti_karnopp(p, NULL, &v, &h, &r);
    return r;
}

// The three cases of (5), here as a resistance.
static void one_dimension_is_equation_5(void **state)
{
    (void)state;
    Random random = {70};
    const StiKarnopp p = {.dim = 1, .law = sti_law_viscous(10.0, 3.0), .eps = 0.1};
    for (int i = 0; i < 10000; ++i) {
        const double v = random_between(&random, -0.3, 0.3);
        const double h = random_between(&random, -20.0, 20.0);
        const double sign_v = v > 0.0 ? 1.0 : -1.0, sign_h = h > 0.0 ? 1.0 : -1.0;
        const double expected = fabs(v) > 0.1     ? sign_v * 10.0 + 3.0 * v
                                : fabs(h) <= 10.0 ? h
                                                  : sign_h * 10.0;
        assert_near(karnopp(&p, v, h), expected, 2e-15 * 11.0);
    }
}

static void static_level_counts_within_the_band_only(void **state)
{
    (void)state;
    const StiKarnopp p = {.dim = 1, .law = sti_law_coulomb(10.0), .level_static = 13.0, .eps = 0.1};
    assert_near(karnopp(&p, 0.05, 12.0), 12.0, 0.0);
    assert_near(karnopp(&p, 0.05, 14.0), 13.0, 0.0);
    assert_near(karnopp(&p, 0.1, -14.0), -13.0, 0.0);
    assert_near(karnopp(&p, 0.11, -14.0), 10.0, 0.0);
}

static void vectors_use_norms(void **state)
{
    (void)state;
    const StiKarnopp p = {.dim = 3, .law = sti_law_times_load(sti_law_coulomb(0.5)), .eps = 0.1};
    const double load = -20.0, slow[3] = {0.06, 0.0, 0.07}, fast[3] = {0.0, 0.3, 0.4};
    const double weak[3] = {3.0, 4.0, 5.0}, strong[3] = {0.0, -30.0, 40.0};
    double r[3];
    sti_karnopp(&p, &load, slow, weak, r);
    for (int i = 0; i < 3; ++i) assert_near(r[i], weak[i], 0.0);
    sti_karnopp(&p, &load, slow, strong, r);
    for (int i = 0; i < 3; ++i) assert_near(r[i], strong[i] / 5.0, 1e-15 * 10.0);
    sti_karnopp(&p, &load, fast, weak, r);
    for (int i = 0; i < 3; ++i) assert_near(r[i], fast[i] * 20.0, 1e-15 * 10.0);
}

static void directions_follow_the_push_within_the_band(void **state)
{
    (void)state;
    const StiKarnopp p = {.dim = 1, .law = sti_law_directional(5.0, 8.0, 0.0, 0.0), .eps = 0.1};
    assert_near(karnopp(&p, 0.05, -9.0), -8.0, 0.0);
    assert_near(karnopp(&p, -0.05, 9.0), 5.0, 0.0);
    assert_near(karnopp(&p, -0.2, 9.0), -8.0, 0.0);
}

// The kind finds h from the velocities, never says stuck, and records its own opinion.
static void kind_works_on_velocities(void **state)
{
    (void)state;
    Random random = {71};
    int in_band = 0;
    for (int n = 0; n < 10000; ++n) {
        const int dim = 1 + random_below(&random, 3);
        const StiKarnopp p = {.dim = dim, .law = sti_law_coulomb(10.0), .eps = 0.5};
        double h[3], expected[3], s = 0.5;
        Problem problem;
        StiReactionAnswer answer;
        random_problem(&random, dim, &problem);
        random_inertia(&random, dim, dim, problem.W);
        for (int i = 0; i < dim; ++i) h[i] = random_between(&random, -9.0, 9.0);
        for (int i = 0; i < dim; ++i)
            problem.vbar[i] = problem.v[i] + problem.view.T * dot(dim, problem.W + dim * i, h);
        sti_karnopp(&p, NULL, problem.v, h, expected);
        assert_int_equal(sti_kind_karnopp.resolve(&p, &problem.view, &s, &answer), STI_OK);
        assert_false(answer.stuck);
        assert_true(s == 0.5);
        sti_kind_karnopp.settle(&p, &problem.view, &answer, &s);
        if (norm(dim, problem.v) > 0.5) { // h itself is a difference of velocities
            for (int i = 0; i < dim; ++i) assert_near(answer.r[i], expected[i], 0.0);
            assert_true(s == 1.0);
        } else if (fabs(norm(dim, h) - 10.0) > 1.0) {
            assert_true(s == (norm(dim, h) < 10.0 ? 0.0 : 1.0));
            ++in_band;
        }
    }
    assert_true(in_band > 1000);
}

static void one_mass_balances_the_other_forces(void **state)
{
    (void)state;
    const StiKarnopp p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 0.1};
    Problem problem = {.W = {0.5}, .v = {0.05}, .vbar = {0.05 + 1e-3 * 0.5 * 4.0}};
    StiReactionAnswer answer;
    double s = 1.0;
    point_views(&problem, 1, 1e-3);
    assert_int_equal(sti_kind_karnopp.resolve(&p, &problem.view, &s, &answer), STI_OK);
    assert_near(answer.r[0], 4.0, 1e-13);
    sti_kind_karnopp.settle(&p, &problem.view, &answer, &s);
    assert_true(s == 0.0);
}

static void kind_says_what_it_is(void **state)
{
    (void)state;
    const StiKarnopp p = {.dim = 2, .law = sti_law_coulomb(1.0), .eps = 0.1};
    const StiReactionSize size = sti_kind_karnopp.size(&p);
    assert_true(size.dim == 2 && size.discrete == 1 && size.signals == 0);
    assert_false(sti_kind_karnopp.holds);
}

static void wrong_parameters_are_found(void **state)
{
    (void)state;
    StiKarnopp p = {.dim = 1, .law = sti_law_coulomb(10.0), .level_static = 8.0, .eps = 0.1};
    assert_finding(findings_of(&sti_kind_karnopp.info, &p), STI_ERROR, "static", "8 is below");
    p.level_static = 0.0;
    assert_no_findings(findings_of(&sti_kind_karnopp.info, &p));
    p.dim = 5;
    assert_finding(findings_of(&sti_kind_karnopp.info, &p), STI_ERROR, "dim", "5 dimensions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_dimension_is_equation_5),
        cmocka_unit_test(static_level_counts_within_the_band_only),
        cmocka_unit_test(vectors_use_norms),
        cmocka_unit_test(directions_follow_the_push_within_the_band),
        cmocka_unit_test(kind_works_on_velocities),
        cmocka_unit_test(one_mass_balances_the_other_forces),
        cmocka_unit_test(kind_says_what_it_is),
        cmocka_unit_test(wrong_parameters_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
