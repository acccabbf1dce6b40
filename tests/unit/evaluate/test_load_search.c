// Loads that the plain iteration does not find although there is one solution: Newton's method
// does, and only where it is known to be the only one.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "network/network.h"
#include "scratch/scratch.h"
#include "stiction/continuous.h"
#include "support/linkages.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

enum { RULE, ELASTIC };

typedef struct Rubbing {
    StiLinkage *linkage;
    Built built;
    StiAdmittanceId body;
} Rubbing;

// Friction mu N in the first pairs of a linkage, as reactions or as stiff bristles that slip at
// once.
static Rubbing rub_under(const StiMethod *method, const StiLinkageDesign *design, int pairs,
                         int model, double mu, double T)
{
    Rubbing r = {.linkage = sti_linkage_create(design, NULL)};
    StiPlan *plan = plan_in_stages();
    assert_non_null(r.linkage);
    const StiLaw law = sti_law_times_load(sti_law_coulomb(mu));
    const StiElasticCoulomb bristle = {.dim = 1, .law = law, .K = 1e7, .B = 1e5};
    const StiVec3 o = {0.0, 0.0, 0.0};
    r.body =
        sti_plan_add_admittance(plan, "linkage", &sti_kind_linkage, &(StiLinkageBody){r.linkage});
    for (int k = 0; k < pairs; ++k) {
        const StiWire wire =
            sti_wire_point(r.body, sti_linkage_surface_link(r.linkage, k), o, o, 1);
        const char *name = design->pairs[k].name;
        const StiElementId e =
            model == RULE
                ? add_rule(plan, name, wire, law, 0.0)
                : sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb, &bristle, &wire);
        sti_plan_connect(plan, sti_signal_load(r.body, sti_linkage_pair_load(r.linkage, k)), e, 0);
    }
    sti_plan_set_gravity(plan, test_gravity);
    sti_plan_set_step(plan, T);
    sti_plan_set_method(plan, method);
    r.built = build_and_destroy(plan);
    return r;
}

static Rubbing rub(const StiLinkageDesign *design, int pairs, int model, double mu, double T)
{
    return rub_under(&sti_method_symplectic_euler, design, pairs, model, mu, T);
}

static void let_go(Rubbing *r)
{
    release(&r->built);
    sti_linkage_destroy(r->linkage);
}

static double load(const Rubbing *r, int pair)
{
    const StiState *state = r->built.state;
    return state->values[state->loads + sti_linkage_pair_load(r->linkage, pair)];
}

// A rod on a pin of radius r that turns: F = mu N sgn(w) tangential, N^2 = R^2 - F^2, and the
// moment about the pin is weight and r F. f(N) = N(F(N)) - N, by bisection.
static double pendulum_root(double m, double length, double angle, double w, double r, double mu)
{
    const double l = 0.5 * length, I = m * length * length / 3.0, g = 9.81;
    const double c = cos(angle), s = sin(angle);
    double low = 0.0, high = 1e4;
    for (int i = 0; i < 200; ++i) {
        const double N = 0.5 * (low + high), F = mu * N * (w > 0.0 ? 1.0 : -1.0);
        const double wd = (-m * g * l * c - r * F) / I;
        const double Rx = m * l * (-s * wd - c * w * w), Ry = m * l * (c * wd - s * w * w) + m * g;
        const double N2 = Rx * Rx + Ry * Ry - F * F;
        if (N2 > N * N)
            low = N;
        else
            high = N;
    }
    return 0.5 * (low + high);
}

// A rod that turns on a pin of radius 0.02.
typedef struct TurningRod {
    StiPlanarBody rod;
    StiPlanarPair pin;
    StiLinkageDesign design;
} TurningRod;

static void turn_rod(TurningRod *t, double angle, double w)
{
    const StiVec2 o = {0.0, 0.0}, end = {0.8 * cos(angle), 0.8 * sin(angle)};
    t->rod = rod_between("rod", 2.0, o, end);
    t->pin = pin_of("pin", 0, -0.4, -1, o);
    t->rod.rate = w;
    t->rod.velocity = (StiVec2){-w * 0.5 * end.y, w * 0.5 * end.x};
    t->design =
        (StiLinkageDesign){.bodies = &t->rod, .body_count = 1, .pairs = &t->pin, .pair_count = 1};
}

// dN/dF of a pin is -F/N = -mu beside what the linkage adds: beyond mu = 1 the plain iteration goes
// away.
static void a_pin_with_much_friction_has_one_load(void **state)
{
    (void)state;
    static const double mus[] = {0.3, 0.9, 1.05, 1.5, 3.0}, T = 1e-5;
    for (int model = RULE; model <= ELASTIC; ++model)
        for (size_t i = 0; i < sizeof mus / sizeof mus[0]; ++i)
            for (int backward = 0; backward < 2; ++backward) {
                const double angle = -0.6, w = backward ? -4.0 : 4.0;
                TurningRod t;
                turn_rod(&t, angle, w);
                Rubbing r = rub(&t.design, 1, model, mus[i], T);
                double q[3], v[3], friction[1], workspace[200];
                StiCoulombAnswer answer;
                const StiLinkageForce force = {.gravity = test_gravity};
                assert_true(sti_linkage_workspace(r.linkage) <= 200);
                sti_linkage_start(r.linkage, q, v);
                sti_linkage_coulomb(r.linkage, q, v, NULL, &force, &mus[i], 1, friction, &answer,
                                    workspace);
                assert_int_equal(answer.outcome, STI_COULOMB_ONE);
                assert_steps(&r.built, NULL);
                const StiStepFigures figures = sti_scratch_figures(r.built.scratch);
                const double N = load(&r, 0);
                assert_near(N, pendulum_root(2.0, 0.8, angle, w, 0.02, mus[i]), 1e-10 * N);
                assert_near(N, fabs(friction[0]) / mus[i], 1e-10 * N);
                assert_true(figures.load_residual <= 1e-12);
                if (mus[i] < 0.5) assert_int_equal(figures.load_newton, 0);
                if (mus[i] > 1.0) {
                    assert_true(figures.load_newton > 0);
                    assert_true(figures.load_contraction >= 1.0);
                }
                let_go(&r);
            }
}

// The same at one moment, with the mode fixed: all share one iteration.
static void a_moment_in_continuous_time_has_the_same_load(void **state)
{
    (void)state;
    static const double mus[] = {0.3, 0.9, 1.05, 1.5, 3.0};
    for (size_t i = 0; i < sizeof mus / sizeof mus[0]; ++i)
        for (int backward = 0; backward < 2; ++backward) {
            const double angle = -0.6, w = backward ? -4.0 : 4.0;
            TurningRod t;
            turn_rod(&t, angle, w);
            Rubbing r = rub_under(&sti_method_continuous, &t.design, 1, RULE, mus[i], 1e-3);
            double values[6], rates[6];
            const StiSmoothInterval always = {-INFINITY, INFINITY};
            assert_int_equal(sti_continuous_count(r.built.network), 6);
            sti_continuous_values(r.built.state, values);
            assert_int_equal(sti_continuous_start(r.built.network, NULL, 0.0, always, values,
                                                  r.built.state, r.built.scratch),
                             STI_OK);
            assert_int_equal(sti_continuous_rates(r.built.network, NULL, r.built.state, 0.0, always,
                                                  values, r.built.scratch, rates),
                             STI_OK);
            const double root = pendulum_root(2.0, 0.8, angle, w, 0.02, mus[i]);
            const double N = r.built.scratch->stages[0].loads[sti_linkage_pair_load(r.linkage, 0)];
            const StiStepFigures figures = sti_scratch_figures(r.built.scratch);
            assert_near(N, root, 1e-10 * N);
            if (mus[i] > 1.0) assert_true(figures.load_newton > 0);
            let_go(&r);
        }
}

// A slider-crank at random states: where the pure function knows the only solution the step finds
// it, where there are several or none the step does not pick one.
static void the_step_agrees_with_the_pure_function(void **state)
{
    (void)state;
    int one = 0, newton = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        Random random = {seed};
        SliderCrank s;
        slider_crank(&s, random_between(&random, -3.0, 3.0), random_between(&random, 5.0, 30.0),
                     false);
        const double mu = random_between(&random, 0.2, 2.0);
        const double mus[4] = {mu, mu, mu, mu};
        Rubbing r = rub(&s.design, 4, RULE, mu, 1e-7);
        double q[9], v[9], friction[4], workspace[1000];
        StiCoulombAnswer answer;
        const StiLinkageForce force = {.gravity = test_gravity};
        assert_true(sti_linkage_workspace(r.linkage) <= 1000);
        sti_linkage_start(r.linkage, q, v);
        sti_linkage_coulomb(r.linkage, q, v, NULL, &force, mus, 1, friction, &answer, workspace);
        const StiStatus status = sti_run(r.built.network, NULL, r.built.state, r.built.scratch, 1);
        const StiStepFigures figures = sti_scratch_figures(r.built.scratch);
        if (answer.outcome == STI_COULOMB_ONE) {
            assert_int_equal(status, STI_OK);
            ++one;
            newton += figures.load_newton > 0 && figures.load_contraction > 1.0;
            for (int k = 0; k < 4; ++k)
                assert_near(load(&r, k), fabs(friction[k]) / mu, 1e-7 * load(&r, k));
        } else if (status != STI_OK) {
            ++refused;
            assert_int_equal(figures.load_newton, 0);
            assert_int_equal(status, answer.outcome == STI_COULOMB_SEVERAL ? STI_SEVERAL_SOLUTIONS
                                     : answer.outcome == STI_COULOMB_NONE  ? STI_NO_SOLUTION
                                                                           : STI_LOADS_UNSETTLED);
        } else { // the plain iteration got there by itself
            assert_int_equal(figures.load_newton, 0);
        }
        let_go(&r);
    }
    assert_true(one > 100 && newton > 10);
}

// Two masses on lines with a rod between them: q = mu tan(a)/2 > 1 has two solutions in one
// direction, none in the other (EQUATIONS 4.4). Newton's method would find one of the two, or a
// sudden stop; it must not.
static void painleves_rods_are_not_decided(void **state)
{
    (void)state;
    const double a = 1.2;
    for (int model = RULE; model <= ELASTIC; ++model)
        for (double q = 0.4; q < 3.0; q += 0.4)
            for (int direction = -1; direction <= 1; direction += 2) {
                const double v = 2.0 * direction;
                const StiPlanarBody bodies[2] = {
                    {.name = "m1", .mass = 1.0, .inertia = 1.0, .velocity = {v, 0.0}},
                    {.name = "m2",
                     .mass = 3.0, // its weight presses on the rod
                     .inertia = 1.0,
                     .position = {cos(a), sin(a)},
                     .velocity = {v, 0.0}}};
                const StiPlanarPair pairs[3] = {
                    {.name = "line1", .type = STI_PAIR_PRISMATIC, .body = 0, .other = -1},
                    {.name = "line2",
                     .type = STI_PAIR_PRISMATIC,
                     .body = 1,
                     .other = -1,
                     .at_other = {0.0, sin(a)}},
                    {.name = "rod", .type = STI_PAIR_ROD, .body = 1, .other = 0, .length = 1.0}};
                const StiLinkageDesign design = {.bodies = bodies,
                                                 .body_count = 2,
                                                 .pairs = pairs,
                                                 .pair_count = 3};
                Rubbing r = rub(&design, 1, model, 2.0 * q / tan(a), 1e-6);
                const double mus[3] = {2.0 * q / tan(a)};
                double x[6], rate[6], friction[6], workspace[600];
                StiCoulombAnswer answer;
                const StiLinkageForce force = {.gravity = test_gravity};
                sti_linkage_start(r.linkage, x, rate);
                assert_true(sti_linkage_workspace(r.linkage) <= 600);
                sti_linkage_coulomb(r.linkage, x, rate, NULL, &force, mus, 2, friction, &answer,
                                    workspace);
                const StiStatus status =
                    sti_run(r.built.network, NULL, r.built.state, r.built.scratch, 1);
                const StiStepFigures figures = sti_scratch_figures(r.built.scratch);
                if (answer.outcome == STI_COULOMB_ONE) {
                    assert_int_equal(status, STI_OK);
                    assert_near(load(&r, 0), fabs(friction[0]) / mus[0], 1e-9 * load(&r, 0));
                } else if (model == RULE) {
                    assert_int_equal(status, answer.outcome == STI_COULOMB_SEVERAL
                                                 ? STI_SEVERAL_SOLUTIONS
                                                 : STI_NO_SOLUTION);
                }
                if (answer.outcome != STI_COULOMB_ONE) assert_int_equal(figures.load_newton, 0);
                let_go(&r);
            }
}

// Nothing of it is remembered outside the state.
static void another_scratch_gives_the_same_bits(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.7, 20.0, false);
    Rubbing a = rub(&s.design, 4, RULE, 1.3, 1e-4), b = rub(&s.design, 4, RULE, 1.3, 1e-4);
    int newton = 0;
    for (int k = 0; k < 50; ++k) {
        assert_steps(&a.built, NULL);
        newton += sti_scratch_figures(a.built.scratch).load_newton;
        sti_scratch_destroy(b.built.scratch);
        b.built.scratch = sti_scratch_create(b.built.network);
        assert_steps(&b.built, NULL);
        assert_true(sti_state_hash(a.built.state) == sti_state_hash(b.built.state));
    }
    assert_true(newton > 0);
    let_go(&a);
    let_go(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pin_with_much_friction_has_one_load),
        cmocka_unit_test(a_moment_in_continuous_time_has_the_same_load),
        cmocka_unit_test(the_step_agrees_with_the_pure_function),
        cmocka_unit_test(painleves_rods_are_not_decided),
        cmocka_unit_test(another_scratch_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
