#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/near.h"
#include "dithered_mass.h"
#include "judged.h"
#include "led_element.h"
#include "stiction/friction.h"

static double stribeck_level(double level, double level_static, double speed_scale, double v)
{
    return level + (level_static - level) * exp(-(v / speed_scale) * (v / speed_scale));
}

static void rate_and_force_are_the_published_ones(void **state)
{
    (void)state;
    Random random = {1};
    for (int i = 0; i < 100000; ++i) {
        const double Fc = random_decades(&random, 0.1, 10.0);
        const double Fs = Fc * random_between(&random, 1.0, 2.0);
        const double scale = random_decades(&random, 1e-3, 1.0);
        const StiLuGre p = {.law = sti_law_stribeck(Fc, Fs, scale, 2.0, 0.0),
                            .sigma0 = random_decades(&random, 1e2, 1e6),
                            .sigma1 = random_decades(&random, 1e-2, 1e2),
                            .sigma2 = random_decades(&random, 1e-2, 1e2)};
        const double v = random_between(&random, -2.0, 2.0);
        const double z = random_between(&random, -2.0, 2.0) * Fc / p.sigma0;
        double f, zdot;
        assert_int_equal(sti_lugre(&p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
        const double plastic = p.sigma0 * fabs(v) * z / stribeck_level(Fc, Fs, scale, v);
        assert_near(zdot, v - plastic, 1e-14 * (fabs(v) + fabs(plastic)));
        assert_near(f, p.sigma0 * z + p.sigma1 * zdot + p.sigma2 * v, 0.0);
        double f_back, zdot_back;
        assert_int_equal(sti_lugre(&p, 0.0, NULL, -v, -z, &f_back, &zdot_back), STI_OK);
        assert_true(f_back == -f && zdot_back == -zdot);
    }
}

static void steady_sliding_shows_the_law_and_the_viscous_part(void **state)
{
    (void)state;
    const StiLuGre p = {.law = sti_law_stribeck(1.0, 1.5, 0.01, 2.0, 0.0),
                        .sigma0 = 1e5,
                        .sigma1 = 10.0,
                        .sigma2 = 6.0};
    for (double v = -0.05; v <= 0.05; v += 0.0125) {
        if (fabs(v) < 1e-9) continue;
        double z = 0.0, f = 0.0, zdot;
        for (int k = 0; k < 40000; ++k) { // the deflection follows within s/(sigma0 |v|) seconds
            assert_int_equal(sti_lugre(&p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
            z += 1e-7 / fabs(v) * zdot;
        }
        const double level = stribeck_level(1.0, 1.5, 0.01, v);
        assert_near(f, copysign(level, v) + 6.0 * v, 1e-13);
    }
}

static void at_rest_the_deflection_stays(void **state)
{
    (void)state;
    const double no_load = 0.0;
    const StiLuGre p = {.law = sti_law_times_load(sti_law_coulomb(0.3)),
                        .sigma0 = 1e4,
                        .sigma1 = 5.0};
    double f = NAN, zdot = NAN;
    assert_int_equal(sti_lugre(&p, 1e-3, &no_load, 0.0, 1e-5, &f, &zdot), STI_OK);
    assert_true(zdot == 0.0);
    assert_near(f, 0.1, 1e-16);
}

static void vanished_level_lets_go_within_tau(void **state)
{
    (void)state;
    const double no_load = 0.0, tau = 1e-3, z = 1e-5;
    StiLuGre p = {.law = sti_law_times_load(sti_law_coulomb(0.3)), .sigma0 = 1e4, .sigma1 = 5.0};
    double f, zdot;
    for (double v = -0.1; v <= 0.1; v += 0.2) {
        assert_int_equal(sti_lugre(&p, tau, &no_load, v, z, &f, &zdot), STI_OK);
        assert_near(z + tau * zdot, 0.0, 1e-20);
        assert_int_equal(sti_lugre(&p, 0.0, &no_load, v, z, &f, &zdot), STI_LEVEL_VANISHED);
        assert_int_equal(sti_lugre(&p, 0.0, &no_load, v, 0.0, &f, &zdot), STI_OK);
        assert_true(zdot == 0.0 && f == 0.0);
    }
    p.plain = true;
    assert_int_equal(sti_lugre(&p, tau, &no_load, 0.1, z, &f, &zdot), STI_LEVEL_VANISHED);
    p.plain = false;
    p.stiff = true;
    assert_int_equal(sti_lugre(&p, tau, &no_load, 0.1, z, &f, &zdot), STI_OK);
    assert_near(z + tau * zdot, 0.0, 1e-20);
    assert_int_equal(sti_lugre(&p, 0.0, &no_load, 0.1, z, &f, &zdot), STI_LEVEL_VANISHED);
}

static void stiff_form_is_bounded_for_any_step(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 100000; ++i) {
        const double level = random_decades(&random, 1e-6, 1e3);
        StiLuGre p = {.law = sti_law_coulomb(level),
                      .sigma0 = random_decades(&random, 1.0, 1e8),
                      .sigma1 = 1.0,
                      .stiff = true};
        const double tau = random_decades(&random, 1e-6, 1.0);
        const double v = random_between(&random, -10.0, 10.0);
        const double z = random_between(&random, -3.0, 3.0) * level / p.sigma0;
        double f, zdot, f_explicit, zdot_explicit;
        sti_lugre(&p, tau, NULL, v, z, &f, &zdot);
        assert_true(fabs(z + tau * zdot) <= fmax(fabs(z), level / p.sigma0) * (1.0 + 1e-12));
        sti_lugre(&p, 0.0, NULL, v, z, &f, &zdot);
        p.stiff = false;
        p.plain = true;
        sti_lugre(&p, tau, NULL, v, z, &f_explicit, &zdot_explicit);
        assert_true(f == f_explicit && zdot == zdot_explicit);
    }
}

// Power that neither moves the bristle's spring nor is paid for.
static double lost_power(const StiLuGre *p, double v, double z)
{
    double f, zdot;
    assert_int_equal(sti_lugre(p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
    return f * v - p->sigma0 * z * zdot;
}

static StiLuGre random_lugre(Random *random, double viscous_factor)
{
    const double Fc = random_decades(random, 0.1, 10.0), ratio = random_between(random, 1.1, 2.5);
    const double sigma1 = random_decades(random, 0.1, 1e3);
    return (StiLuGre){.law = sti_law_stribeck(Fc, ratio * Fc, random_decades(random, 1e-3, 0.1),
                                              2.0, 0),
                      .sigma0 = random_decades(random, 1e2, 1e6),
                      .sigma1 = sigma1,
                      .sigma2 = viscous_factor * sigma1 * (ratio - 1.0)};
}

static void accepted_parameters_never_make_energy(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 300; ++i) {
        const StiLuGre p = random_lugre(&random, random_between(&random, 1.0, 2.0));
        assert_accepted(&sti_kind_lugre.info, &p);
        const double highest = p.law.p[1] / p.sigma0;
        for (int j = 0; j < 300; ++j) {
            const double v = random_decades(&random, 1e-6, 1e6), z = random_between(&random, -1, 1);
            const double lost = lost_power(&p, v, z * highest);
            const double scale = (p.sigma1 + p.sigma2) * v * v + p.law.p[1] * v;
            assert_true(lost >= -1e-13 * scale);
        }
    }
}

static void refused_parameters_do_make_energy(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 1000; ++i) {
        const StiLuGre p = random_lugre(&random, random_between(&random, 0.0, 0.999));
        assert_refused(&sti_kind_lugre.info, &p, "viscous");
        assert_true(lost_power(&p, 1e9, p.law.p[1] / p.sigma0) < 0.0);
    }
}

static void check_says_which_viscous_is_right(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_lugre.info;
    StiLuGre p = {.law = sti_law_stribeck(3.0, 4.0, 0.01, 2.0, 0.0), .sigma0 = 1e4, .sigma1 = 10.0};
    const StiFinding finding = assert_refused(info, &p, "viscous");
    const char *number = strstr(finding.text, "at least ");
    assert_non_null(number);
    p.sigma2 = strtod(number + strlen("at least "), NULL);
    assert_near(p.sigma2, 10.0 / 3.0, 1e-9);
    assert_accepted(info, &p); // the number in the text is good enough
    p.sigma2 = 3.33;
    assert_refused(info, &p, "viscous");
    const Verdict allowed = judge(info, &p, 0.0, true);
    assert_int_equal(allowed.errors, 0);
    assert_int_equal(allowed.findings, 1);
    assert_int_equal(allowed.last.severity, STI_WARNING);
}

// From 3 N to 2 N, backwards only.
static double falling_backwards(const StiLaw *law, const StiSlip *slip)
{
    (void)law;
    return slip->direction < 0.0 ? 2.0 + exp(-100.0 * slip->speed) : 2.0;
}

static void check_looks_at_each_direction_on_its_own(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_lugre.info;
    StiLuGre p = {.law = sti_law_directional(2.0, 5.0, 0.0, 0.0), .sigma0 = 1e4, .sigma1 = 10.0};
    assert_accepted(info, &p);
    Random random = {5};
    for (int i = 0; i < 10000; ++i) { // a deflection left by one direction costs the other nothing
        const double v = random_between(&random, -1e3, 1e3);
        const double z = random_between(&random, -5.0, 2.0) / p.sigma0;
        assert_true(lost_power(&p, v, z) >= 0.0);
    }
    const StiLawKind kind = {.table_size = sizeof(StiLawKind), .name = "own", .directional = true, .level = falling_backwards};
    p.law = sti_law_own(&kind, NULL);
    p.sigma2 = 4.9;
    assert_refused(info, &p, "viscous");
    p.sigma2 = 5.1;
    assert_accepted(info, &p);
    p.law = sti_law_times_load(sti_law_stribeck(0.2, 0.3, 0.01, 2.0, 0.0));
    p.sigma2 = 4.9;
    assert_refused(info, &p, "viscous");
    p.sigma2 = 5.1;
    assert_accepted(info, &p);
    p.law = sti_law_tanh(2.0, 0.1);
    assert_refused(info, &p, "damping");
    p.sigma1 = 0.0;
    assert_accepted(info, &p);
}

static void closed_paths_dissipate(void **state)
{
    (void)state;
    Random random = {6};
    for (int i = 0; i < 300; ++i) {
        StiLuGre p = random_lugre(&random, 1.0);
        if (i % 3 == 0) p.law = sti_law_coulomb(p.law.p[0]);
        const double reach = p.law.p[0] / p.sigma0 * random_decades(&random, 0.1, 10.0);
        const ClosedPath path = random_path(&random, 1, reach, random_decades(&random, 1e-2, 1e2));
        double z = random_between(&random, -1.0, 1.0) * p.law.p[0] / p.sigma0;
        const Round round = lead_round(&(StiImpedance){&sti_kind_lugre, &p}, NULL, &path, 4000, &z);
        assert_int_equal(round.status, STI_OK);
        assert_true(round.work - round.stored > 0.0);
    }
}

static void creeps_under_dither_as_published(void **state)
{
    (void)state;
    const StiLuGre p = {.law = sti_law_coulomb(0.5), .sigma0 = 5000.0, .sigma1 = 1.0};
    DitheredMass mass = papers_dither(&sti_kind_lugre, &p);
    const long steps = dither_steps();
    dither(&mass, steps);
    assert_near(mass.state[0] / (double)steps * 1e6, 0.69, 0.005); // 0.69 m in 1e6 steps
    assert_false(sti_kind_lugre.holds);
}

static void kind_says_what_the_function_does(void **state)
{
    (void)state;
    const StiLuGre p = {
        .law = sti_law_coulomb(2.0), .sigma0 = 1e4, .sigma1 = 3.0, .sigma2 = 0.5, .stiff = true};
    const StiImpedanceSize size = sti_kind_lugre.size(&p);
    assert_int_equal(size.velocities, 1);
    assert_int_equal(size.memory, 1);
    assert_int_equal(size.signals, 0);

    const double v = -0.3, z = 1e-4;
    double f, zdot, u, ydot, Z, seen[2];
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = &v};
    sti_lugre(&p, 1e-3, NULL, v, z, &f, &zdot);
    assert_int_equal(sti_kind_lugre.eval(&p, &stage, &xhat, &z, NULL, &u, &ydot), STI_OK);
    assert_true(u == f && ydot == zdot);
    assert_near(sti_kind_lugre.stored(&p, &xhat, &z), 0.5e4 * z * z, 1e-18);
    sti_kind_lugre.observe(&p, &stage, &xhat, &z, NULL, &u, seen);
    assert_true(seen[0] == 1.0 && seen[1] == z);

    // The tangent is what a small velocity from rest costs after tau.
    const double small = 1e-9, moved = 1e-3 * small;
    const StiMotion from_rest = {.v = &small};
    sti_kind_lugre.eval(&p, &stage, &from_rest, &moved, NULL, &u, &ydot);
    sti_kind_lugre.tangent(&p, &stage, &from_rest, &moved, NULL, &Z);
    assert_near(u / small, Z, 1e-6 * Z);
}

static void parameters_are_addressable(void **state)
{
    (void)state;
    StiLuGre p = {.law = sti_law_stribeck(1.0, 1.2, 0.1, 2.0, 0.0),
                  .sigma0 = 1e4,
                  .sigma1 = 3.0,
                  .sigma2 = 1.0};
    const StiInfo *info = &sti_kind_lugre.info;
    assert_ptr_equal(sti_kind_find(info, &p, "stiffness"), &p.sigma0);
    assert_ptr_equal(sti_kind_find(info, &p, "damping"), &p.sigma1);
    assert_ptr_equal(sti_kind_find(info, &p, "viscous"), &p.sigma2);
    assert_ptr_equal(sti_kind_find(info, &p, "level"), &p.law.p[0]);
    p.sigma1 = -1.0;
    assert_refused(info, &p, "damping");
    p = (StiLuGre){.sigma0 = 1e4, .sigma1 = 3.0};
    assert_refused(info, &p, "law");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_and_force_are_the_published_ones),
        cmocka_unit_test(steady_sliding_shows_the_law_and_the_viscous_part),
        cmocka_unit_test(at_rest_the_deflection_stays),
        cmocka_unit_test(vanished_level_lets_go_within_tau),
        cmocka_unit_test(stiff_form_is_bounded_for_any_step),
        cmocka_unit_test(accepted_parameters_never_make_energy),
        cmocka_unit_test(refused_parameters_do_make_energy),
        cmocka_unit_test(check_says_which_viscous_is_right),
        cmocka_unit_test(check_looks_at_each_direction_on_its_own),
        cmocka_unit_test(closed_paths_dissipate),
        cmocka_unit_test(creeps_under_dither_as_published),
        cmocka_unit_test(kind_says_what_the_function_does),
        cmocka_unit_test(parameters_are_addressable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
