#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "dithered_mass.h"
#include "judged.h"
#include "led_element.h"
#include "stiction/friction.h"

static double sign(double x) { return (double)((x > 0.0) - (x < 0.0)); }

// The published rate, written with deflections.
static double published_rate(double sigma0, double s, double zba, double v, double z)
{
    const double zmax = s / sigma0, pi = 3.14159265358979323846;
    double alpha;
    if (sign(v) != sign(z) || fabs(z) <= zba)
        alpha = 0.0;
    else if (fabs(z) < zmax)
        alpha = 0.5 * sin(pi * (fabs(z) - 0.5 * (zmax + zba)) / (zmax - zba)) + 0.5;
    else
        alpha = 1.0;
    return v * (1.0 - alpha * sigma0 * sign(v) * z / s);
}

static StiElastoplastic random_elastoplastic(Random *random)
{
    const double Fc = random_decades(random, 0.1, 10.0), ratio = random_between(random, 1.0, 2.0);
    const double sigma1 = random_decades(random, 0.1, 1e2);
    return (StiElastoplastic){.law = sti_law_stribeck(Fc, ratio * Fc,
                                                      random_decades(random, 1e-3, 0.1), 2.0, 0.0),
                              .sigma0 = random_decades(random, 1e2, 1e6),
                              .sigma1 = sigma1,
                              .sigma2 = sigma1 * (ratio - 1.0),
                              .breakaway = random_between(random, 0.05, 0.95)};
}

static void rate_and_force_are_the_published_ones(void **state)
{
    (void)state;
    Random random = {1};
    for (int i = 0; i < 100000; ++i) {
        const StiElastoplastic p = random_elastoplastic(&random);
        const double v = random_between(&random, -0.2, 0.2);
        const double s = sti_law_level(&p.law, fabs(v), sign(v), NULL), zmax = s / p.sigma0;
        const double z = random_between(&random, -1.5, 1.5) * zmax;
        double f, zdot;
        assert_int_equal(sti_elastoplastic(&p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
        const double expected = published_rate(p.sigma0, s, p.breakaway * zmax, v, z);
        assert_near(zdot, expected, 2e-13 * fabs(v));
        assert_near(f, p.sigma0 * z + p.sigma1 * zdot + p.sigma2 * v, 0.0);
    }
}

static void below_break_away_and_unloading_it_moves_with_the_surface(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 100000; ++i) {
        const StiElastoplastic p = random_elastoplastic(&random);
        const double v = random_between(&random, -0.2, 0.2);
        const double zba = p.breakaway * sti_law_level(&p.law, fabs(v), sign(v), NULL) / p.sigma0;
        double f, zdot;
        sti_elastoplastic(&p, 0.0, NULL, v, random_between(&random, -0.999, 0.999) * zba, &f, &zdot);
        assert_true(zdot == v);
        sti_elastoplastic(&p, 0.0, NULL, v, -sign(v) * random_between(&random, 0.0, 3.0) * zba, &f,
                          &zdot);
        assert_true(zdot == v);
        sti_elastoplastic(&p, 0.0, NULL, v, sign(v) * 1.001 * zba, &f, &zdot);
        assert_true(fabs(zdot) < fabs(v));
    }
}

static void steady_sliding_shows_the_law_and_the_viscous_part(void **state)
{
    (void)state;
    const StiElastoplastic p = {.law = sti_law_stribeck(1.0, 1.5, 0.01, 2.0, 0.0),
                                .sigma0 = 1e5,
                                .sigma1 = 10.0,
                                .sigma2 = 6.0,
                                .breakaway = 0.7};
    for (double v = -0.05; v <= 0.05; v += 0.0125) {
        if (fabs(v) < 1e-9) continue;
        double z = 0.0, f = 0.0, zdot;
        for (int k = 0; k < 40000; ++k) {
            assert_int_equal(sti_elastoplastic(&p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
            z += 1e-7 / fabs(v) * zdot;
        }
        const double level = 1.0 + 0.5 * exp(-(v / 0.01) * (v / 0.01));
        assert_near(f, copysign(level, v) + 6.0 * v, 1e-13);
    }
}

static void vanished_level_is_a_status_only_in_motion(void **state)
{
    (void)state;
    const double no_load = 0.0;
    const StiElastoplastic p = {.law = sti_law_times_load(sti_law_coulomb(0.3)),
                                .sigma0 = 1e4,
                                .breakaway = 0.7};
    double f = NAN, zdot = NAN;
    assert_int_equal(sti_elastoplastic(&p, 0.0, &no_load, 0.1, 1e-5, &f, &zdot), STI_LEVEL_VANISHED);
    assert_int_equal(sti_elastoplastic(&p, 0.0, &no_load, -0.1, 1e-5, &f, &zdot), STI_LEVEL_VANISHED);
    assert_int_equal(sti_elastoplastic(&p, 0.0, &no_load, 0.0, 1e-5, &f, &zdot), STI_OK);
    assert_true(zdot == 0.0);
    assert_near(f, 0.1, 1e-16);
}

static void power_is_never_given_back_beyond_what_is_stored(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 100000; ++i) {
        const StiElastoplastic p = random_elastoplastic(&random);
        const double v = random_decades(&random, 1e-6, 1e6);
        const double z = random_between(&random, -1.0, 1.0) * p.law.p[1] / p.sigma0;
        double f, zdot;
        assert_int_equal(sti_elastoplastic(&p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
        const double scale = (p.sigma1 + p.sigma2) * v * v + p.law.p[1] * v;
        assert_true(f * v - p.sigma0 * z * zdot >= -1e-13 * scale);
    }
}

static void closed_paths_dissipate(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 300; ++i) {
        const StiElastoplastic p = random_elastoplastic(&random);
        const double reach = p.law.p[0] / p.sigma0 * random_decades(&random, 0.1, 10.0);
        const ClosedPath path = random_path(&random, 1, reach, random_decades(&random, 1e-2, 1e2));
        double z = random_between(&random, -1.0, 1.0) * p.law.p[0] / p.sigma0;
        const Round round =
            lead_round(&(StiImpedance){&sti_kind_elastoplastic, &p}, NULL, &path, 4000, &z);
        assert_int_equal(round.status, STI_OK);
        assert_true(round.work - round.stored > -1e-12 * round.turnover);
    }
}

static const double K = 5000.0, B = 1.0, F = 0.5; // of the paper's dither

// Peaks at 0.9 of break-away, resonance included; the mass starts in balance, away from the origin.
static DitheredMass gentle_dither(const StiImpedanceKind *kind, const void *parameters)
{
    DitheredMass mass = papers_dither(kind, parameters);
    mass.mean = 0.19;
    mass.amplitude = 0.1;
    mass.state[0] = 1e-4;
    mass.state[2] = mass.mean / K;
    return mass;
}

static void holds_where_dahl_and_lugre_creep(void **state)
{
    (void)state;
    const StiElastoplastic p = {.law = sti_law_coulomb(F),
                                .sigma0 = K,
                                .sigma1 = B,
                                .breakaway = 0.7};
    DitheredMass mass = gentle_dither(&sti_kind_elastoplastic, &p);
    assert_true(anchor_drift(&mass, dither_steps()) <= 1e-16);

    const StiLuGre lugre = {.law = sti_law_coulomb(F), .sigma0 = K, .sigma1 = B};
    mass = gentle_dither(&sti_kind_lugre, &lugre);
    assert_true(anchor_drift(&mass, 100000) > 5e-3);
    const StiDahl dahl = {.law = sti_law_coulomb(F), .K = K, .alpha = 1.0};
    mass = gentle_dither(&sti_kind_dahl, &dahl);
    assert_true(anchor_drift(&mass, 100000) > 5e-3);
}

static void holds_again_after_a_push(void **state)
{
    (void)state;
    const StiElastoplastic p = {.law = sti_law_coulomb(F),
                                .sigma0 = K,
                                .sigma1 = B,
                                .breakaway = 0.7};
    DitheredMass mass = gentle_dither(&sti_kind_elastoplastic, &p);
    const double before = anchor(&mass);
    mass.mean = 0.7;
    dither(&mass, 1000);
    assert_true(anchor(&mass) - before > 1e-3);
    mass.mean = 0.19;
    dither(&mass, 5000);                               // it stops, and rings down below break-away
    assert_true(anchor_drift(&mass, 100000) <= 5e-15); // rounding of x = 0.04 m, 1e5 times
    assert_true(sti_kind_elastoplastic.holds);
}

static void stick_means_below_break_away(void **state)
{
    (void)state;
    const StiElastoplastic p = {.law = sti_law_directional(10.0, 20.0, 0.0, 0.0),
                                .sigma0 = 1e4,
                                .breakaway = 0.5};
    static const struct {
        double v, z, stick;
    } cases[] = {
        {0.1, 4.9e-4, 1.0},  {0.1, 5.1e-4, 0.0},   {0.0, 4.9e-4, 1.0},   {0.0, 5.1e-4, 0.0},
        {0.0, -9.9e-4, 1.0}, {0.0, -1.01e-3, 0.0}, {-0.1, -9.9e-4, 1.0}, {0.0, 0.0, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const StiMotion xhat = {.v = &cases[i].v};
        double values[2] = {-1.0, -1.0};
        sti_kind_elastoplastic.observe(&p, &(StiStage){0}, &xhat, &cases[i].z, NULL, NULL, values);
        assert_true(values[0] == cases[i].stick && values[1] == cases[i].z);
    }
    assert_string_equal(sti_kind_elastoplastic.channels[0].name, "stick");
    assert_string_equal(sti_kind_elastoplastic.channels[1].name, "deflection");
}

static void kind_says_what_the_function_does(void **state)
{
    (void)state;
    const StiElastoplastic p = {.law = sti_law_times_load(sti_law_coulomb(0.2)),
                                .sigma0 = 1e4,
                                .sigma1 = 3.0,
                                .sigma2 = 0.5,
                                .breakaway = 0.6};
    const StiImpedanceSize size = sti_kind_elastoplastic.size(&p);
    assert_int_equal(size.velocities, 1);
    assert_int_equal(size.memory, 1);
    assert_int_equal(size.signals, 1);

    const double v = -0.3, z = -1.7e-4, load = 10.0;
    double f, zdot, u, ydot, Z;
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = &v, .signals = &load};
    sti_elastoplastic(&p, 1e-3, &load, v, z, &f, &zdot);
    assert_int_equal(sti_kind_elastoplastic.eval(&p, &stage, &xhat, &z, NULL, &u, &ydot), STI_OK);
    assert_true(u == f && ydot == zdot && fabs(zdot) < fabs(v));
    assert_near(sti_kind_elastoplastic.stored(&p, &xhat, &z), 0.5e4 * z * z, 1e-18);

    const double small = 1e-9, moved = 1e-3 * small;
    const StiMotion from_rest = {.v = &small, .signals = &load};
    sti_kind_elastoplastic.eval(&p, &stage, &from_rest, &moved, NULL, &u, &ydot);
    sti_kind_elastoplastic.tangent(&p, &stage, &from_rest, &moved, NULL, &Z);
    assert_near(u / small, Z, 1e-12 * Z);
}

static void parameters_are_addressable_and_checked(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_elastoplastic.info;
    const StiElastoplastic good = {.law = sti_law_stribeck(1.0, 1.5, 0.01, 2.0, 0.0),
                                   .sigma0 = 1e4,
                                   .sigma1 = 3.0,
                                   .sigma2 = 1.5,
                                   .breakaway = 0.6};
    StiElastoplastic p = good;
    assert_accepted(info, &p);
    assert_ptr_equal(sti_kind_find(info, &p, "stiffness"), &p.sigma0);
    assert_ptr_equal(sti_kind_find(info, &p, "damping"), &p.sigma1);
    assert_ptr_equal(sti_kind_find(info, &p, "viscous"), &p.sigma2);
    assert_ptr_equal(sti_kind_find(info, &p, "breakaway"), &p.breakaway);
    p.breakaway = 1.0;
    assert_refused(info, &p, "breakaway");
    p.breakaway = 0.0;
    assert_refused(info, &p, "breakaway");
    p = good;
    p.sigma2 = 1.4;
    assert_refused(info, &p, "viscous");
    p = good;
    p.law.kind = NULL;
    assert_refused(info, &p, "law");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_and_force_are_the_published_ones),
        cmocka_unit_test(below_break_away_and_unloading_it_moves_with_the_surface),
        cmocka_unit_test(steady_sliding_shows_the_law_and_the_viscous_part),
        cmocka_unit_test(vanished_level_is_a_status_only_in_motion),
        cmocka_unit_test(power_is_never_given_back_beyond_what_is_stored),
        cmocka_unit_test(closed_paths_dissipate),
        cmocka_unit_test(holds_where_dahl_and_lugre_creep),
        cmocka_unit_test(holds_again_after_a_push),
        cmocka_unit_test(stick_means_below_break_away),
        cmocka_unit_test(kind_says_what_the_function_does),
        cmocka_unit_test(parameters_are_addressable_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
