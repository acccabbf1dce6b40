#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stiction/stiction.h>

static void laws_follow_the_wanted_velocity(void **state)
{
    (void)state;
    const StiLaw law = sti_law_directional(5.0, 3.0, 2.0, 1.0);
    assert_true(fabs(sti_compensate_law(&law, 0.5, 0.0, NULL) - 6.0) < 1e-15);
    assert_true(fabs(sti_compensate_law(&law, -0.5, 0.0, NULL) + 3.5) < 1e-15);
    assert_true(sti_compensate_law(&law, 0.0, 0.0, NULL) == 0.0);
    assert_true(sti_compensate_law(&law, 0.0, -1.0, NULL) == -3.0);
}

// Bounded by the level, continuous, and what the simulated mass feels.
static void the_rule_is_continuous_and_bounded(void **state)
{
    (void)state;
    const StiLaw law = sti_law_coulomb(5.0);
    const double T = 1e-3, M = 2.0;
    double before = NAN;
    for (double v = -0.02; v < 0.02; v += 1e-5) {
        double new_v;
        const double f = sti_compensate_finite_time(&law, M, T, v, 1.0, NULL);
        assert_true(fabs(f) <= 5.0);
        assert_true(f == sti_finite_time_mass(5.0, M, T, v + T * 1.0 / M, &new_v));
        if (!isnan(before)) assert_true(fabs(f - before) <= 1.001 * 1e-5 * M / T);
        before = f;
    }
}

// As the model's own function, step by step.
static void models_keep_their_memory_with_the_caller(void **state)
{
    (void)state;
    const StiLuGre p = {.law = sti_law_coulomb(4.0), .sigma0 = 1e4, .sigma1 = 50.0, .sigma2 = 1.0};
    const double T = 1e-3;
    double y = 0.0, s = 0.0, z = 0.0;
    for (int k = 0; k < 2000; ++k) {
        const double v = 0.02 * sin(0.01 * k);
        double f, own, rate;
        assert_int_equal(sti_compensate_model(&sti_kind_lugre, &p, T, v, NULL, &y, &s, &f), STI_OK);
        assert_int_equal(sti_lugre(&p, T, NULL, v, z, &own, &rate), STI_OK);
        z += T * rate;
        assert_true(f == own && y == z);
    }
    const StiElasticCoulomb plane = {.dim = 2, .law = sti_law_coulomb(4.0), .K = 1e4, .B = 10.0};
    double f[2], two[2] = {0};
    assert_int_equal(sti_compensate_model(&sti_kind_elastic_coulomb, &plane, T, 0.1, NULL, two, &s,
                                          f),
                     STI_BAD_ARGUMENT);
}

// M dv/dt = u - f with f constant: the estimate goes to f as 1 - exp(-L t).
static void observers_see_a_constant_friction(void **state)
{
    (void)state;
    const StiFrictionObserver observer = {.M = 2.0, .T = 1e-3, .bandwidth = 50.0};
    const double f = 3.0, u = 8.0;
    double v = 0.1, p = sti_observer_start(&observer, v), seen = 0.0;
    for (int k = 1; k <= 400; ++k) {
        v += observer.T * (u - f) / observer.M;
        seen = sti_compensate_observer(&observer, v, u, &p);
        assert_true(fabs(seen - f * (1.0 - exp(-50.0 * k * observer.T))) < 0.15);
    }
    assert_true(fabs(seen - f) < 0.13);
    const StiFrictionObserver bounded = {.M = 2.0, .T = 1e-3, .bandwidth = 50.0, .most = 1.0};
    assert_true(sti_compensate_observer(&bounded, v, u, &p) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_follow_the_wanted_velocity),
        cmocka_unit_test(the_rule_is_continuous_and_bounded),
        cmocka_unit_test(models_keep_their_memory_with_the_caller),
        cmocka_unit_test(observers_see_a_constant_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
