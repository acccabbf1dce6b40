// The simulations of [fixed-step] and [regularization] with the numbers of EQUATIONS 2.1 to 2.5,
// 2.8 and 2.9, stepped by hand. Forces are resistances: the opposite sign of the papers'.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "mass.h"

typedef struct Sample {
    double v, r, s;
} Sample;

enum { PULL_STEPS = 4000 };

// Simulation I: a mass of 1 kg behind a spring of 90 N/m whose end moves with 2 m/s for 2 s. One
// sample every millisecond.
static void pull(const StiReactionKind *kind, const void *parameters, int steps_per_sample,
                 Sample samples[PULL_STEPS + 1], double *x_end)
{
    const double T = 1e-3 / steps_per_sample;
    Mass mass = {.dim = 1, .M = 1.0};
    samples[0] = (Sample){0};
    for (int k = 1; k <= PULL_STEPS * steps_per_sample; ++k) {
        const double h = 90.0 * (2.0 * fmin(k * T, 2.0) - mass.x[0]);
        step_mass(&mass, kind, parameters, T, &h);
        if (k % steps_per_sample == 0)
            samples[k / steps_per_sample] = (Sample){mass.v[0], mass.r[0], mass.s};
    }
    *x_end = mass.x[0];
}

static void pull_finite_time(double level_static, int steps_per_sample, Sample *samples,
                             double *x_end)
{
    const StiFiniteTime p = {.dim = 1, .law = sti_law_coulomb(10.0), .level_static = level_static};
    pull(&sti_kind_finite_time, &p, steps_per_sample, samples, x_end);
}

static void simulation_I_proposed(void **state)
{
    (void)state;
    Sample samples[PULL_STEPS + 1];
    double x_end;
    pull_finite_time(0.0, 1, samples, &x_end);
    assert_true(samples[55].v == 0.0 && samples[56].v > 0.0); // breaks away after 0.055556 s
    assert_true(samples[2020].v > 0.0);
    for (int k = 2021; k <= PULL_STEPS; ++k) {
        assert_true(samples[k].v == 0.0 && samples[k].s == 0.0);
        if (k > 2021) assert_true(samples[k].r == samples[2022].r); // bit for bit
    }
    assert_near(samples[2022].r, 2.4077, 5e-5);
}

static void simulation_I_converges(void **state)
{
    (void)state;
    Sample samples[PULL_STEPS + 1];
    double before = INFINITY, x_end;
    for (int refinement = 1; refinement <= 100; refinement *= 10) {
        pull_finite_time(0.0, refinement, samples, &x_end);
        const double error = fabs(samples[2000].v - 0.160173);
        assert_true(error < 4e-3 / refinement + 1e-6 && error < before);
        assert_near(samples[PULL_STEPS].r, 2.4064364, 2e-3 / refinement);
        assert_near(x_end, 3.9732618, 2e-5 / refinement + 1e-7);
        before = error;
    }
}

static void simulation_I_karnopp(void **state)
{
    (void)state;
    Sample samples[PULL_STEPS + 1];
    double x_end;
    StiKarnopp p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 1.0};
    pull(&sti_kind_karnopp, &p, 1, samples, &x_end); // K1 never stops
    double fastest = 0.0;
    for (int k = 3000; k <= PULL_STEPS; ++k) fastest = fmax(fastest, fabs(samples[k].v));
    assert_true(fastest > 0.5);

    p.eps = 1e-2; // K2 creeps on at a constant speed, its force drifts
    pull(&sti_kind_karnopp, &p, 1, samples, &x_end);
    assert_true(samples[2100].v > 1e-3 && samples[2100].v < 1e-2);
    for (int k = 2100; k <= PULL_STEPS; ++k) {
        assert_near(samples[k].v, samples[2100].v, 1e-12);
        assert_true(samples[k].s == 0.0); // and it believes to stick
    }
    assert_near(samples[3000].r - samples[4000].r, 90.0 * samples[2100].v, 1e-9);

    p.eps = 1e-4; // K3 pushes to and fro after the stop, until it meets its dead band
    pull(&sti_kind_karnopp, &p, 1, samples, &x_end);
    int pushes = 0;
    for (int k = 2015; k <= PULL_STEPS; ++k) pushes += samples[k].r == -10.0;
    assert_true(pushes > 0);
}

static void simulation_I_quinn(void **state)
{
    (void)state;
    Sample samples[PULL_STEPS + 1], proposed[PULL_STEPS + 1];
    double x_end;
    StiQuinn p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 1.0};
    pull(&sti_kind_quinn, &p, 1, samples, &x_end); // Q1 only approaches zero speed
    for (int k = 2100; k < PULL_STEPS; ++k)
        assert_true(samples[k].v > 0.0 && samples[k + 1].v < samples[k].v);

    p.eps = 1e-2; // Q2 = T F/M is the proposed model here
    pull(&sti_kind_quinn, &p, 1, samples, &x_end);
    pull_finite_time(0.0, 1, proposed, &x_end);
    for (int k = 1; k <= PULL_STEPS; ++k) {
        assert_near(samples[k].v, proposed[k].v, 1e-12);
        assert_near(samples[k].r, proposed[k].r, 1e-9);
    }

    p.eps = 1e-4; // Q3 chatters at 10 N for ever
    pull(&sti_kind_quinn, &p, 1, samples, &x_end);
    int changes = 0;
    for (int k = 2100; k < PULL_STEPS; ++k)
        changes += fabs(samples[k].r) > 9.9 && samples[k].r * samples[k + 1].r < 0.0;
    assert_true(changes > 1000);
}

// FS = 13 N above FC = 10 N.
static void static_above_kinetic(void **state)
{
    (void)state;
    const double starts[] = {0.072222, 0.734802, 1.397381};
    const double stops[] = {0.701468, 1.364048, 2.0184456};
    Sample samples[PULL_STEPS + 1];
    double x_end;
    int starts_seen = 0, stops_seen = 0;
    pull_finite_time(13.0, 1, samples, &x_end);
    for (int k = 1; k <= PULL_STEPS; ++k) {
        const double t = k * 1e-3;
        assert_int_equal(samples[k].s == 0.0, samples[k].v == 0.0);
        assert_true(samples[k].s == 0.0 ? fabs(samples[k].r) <= 13.0 : fabs(samples[k].r) == 10.0);
        if (samples[k].s > samples[k - 1].s) assert_near(t, starts[starts_seen++], 1e-3);
        if (samples[k].s < samples[k - 1].s) assert_near(t, stops[stops_seen++], 1e-3);
    }
    assert_true(starts_seen == 3 && stops_seen == 3);
    assert_near(samples[PULL_STEPS].r, 2.2344636, 5e-4);
    pull_finite_time(13.0, 100, samples, &x_end);
    assert_near(samples[PULL_STEPS].r, 2.2344636, 1e-4);
    assert_near(x_end, 3.9751726, 1e-6);
}

static void static_above_kinetic_karnopp(void **state)
{
    (void)state;
    const StiKarnopp p = {.dim = 1,
                          .law = sti_law_coulomb(10.0),
                          .level_static = 13.0,
                          .eps = 1e-2};
    Sample samples[PULL_STEPS + 1];
    double x_end;
    pull(&sti_kind_karnopp, &p, 1, samples, &x_end);
    assert_true(samples[PULL_STEPS].v > 1e-3); // still moving at the end, as K2 with one level
    assert_true(samples[PULL_STEPS].r < samples[3000].r);
}

// Simulation II: 40 N against a mass that moves backward.
static void simulation_II(void **state)
{
    (void)state;
    const double expected[] = {-0.08, -0.03, 0.0, 0.03, 0.06}, h = 40.0;
    const StiFiniteTime proposed = {.dim = 1, .law = sti_law_coulomb(10.0)};
    const StiQuinn quinn = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 1e-2};
    Mass p = {.dim = 1, .M = 1.0, .v = {-0.13}}, q = p;
    for (int k = 0; k < 5; ++k) {
        step_mass(&p, &sti_kind_finite_time, &proposed, 1e-3, &h);
        step_mass(&q, &sti_kind_quinn, &quinn, 1e-3, &h);
        assert_near(p.v[0], expected[k], 1e-15);
        assert_true(p.r[0] * p.v[0] >= 0.0);
        if (k == 2) assert_near(q.v[0], 0.02, 1e-15);
        assert_int_equal(q.r[0] * q.v[0] < 0.0, k == 2); // it pushes along the motion, once
    }
}

// Simulation III: two dimensions, 3 N/m to the origin.
static void simulation_III(void **state)
{
    (void)state;
    const StiFiniteTime p = {.dim = 2, .law = sti_law_coulomb(10.0)};
    for (int refinement = 1; refinement <= 10; refinement *= 10) {
        const double T = 1e-3 / refinement;
        Mass mass = {.dim = 2, .M = 1.0, .x = {10.0, 0.0}, .v = {0.0, 30.0}};
        int stopped = 0;
        for (int k = 1; k <= 6000 * refinement; ++k) {
            const double h[2] = {-3.0 * mass.x[0], -3.0 * mass.x[1]};
            step_mass(&mass, &sti_kind_finite_time, &p, T, h);
            const bool rest = mass.v[0] == 0.0 && mass.v[1] == 0.0;
            if (rest && stopped == 0) stopped = k;
            assert_true(rest == (stopped > 0)); // once at rest, at rest for ever
        }
        assert_near(stopped * T, 4.634414, 3e-3 / refinement);
        assert_near(3.0 * hypot(mass.x[0], mass.x[1]), 8.011, 7e-3 / refinement);
    }
}

// M = 1, F = 10, B = 2, v0 = 1.
static void free_deceleration(void **state)
{
    (void)state;
    const StiFiniteTime p = {.dim = 1, .law = sti_law_viscous(10.0, 2.0)};
    const double none = 0.0;
    double before = 0.0;
    for (int refinement = 1; refinement <= 16; refinement *= 2) {
        const double T = 1e-3 / refinement;
        Mass mass = {.dim = 1, .M = 1.0, .v = {1.0}};
        int steps = 0;
        while (mass.v[0] != 0.0) {
            step_mass(&mass, &sti_kind_finite_time, &p, T, &none);
            ++steps;
        }
        const double error = 0.0441961 - mass.x[0];
        assert_near(steps * T, 0.0911608, 1.1 * T);
        if (before > 0.0) assert_near(before / error, 2.0, 0.03); // first order
        before = error;
    }
}

// Two bodies, [regularization] (18): W = 1/Ma + 1/Mb.
static void two_bodies_lock(void **state)
{
    (void)state;
    const double Ma = 1.0, Mb = 2.0, T = 1e-3, W = 1.0 / Ma + 1.0 / Mb;
    const StiLaw law = sti_law_coulomb(4.0);
    double va = 3.0, vb = 0.0;
    for (int k = 1; k <= 1000; ++k) {
        const double v = va - vb;
        const StiReactionProblem problem = {.dim = 1, .T = T, .W = &W, .v = &v, .vbar = &v};
        StiReactionAnswer answer;
        assert_int_equal(sti_finite_time(&law, 4.0, false, &problem, &answer), STI_OK);
        va -= T * answer.r[0] / Ma;
        vb += T * answer.r[0] / Mb;
        if (answer.stuck) va = vb;
        assert_near(Ma * va + Mb * vb, 3.0, 1e-13);
        assert_int_equal(answer.stuck, k >= 500);
    }
    assert_near(va, 1.0, 1e-12);
    assert_near(vb, 1.0, 1e-12);
}

// The hand of EQUATIONS 2.9.
static void hand_force(double t, double h[2])
{
    const double angle = 2.0 * (t - 3.5), c = cos(angle), s = sin(angle);
    h[0] = t <= 1.0 ? 9.0 : t <= 2.5 ? 3.0 : 0.0;
    h[1] = t > 2.5 && t <= 3.5 ? 8.0 : 0.0;
    if (t > 3.5 && t <= 3.5 + 3.14159265358979) {
        h[0] = -6.0 * s - 4.0 * c;
        h[1] = 6.0 * c - 4.0 * s;
    }
}

// The largest distance from the exact path, and exact rest where there is rest.
static double haptic_error(double T)
{
    const StiFiniteTime p = {.dim = 2, .law = sti_law_coulomb(6.0)};
    Mass mass = {.dim = 2, .M = 2.0};
    double worst = 0.0;
    for (int k = 1; k * T <= 7.5; ++k) {
        const double t = k * T;
        double h[2], x = NAN, y = NAN;
        hand_force(t, h);
        step_mass(&mass, &sti_kind_finite_time, &p, T, h);
        if (t <= 1.0)
            x = 0.75 * t * t, y = 0.0;
        else if (t <= 2.5)
            x = 1.5 - 0.75 * pow(fmax(2.0 - t, 0.0), 2.0), y = 0.0;
        else if (t <= 3.5)
            x = 1.5, y = 0.5 * pow(t - 2.5, 2.0);
        else if (t <= 6.6)
            x = 1.0 + 0.5 * cos(2.0 * t - 7.0), y = 0.5 + 0.5 * sin(2.0 * t - 7.0);
        else if (t > 7.0)
            x = 1.5, y = 0.5 + 1.0 / 6.0;
        if (!isnan(x)) worst = fmax(worst, hypot(mass.x[0] - x, mass.x[1] - y));
        if ((t > 2.01 && t < 2.499) || t > 7.0) assert_true(mass.v[0] == 0.0 && mass.v[1] == 0.0);
    }
    return worst;
}

static void haptic_loop(void **state)
{
    (void)state;
    const double coarse = haptic_error(1e-3), fine = haptic_error(1e-4);
    assert_true(coarse < 5e-3);
    assert_near(coarse / fine, 10.0, 1.0); // first order
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulation_I_proposed), cmocka_unit_test(simulation_I_converges),
        cmocka_unit_test(simulation_I_karnopp),  cmocka_unit_test(simulation_I_quinn),
        cmocka_unit_test(static_above_kinetic),  cmocka_unit_test(static_above_kinetic_karnopp),
        cmocka_unit_test(simulation_II),         cmocka_unit_test(simulation_III),
        cmocka_unit_test(free_deceleration),     cmocka_unit_test(two_bodies_lock),
        cmocka_unit_test(haptic_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
