#include <float.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../law/findings.h"
#include "../law/laws.h"
#include "problems.h"
#include "stiction/vector.h"

static StiReactionAnswer resolved(const StiLaw *law, double limit, bool approximate,
                                  const StiReactionProblem *problem)
{
    StiReactionAnswer answer;
    assert_int_equal(sti_finite_time(law, limit, approximate, problem, &answer), STI_OK);
    return answer;
}

// dim 1 for directional laws, else any; half of the laws are coefficients.
static StiLaw random_case(Random *random, double *table, Problem *problem)
{
    StiLaw law = random_law(random, table);
    random_problem(random, law.kind->directional ? 1 : 1 + random_below(random, 3), problem);
    return random_below(random, 2) ? sti_law_times_load(law) : law;
}

static double at_rest(const StiLaw *law, const Problem *problem)
{
    const double direction = problem->view.dim == 1 && problem->vbar[0] < 0.0 ? -1.0 : 1.0;
    return sti_law_level(law, 0.0, direction, &problem->load);
}

// One case in every way that is promised.
static void assert_answer_is_physical(const StiLaw *law, double limit, const Problem *problem,
                                      const StiReactionAnswer *answer)
{
    const int dim = problem->view.dim;
    const double r = norm(dim, answer->r);
    const double rounding = velocity_rounding(&problem->view, answer->r);
    double v[3];
    velocity_after(&problem->view, answer->r, v);
    assert_true(dot(dim, answer->r, v) >= -rounding * r); // work
    assert_true(dot(dim, answer->r, v) + dot(dim, answer->r, problem->vbar) >= -rounding * r);
    if (answer->stuck) {
        assert_true(answer->ratio <= 1.0);
        assert_true(r <= limit * (1.0 + 4.0 * DBL_EPSILON));
        assert_true(norm(dim, v) <= 4.0 * rounding + 1e-13 * norm(dim, problem->vbar));
        return;
    }
    const double speed = norm(dim, v), direction = dim == 1 && v[0] < 0.0 ? -1.0 : 1.0;
    const double slope = sti_law_slope(law, 0.999999 * speed, direction, &problem->load);
    const double W = norm(dim * dim, problem->W), steepness = problem->view.T * W * fabs(slope);
    const double reach = 4.0 * rounding + steepness * 4e-16 * speed; // steep laws: of one rounding
    const double low = fmax(speed - reach, 0.0), high = speed + reach;
    const double near_low = sti_law_level(law, low, direction, &problem->load);
    const double near_high = sti_law_level(law, high, direction, &problem->load);
    assert_true(answer->ratio > 1.0);
    assert_true(r >= fmin(near_low, near_high) * (1.0 - 1e-14));
    assert_true(r <= fmax(near_low, near_high) * (1.0 + 1e-14));
    for (int i = 0; i < dim; ++i) assert_near(v[i] * r, speed * answer->r[i], reach * r);
}

// Never positive work, stuck means at rest within the limit, slipping means the law, for every
// dimension, law and W.
static void every_answer_is_physical(void **state)
{
    (void)state;
    Random random = {60};
    int stuck = 0, slips = 0;
    for (int n = 0; n < 100000; ++n) {
        double table[2 * LAW_TABLE_POINTS];
        Problem problem;
        const StiLaw law = random_case(&random, table, &problem);
        const double limit = at_rest(&law, &problem);
        const StiReactionAnswer answer = resolved(&law, limit, false, &problem.view);
        assert_answer_is_physical(&law, limit, &problem, &answer);
        *(answer.stuck ? &stuck : &slips) += 1;
    }
    assert_true(stuck > 10000 && slips > 10000);
}

// Kinetic energy v W^-1 v/2 never rises from vbar to the end of the step.
static void energy_falls(void **state)
{
    (void)state;
    Random random = {61};
    for (int n = 0; n < 100000; ++n) {
        double table[2 * LAW_TABLE_POINTS], v[3] = {0.0};
        Problem problem;
        const StiLaw law = random_case(&random, table, &problem);
        const int dim = problem.view.dim;
        for (int i = 0; i < dim * dim; ++i) problem.W[i] = 0.0;
        for (int i = 0; i < dim; ++i)
            problem.W[(dim + 1) * i] = random_decades(&random, 0.01, 10.0);
        const StiReactionAnswer answer = resolved(&law, 0.0, false, &problem.view);
        if (!answer.stuck) velocity_after(&problem.view, answer.r, v);
        double before = 0.0, after = 0.0;
        for (int i = 0; i < dim; ++i) {
            before += problem.vbar[i] * problem.vbar[i] / problem.W[(dim + 1) * i];
            after += v[i] * v[i] / problem.W[(dim + 1) * i];
        }
        assert_true(after <= before * (1.0 + 1e-14));
    }
}

static StiQuat random_rotation(Random *random, int dim)
{
    const double plane = dim == 3 ? 1.0 : 0.0;
    const StiQuat q = {random_between(random, -1.0, 1.0), plane * random_between(random, -1.0, 1.0),
                       plane * random_between(random, -1.0, 1.0),
                       random_between(random, -1.0, 1.0)};
    return sti_quat_normalise(q);
}

static void rotation_matrix(StiQuat q, int dim, double R[3][3])
{
    for (int k = 0; k < dim; ++k) {
        const StiVec3 column = sti_quat_rotate(q, sti_vec3(k == 0, k == 1, k == 2));
        R[0][k] = column.x, R[1][k] = column.y, R[2][k] = column.z;
    }
}

static void rotate_problem(const Problem *problem, double R[3][3], Problem *rotated)
{
    const int dim = problem->view.dim;
    *rotated = *problem;
    for (int i = 0; i < dim; ++i) {
        rotated->vbar[i] = dot(dim, R[i], problem->vbar);
        for (int k = 0; k < dim; ++k) {
            double sum = 0.0;
            for (int m = 0; m < dim; ++m) sum += R[i][m] * dot(dim, problem->W + dim * m, R[k]);
            rotated->W[dim * i + k] = sum;
        }
    }
    for (int i = 0; i < dim; ++i) // rounding must not make it unsymmetric
        for (int k = 0; k < i; ++k) rotated->W[dim * i + k] = rotated->W[dim * k + i];
    point_views(rotated, dim, problem->view.T);
}

// Rotated W and vbar give the rotated answer, for well-conditioned W and laws that are not steep.
static void answers_do_not_depend_on_the_axes(void **state)
{
    (void)state;
    Random random = {62};
    int stuck = 0, slips = 0;
    for (int n = 0; n < 20000; ++n) {
        const int dim = 2 + random_below(&random, 2);
        const StiLaw law = sti_law_stribeck(10.0, 14.0, 1.0, 2.0, 1.0);
        double R[3][3];
        Problem problem, rotated;
        random_problem(&random, dim, &problem);
        random_inertia(&random, dim, dim, problem.W);
        for (int i = 0; i < dim; ++i) problem.W[(dim + 1) * i] += 1.0;
        rotation_matrix(random_rotation(&random, dim), dim, R);
        rotate_problem(&problem, R, &rotated);
        const StiReactionAnswer a = resolved(&law, 14.0, false, &problem.view);
        const StiReactionAnswer b = resolved(&law, 14.0, false, &rotated.view);
        if (fabs(a.ratio - 1.0) < 1e-12) continue;
        assert_int_equal(a.stuck, b.stuck);
        assert_near(a.ratio, b.ratio, 1e-13 * a.ratio * norm(dim * dim, problem.W));
        for (int i = 0; i < dim; ++i)
            assert_near(b.r[i], dot(dim, R[i], a.r),
                        1e-13 * norm(dim * dim, problem.W) * norm(dim, a.r));
        *(a.stuck ? &stuck : &slips) += 1;
    }
    assert_true(stuck > 1000 && slips > 1000);
}

// The same problem once exactly isotropic, once made to take the general way.
static void scalar_and_general_way_agree(void **state)
{
    (void)state;
    Random random = {63};
    int stuck = 0, slips = 0;
    for (int n = 0; n < 100000; ++n) {
        double table[2 * LAW_TABLE_POINTS];
        Problem problem;
        const StiLaw law = random_case(&random, table, &problem);
        const int dim = problem.view.dim;
        const double w = random_decades(&random, 0.01, 10.0), limit = at_rest(&law, &problem);
        if (dim == 1 || random_below(&random, 2)) continue;
        for (int i = 0; i < dim * dim; ++i) problem.W[i] = i % (dim + 1) == 0 ? w : 0.0;
        const StiReactionAnswer scalar = resolved(&law, limit, false, &problem.view);
        problem.W[1] = problem.W[dim] = 1e-40;
        const StiReactionAnswer general = resolved(&law, limit, false, &problem.view);
        if (fabs(scalar.ratio - 1.0) < 1e-13 || scalar.several) continue;
        const double g = problem.view.T * w;
        const double speed = fmax(norm(dim, problem.vbar) - g * norm(dim, scalar.r), 0.0);
        const double slope = fabs(sti_law_slope(&law, speed, 0.0, &problem.load));
        const double steep = scalar.stuck ? 0.0 : slope * (1.0 + g * slope);
        const double rounding = 8e-15 * norm(dim, problem.vbar) * steep;
        assert_int_equal(scalar.stuck, general.stuck);
        if (limit > 0.0) assert_near(scalar.ratio, general.ratio, 1e-13 * scalar.ratio);
        for (int i = 0; i < dim; ++i)
            assert_near(scalar.r[i], general.r[i], 1e-13 * norm(dim, scalar.r) + rounding);
        *(scalar.stuck ? &stuck : &slips) += 1;
    }
    assert_true(stuck > 3000 && slips > 3000);
}

// EQUATIONS 2.10: W = [[4, 1.5], [1.5, 1]].
static void example_sticks_at_its_own_limit(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(10.0);
    Problem problem = {.W = {4.0, 1.5, 1.5, 1.0}};
    const double force[2] = {6.0, -8.0}; // 10 N: just stuck
    for (int i = 0; i < 2; ++i) problem.vbar[i] = 1e-3 * dot(2, problem.W + 2 * i, force);
    point_views(&problem, 2, 1e-3);
    for (int i = 0; i < 2; ++i) problem.vbar[i] *= 1.0 - 1e-14;
    const StiReactionAnswer stuck = resolved(&law, 10.0, false, &problem.view);
    assert_true(stuck.stuck);
    assert_near(stuck.r[0], 6.0, 1e-13);
    assert_near(stuck.r[1], -8.0, 1e-13);
    for (int i = 0; i < 2; ++i) problem.vbar[i] *= 1.1;
    const StiReactionAnswer slip = resolved(&law, 10.0, false, &problem.view);
    assert_false(slip.stuck);
    assert_near(slip.ratio, 1.1, 1e-13);
    assert_near(norm(2, slip.r), 10.0, 1e-14);
    assert_true(hypot(slip.r[0] - 6.0, slip.r[1] + 8.0) > 0.01); // and not along the sticking force
}

static void one_mass_is_the_controllers_function(void **state)
{
    (void)state;
    Random random = {64};
    for (int n = 0; n < 100000; ++n) {
        const double F = random_decades(&random, 1e-2, 1e2), M = random_decades(&random, 1e-2, 1e2);
        const double T = random_decades(&random, 1e-4, 1e-1);
        const StiLaw law = sti_law_coulomb(F);
        const double vbar = random_between(&random, -3.0, 3.0) * T * F / M;
        Problem problem = {.W = {1.0 / M}, .vbar = {vbar}};
        double v;
        point_views(&problem, 1, T);
        const double f = sti_finite_time_mass(F, M, T, problem.vbar[0], &v);
        const StiReactionAnswer answer = resolved(&law, F, false, &problem.view);
        if (fabs(answer.ratio - 1.0) < 1e-14) continue;
        assert_int_equal(v == 0.0, answer.stuck);
        assert_near(f, answer.r[0], 4.0 * DBL_EPSILON * F);
        assert_near(v, answer.stuck ? 0.0 : problem.vbar[0] - T * f / M, 0.0);
        assert_true(f * v >= 0.0);
    }
}

static void static_limit_holds_more_than_the_law(void **state)
{
    (void)state;
    const StiLaw law = sti_law_viscous(10.0, 1.0);
    Problem problem = {.W = {1.0}, .vbar = {0.012}};
    point_views(&problem, 1, 1e-3);
    const StiReactionAnswer held = resolved(&law, 13.0, false, &problem.view);
    const StiReactionAnswer slip = resolved(&law, 10.0, false, &problem.view);
    const StiReactionAnswer raised = resolved(&law, 5.0, false, &problem.view);
    assert_true(held.stuck && !slip.stuck);
    assert_near(held.r[0], 12.0, 1e-14);
    assert_near(held.ratio, 12.0 / 13.0, 1e-15);
    assert_near(slip.ratio, 1.2, 1e-15);
    assert_near(slip.r[0], 10.0 + 0.002 / 1.001, 1e-14);
    assert_true(raised.r[0] == slip.r[0] && raised.ratio == slip.ratio && !raised.stuck);
}

static void directions_differ_in_one_dimension(void **state)
{
    (void)state;
    const StiLaw law = sti_law_directional(5.0, 8.0, 0.0, 0.0);
    Problem problem = {.W = {1.0}, .vbar = {0.02}};
    point_views(&problem, 1, 1e-3);
    assert_near(resolved(&law, 0.0, false, &problem.view).r[0], 5.0, 0.0);
    problem.vbar[0] = -0.02;
    assert_near(resolved(&law, 0.0, false, &problem.view).r[0], -8.0, 0.0);
    problem.vbar[0] = -0.007;
    assert_true(resolved(&law, 0.0, false, &problem.view).stuck);
}

// (18) along vbar, and against a general W in the same sense: the level of the speed that the level
// at rest would leave.
static void approximation_is_selectable(void **state)
{
    (void)state;
    const StiLaw law = sti_law_viscous(10.0, 500.0);
    Problem problem = {.W = {1.0, 0.0, 0.0, 1.0}, .vbar = {0.03, 0.04}};
    double v[2];
    point_views(&problem, 2, 1e-3);
    const StiReactionAnswer scalar = resolved(&law, 10.0, true, &problem.view);
    assert_near(norm(2, scalar.r), 10.0 + 500.0 * 0.04, 1e-13);
    problem.W[1] = problem.W[2] = 1e-40;
    const StiReactionAnswer general = resolved(&law, 10.0, true, &problem.view);
    for (int i = 0; i < 2; ++i) assert_near(general.r[i], scalar.r[i], 1e-13);
    problem.W[0] = 4.0, problem.W[1] = problem.W[2] = 1.5;
    const StiReactionAnswer across = resolved(&law, 10.0, true, &problem.view);
    const StiReactionAnswer exact = resolved(&law, 10.0, false, &problem.view);
    const StiLaw flat = sti_law_coulomb(10.0), smooth = sti_law_tanh(10.0, 0.1);
    const StiReactionAnswer dry = resolved(&flat, 10.0, false, &problem.view);
    velocity_after(&problem.view, dry.r, v);
    for (int i = 0; i < 2; ++i) // the level of the speed left, along the dry friction
        assert_near(across.r[i], dry.r[i] * (1.0 + 50.0 * norm(2, v)), 1e-13);
    const StiReactionAnswer along = resolved(&smooth, 0.0, true, &problem.view); // no level at rest
    for (int i = 0; i < 2; ++i)
        assert_near(along.r[i], 10.0 * tanh(0.5) * problem.vbar[i] / 0.05, 1e-14);
    assert_true(norm(2, across.r) > norm(2, exact.r));
    velocity_after(&problem.view, exact.r, v);
    assert_near(norm(2, exact.r), 10.0 + 500.0 * norm(2, v), 1e-12);
}

// Two free directions, a null direction: what cannot be moved is not stuck.
static void motion_that_no_force_changes_is_not_stuck(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(1e6);
    Problem problem = {.W = {1.0, 1.0, 1.0, 1.0}, .vbar = {0.1, 0.1}};
    point_views(&problem, 2, 1e-3);
    const StiReactionAnswer along = resolved(&law, 0.0, false, &problem.view);
    assert_true(along.stuck);
    assert_near(along.r[0], 50.0, 1e-12);
    assert_near(along.r[1], 50.0, 1e-12);
    problem.vbar[1] = -0.1;
    const StiReactionAnswer across = resolved(&law, 0.0, false, &problem.view);
    assert_false(across.stuck);
    assert_true(isinf(across.ratio));
    for (int i = 0; i < 4; ++i) problem.W[i] = 0.0;
    assert_false(resolved(&law, 0.0, false, &problem.view).stuck);
    problem.vbar[0] = problem.vbar[1] = 0.0;
    const StiReactionAnswer rest = resolved(&law, 0.0, false, &problem.view);
    assert_true(rest.stuck && rest.ratio == 0.0 && rest.r[0] == 0.0);
}

static void several_solutions_are_told(void **state)
{
    (void)state;
    const StiLaw steep = sti_law_stribeck(10.0, 15.0, 1e-3, 2.0, 0.0);
    Problem problem = {.W = {1.0, 0.0, 0.0, 1.0}, .vbar = {0.014, 0.0}};
    for (int general = 0; general < 2; ++general) {
        problem.W[1] = problem.W[2] = general ? 1e-3 : 0.0;
        point_views(&problem, 2, 1e-3);
        const StiReactionAnswer either = resolved(&steep, 0.0, false, &problem.view);
        assert_true(either.stuck && either.several);
        const StiReactionAnswer held = resolved(&steep, 15.5, false, &problem.view);
        assert_true(held.stuck && !held.several); // the mode decides
    }
}

static void wrong_problems_give_a_status(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(1.0);
    const StiLaw coefficient = sti_law_times_load(law);
    StiReactionAnswer answer;
    Problem problem = {.W = {1.0, 0.5, 0.5, 1.0}, .vbar = {NAN, 0.0}};
    point_views(&problem, 2, 1e-3);
    assert_int_equal(sti_finite_time(&law, 1.0, false, &problem.view, &answer), STI_NOT_FINITE);
    problem.vbar[0] = 1.0;
    problem.load = NAN;
    assert_int_equal(sti_finite_time(&coefficient, 1.0, false, &problem.view, &answer),
                     STI_NOT_FINITE);
    problem.W[0] = -3.0;
    assert_int_equal(sti_finite_time(&law, 1.0, false, &problem.view, &answer), STI_BAD_ARGUMENT);
}

static StiReactionAnswer kind_resolved(const StiFiniteTime *p, const Problem *problem,
                                       const double *s)
{
    StiReactionAnswer answer;
    assert_int_equal(sti_kind_finite_time.resolve(p, &problem->view, s, &answer), STI_OK);
    return answer;
}

// [regularization] (19): under FS nothing moves, above it release is asked for, then FC counts.
static void static_level_holds_until_released(void **state)
{
    (void)state;
    const StiFiniteTime p = {.dim = 1, .law = sti_law_coulomb(10.0), .level_static = 13.0};
    Problem problem = {.W = {1.0}, .vbar = {0.012}};
    double s = 0.0;
    point_views(&problem, 1, 1e-3);
    StiReactionAnswer answer = kind_resolved(&p, &problem, &s);
    assert_true(answer.stuck && !sti_kind_finite_time.release(&p, &answer, &s) && s == 0.0);
    problem.vbar[0] = 0.014;
    answer = kind_resolved(&p, &problem, &s);
    assert_false(answer.stuck);
    assert_near(answer.r[0], 13.0, 0.0);
    assert_near(answer.ratio, 14.0 / 13.0, 1e-15);
    assert_true(sti_kind_finite_time.release(&p, &answer, &s) && s == 1.0);
    answer = kind_resolved(&p, &problem, &s);
    assert_near(answer.r[0], 10.0, 0.0);
    assert_false(sti_kind_finite_time.release(&p, &answer, &s));
    sti_kind_finite_time.settle(&p, &problem.view, &answer, &s);
    assert_true(s == 1.0);
    problem.vbar[0] = 0.012; // still slipping: FS does not hold what moves
    assert_false(kind_resolved(&p, &problem, &s).stuck);
    problem.vbar[0] = 0.009;
    answer = kind_resolved(&p, &problem, &s);
    sti_kind_finite_time.settle(&p, &problem.view, &answer, &s);
    assert_true(answer.stuck && s == 0.0);
}

static void nothing_is_released_without_a_static_level(void **state)
{
    (void)state;
    Random random = {65};
    for (int n = 0; n < 20000; ++n) {
        double table[2 * LAW_TABLE_POINTS];
        Problem problem;
        StiFiniteTime p = {.law = random_case(&random, table, &problem)};
        double s = 0.0, slipping = 1.0;
        p.dim = problem.view.dim;
        const StiReactionAnswer stick = kind_resolved(&p, &problem, &s);
        const StiReactionAnswer slip = kind_resolved(&p, &problem, &slipping);
        assert_memory_equal(stick.r, slip.r, sizeof stick.r);
        assert_false(sti_kind_finite_time.release(&p, &stick, &s));
        sti_kind_finite_time.settle(&p, &problem.view, &stick, &s);
        assert_true(s == (stick.stuck ? 0.0 : 1.0));
    }
}

static void static_coefficient_is_multiplied_by_the_load(void **state)
{
    (void)state;
    const StiFiniteTime p = {.dim = 2,
                             .law = sti_law_times_load(sti_law_coulomb(0.4)),
                             .level_static = 0.5};
    Problem problem = {.W = {1.0, 0.0, 0.0, 1.0}, .vbar = {0.009, 0.0}, .load = -20.0};
    double s = 0.0;
    point_views(&problem, 2, 1e-3);
    assert_true(kind_resolved(&p, &problem, &s).stuck);
    problem.vbar[0] = 0.011;
    const StiReactionAnswer answer = kind_resolved(&p, &problem, &s);
    assert_near(answer.r[0], 10.0, 1e-14);
    assert_true(sti_kind_finite_time.release(&p, &answer, &s));
    assert_near(kind_resolved(&p, &problem, &s).r[0], 8.0, 1e-14);
}

static void kind_says_what_it_is(void **state)
{
    (void)state;
    const StiFiniteTime p = {.dim = 3, .law = sti_law_times_load(sti_law_coulomb(0.4))};
    const StiReactionSize size = sti_kind_finite_time.size(&p);
    assert_true(size.dim == 3 && size.discrete == 4 && size.signals == 1);
    assert_true(sti_kind_finite_time.holds);
    assert_int_equal(sti_kind_finite_time.info.size, sizeof p);
}

static void wrong_parameters_are_found(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_finite_time.info;
    StiFiniteTime p = {.dim = 1, .law = sti_law_coulomb(10.0), .level_static = 13.0};
    assert_no_findings(findings_of(info, &p));
    p.level_static = 0.0;
    assert_no_findings(findings_of(info, &p));
    p.level_static = 8.0;
    assert_finding(findings_of(info, &p), STI_ERROR, "static", "static 8 is below level 10");
    p = (StiFiniteTime){.dim = 2, .law = sti_law_directional(1.0, 2.0, 0.0, 0.0)};
    assert_finding(findings_of(info, &p), STI_ERROR, "law", "needs 1 dimension");
    p = (StiFiniteTime){.dim = 1, .level_static = 1.0};
    assert_finding(findings_of(info, &p), STI_ERROR, "law", "no law");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_physical),
        cmocka_unit_test(energy_falls),
        cmocka_unit_test(answers_do_not_depend_on_the_axes),
        cmocka_unit_test(scalar_and_general_way_agree),
        cmocka_unit_test(example_sticks_at_its_own_limit),
        cmocka_unit_test(one_mass_is_the_controllers_function),
        cmocka_unit_test(static_limit_holds_more_than_the_law),
        cmocka_unit_test(directions_differ_in_one_dimension),
        cmocka_unit_test(approximation_is_selectable),
        cmocka_unit_test(motion_that_no_force_changes_is_not_stuck),
        cmocka_unit_test(several_solutions_are_told),
        cmocka_unit_test(wrong_problems_give_a_status),
        cmocka_unit_test(static_level_holds_until_released),
        cmocka_unit_test(nothing_is_released_without_a_static_level),
        cmocka_unit_test(static_coefficient_is_multiplied_by_the_load),
        cmocka_unit_test(kind_says_what_it_is),
        cmocka_unit_test(wrong_parameters_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
