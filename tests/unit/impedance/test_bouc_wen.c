// Bouc-Wen against its closed forms: no structure of it is public, all by name.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/by_name.h"
#include "support/near.h"
#include "support/random.h"

static ByName element(double level, double K, double n, double beta, double viscous)
{
    const ByName e = friction_by_name("bouc-wen", sti_law_coulomb(level));
    set_by_name(&e, "stiffness", K);
    set_by_name(&e, "sharpness", n);
    set_by_name(&e, "beta", beta);
    set_by_name(&e, "viscous", viscous);
    return e;
}

static double force(const ByName *e, double tau, double v, double z, double *zdot)
{
    double f;
    const StiStage stage = {.tau = tau};
    const StiMotion motion = {.v = &v};
    assert_int_equal(e->entry.impedance->eval(e->parameters, &stage, &motion, &z, NULL, &f, zdot),
                     STI_OK);
    return f;
}

// z after a way at a constant velocity, by the classical Runge-Kutta method.
static double moved(const ByName *e, double z, double way, int steps)
{
    const double v = way > 0.0 ? 1.0 : -1.0, h = fabs(way) / steps;
    for (int i = 0; i < steps; ++i) {
        double k[4];
        force(e, 0.0, v, z, &k[0]);
        force(e, 0.0, v, z + 0.5 * h * k[0], &k[1]);
        force(e, 0.0, v, z + 0.5 * h * k[1], &k[2]);
        force(e, 0.0, v, z + h * k[2], &k[3]);
        z += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3]);
    }
    return z;
}

// From zero: F (1 - exp(-K x/F)) for n = 1, F tanh(K x/F) for n = 2; back with beta = 1/2: along K.
static void first_loading_and_unloading_are_closed_forms(void **state)
{
    (void)state;
    const double F = 3.0, K = 600.0;
    for (double x = 1e-3; x < 0.03; x *= 1.7) {
        ByName one = element(F, K, 1.0, 0.5, 0.0), two = element(F, K, 2.0, 0.5, 0.0);
        assert_near(K * moved(&one, 0.0, x, 400), F * (1.0 - exp(-K * x / F)), 1e-9);
        const double z = moved(&two, 0.0, x, 400);
        assert_near(K * z, F * tanh(K * x / F), 1e-9);
        assert_near(moved(&two, z, -0.9 * z, 10), 0.1 * z, 1e-15);
        free(one.parameters);
        free(two.parameters);
    }
}

static void it_is_dahl_with_one_and_one(void **state)
{
    (void)state;
    const StiDahl dahl = {.law = sti_law_coulomb(2.0), .K = 500.0, .alpha = 1.0};
    ByName e = element(2.0, 500.0, 1.0, 1.0, 0.0);
    Random random = {7};
    for (int i = 0; i < 1000; ++i) {
        const double v = random_between(&random, -1.0, 1.0),
                     z = random_between(&random, -4e-3, 4e-3);
        const double tau = i % 2 == 0 ? 0.0 : random_decades(&random, 1e-5, 1.0);
        double f, zdot, expected;
        sti_dahl(&dahl, tau, NULL, v, z, &f, &expected);
        assert_near(force(&e, tau, v, z, &zdot), f, 1e-12);
        assert_near(zdot, expected, 1e-12);
    }
    free(e.parameters);
}

// Any numbers that pass the check: no energy is made, and within tau the level is not passed.
static void it_takes_energy_and_stays_within(void **state)
{
    (void)state;
    Random random = {11};
    for (int i = 0; i < 5000; ++i) {
        const double F = random_decades(&random, 0.1, 10.0), K = random_decades(&random, 1e2, 1e6);
        const double beta = random_between(&random, 0.5, 1.0),
                     n = random_between(&random, 1.0, 8.0);
        ByName e = element(F, K, n, beta, random_between(&random, 0.0, 1.0));
        const double v = random_between(&random, -1.0, 1.0),
                     z = random_between(&random, -1.0, 1.0) * F / K,
                     tau = random_decades(&random, 1e-6, 1.0);
        double zdot, zdot_within;
        const double f = force(&e, 0.0, v, z, &zdot);
        assert_true(f * v - K * z * zdot >= -1e-12 * fabs(f * v));
        force(&e, tau, v, z, &zdot_within);
        assert_true(fabs(z + tau * zdot_within) <= F / K * (1.0 + 1e-12));
        free(e.parameters);
    }
}

static void a_share_below_a_half_is_refused(void **state)
{
    (void)state;
    static const double wrong[][2] = {{2.0, 0.4}, {2.0, 1.1}, {0.5, 0.5}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        ByName e = element(1.0, 100.0, wrong[i][0], wrong[i][1], 0.0);
        assert_int_equal(errors_by_name(&e), 1);
        free(e.parameters);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_loading_and_unloading_are_closed_forms),
        cmocka_unit_test(it_is_dahl_with_one_and_one),
        cmocka_unit_test(it_takes_energy_and_stays_within),
        cmocka_unit_test(a_share_below_a_half_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
