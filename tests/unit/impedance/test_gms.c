// The generalized Maxwell-slip model: [fixed-step] (9), its modes, its limits, and no drift.
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
    StiGms p;
    double K[MOST], share[MOST], z[MOST], modes[MOST + 1];
} Model;

static void model_aim(Model *model, int elements, StiLaw law, double Q)
{
    memset(model, 0, sizeof *model);
    model->p =
        (StiGms){.law = law, .elements = elements, .K = model->K, .share = model->share, .Q = Q};
}

// Equal springs, shares 1 : 2 : ... : 10 of the level.
static void model_of_ten(Model *model, StiLaw law, double K, double Q)
{
    model_aim(model, 10, law, Q);
    for (int i = 0; i < 10; ++i) {
        model->K[i] = K;
        model->share[i] = (1.0 + i) / 55.0;
    }
}

static void model_random(Model *model, Random *random, StiLaw law, double Q)
{
    model_aim(model, 1 + random_below(random, MOST), law, Q);
    double sum = 0.0;
    for (int i = 0; i < model->p.elements; ++i) {
        model->K[i] = random_decades(random, 1e3, 1e5);
        sum += model->share[i] = random_between(random, 0.2, 1.0);
    }
    for (int i = 0; i < model->p.elements; ++i) model->share[i] /= sum;
}

// One Euler step at v, then the modes at v_end; returns the force at the start of the step.
static double model_step(Model *model, double T, double v, double v_end)
{
    double f, zdot[MOST];
    assert_int_equal(sti_gms(&model->p, 0.0, NULL, v, model->z, model->modes, &f, zdot), STI_OK);
    for (int i = 0; i < model->p.elements; ++i) model->z[i] += T * zdot[i];
    sti_gms_settle(&model->p, NULL, v_end, model->z, model->modes);
    return f;
}

static double force_at(const Model *model, double v)
{
    double f, zdot[MOST];
    assert_int_equal(sti_gms(&model->p, 0.0, NULL, v, model->z, model->modes, &f, zdot), STI_OK);
    return f;
}

// At constant speed f -> s(v) + sigma2 v, from either side.
static void steady_slip_is_the_law(void **state)
{
    (void)state;
    Model model;
    for (int i = 0; i < 20; ++i) {
        const double v = (i % 2 ? -1.0 : 1.0) * pow(10.0, -3.0 + 0.15 * i), T = 1e-4;
        model_of_ten(&model, sti_law_stribeck(5.0, 8.0, 0.1, 1.0, 0.0), 1e4, 100.0);
        model.p.sigma2 = 3.0;
        for (int k = 0; k < 100000; ++k) model_step(&model, T, v, v);
        const double level = 5.0 + 3.0 * exp(-fabs(v) / 0.1);
        assert_near(force_at(&model, v), copysign(level, v) + 3.0 * v, 1e-12);
    }
}

// A slipping element nears its share of a new level like exp(-Q t/s); under Euler (1 - T Q/s)^k.
static void level_is_reached_with_lag(void **state)
{
    (void)state;
    const double T = 1e-4, Q = 200.0, K = 1e4, slow = 0.05, fast = 0.5;
    Model model;
    model_of_ten(&model, sti_law_stribeck(5.0, 8.0, 0.1, 1.0, 0.0), K, Q);
    for (int k = 0; k < 100000; ++k) model_step(&model, T, slow, slow);
    double before[10];
    memcpy(before, model.z, sizeof before);
    const double s = 5.0 + 3.0 * exp(-fast / 0.1);
    for (int k = 1; k <= 500; ++k) {
        model_step(&model, T, fast, fast);
        for (int i = 0; i < 10; ++i) {
            const double target = model.share[i] * s;
            assert_near(K * model.z[i], target + (K * before[i] - target) * pow(1.0 - T * Q / s, k),
                        1e-12);
        }
    }
}

static double clip(double a, double limit) { return fmax(-limit, fmin(limit, a)); }

// With a constant level it is the Maxwell-slip stack, up to the overshoot K |v| T of each element.
static void constant_level_is_maxwell_slip(void **state)
{
    (void)state;
    const double T = 1e-4, F = 5.5, K = 1e4, peak = 1e-2;
    Model model;
    double exact[10] = {0.0}, largest = 0.0, f;
    model_of_ten(&model, sti_law_coulomb(F), K, 5000.0);
    for (int k = 0; k < 100000; ++k) {
        const double v = peak * cos(10.0 * T * k), next = peak * cos(10.0 * T * (k + 1));
        model_step(&model, T, v, next);
        double sum = 0.0;
        for (int i = 0; i < 10; ++i) {
            exact[i] = clip(exact[i] + T * v, model.share[i] * F / K);
            sum += K * exact[i];
        }
        f = force_at(&model, next);
        assert_near(f, sum, 10.0 * K * peak * T);
        largest = fmax(largest, fabs(f));
    }
    assert_near(largest, F, 0.02 * F); // all elements slid
}

static void modes_change_where_they_should(void **state)
{
    (void)state;
    Model model;
    model_aim(&model, 3, sti_law_coulomb(3.0), 100.0);
    for (int i = 0; i < 3; ++i) model.K[i] = 100.0, model.share[i] = 1.0 / 3.0;
    model.z[0] = 0.0101, model.z[1] = -0.0101, model.z[2] = 0.005;
    const double after_pull[4] = {1.0, 0.0, 0.0, 1.0}, at_rest[4] = {1.0, 0.0, 0.0, 1.0};
    const double after_push[4] = {0.0, 1.0, 0.0, -1.0};
    sti_gms_settle(&model.p, NULL, 0.1, model.z,
                   model.modes); // element 1 is beyond, but moves inward
    assert_memory_equal(model.modes, after_pull, sizeof after_pull);
    sti_gms_settle(&model.p, NULL, 0.0, model.z, model.modes);
    assert_memory_equal(model.modes, at_rest, sizeof at_rest);
    double f, zdot[3];
    sti_gms(&model.p, 0.0, NULL, 0.0, model.z, model.modes, &f, zdot);
    for (int i = 0; i < 3; ++i) assert_true(zdot[i] == 0.0);
    assert_near(f, 0.5, 1e-15);
    sti_gms_settle(&model.p, NULL, -1e-300, model.z, model.modes); // however slow
    assert_memory_equal(model.modes, after_push, sizeof after_push);
    sti_gms(&model.p, 0.0, NULL, -0.1, model.z, model.modes, &f, zdot);
    assert_true(zdot[0] == -0.1 && zdot[2] == -0.1);
    assert_near(zdot[1], 100.0 / 3.0 / 100.0 * -(1.0 - 1.01), 1e-15); // back towards its level
}

// An element is released at its share of the level, not before.
static void slip_starts_at_the_level(void **state)
{
    (void)state;
    Model model;
    model_aim(&model, 4, sti_law_coulomb(4.0), 100.0);
    for (int i = 0; i < 4; ++i) model.K[i] = 128.0, model.share[i] = 0.25;
    const double full = 1.0 / 128.0;
    model.z[0] = full, model.z[1] = nextafter(full, 0.0), model.z[2] = nextafter(full, 1.0);
    sti_gms_settle(&model.p, NULL, 0.1, model.z, model.modes);
    const double expected[5] = {1.0, 0.0, 1.0, 0.0, 1.0};
    assert_memory_equal(model.modes, expected, sizeof expected);
}

// Work over a closed cycle, once the cycle repeats: never below zero, and zero only without slip.
static void closed_cycles_dissipate(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 500; ++seed) {
        Random random = {seed};
        Model model;
        const double F = random_decades(&random, 0.1, 10.0), pi = 3.14159265358979323846;
        const int steps = 2000;
        const double T = 1e-4, turn = 2.0 * pi / steps, omega = turn / T;
        const bool falling = seed % 2 == 0;
        const double swing = random_decades(&random, 1e-3, 3.0) * F / 1e4, Vs = 0.5 * swing * omega;
        const StiLaw law =
            falling ? sti_law_stribeck(F, 1.3 * F, Vs, 1.0, 0.0) : sti_law_coulomb(F);
        model_random(&model, &random, law, random_between(&random, 10.0, 1000.0) * F);
        double work = 0.0, path = 0.0, f = 0.0;
        bool slipped = false;
        for (int k = 0; k < 5 * steps; ++k) {
            const double v = swing * omega * cos(turn * k),
                         next = swing * omega * cos(turn * (k + 1));
            if (k == 4 * steps) work = path = 0.0, f = force_at(&model, v), slipped = false;
            model_step(&model, T, v, next);
            const double f_end = force_at(&model, next);
            work += 0.5 * (f + f_end) * T * v;
            path += fabs(T * v) * F;
            f = f_end;
            for (int i = 0; i < model.p.elements; ++i) slipped |= model.modes[i] != 0.0;
        }
        assert_true(work >= -1e-12 * path);
        if (slipped) assert_true(work > 0.0);
    }
}

static long long dither_steps(void) { return getenv("STI_TEST_SHORT") ? 100000 : 1000000; }

// A mass slides to rest and is then shaken by a force below the level: weak elements slip to and
// fro, the strongest keeps its anchor x - z.
static void dither_does_not_move_the_anchor(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_coulomb(0.5), 500.0, 1000.0);
    model.p.sigma2 = 1.0;
    const double M = 0.05, T = 1e-4;
    const long long settled = 20000;
    double x = 0.0, v = 0.05, anchor = 0.0, low = 1.0, high = -1.0;
    for (long long k = 0; k < settled + dither_steps(); ++k) {
        const double t = (double)k * T, ramp = fmin(1.0, t / 0.5), force = force_at(&model, v);
        const double v_end = v + T * (ramp * (0.3 + 0.1 * sin(100.0 * t)) - force) / M;
        model_step(&model, T, v, v_end);
        if (k == settled) anchor = x - model.z[9];
        if (k > settled) low = fmin(low, x), high = fmax(high, x);
        if (k + 1 == settled + dither_steps())
            assert_near(x - model.z[9], anchor, 1e-12 * (high - low));
        v = v_end;
        x += T * v;
    }
    assert_true(high - low > 1e-6 && fabs(anchor) > 1e-6);
}

static void vanished_level_is_reported(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_coulomb(0.0), 1e4, 100.0);
    double f, zdot[MOST];
    assert_int_equal(sti_gms(&model.p, 0.0, NULL, 0.1, model.z, model.modes, &f, zdot), STI_OK);
    assert_true(zdot[1] == 0.0);
    model.z[1] = 1e-6;
    assert_int_equal(sti_gms(&model.p, 1e-3, NULL, 0.1, model.z, model.modes, &f, zdot), STI_OK);
    assert_near(zdot[1], -1e-3, 1e-18);
    assert_int_equal(sti_gms(&model.p, 0.0, NULL, 0.1, model.z, model.modes, &f, zdot),
                     STI_LEVEL_VANISHED);
    assert_int_equal(sti_gms(&model.p, 0.0, NULL, 0.0, model.z, model.modes, &f, zdot), STI_OK);
}

static void kind_describes_the_model(void **state)
{
    (void)state;
    const StiImpedanceKind *kind = &sti_kind_gms;
    Model model;
    model_of_ten(&model, sti_law_coulomb(5.5), 1e4, 100.0);
    model.p.sigma2 = 2.0;
    const StiImpedanceSize size = kind->size(&model.p);
    assert_int_equal(size.velocities, 1);
    assert_int_equal(size.memory, 10);
    assert_int_equal(size.discrete, 11);
    const double v = 0.1;
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = &v};
    double u, f, stick, Z, ydot[MOST], zdot[MOST];
    for (int i = 0; i < 10; ++i) model.z[i] = 4.5e-5; // 0.45 N: beyond 0.1 ... 0.4 N
    kind->settle(&model.p, &stage, &xhat, model.z, model.modes);
    kind->observe(&model.p, &stage, &xhat, model.z, model.modes, NULL, &stick);
    assert_near(stick, 0.6, 1e-15);
    assert_int_equal(kind->eval(&model.p, &stage, &xhat, model.z, model.modes, &u, ydot), STI_OK);
    sti_gms(&model.p, stage.tau, NULL, v, model.z, model.modes, &f, zdot);
    assert_true(u == f);
    assert_near(u, 4.5 + 0.2, 1e-14);
    assert_memory_equal(ydot, zdot, 10 * sizeof(double));
    kind->tangent(&model.p, &stage, &xhat, model.z, model.modes, &Z);
    assert_near(Z, 2.0 + 100.0, 1e-12);
    assert_near(kind->stored(&model.p, &xhat, model.z), 5e4 * 4.5e-5 * 4.5e-5, 1e-17);
    assert_true(sti_kind_find(&kind->info, &model.p, "share[4]") == &model.share[4]);
    assert_true(sti_kind_find(&kind->info, &model.p, "rate") == &model.p.Q);
}

static StiFinding first_finding(const StiGms *p, double T)
{
    StiFinding finding = {.severity = STI_NOTE};
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report, .component = "friction", .step = T};
    sti_kind_check(&sti_kind_gms.info, p, &check);
    if (sti_report_count(report) > 0) finding = *sti_report_finding(report, 0);
    sti_report_destroy(report);
    return finding;
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    Model model;
    model_of_ten(&model, sti_law_coulomb(1.0), 1e4, 999.0);
    assert_int_equal(first_finding(&model.p, 1e-3).severity, STI_NOTE);
    model.p.Q = 1001.0;
    assert_int_equal(first_finding(&model.p, 1e-3).severity, STI_WARNING);
    assert_string_equal(first_finding(&model.p, 1e-3).parameter, "rate");
    model.share[0] += 2e-9;
    assert_int_equal(first_finding(&model.p, 1e-3).severity, STI_ERROR);
    assert_string_equal(first_finding(&model.p, 1e-3).parameter, "share");
    model.p.elements = 0;
    assert_int_equal(first_finding(&model.p, 1e-3).severity, STI_ERROR);
    const StiGms without_law = {.elements = 10, .K = model.K, .share = model.share, .Q = 1.0};
    assert_int_equal(first_finding(&without_law, 1e-3).severity, STI_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_slip_is_the_law),
        cmocka_unit_test(level_is_reached_with_lag),
        cmocka_unit_test(constant_level_is_maxwell_slip),
        cmocka_unit_test(modes_change_where_they_should),
        cmocka_unit_test(slip_starts_at_the_level),
        cmocka_unit_test(closed_cycles_dissipate),
        cmocka_unit_test(dither_does_not_move_the_anchor),
        cmocka_unit_test(vanished_level_is_reported),
        cmocka_unit_test(kind_describes_the_model),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
