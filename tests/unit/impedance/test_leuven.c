// The modified Leuven model: steady slip, hysteresis, passivity, and creep, as its kind says.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stiction/friction.h"
#include "support/near.h"
#include "support/random.h"

enum { MOST = 10 };

typedef struct Model {
    StiLeuven p;
    double K[MOST], F[MOST], y[MOST + 1];
} Model;

// Ten equal springs, levels 1 : 2 : ... : 10, together sum.
static void model_of_ten(Model *model, StiLaw law, double K, double sum, double exponent)
{
    memset(model, 0, sizeof *model);
    model->p =
        (StiLeuven){.law = law, .elements = 10, .K = model->K, .F = model->F, .exponent = exponent};
    for (int i = 0; i < 10; ++i) {
        model->K[i] = K;
        model->F[i] = sum * (1.0 + i) / 55.0;
    }
}

// One Euler step; returns the force.
static double model_step(Model *model, double T, double v)
{
    double f, ydot[MOST + 1];
    assert_int_equal(sti_leuven(&model->p, T, NULL, v, model->y, &f, ydot), STI_OK);
    for (int i = 0; i <= model->p.elements; ++i) model->y[i] += T * ydot[i];
    return f;
}

// At constant speed h -> s(v), zdot -> 0: f = s(v) + sigma2 v.
static void steady_slip_is_the_law(void **state)
{
    (void)state;
    Model model;
    for (int i = 0; i < 20; ++i) {
        const double v = (i % 2 ? -1.0 : 1.0) * pow(10.0, -3.0 + 0.15 * i), T = 1e-5 / fabs(v);
        model_of_ten(&model, sti_law_stribeck(5.0, 8.0, 0.1, 1.0, 0.0), 500.0, 9.0, 1.0 + 0.1 * i);
        model.p.sigma1 = 2.0;
        model.p.sigma2 = 3.0;
        double f = 0.0;
        for (int k = 0; k < 50000; ++k) f = model_step(&model, T, v);
        const double level = 5.0 + 3.0 * exp(-fabs(v) / 0.1);
        assert_near(f, copysign(level, v) + 3.0 * v, 1e-9);
    }
}

// One element, before the bank slips: dh/dx = K (1 - (h/s)^n); for n = 1 h = s (1 - exp(-K x/s)),
// for n = 2 h = s tanh(K x/s). First order in the step.
static void one_element_follows_the_closed_form(void **state)
{
    (void)state;
    const double K = 1e4, s = 5.0, v = 1e-2, T = 1e-6;
    Model model;
    for (int n = 1; n <= 2; ++n) {
        model_of_ten(&model, sti_law_coulomb(s), K, s, (double)n);
        model.p.elements = 1;
        model.F[0] = 1.5 * s;
        for (int k = 1; k <= 100000; ++k) {
            const double f = model_step(&model, T, v), r = K * v * T * k / s;
            assert_near(f, s * (n == 1 ? 1.0 - exp(-r) : tanh(r)), 1.5 * K * v * T);
        }
    }
}

// A large exponent leaves the Maxwell-slip bank alone until the level is reached.
static void large_exponent_is_maxwell_slip(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_coulomb(20.0), 1e4, 20.0, 400.0);
    const StiMaxwellSlip bank = {10, model.K, model.F, NULL};
    double z[10] = {0.0}, zdot[10], f;
    const double T = 1e-3;
    for (int k = 0; k < 20000; ++k) {
        const double v = 0.8e-4 * cos(0.3 * k * T); // swings by 0.27 mm: at most 18.2 N
        sti_maxwell_slip(&bank, T, v, z, &f, zdot);
        for (int i = 0; i < 10; ++i) z[i] += T * zdot[i];
        assert_near(model_step(&model, T, v), f, 1e-12);
    }
}

static void is_odd(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        Random random = {seed};
        Model model;
        model_of_ten(&model, sti_law_stribeck(5.0, 8.0, 0.1, 1.0, 0.0), 1e4, 9.0,
                     random_between(&random, 1.0, 4.0));
        model.p.sigma1 = model.p.sigma2 = 1.0;
        const double v = random_between(&random, -1.0, 1.0), tau = seed % 2 ? 1e-3 : 0.0;
        double mirrored[MOST + 1], f, g, ydot[MOST + 1], mirrored_dot[MOST + 1];
        for (int i = 0; i <= 10; ++i) {
            model.y[i] = random_between(&random, -1.0, 1.0) *
                         (i > 0 ? model.F[i - 1] / model.K[i - 1] : 1.0);
            mirrored[i] = -model.y[i];
        }
        sti_leuven(&model.p, tau, NULL, v, model.y, &f, ydot);
        sti_leuven(&model.p, tau, NULL, -v, mirrored, &g, mirrored_dot);
        assert_true(f == -g);
        for (int i = 0; i <= 10; ++i) assert_true(ydot[i] == -mirrored_dot[i]);
    }
}

// Work over a closed cycle, once the cycle repeats.
static void closed_cycles_dissipate(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    for (uint64_t seed = 0; seed < 500; ++seed) {
        Random random = {seed};
        Model model;
        const double F = random_decades(&random, 0.1, 10.0), K = random_decades(&random, 1e3, 1e5);
        const int steps = 2000;
        const double T = 1e-4, turn = 2.0 * pi / steps, omega = turn / T;
        const double swing = random_decades(&random, 1e-3, 1.0) * F / K, Vs = 0.5 * swing * omega;
        const double n = random_between(&random, 1.0, 3.0),
                     sigma1 = random_between(&random, 0.0, 1e-3) * K;
        model_of_ten(&model, sti_law_stribeck(F, 1.3 * F, Vs, 1.0, 0.0), K, 1.4 * F, n);
        model.p.sigma1 = sigma1;
        model.p.sigma2 = sigma1 * (pow(1.3, n) - 1.0);
        double work = 0.0;
        for (int k = 0; k < 5 * steps; ++k) {
            const double v = swing * omega * cos(turn * k);
            if (k == 4 * steps) work = 0.0;
            work += model_step(&model, T, v) * T * v;
        }
        assert_true(work > 0.0);
    }
}

static long long dither_steps(void) { return getenv("STI_TEST_SHORT") ? 100000 : 1000000; }

// How far a mass creeps under a force that stays 20 % below the level, shaken.
static double creep(double exponent)
{
    Model model;
    model_of_ten(&model, sti_law_coulomb(0.5), 500.0, 0.5, exponent);
    model.p.sigma1 = 0.5;
    const double M = 0.05, T = 1e-4;
    const long long settled = 20000;
    double x = 0.0, v = 0.0, from = 0.0;
    for (long long k = 0; k < settled + dither_steps() / 10; ++k) {
        const double t = (double)k * T, ramp = fmin(1.0, t / 0.5);
        v += T * (ramp * (0.3 + 0.1 * sin(100.0 * t)) - model_step(&model, T, v)) / M;
        x += T * v;
        if (k == settled) from = x;
    }
    return (x - from) / ((double)(dither_steps() / 10) * T);
}

// holds must be false: about 2 mm/s for n = 1, 0.9 mm/s for n = 2, 0.04 mm/s for n = 10.
static void dither_makes_it_creep(void **state)
{
    (void)state;
    const double one = creep(1.0), two = creep(2.0), ten = creep(10.0);
    assert_true(one > two && two > ten && ten > 1e-5);
    assert_false(sti_kind_leuven.holds);
}

static void vanished_level_is_reported(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_coulomb(0.0), 1e4, 1.0, 2.0);
    model.y[1] = 1e-6;
    double f, ydot[MOST + 1];
    assert_int_equal(sti_leuven(&model.p, 0.0, NULL, 0.1, model.y, &f, ydot), STI_LEVEL_VANISHED);
    assert_int_equal(sti_leuven(&model.p, 1e-3, NULL, 0.1, model.y, &f, ydot), STI_OK);
    assert_true(ydot[0] < 0.0); // the bank lets go
    assert_int_equal(sti_leuven(&model.p, 1e-3, NULL, 0.0, model.y, &f, ydot), STI_OK);
    assert_near(f, 0.01, 1e-16);
    for (int i = 0; i <= 10; ++i) assert_true(ydot[i] == 0.0);
}

static void not_a_number_is_passed_on(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_coulomb(1.0), 1e4, 1.0, 2.0);
    double f, ydot[MOST + 1];
    assert_int_equal(sti_leuven(&model.p, 1e-3, NULL, NAN, model.y, &f, ydot), STI_OK);
    assert_true(isnan(f) && isnan(ydot[0]));
}

static void kind_describes_the_model(void **state)
{
    (void)state;
    const StiImpedanceKind *kind = &sti_kind_leuven;
    Model model;
    model_of_ten(&model, sti_law_coulomb(5.5), 1e4, 5.5, 2.0);
    model.p.sigma1 = 1.0;
    model.p.sigma2 = 2.0;
    assert_int_equal(kind->size(&model.p).velocities, 1);
    assert_int_equal(kind->size(&model.p).memory, 11);
    const double v = 0.1;
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = &v};
    double u, f, Z, seen[2], ydot[MOST + 1], expected[MOST + 1];
    for (int i = 1; i <= 10; ++i) model.y[i] = 5e-6;
    model.y[0] = 5e-6;
    assert_int_equal(kind->eval(&model.p, &stage, &xhat, model.y, NULL, &u, ydot), STI_OK);
    sti_leuven(&model.p, 1e-3, NULL, v, model.y, &f, expected);
    assert_true(u == f);
    assert_memory_equal(ydot, expected, sizeof ydot);
    kind->tangent(&model.p, &stage, &xhat, model.y, NULL, &Z);
    assert_near(Z, 3.0 + 100.0, 1e-12);
    assert_near(kind->stored(&model.p, &xhat, model.y), 5e4 * 5e-6 * 5e-6, 1e-19);
    kind->observe(&model.p, &stage, &xhat, model.y, NULL, &u, seen);
    assert_true(seen[0] == 1.0 && seen[1] == 5e-6);
    assert_true(sti_kind_find(&kind->info, &model.p, "exponent") == &model.p.exponent);
    assert_true(sti_kind_find(&kind->info, &model.p, "bank_level[4]") == &model.F[4]);
}

static StiFinding first_finding(const StiLeuven *p, bool allow_unphysical)
{
    StiFinding finding = {.severity = STI_NOTE};
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report,
                            .component = "friction",
                            .allow_unphysical = allow_unphysical};
    sti_kind_check(&sti_kind_leuven.info, p, &check);
    if (sti_report_count(report) > 0) finding = *sti_report_finding(report, 0);
    sti_report_destroy(report);
    return finding;
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_stribeck(5.0, 8.0, 0.1, 1.0, 0.0), 1e4, 8.0001, 2.0);
    assert_int_equal(first_finding(&model.p, false).severity, STI_NOTE);
    model.p.sigma1 = 1.0;
    model.p.sigma2 = 1.57; // (8/5)^2 - 1 = 1.56
    assert_int_equal(first_finding(&model.p, false).severity, STI_NOTE);
    model.p.sigma2 = 1.55;
    assert_int_equal(first_finding(&model.p, false).severity, STI_ERROR);
    assert_string_equal(first_finding(&model.p, false).parameter, "viscous");
    assert_int_equal(first_finding(&model.p, true).severity, STI_WARNING);
    model.p.sigma1 = 0.0;
    model.p.exponent = 0.9;
    assert_string_equal(first_finding(&model.p, false).parameter, "exponent");
    model.p.exponent = 1.0;
    model.F[9] -= 0.001;
    assert_int_equal(first_finding(&model.p, false).severity, STI_ERROR);
    assert_string_equal(first_finding(&model.p, false).parameter, "bank_level");
    model.p.F = NULL;
    assert_string_equal(first_finding(&model.p, false).parameter, "bank_level");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_slip_is_the_law),
        cmocka_unit_test(one_element_follows_the_closed_form),
        cmocka_unit_test(large_exponent_is_maxwell_slip),
        cmocka_unit_test(is_odd),
        cmocka_unit_test(closed_cycles_dissipate),
        cmocka_unit_test(dither_makes_it_creep),
        cmocka_unit_test(vanished_level_is_reported),
        cmocka_unit_test(not_a_number_is_passed_on),
        cmocka_unit_test(kind_describes_the_model),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
