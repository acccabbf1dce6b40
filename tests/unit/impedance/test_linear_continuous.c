// The linear continuous model: EQUATIONS 2.6, 2.7, 2.11 against the papers' own forms, written out.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stiction/friction.h"
#include "stiction/vector.h"
#include "support/near.h"
#include "support/random.h"

static StiLinearContinuous random_model(Random *random, int dim, double T)
{
    StiLinearContinuous p = {.dim = dim};
    p.K = random_decades(random, 1e2, 1e6);
    p.B = random_decades(random, 1e-1, 1e3);
    p.M = random_decades(random, 1e-2, 10.0) * (T * p.B + T * T * p.K);
    p.law = sti_law_coulomb(random_decades(random, 1e-2, 1e2));
    return p;
}

static double level_of(const StiLinearContinuous *p) { return p->law.p[0]; }

// A velocity that stretches the spring by about its longest in a few steps.
static double lively(const StiLinearContinuous *p, Random *random, double T)
{
    return random_between(random, -0.5, 0.5) * level_of(p) / p->K / T;
}

// One Euler step; returns what the function said.
static StiStatus step(const StiLinearContinuous *p, double T, const double *v, double *y, double *f)
{
    double ydot[6] = {0.0};
    const StiStatus status = sti_linear_continuous(p, T, NULL, v, y, f, ydot);
    for (int i = 0; i < (p->M > 0.0 ? 2 : 1) * p->dim; ++i) y[i] += T * ydot[i];
    return status;
}

static double clip(double a, double limit) { return fmax(-limit, fmin(limit, a)); }

// The paper's state is z, Delta z and v of the step before; its forces have the other sign.
typedef struct Printed {
    double z, dz, v;
} Printed;

static double step_printed(const StiLinearContinuous *p, double T, double v, Printed *s)
{
    const double C = p->M + T * p->B + T * T * p->K;                                 // (26)
    const double ubar = v + T * p->K / C * s->z - p->M / C * (v - s->v + s->dz / T); // (29a)
    const double g = clip(-C * ubar / T, level_of(p));                               // (29b)
    s->dz = T * v - T * (ubar + T * g / C);                                          // (29c)
    s->z += s->dz;
    s->v = v;
    return -p->K * s->z - p->B * s->dz / T; // (29d)
}

// The sign of (29a): v(k) - v(k-1) + dz(k-1)/T is v(k) minus the mass's own velocity.
static void agrees_with_the_printed_form(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-2);
        const StiLinearContinuous p = random_model(&random, 1, T);
        const double swing = level_of(&p) / p.K;
        Printed printed = {.z = 0.0};
        double y[2] = {0.0}, f;
        for (int k = 0; k < 300; ++k) {
            const double v = lively(&p, &random, T), force = step_printed(&p, T, v, &printed);
            assert_int_equal(step(&p, T, &v, y, &f), STI_OK);
            assert_near(y[0], printed.z, 1e-12 * swing * (1.0 + p.M / (T * p.B)));
            assert_near(f, -force, 1e-12 * (p.K + p.B / T) * swing * (1.0 + p.M / (T * p.B)));
        }
    }
}

// The positions themselves: M (w(k) - 2 w(k-1) + w(k-2))/T^2 = f - g, |g| <= F, g along the slip.
static void mass_obeys_newton(void **state)
{
    (void)state;
    int stuck = 0, slipping = 0;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-2);
        const StiLinearContinuous p = random_model(&random, 1, T);
        const double F = level_of(&p), swing = F / p.K,
                     rounding = 1e-12 * (F + p.M * swing / (T * T));
        double x = 0.0, w = 0.0, dw = 0.0, y[2] = {0.0}, f;
        for (int k = 0; k < 300; ++k) {
            const double v = lively(&p, &random, T) + (k % 100 < 50 ? 0.3 : -0.3) * swing / T;
            step(&p, T, &v, y, &f);
            x += T * v;
            const double dw_new = x - y[0] - w;
            const double g = f - p.M * (dw_new - dw) / (T * T);
            assert_true(fabs(g) <= F + rounding);
            assert_near(y[1], dw_new / T, 1e-11 * swing / T); // omega is the mass's velocity
            const bool slips = fabs(dw_new) > 1e-9 * swing;
            if (slips) assert_near(g, copysign(F, dw_new), rounding);
            ++*(slips ? &slipping : &stuck);
            w += dw_new;
            dw = dw_new;
        }
    }
    assert_true(slipping > 10000 && stuck > 10000);
}

// M = 0, B > 0: [modular] (14), f = gsat(F, (K + B/T) T v + K e), e = e + T (f - K e)/(B + T K).
static void massless_is_modular_14(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-2);
        StiLinearContinuous p = random_model(&random, 1 + (int)(seed % 3), T);
        p.M = 0.0;
        const double F = level_of(&p), Z = p.B + T * p.K;
        double y[3] = {0.0}, e[3] = {0.0}, f[3];
        for (int k = 0; k < 300; ++k) {
            double v[3], trial[3], size = 0.0;
            for (int i = 0; i < p.dim; ++i) v[i] = lively(&p, &random, T);
            for (int i = 0; i < p.dim; ++i) trial[i] = Z * v[i] + p.K * e[i];
            for (int i = 0; i < p.dim; ++i) size += trial[i] * trial[i];
            const double factor = fmin(1.0, F / sqrt(size));
            step(&p, T, v, y, f);
            for (int i = 0; i < p.dim; ++i) {
                e[i] += T * (factor * trial[i] - p.K * e[i]) / Z;
                assert_near(f[i], factor * trial[i], 1e-13 * F);
                assert_near(y[i], e[i], 1e-13 * F / p.K);
            }
        }
    }
}

static void massless_undamped_is_hayward_armstrong(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-2);
        StiLinearContinuous p = random_model(&random, 1, T);
        p.M = p.B = 0.0;
        const double longest = level_of(&p) / p.K;
        double y = 0.0, z = 0.0, f;
        for (int k = 0; k < 300; ++k) {
            const double v = lively(&p, &random, T);
            step(&p, T, &v, &y, &f);
            z = clip(z + T * v, longest);
            assert_near(y, z, 1e-13 * longest);
            assert_near(f, p.K * z, 1e-13 * level_of(&p));
        }
    }
}

// 2.6: a ramp breaks away at (F - B v)/(K v) = 0.0100 s, then z -> F/K.
static void ramp_breaks_away_in_time(void **state)
{
    (void)state;
    const StiLinearContinuous p = {.dim = 1, .law = sti_law_coulomb(10.0), .K = 1e4, .B = 100.0};
    const double T = 1e-5, v = 0.05;
    double y = 0.0, f = 0.0, last = -1.0;
    int k = 0;
    for (; f < 10.0 && f > last; ++k) {
        last = f;
        step(&p, T, &v, &y, &f);
    }
    assert_near(k * T, 0.0100, 1.01 * T);
    for (k = 0; k < 100000; ++k) step(&p, T, &v, &y, &f);
    assert_near(y, 10.0 / 1e4, 1e-15);
    assert_near(f, 10.0, 0.0);
}

// 2.7: ten of them in parallel are the Maxwell-slip bank.
static void ten_in_parallel_are_maxwell_slip(void **state)
{
    (void)state;
    double K[10], F[10], B[10], z[10] = {0.0}, y[10] = {0.0}, zdot[10], bank, sum, f;
    for (int i = 0; i < 10; ++i) K[i] = 1e4, F[i] = 1.0 + i, B[i] = 100.0;
    const StiMaxwellSlip slip = {10, K, F, B};
    const double T = 1e-3;
    Random random = {7};
    for (int k = 0; k < 20000; ++k) {
        const double v = 1e-4 * cos(1e-3 * k) + random_between(&random, -1e-3, 1e-3);
        sti_maxwell_slip(&slip, T, v, z, &bank, zdot);
        sum = 0.0;
        for (int i = 0; i < 10; ++i) {
            const StiLinearContinuous p = {.dim = 1,
                                           .law = sti_law_coulomb(F[i]),
                                           .K = K[i],
                                           .B = B[i]};
            step(&p, T, &v, &y[i], &f);
            z[i] += T * zdot[i];
            sum += f;
        }
        assert_near(sum, bank, 1e-12);
    }
}

static StiVec3 turned(StiQuat q, int dim, const double *a)
{
    return sti_quat_rotate(q, sti_vec3(a[0], a[1], dim > 2 ? a[2] : 0.0));
}

static void assert_turned(StiQuat q, int dim, const double *plain, const double *other,
                          double tolerance)
{
    const StiVec3 expected = turned(q, dim, plain);
    assert_near(other[0], expected.x, tolerance);
    assert_near(other[1], expected.y, tolerance);
    if (dim > 2) assert_near(other[2], expected.z, tolerance);
}

// Turning all that goes in turns all that comes out.
static void has_no_preferred_direction(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Random random = {seed};
        const int dim = 2 + (int)(seed % 2);
        const double T = random_decades(&random, 1e-5, 1e-2);
        StiLinearContinuous p = random_model(&random, dim, T);
        const double F = level_of(&p), speed = F / p.K / T;
        if (seed % 4 < 2) p.law = sti_law_stribeck(F, 1.2 * F, speed, 1.0, 0.1 * F / speed);
        p.forward = seed % 8 == 0;
        if (seed % 8 == 1) p.M = 0.0;
        const StiVec3 axis = {dim > 2 ? random_between(&random, -2.0, 2.0) : 0.0,
                              dim > 2 ? random_between(&random, -2.0, 2.0) : 0.0,
                              random_between(&random, -2.0, 2.0)};
        const StiQuat q = sti_quat_exp(axis);
        double v[3], y[6], vt[3], yt[6], f[3], ydot[6], ft[3], ydott[6];
        for (int i = 0; i < dim; ++i) {
            v[i] = random_between(&random, -1.0, 1.0) * speed;
            y[i] = random_between(&random, -1.0, 1.0) * F / p.K;
            y[dim + i] = random_between(&random, -1.0, 1.0) * speed;
        }
        const StiVec3 V = turned(q, dim, v), Z = turned(q, dim, y), W = turned(q, dim, y + dim);
        memcpy(vt, &V, sizeof vt);
        memcpy(yt, &Z, (size_t)dim * sizeof *yt);
        memcpy(yt + dim, &W, (size_t)dim * sizeof *yt);
        assert_int_equal(sti_linear_continuous(&p, T, NULL, v, y, f, ydot), STI_OK);
        assert_int_equal(sti_linear_continuous(&p, T, NULL, vt, yt, ft, ydott), STI_OK);
        const double force = (p.B + T * p.K + p.M / T) * speed + F;
        assert_turned(q, dim, f, ft, 1e-13 * force);
        assert_turned(q, dim, ydot, ydott,
                      1e-12 * speed * (1.0 + force / (p.M > 0.0 ? p.M / T : 1e9)));
        if (p.M > 0.0) assert_turned(q, dim, ydot + dim, ydott + dim, 1e-11 * force / p.M);
    }
}

// g = f - M omegadot is the law's level at the mass's new speed.
static void law_is_met_at_the_slip_speed(void **state)
{
    (void)state;
    int slipping = 0;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-2);
        StiLinearContinuous p = random_model(&random, 1, T);
        const double F = level_of(&p), speed = F / p.K / T;
        p.law = sti_law_stribeck(F, 1.3 * F, speed, 2.0, 0.2 * F / speed);
        double y[2] = {0.0}, f, ydot[2];
        for (int k = 0; k < 100; ++k) {
            const double v = random_between(&random, -1.0, 1.0) * speed;
            sti_linear_continuous(&p, T, NULL, &v, y, &f, ydot);
            const double g = f - p.M * ydot[1], wnew = v - ydot[0];
            const double scale = F + (p.B + T * p.K + p.M / T) * speed;
            if (wnew == 0.0) {
                assert_true(fabs(g) <= 1.3 * F + 1e-13 * scale);
            } else {
                assert_near(fabs(g), sti_law_level(&p.law, fabs(wnew), 1.0, NULL), 1e-12 * scale);
                ++slipping;
            }
            for (int i = 0; i < 2; ++i) y[i] += T * ydot[i];
        }
    }
    assert_true(slipping > 1000);
}

// (22) as printed, with positions.
static void forward_variant_is_the_printed_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-2);
        StiLinearContinuous p = random_model(&random, 1, T);
        p.forward = true;
        p.M = random_between(&random, 1.0, 3.0) * (T * p.B + T * T * p.K);
        const double F = level_of(&p), swing = F / p.K;
        double x = 0.0, w = 0.0, dw = 0.0, y[2] = {0.0}, f;
        for (int k = 0; k < 200; ++k) {
            const double v = lively(&p, &random, T), dx = T * v;
            x += dx;
            const double force = -p.K * (x - w) - p.B * (dx - dw) / T; // (22a)
            const double vbar = dw / T - T * force / p.M;              // (22b)
            const double g = clip(-p.M * vbar / T, F);                 // (22c)
            dw = T * vbar + T * T * g / p.M;                           // (22d)
            w += dw;
            assert_int_equal(step(&p, T, &v, y, &f), STI_OK);
            assert_near(f, -force, 1e-11 * (F + p.B * swing / T));
            assert_near(y[0], x - w, 1e-11 * swing);
        }
    }
}

// Both variants discretise the same differential equation: their difference is first order in T.
static double distance_of_variants(double T)
{
    StiLinearContinuous backward = {
        .dim = 1, .law = sti_law_coulomb(10.0), .K = 1e4, .B = 20.0, .M = 0.1};
    StiLinearContinuous forward = backward;
    forward.forward = true;
    double yb[2] = {0.0}, yf[2] = {0.0}, fb, ff, largest = 0.0;
    for (int k = 0; k * T < 0.2; ++k) {
        const double v = 0.1 * cos(40.0 * k * T);
        step(&backward, T, &v, yb, &fb);
        step(&forward, T, &v, yf, &ff);
        largest = fmax(largest, fabs(yb[0] - yf[0]));
    }
    return largest;
}

static void variants_converge_to_each_other(void **state)
{
    (void)state;
    const double coarse = distance_of_variants(1e-5), fine = distance_of_variants(1e-6);
    assert_true(coarse > 0.0);
    assert_near(coarse / fine, 10.0, 2.0);
}

// T f v >= gain of stored energy in every step, for any law and step.
static void every_step_dissipates(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-1);
        StiLinearContinuous p = random_model(&random, 1 + (int)(seed % 3), T);
        const double F = level_of(&p), speed = F / p.K / T;
        if (seed % 5 == 0) p.M = 0.0;
        if (seed % 2 == 0) p.law = sti_law_stribeck(F, 2.0 * F, 0.1 * speed, 1.0, 0.01 * F / speed);
        double y[6] = {0.0}, f[3], stored = 0.0;
        for (int k = 0; k < 200; ++k) {
            double v[3], work = 0.0;
            for (int i = 0; i < p.dim; ++i) v[i] = random_between(&random, -1.0, 1.0) * speed;
            step(&p, T, v, y, f);
            for (int i = 0; i < p.dim; ++i) work += T * f[i] * v[i];
            const double now = sti_kind_linear_continuous.stored(&p, NULL, y);
            const double rounding = 1e-13 * (fabs(work) + now + stored + p.B * speed * speed * T);
            assert_true(work - (now - stored) >= -rounding);
            stored = now;
        }
    }
}

static long long dither_steps(void) { return getenv("STI_TEST_SHORT") ? 100000 : 1000000; }

// EQUATIONS 3.4, after a short slide: the anchor x - z of what is stuck stays.
static void dither_does_not_move_the_anchor(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; ++variant) {
        const StiLinearContinuous p = {.dim = 1,
                                       .law = sti_law_coulomb(0.5),
                                       .K = 5000.0,
                                       .B = 1.0,
                                       .M = variant == 0 ? 0.0 : 1e-3,
                                       .forward = variant == 2};
        const double M = 0.05, T = 1e-4;
        const long long settled = 20000;
        double x = 0.0, v = 0.05, y[2] = {0.0}, f, anchor = 0.0, low = 1.0, high = -1.0;
        for (long long k = 0; k < settled + dither_steps(); ++k) {
            const double t = (double)k * T, ramp = fmin(1.0, t / 0.5), at = x;
            assert_int_equal(step(&p, T, &v, y, &f), STI_OK);
            v += T * (ramp * (0.336 + 0.144 * sin(100.0 * t)) - f) / M;
            x += T * v;
            if (k == settled) anchor = at - y[0];
            if (k > settled) low = fmin(low, x), high = fmax(high, x);
        }
        assert_true(high - low > 1e-6);
        assert_near(x - T * v - y[0], anchor, 1e-12 * (high - low));
    }
}

static void refuses_where_it_has_no_form(void **state)
{
    (void)state;
    StiLinearContinuous p = {.dim = 1, .law = sti_law_coulomb(1.0), .K = 100.0, .B = 10.0};
    const double v = 0.02, y[2] = {0.005, 0.0};
    double f, ydot[2];
    assert_int_equal(sti_linear_continuous(&p, 0.0, NULL, &v, y, &f, ydot), STI_OK);
    assert_near(f, 0.7, 1e-15); // stuck: B v + K z
    assert_true(ydot[0] == v);
    const double fast = 1.0;
    assert_int_equal(sti_linear_continuous(&p, 0.0, NULL, &fast, y, &f, ydot), STI_OK);
    assert_near(f, 1.0, 1e-15);
    assert_near(ydot[0], (1.0 - 0.5) / 10.0, 1e-15); // (19c) at tau = 0
    p.B = 0.0;
    assert_int_equal(sti_linear_continuous(&p, 0.0, NULL, &v, y, &f, ydot),
                     STI_NO_CONTINUOUS_LIMIT);
    p.B = 10.0;
    p.M = 0.1;
    assert_int_equal(sti_linear_continuous(&p, 0.0, NULL, &v, y, &f, ydot),
                     STI_NO_CONTINUOUS_LIMIT);
    assert_int_equal(sti_linear_continuous(&p, 1e-3, NULL, &v, y, &f, ydot), STI_OK);
}

static void kind_describes_the_model(void **state)
{
    (void)state;
    const StiImpedanceKind *kind = &sti_kind_linear_continuous;
    StiLinearContinuous p = {
        .dim = 2, .law = sti_law_times_load(sti_law_coulomb(0.5)), .K = 100.0, .B = 10.0, .M = 2.0};
    assert_int_equal(kind->size(&p).velocities, 2);
    assert_int_equal(kind->size(&p).memory, 4);
    assert_int_equal(kind->size(&p).signals, 1);
    p.M = 0.0;
    assert_int_equal(kind->size(&p).memory, 2);
    const StiStage stage = {.tau = 1e-2};
    const double load[2] = {2.0, 1.0}, v[2] = {0.0, 0.05}, y[2] = {0.003, 0.0};
    double u[2], ydot[2], stick, Z[4];
    for (int i = 0; i < 2; ++i) { // |trial| = |(0.3, 0.55)| = 0.63: below 1 N, above 0.5 N
        const StiMotion xhat = {.v = v, .signals = &load[i]};
        assert_int_equal(kind->eval(&p, &stage, &xhat, y, NULL, u, ydot), STI_OK);
        assert_near(hypot(u[0], u[1]), i == 0 ? hypot(0.3, 0.55) : 0.5, 1e-15);
        kind->observe(&p, &stage, &xhat, y, NULL, u, &stick);
        assert_true(stick == (i == 0 ? 1.0 : 0.0));
    }
    kind->tangent(&p, &stage, NULL, y, NULL, Z);
    assert_near(Z[0], 11.0, 1e-14);
    assert_near(Z[3], 11.0, 1e-14);
    assert_true(Z[1] == 0.0 && Z[2] == 0.0);
    p.M = 2.0;
    const double moving[4] = {0.003, 0.0, 0.0, 0.1};
    assert_near(kind->stored(&p, NULL, moving), 0.5 * 100.0 * 9e-6 + 0.01, 1e-15);
    assert_true(sti_kind_find(&kind->info, &p, "mass") == &p.M);
}

static StiFinding first_finding(const StiLinearContinuous *p, double T)
{
    StiFinding none = {.severity = STI_NOTE};
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report, .component = "friction", .step = T};
    sti_kind_check(&sti_kind_linear_continuous.info, p, &check);
    if (sti_report_count(report) > 0) none = *sti_report_finding(report, 0);
    sti_report_destroy(report);
    return none;
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    StiLinearContinuous p = {.dim = 1, .law = sti_law_coulomb(1.0), .K = 100.0, .B = 1.0};
    assert_int_equal(first_finding(&p, 1e-2).severity, STI_NOTE);
    p.forward = true;
    assert_int_equal(first_finding(&p, 1e-2).severity, STI_ERROR);
    assert_string_equal(first_finding(&p, 1e-2).parameter, "mass");
    p.M = 1.01 * (0.25 * 1e-4 * 100.0 + 0.5 * 1e-2);
    assert_int_equal(first_finding(&p, 1e-2).severity, STI_NOTE);
    p.M *= 0.98;
    assert_int_equal(first_finding(&p, 1e-2).severity, STI_WARNING);
    p.forward = false;
    p.dim = 4;
    assert_int_equal(first_finding(&p, 1e-2).severity, STI_ERROR);
    p.dim = 2;
    p.M = -1.0;
    assert_int_equal(first_finding(&p, 1e-2).severity, STI_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_printed_form),
        cmocka_unit_test(mass_obeys_newton),
        cmocka_unit_test(massless_is_modular_14),
        cmocka_unit_test(massless_undamped_is_hayward_armstrong),
        cmocka_unit_test(ramp_breaks_away_in_time),
        cmocka_unit_test(ten_in_parallel_are_maxwell_slip),
        cmocka_unit_test(has_no_preferred_direction),
        cmocka_unit_test(law_is_met_at_the_slip_speed),
        cmocka_unit_test(forward_variant_is_the_printed_one),
        cmocka_unit_test(variants_converge_to_each_other),
        cmocka_unit_test(every_step_dissipates),
        cmocka_unit_test(dither_does_not_move_the_anchor),
        cmocka_unit_test(refuses_where_it_has_no_form),
        cmocka_unit_test(kind_describes_the_model),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
