// Maxwell slip: EQUATIONS 2.6 and 2.7, passivity, no drift, and the kind's own words about itself.
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

enum { MOST = 32 };

typedef struct Bank {
    StiMaxwellSlip p;
    double K[MOST], F[MOST], B[MOST], z[MOST];
} Bank;

static void bank_aim(Bank *bank, int elements, bool damped)
{
    bank->p = (StiMaxwellSlip){elements, bank->K, bank->F, damped ? bank->B : NULL};
    memset(bank->z, 0, sizeof bank->z);
}

static void bank_random(Bank *bank, Random *random, bool damped)
{
    bank_aim(bank, 1 + random_below(random, 13), damped);
    for (int i = 0; i < MOST; ++i) {
        bank->K[i] = random_decades(random, 1e2, 1e6);
        bank->F[i] = random_decades(random, 1e-2, 1e2);
        bank->B[i] = random_decades(random, 1e-1, 1e3);
    }
}

// Ten elements of [fixed-step] Simulation IV.
static void bank_of_ten(Bank *bank, bool damped)
{
    bank_aim(bank, 10, damped);
    for (int i = 0; i < 10; ++i) {
        bank->K[i] = 1e4;
        bank->F[i] = 1.0 + i;
        bank->B[i] = 100.0;
    }
}

// One Euler step; returns the force.
static double bank_step(Bank *bank, double T, double v)
{
    double f, zdot[MOST];
    sti_maxwell_slip(&bank->p, T, v, bank->z, &f, zdot);
    for (int i = 0; i < bank->p.elements; ++i) bank->z[i] += T * zdot[i];
    return f;
}

static double clip(double a, double limit) { return fmax(-limit, fmin(limit, a)); }

static double longest_spring(const Bank *bank)
{
    double longest = 0.0;
    for (int i = 0; i < bank->p.elements; ++i) longest = fmax(longest, bank->F[i] / bank->K[i]);
    return longest;
}

static double sum_of_levels(const Bank *bank)
{
    double sum = 0.0;
    for (int i = 0; i < bank->p.elements; ++i) sum += bank->F[i];
    return sum;
}

// 2.6: without damper it is z = clip(z + dx, F/K).
static void undamped_is_hayward_armstrong(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        Random random = {seed};
        Bank bank;
        bank_random(&bank, &random, false);
        double exact[MOST] = {0.0};
        const double swing = longest_spring(&bank), T = random_decades(&random, 1e-5, 1e-1);
        for (int k = 0; k < 300; ++k) {
            const double dx = random_between(&random, -0.5, 0.5) * swing;
            const double f = bank_step(&bank, T, dx / T);
            double sum = 0.0;
            for (int i = 0; i < bank.p.elements; ++i) {
                const double longest = bank.F[i] / bank.K[i];
                exact[i] = clip(exact[i] + dx, longest);
                assert_near(bank.z[i], exact[i], 1e-13 * swing);
                sum += bank.K[i] * exact[i];
            }
            double stiffness = 0.0;
            for (int i = 0; i < bank.p.elements; ++i) stiffness += bank.K[i];
            assert_near(f, sum, 1e-13 * stiffness * swing);
        }
    }
}

// Every element is (19) on its own, whatever its place among the others.
static void elements_are_independent(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Random random = {seed};
        Bank bank;
        bank_random(&bank, &random, seed % 2 == 0);
        const double tau = random_decades(&random, 1e-5, 1e-1), swing = longest_spring(&bank);
        const double v = random_between(&random, -1.0, 1.0) * swing / tau;
        for (int i = 0; i < MOST; ++i)
            bank.z[i] = random_between(&random, -1.0, 1.0) * bank.F[i] / bank.K[i];
        double f, zdot[MOST], sum = 0.0;
        zdot[bank.p.elements] = 42.0;
        sti_maxwell_slip(&bank.p, tau, v, bank.z, &f, zdot);
        for (int i = 0; i < bank.p.elements; ++i) {
            const double Z = (seed % 2 == 0 ? bank.B[i] : 0.0) + tau * bank.K[i];
            const double trial = Z * v + bank.K[i] * bank.z[i];
            const double expected = clip(trial, bank.F[i]);
            sum += expected;
            if (expected == trial)
                assert_true(zdot[i] == v);
            else
                assert_near(zdot[i], (expected - bank.K[i] * bank.z[i]) / Z, 1e-14 * swing / tau);
        }
        assert_near(f, sum, 1e-14 * sum_of_levels(&bank));
        assert_true(zdot[bank.p.elements] == 42.0);
    }
}

static const double pi = 3.14159265358979323846;

enum { POINTS = 14 };
static const double reversals[POINTS] = {0.0,   1.5e-3, -.9e-3, .7e-3,  -.5e-3, .3e-3,   -.1e-3,
                                         .3e-3, -.5e-3, .7e-3,  -.9e-3, 1.5e-3, -1.5e-3, 1.5e-3};
// The first visit of each point, by its second.
static const int first_visit[POINTS] = {[7] = 5, [8] = 4, [9] = 3, [10] = 2, [11] = 1, [13] = 11};

// Between reversal points, s = 0 ... 1: half a cosine, or a ramp.
static double share_of_way(bool cosine, double s) { return cosine ? 0.5 - 0.5 * cos(pi * s) : s; }

// Forces at the reversal points of 2.7, peak speed 0.1 mm/s, T = 1 ms. exact, if given, is carried
// beside as the Maxwell-slip stack z = clip(z + dx, F/K); returns the largest difference.
static double drive_through(Bank *bank, bool cosine, double forces[POINTS], double *exact)
{
    const double T = 1e-3, peak = 1e-4;
    double largest = 0.0;
    for (int leg = 1; leg < POINTS; ++leg) {
        const double from = reversals[leg - 1], way = reversals[leg] - from;
        const int steps = (int)lround(fabs(way) / peak / T * (cosine ? pi / 2.0 : 1.0));
        for (int k = 1; k <= steps; ++k) {
            const double dx = way * (share_of_way(cosine, (double)k / steps) -
                                     share_of_way(cosine, (double)(k - 1) / steps));
            forces[leg] = bank_step(bank, T, dx / T);
            if (exact == NULL) continue;
            double sum = 0.0;
            for (int i = 0; i < bank->p.elements; ++i) {
                exact[i] = clip(exact[i] + dx, bank->F[i] / bank->K[i]);
                sum += bank->K[i] * exact[i];
            }
            largest = fmax(largest, fabs(sum - forces[leg]));
        }
    }
    return largest;
}

static double worst_closure(const double forces[POINTS])
{
    double worst = 0.0;
    for (int k = 0; k < POINTS; ++k)
        if (first_visit[k] > 0) worst = fmax(worst, fabs(forces[k] - forces[first_visit[k]]));
    return worst;
}

static void loops_close_with_half_cosines(void **state)
{
    (void)state;
    Bank bank;
    double forces[POINTS];
    bank_of_ten(&bank, true);
    drive_through(&bank, true, forces, NULL);
    assert_near(worst_closure(forces), 0.0, 5e-5);
    assert_near(forces[1], 55.0, 1e-9); // all ten slide: 1 + 2 + ... + 10
    assert_near(forces[12], -55.0, 1e-9);
}

static void loops_close_with_ramps(void **state)
{
    (void)state;
    Bank bank;
    double forces[POINTS];
    bank_of_ten(&bank, true);
    drive_through(&bank, false, forces, NULL);
    assert_near(worst_closure(forces), 0.0, 1e-11);
}

// Without dampers: the exact stack, and the closed form of the branch from +55 N: an element turns
// round completely over 2 F/K.
static void undamped_loops_are_the_exact_stack(void **state)
{
    (void)state;
    Bank bank;
    double forces[POINTS], exact[MOST] = {0.0};
    bank_of_ten(&bank, false);
    assert_near(drive_through(&bank, true, forces, exact), 0.0, 1e-11);
    assert_near(worst_closure(forces), 0.0, 1e-12);
    double branch = 0.0;
    for (int i = 0; i < 10; ++i) branch += fmax(-bank.F[i], bank.F[i] - bank.K[i] * 2.4e-3);
    assert_near(forces[2], branch, 1e-10); // 1.5 mm to -0.9 mm
}

// T f v >= gain of stored energy, in every step: the element is backward Euler of a passive one.
static void every_step_dissipates(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        Random random = {seed};
        Bank bank;
        bank_random(&bank, &random, seed % 2 == 0);
        const double T = random_decades(&random, 1e-5, 1e-1);
        const double swing = longest_spring(&bank) * random_decades(&random, 1e-2, 10.0);
        double stored = 0.0;
        for (int k = 0; k < 200; ++k) {
            const double v = random_between(&random, -1.0, 1.0) * swing / T;
            const double work = T * bank_step(&bank, T, v) * v;
            const double now = sti_kind_maxwell_slip.stored(&bank.p, NULL, bank.z);
            assert_true(work - (now - stored) >= -1e-13 * (fabs(work) + now + stored));
            stored = now;
        }
    }
}

static long long dither_steps(void) { return getenv("STI_TEST_SHORT") ? 100000 : 1000000; }

// A mass slides to rest and is then shaken by a force below the sum of levels: weak elements slip
// to and fro, the strongest keeps its anchor x - z.
static void dither_does_not_move_the_anchor(void **state)
{
    (void)state;
    Bank bank;
    bank_aim(&bank, 10, true);
    for (int i = 0; i < 10; ++i) {
        bank.K[i] = 500.0;
        bank.F[i] = 0.5 * (1.0 + i) / 55.0;
        bank.B[i] = 0.1;
    }
    const double M = 0.05, T = 1e-4;
    const long long settled = 20000;
    double x = 0.0, v = 0.05, anchor = 0.0, low = 1.0, high = -1.0;
    for (long long k = 0; k < settled + dither_steps(); ++k) {
        const double t = (double)k * T, ramp = fmin(1.0, t / 0.5);
        v += T * (ramp * (0.3 + 0.1 * sin(100.0 * t)) - bank_step(&bank, T, v)) / M;
        x += T * v;
        if (k == settled) anchor = x - T * v - bank.z[9];
        if (k > settled) low = fmin(low, x), high = fmax(high, x);
    }
    assert_true(high - low > 1e-6); // it does swing
    assert_near(x - T * v - bank.z[9], anchor, 1e-12 * (high - low));
}

// tau = 0: without damper a slider at its level moves inward only; with one, Z = B.
static void continuous_time(void **state)
{
    (void)state;
    const double K[4] = {100.0, 100.0, 100.0, 100.0}, F[4] = {1.0, 1.0, 1.0, 0.0};
    const double z[4] = {0.01, -0.01, 0.005, 0.0};
    const StiMaxwellSlip p = {4, K, F, NULL};
    double f, zdot[4];
    sti_maxwell_slip(&p, 0.0, 2.0, z, &f, zdot);
    assert_near(f, 0.5, 1e-15);
    const double outward[4] = {0.0, 2.0, 2.0, 0.0};
    for (int i = 0; i < 4; ++i) assert_true(zdot[i] == outward[i]);
    sti_maxwell_slip(&p, 0.0, -2.0, z, &f, zdot);
    const double inward[4] = {-2.0, 0.0, -2.0, 0.0};
    for (int i = 0; i < 4; ++i) assert_true(zdot[i] == inward[i]);

    const double B[4] = {0.0, 10.0, 10.0, 10.0};
    const StiMaxwellSlip damped = {4, K, F, B};
    sti_maxwell_slip(&damped, 0.0, 0.04, z, &f, zdot);
    const double rates[4] = {0.0, 0.04, 0.04, 0.0}; // z = 0.005: 0.4 + 0.5 < 1, stuck
    for (int i = 0; i < 4; ++i) assert_near(zdot[i], rates[i], 1e-16);
    assert_near(f, 1.0 - 0.6 + 0.9 + 0.0, 1e-15);
}

static void not_a_number_is_passed_on(void **state)
{
    (void)state;
    Bank bank;
    bank_of_ten(&bank, false);
    double f, zdot[MOST];
    for (int i = 0; i < 2; ++i) {
        const double tau = i == 0 ? 1e-3 : 0.0;
        sti_maxwell_slip(&bank.p, tau, NAN, bank.z, &f, zdot);
        assert_true(isnan(zdot[0]) && isnan(zdot[9]));
        bank.z[9] = NAN;
        sti_maxwell_slip(&bank.p, tau, 0.0, bank.z, &f, zdot);
        assert_true(isnan(f));
        bank.z[9] = 0.0;
    }
}

static void kind_describes_the_bank(void **state)
{
    (void)state;
    Bank bank;
    bank_of_ten(&bank, true);
    const StiImpedanceKind *kind = &sti_kind_maxwell_slip;
    const StiImpedanceSize size = kind->size(&bank.p);
    assert_int_equal(size.velocities, 1);
    assert_int_equal(size.memory, 10);
    assert_int_equal(size.signals, 0);
    const double v = 1e-3;
    const StiStage stage = {.tau = 1e-3, .step = 1e-3};
    const StiMotion xhat = {.v = &v};
    double u, f, ydot[MOST], zdot[MOST], stick, Z;
    for (int i = 0; i < 10; ++i) bank.z[i] = 4.5e-4; // beyond the levels of elements 0 ... 3
    sti_maxwell_slip(&bank.p, 1e-3, v, bank.z, &f, zdot);
    assert_int_equal(kind->eval(&bank.p, &stage, &xhat, bank.z, NULL, &u, ydot), STI_OK);
    assert_true(u == f);
    assert_memory_equal(ydot, zdot, 10 * sizeof(double));
    kind->observe(&bank.p, &stage, &xhat, bank.z, NULL, &u, &stick);
    assert_near(stick, 0.6, 1e-15);
    kind->tangent(&bank.p, &stage, &xhat, bank.z, NULL, &Z);
    assert_near(Z, 10.0 * (100.0 + 10.0), 1e-12);
    assert_near(kind->stored(&bank.p, &xhat, bank.z), 10.0 * 0.5 * 1e4 * 4.5e-4 * 4.5e-4, 1e-15);
    assert_true(sti_kind_find(&kind->info, &bank.p, "level[3]") == &bank.F[3]);
    assert_true(sti_kind_find(&kind->info, &bank.p, "damping[9]") == &bank.B[9]);
}

static int errors_of(const StiMaxwellSlip *p, char parameter[64])
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report, .component = "bank"};
    sti_kind_check(&sti_kind_maxwell_slip.info, p, &check);
    const int errors = sti_report_error_count(report);
    parameter[0] = '\0';
    if (errors > 0) strcpy(parameter, sti_report_finding(report, 0)->parameter);
    sti_report_destroy(report);
    return errors;
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    Bank bank;
    char parameter[64];
    bank_of_ten(&bank, true);
    assert_int_equal(errors_of(&bank.p, parameter), 0);
    bank.K[3] = 0.0;
    assert_int_equal(errors_of(&bank.p, parameter), 1);
    assert_string_equal(parameter, "stiffness[3]");
    bank_of_ten(&bank, false);
    bank.F[7] = -1.0;
    assert_int_equal(errors_of(&bank.p, parameter), 1);
    assert_string_equal(parameter, "level[7]");
    const StiMaxwellSlip empty = {.elements = 0}, without_levels = {.elements = 2, .K = bank.K};
    assert_int_equal(errors_of(&empty, parameter), 1);
    assert_int_equal(errors_of(&without_levels, parameter), 1);
    assert_string_equal(parameter, "level");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undamped_is_hayward_armstrong),
        cmocka_unit_test(elements_are_independent),
        cmocka_unit_test(loops_close_with_half_cosines),
        cmocka_unit_test(loops_close_with_ramps),
        cmocka_unit_test(undamped_loops_are_the_exact_stack),
        cmocka_unit_test(every_step_dissipates),
        cmocka_unit_test(dither_does_not_move_the_anchor),
        cmocka_unit_test(continuous_time),
        cmocka_unit_test(not_a_number_is_passed_on),
        cmocka_unit_test(kind_describes_the_bank),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
