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

// Figure 7 of [dahl]: level, stiffness, amplitude of the motion.
static const double F = 0.75, K = 15.0, X = 0.1;

// Force at the end of a branch of length dx, direction +-1, that starts at f0.   EQUATIONS 4.1
static double exact_branch(double alpha, double f0, double direction, double dx)
{
    const double room = 1.0 - direction * f0 / F;
    if (alpha == 1.0) return direction * F * (1.0 - room * exp(-K * dx / F));
    const double power = pow(room, 1.0 - alpha) - (1.0 - alpha) * K * dx / F;
    const double left = alpha < 1.0 && power <= 0.0 ? 0.0 : pow(power, 1.0 / (1.0 - alpha));
    return direction * F * (1.0 - left);
}

static double rate(const StiDahl *p, double v, double z)
{
    double f, zdot;
    assert_int_equal(sti_dahl(p, 0.0, NULL, v, z, &f, &zdot), STI_OK);
    assert_true(f == p->K * z);
    return zdot;
}

// Runge-Kutta along the displacement, at unit speed. Returns the work of the force.
static double follow_branch(const StiDahl *p, double direction, double dx, int steps, double *z)
{
    const double h = dx / steps, v = direction;
    double work = 0.0;
    for (int i = 0; i < steps; ++i) {
        const double k1 = rate(p, v, *z), k2 = rate(p, v, *z + 0.5 * h * k1);
        const double k3 = rate(p, v, *z + 0.5 * h * k2), k4 = rate(p, v, *z + h * k3);
        work += p->K * v * h * (*z + h * (k1 + k2 + k3) / 6.0);
        *z += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
    }
    return work;
}

static void branches_of_the_loop_are_exact(void **state)
{
    (void)state;
    static const double alphas[] = {0.5, 1.0, 1.5, 2.0};
    for (int i = 0; i < 4; ++i) {
        const StiDahl p = {.law = sti_law_coulomb(F), .K = K, .alpha = alphas[i]};
        // For alpha < 1 the level is reached in finite time, with a root in the rate: finer steps.
        const int steps = alphas[i] < 1.0 ? 40000 : 1000;
        double z = 0.0, f = 0.0;
        for (int reversal = 0; reversal <= 6; ++reversal) {
            const double direction = reversal % 2 == 0 ? 1.0 : -1.0;
            for (int quarter = 0; quarter < 4; ++quarter) {
                const double dx = (reversal == 0 ? X : 2.0 * X) / 4.0;
                follow_branch(&p, direction, dx, steps, &z);
                f = exact_branch(alphas[i], f, direction, dx);
                assert_near(K * z, f, 1e-8);
            }
        }
    }
}

static double steady_peak(const StiDahl *p, double *area)
{
    double z = 0.0;
    follow_branch(p, 1.0, X, 2000, &z);
    for (int reversal = 1; reversal <= 5; ++reversal)
        follow_branch(p, reversal % 2 == 0 ? 1.0 : -1.0, 2.0 * X, 2000, &z);
    *area = follow_branch(p, 1.0, 2.0 * X, 2000, &z); // after the sixth reversal
    *area += follow_branch(p, -1.0, 2.0 * X, 2000, &z);
    return fabs(p->K * z);
}

static void steady_loop_has_the_published_peak_and_area(void **state)
{
    (void)state;
    double area;
    const StiDahl p = {.law = sti_law_coulomb(F), .K = K, .alpha = 1.0};
    const double peak = steady_peak(&p, &area);
    assert_near(peak, F * tanh(K * X / F), 1e-8);
    assert_near(peak, 0.723020685, 1e-8);
    assert_near(area, 0.155395863, 1e-8);

    const StiDahl steeper = {.law = sti_law_coulomb(F), .K = K, .alpha = 1.5};
    assert_near(steady_peak(&steeper, &area), 0.649519053, 1e-8);
}

static StiDahl random_dahl(Random *random)
{
    static const double alphas[] = {1.0, 0.5, 1.5, 2.0, 0.8};
    const double level = random_decades(random, 0.01, 100.0);
    StiDahl p = {.law = sti_law_coulomb(level), .K = random_decades(random, 1.0, 1e6)};
    p.alpha = alphas[random_below(random, 5)];
    if (random_below(random, 2)) p.law = sti_law_stribeck(level, 1.5 * level, 0.1, 2.0, 0.0);
    return p;
}

static void force_depends_on_the_path_and_not_on_its_speed(void **state)
{
    (void)state;
    Random random = {1};
    for (int i = 0; i < 10000; ++i) {
        StiDahl p = random_dahl(&random);
        const double level = random_decades(&random, 0.01, 100.0);
        p.law = sti_law_coulomb(level);
        const double v = random_between(&random, -1.0, 1.0);
        const double z = random_between(&random, -2.0, 2.0) * level / p.K;
        const double slow = rate(&p, v, z);
        assert_near(rate(&p, 1024.0 * v, z), 1024.0 * slow, 0.0);
        assert_near(rate(&p, -v, -z), -slow, 0.0);
    }
}

static void power_is_never_given_back_beyond_what_is_stored(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 100000; ++i) {
        const StiDahl p = random_dahl(&random);
        const double v = random_between(&random, -1.0, 1.0);
        const double z = random_between(&random, -3.0, 3.0) * p.law.p[0] / p.K;
        const double lost = p.K * z * (v - rate(&p, v, z));
        assert_true(lost >= -1e-15 * fabs(p.K * z * v));
    }
}

static void beyond_the_level_it_returns(void **state)
{
    (void)state;
    static const double alphas[] = {0.5, 1.0, 1.5, 2.0};
    for (int i = 0; i < 4; ++i) {
        const StiDahl p = {.law = sti_law_coulomb(F), .K = K, .alpha = alphas[i]};
        const double z = 1.25 * F / K; // where a load that has fallen leaves it
        assert_near(rate(&p, 2.0, z), -2.0 * pow(0.25, alphas[i]), 1e-15);
        assert_near(rate(&p, -2.0, -z), 2.0 * pow(0.25, alphas[i]), 1e-15);
    }
}

static void vanished_level_lets_go_within_tau(void **state)
{
    (void)state;
    const double no_load = 0.0;
    double f = NAN, zdot = NAN;
    for (double alpha = 0.5; alpha <= 2.0; alpha += 0.5) {
        const StiDahl p = {.law = sti_law_times_load(sti_law_coulomb(0.3)), .K = K, .alpha = alpha};
        for (double v = -0.1; v <= 0.1; v += 0.2) {
            assert_int_equal(sti_dahl(&p, 1e-3, &no_load, v, 0.01, &f, &zdot), STI_OK);
            assert_near(zdot, -10.0, 1e-14);
            assert_int_equal(sti_dahl(&p, 0.0, &no_load, v, 0.01, &f, &zdot), STI_LEVEL_VANISHED);
            assert_int_equal(sti_dahl(&p, 0.0, &no_load, v, 0.0, &f, &zdot), STI_OK);
            assert_true(zdot == 0.0);
        }
        assert_int_equal(sti_dahl(&p, 1e-3, &no_load, 0.0, 0.01, &f, &zdot), STI_OK);
        assert_true(zdot == 0.0 && f == K * 0.01);
    }
}

static void stiff_form_lets_go_when_the_level_vanishes(void **state)
{
    (void)state;
    const double no_load = 0.0, tau = 1e-3, z = 0.01;
    const StiDahl p = {.law = sti_law_times_load(sti_law_coulomb(0.3)),
                       .K = K,
                       .alpha = 1.0,
                       .stiff = true};
    double f, zdot;
    assert_int_equal(sti_dahl(&p, tau, &no_load, 0.1, z, &f, &zdot), STI_OK);
    assert_near(z + tau * zdot, 0.0, 1e-17);
    assert_int_equal(sti_dahl(&p, tau, &no_load, 0.0, z, &f, &zdot), STI_OK);
    assert_true(zdot == 0.0);
    // Without a step to look ahead nothing is left to divide by.
    assert_int_equal(sti_dahl(&p, 0.0, &no_load, 0.1, z, &f, &zdot), STI_LEVEL_VANISHED);
}

static void stiff_form_is_bounded_for_any_step(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 100000; ++i) {
        const double level = random_decades(&random, 1e-6, 1e3);
        StiDahl p = {.law = sti_law_coulomb(level),
                     .K = random_decades(&random, 1.0, 1e8),
                     .alpha = 1.0,
                     .stiff = true};
        const double tau = random_decades(&random, 1e-6, 1.0);
        const double v = random_between(&random, -10.0, 10.0);
        const double z = random_between(&random, -3.0, 3.0) * level / p.K;
        double f, zdot, zdot_explicit;
        sti_dahl(&p, tau, NULL, v, z, &f, &zdot);
        const double next = z + tau * zdot;
        const double bound = fmax(fabs(z), level / p.K);
        assert_true(fabs(next) <= bound * (1.0 + 1e-12));
        sti_dahl(&p, 0.0, NULL, v, z, &f, &zdot);
        p.stiff = false;
        p.plain = true;
        sti_dahl(&p, tau, NULL, v, z, &f, &zdot_explicit);
        assert_true(zdot == zdot_explicit);
        p.plain = false; // what it tends to is not passed, and just reached where it would be
        sti_dahl(&p, tau, NULL, v, z, &f, &zdot);
        const double room = copysign(level / p.K, v) - z;
        const bool passes = tau * fabs(zdot_explicit) > fabs(room);
        assert_near(zdot, passes ? room / tau : zdot_explicit, 1e-12 * fabs(zdot_explicit));
    }
}

static void level_may_depend_on_direction_and_load(void **state)
{
    (void)state;
    const StiDahl p = {.law = sti_law_directional(2.0, 3.0, 0.0, 0.0), .K = 100.0, .alpha = 1.0};
    assert_near(rate(&p, 0.5, 0.02), 0.0, 1e-17);
    assert_near(rate(&p, -0.5, -0.03), 0.0, 1e-17);

    const StiDahl loaded = {.law = sti_law_times_load(sti_law_coulomb(0.1)),
                            .K = 100.0,
                            .alpha = 1.0};
    const double load = 40.0;
    double f, zdot;
    assert_int_equal(sti_dahl(&loaded, 0.0, &load, 0.5, 0.04, &f, &zdot), STI_OK);
    assert_near(zdot, 0.0, 1e-17);
    assert_int_equal(sti_kind_dahl.size(&loaded).signals, 1);
    assert_int_equal(sti_kind_dahl.size(&p).signals, 0);
}

static void closed_paths_dissipate(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 300; ++i) {
        StiDahl p = random_dahl(&random);
        const double reach = p.law.p[0] / p.K * random_decades(&random, 0.1, 10.0);
        const ClosedPath path = random_path(&random, 1, reach, 1.0);
        double z = random_between(&random, -1.0, 1.0) * p.law.p[0] / p.K;
        const Round round = lead_round(&(StiImpedance){&sti_kind_dahl, &p}, NULL, &path, 4000, &z);
        assert_int_equal(round.status, STI_OK);
        assert_true(round.work - round.stored > 0.0);
    }
}

static void creeps_under_dither(void **state)
{
    (void)state;
    const StiDahl p = {.law = sti_law_coulomb(0.5), .K = 5000.0, .alpha = 1.0};
    DitheredMass mass = papers_dither(&sti_kind_dahl, &p);
    dither(&mass, 100000);
    assert_near(anchor(&mass), 0.075, 0.002);
    assert_false(sti_kind_dahl.holds);
}

static void kind_says_what_the_function_does(void **state)
{
    (void)state;
    const StiDahl p = {.law = sti_law_coulomb(F), .K = K, .alpha = 1.5};
    const StiImpedanceSize size = sti_kind_dahl.size(&p);
    assert_int_equal(size.velocities, 1);
    assert_int_equal(size.memory, 1);
    assert_int_equal(size.discrete, 0);
    assert_int_equal(size.positions, 0);

    const double v = 0.3, z = 0.02;
    double f, zdot, u, ydot, Z, seen[2];
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = &v};
    sti_dahl(&p, 1e-3, NULL, v, z, &f, &zdot);
    assert_int_equal(sti_kind_dahl.eval(&p, &stage, &xhat, &z, NULL, &u, &ydot), STI_OK);
    assert_true(u == f && ydot == zdot);
    assert_near(sti_kind_dahl.stored(&p, &xhat, &z), 0.5 * K * z * z, 1e-18);
    sti_kind_dahl.tangent(&p, &stage, &xhat, &z, NULL, &Z);
    assert_near(Z, 1e-3 * K, 1e-17);
    assert_string_equal(sti_kind_dahl.channels[0].name, "stick");
    assert_string_equal(sti_kind_dahl.channels[1].name, "deflection");
    sti_kind_dahl.observe(&p, &stage, &xhat, &z, NULL, &u, seen);
    const double level = sti_law_level(&p.law, fabs(v), v > 0.0 ? 1.0 : -1.0, NULL);
    assert_true(seen[0] == (fabs(K * z) < 0.99 * level) && seen[1] == z);
    const double yielding = 0.995 * level / K;
    sti_kind_dahl.observe(&p, &stage, &xhat, &yielding, NULL, &u, seen);
    assert_true(seen[0] == 0.0);
}

static void parameters_are_addressable_and_checked(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_dahl.info;
    StiDahl p = {.law = sti_law_coulomb(F), .K = K, .alpha = 1.0, .stiff = true};
    assert_accepted(info, &p);
    assert_ptr_equal(sti_kind_find(info, &p, "stiffness"), &p.K);
    assert_ptr_equal(sti_kind_find(info, &p, "alpha"), &p.alpha);
    assert_ptr_equal(sti_kind_find(info, &p, "level"), &p.law.p[0]);
    p.alpha = 1.5;
    assert_refused(info, &p, "alpha");
    p.stiff = false;
    assert_accepted(info, &p);
    p.alpha = -0.5;
    assert_refused(info, &p, "alpha");
    p.alpha = 1.0;
    p.K = -1.0;
    assert_refused(info, &p, "stiffness");
    p = (StiDahl){.K = K, .alpha = 1.0};
    assert_refused(info, &p, "law");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_of_the_loop_are_exact),
        cmocka_unit_test(steady_loop_has_the_published_peak_and_area),
        cmocka_unit_test(force_depends_on_the_path_and_not_on_its_speed),
        cmocka_unit_test(power_is_never_given_back_beyond_what_is_stored),
        cmocka_unit_test(beyond_the_level_it_returns),
        cmocka_unit_test(vanished_level_lets_go_within_tau),
        cmocka_unit_test(stiff_form_lets_go_when_the_level_vanishes),
        cmocka_unit_test(stiff_form_is_bounded_for_any_step),
        cmocka_unit_test(level_may_depend_on_direction_and_load),
        cmocka_unit_test(closed_paths_dissipate),
        cmocka_unit_test(creeps_under_dither),
        cmocka_unit_test(kind_says_what_the_function_does),
        cmocka_unit_test(parameters_are_addressable_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
