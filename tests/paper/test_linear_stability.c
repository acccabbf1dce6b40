// METHODS 5: what a step does to a stuck mass, as the spectral radius of its matrix.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "../unit/network/built.h"
#include "support/near.h"
#include "support/plan.h"

// One step of T = 1 s from (v, e); M = 1, K = w^2, B = 2 ratio w: w is the frequency times the step.
static void step_from(const StiMethod *method, double w, double ratio, double v, double e,
                      double *after)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass =
        sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1, .mass = 1.0, .velocity = {v}});
    const StiWire ground = sti_wire_coordinate(mass, 0, 1);
    const StiElasticCoulomb p = {.dim = 1,
                                 .law = sti_law_coulomb(1e30),
                                 .K = w * w,
                                 .B = 2.0 * ratio * w,
                                 .deflection = {e}};
    const StiElementId friction =
        sti_plan_add_impedance(plan, "friction", &sti_kind_elastic_coulomb, &p, &ground);
    sti_plan_set_step(plan, 1.0);
    sti_plan_set_method(plan, method);
    Built built = build_and_destroy(plan);
    assert_steps(&built, NULL);
    after[0] = velocity(&built, mass)[0];
    after[1] = memory(&built, friction)[0];
    release(&built);
}

static double spectral_radius(const StiMethod *method, double w, double ratio)
{
    double a[2], b[2];
    step_from(method, w, ratio, 1.0, 0.0, a);
    step_from(method, w, ratio, 0.0, 1.0, b);
    const double half = 0.5 * (a[0] + b[1]), determinant = a[0] * b[1] - a[1] * b[0];
    const double square = half * half - determinant;
    return square < 0.0 ? sqrt(determinant) : fabs(half) + sqrt(square);
}

static const double light = 0.003; // damping ratio of the study

static void unresolved_oscillations_die(void **state)
{
    (void)state;
    static const struct {
        double w, ark4, ark3, digit; // digit: half of the last one printed
    } rows[] = {{1.0, 0.9970, 0.980, 5e-4},
                {2.0, 0.9939, 0.872, 5e-4},
                {5.8, 0.931, 0.455, 5e-4},
                {100.0, 0.093, 0.029, 5e-4},
                {1e4, 9e-4, 3e-4, 5e-5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_near(spectral_radius(&sti_method_ark4, rows[i].w, light), rows[i].ark4,
                    rows[i].digit);
        assert_near(spectral_radius(&sti_method_ark3, rows[i].w, light), rows[i].ark3,
                    rows[i].digit);
    }
}

static void ark_methods_are_stable_at_any_stiffness(void **state)
{
    (void)state;
    static const double ratios[] = {1e-6, 0.003, 0.1, 1.0, 10.0};
    for (double w = 1e-2; w < 1e6; w *= 1.3)
        for (int i = 0; i < 5; ++i) {
            assert_true(spectral_radius(&sti_method_ark4, w, ratios[i]) < 1.0 + 1e-12);
            assert_true(spectral_radius(&sti_method_ark3, w, ratios[i]) < 1.0 + 1e-12);
        }
}

// Stable below, unstable from there on.
static void assert_unstable_from(const StiMethod *method, double w, double ratio, double digit)
{
    assert_true(spectral_radius(method, w - digit, ratio) < 1.0);
    assert_true(spectral_radius(method, w + digit, ratio) > 1.0);
}

static void explicit_methods_are_stable_up_to(void **state)
{
    (void)state;
    assert_unstable_from(&sti_method_rk4, 2.3, light, 0.05);
    assert_unstable_from(&sti_method_rk4, 1.15, 1.0, 0.01);
    assert_unstable_from(&sti_method_rk4_split, 2.85, light, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unresolved_oscillations_die),
        cmocka_unit_test(ark_methods_are_stable_at_any_stiffness),
        cmocka_unit_test(explicit_methods_are_stable_up_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
