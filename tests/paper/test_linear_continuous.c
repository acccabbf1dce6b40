// The linear continuous model, [fixed-step] (22) and (29), on a led point under Euler's method,
// EQUATIONS 2.6 and 2.11. All forces are resistances: f along v, g along the velocity omega of the
// mass.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"
#include "support/scenes/led_element.h"
#include "support/scenes/rig.h"

static const double T = 1e-3, K = 1e4, F = 10.0;

static LedElement led(int dim, double B, double M, bool forward)
{
    const StiLinearContinuous element = {
        .dim = dim, .law = sti_law_coulomb(F), .K = K, .B = B, .M = M, .forward = forward};
    return scene_hand_led_element(T, &sti_method_euler, dim,
                                  (StiImpedance){&sti_kind_linear_continuous, &element});
}

// Velocities that hold for a while, then change: stick and slip in every mixture.
static void lead(Random *random, int k, int dim, double *v)
{
    if (k % 7 != 0) return;
    const double fast = k % 3 == 0 ? 3e-3 : 0.5;
    for (int i = 0; i < dim; ++i) v[i] = random_between(random, -fast, fast);
}

static void without_mass_and_damper_it_clips_the_deflection(void **unused)
{
    (void)unused;
    const LedElement scene = led(1, 0.0, 0.0, false);
    Rig rig = rig_of(scene.plan);
    Random random = {1};
    double v = 0.0, z = 0.0;
    for (int k = 0; k < 20000; ++k) {
        lead(&random, k, 1, &v);
        z = fmin(fmax(z + T * v, -F / K), F / K); // Hayward and Armstrong
        rig_step_with(&rig, &v);
        assert_near(K * *rig_y(&rig, scene.element), K * z, 1e-13 * F);
        assert_near(rig_resistance(&rig, scene.element, 0), K * z, 1e-13 * F);
    }
    rig_free(&rig);
}

// [modular] (14), the ancestor of (19), is the same in one to three dimensions.
static void without_mass_it_is_the_elastic_element(void **unused)
{
    (void)unused;
    for (int dim = 1; dim <= 3; ++dim) {
        const StiElasticCoulomb elastic = {.dim = dim,
                                           .law = sti_law_coulomb(F),
                                           .K = K,
                                           .B = 100.0};
        const LedElement a = led(dim, 100.0, 0.0, false);
        const LedElement b =
            scene_hand_led_element(T, &sti_method_euler, dim,
                                   (StiImpedance){&sti_kind_elastic_coulomb, &elastic});
        Rig rig_a = rig_of(a.plan), rig_b = rig_of(b.plan);
        Random random = {2};
        double v[3] = {0.0};
        for (int k = 0; k < 20000; ++k) {
            lead(&random, k, dim, v);
            rig_step_with(&rig_a, v);
            rig_step_with(&rig_b, v);
            for (int i = 0; i < dim; ++i)
                assert_near(rig_resistance(&rig_a, a.element, i),
                            rig_resistance(&rig_b, b.element, i), 1e-13 * F);
        }
        rig_free(&rig_a);
        rig_free(&rig_b);
    }
}

typedef struct Memory {
    double z[3], omega[3];
} Memory;

static Memory read_memory(const Rig *rig, const LedElement *scene, int dim)
{
    Memory memory = {0};
    for (int i = 0; i < dim; ++i) {
        memory.z[i] = rig_y(rig, scene->element)[i];
        memory.omega[i] = rig_y(rig, scene->element)[dim + i];
    }
    return memory;
}

// After each step: z moved by T (v - omega), the mass moved under f - g, |g| <= F, and g is
// friction: of full size along omega in slip, whatever is needed at omega = 0. (omega is
// integrated: where it comes to 0 a rounding of it may remain for one step. Nothing else moves with
// it.)
static const double standing = 1e-12; // m/s

static void assert_mass_obeys_its_friction(int dim, double M, const Memory *old, const Memory *new,
                                           const double *v, const double *f)
{
    double g_square = 0.0, g_omega = 0.0, omega_square = 0.0;
    for (int i = 0; i < dim; ++i) {
        const double g = f[i] - M * (new->omega[i] - old->omega[i]) / T;
        assert_near(K * new->z[i], K * (old->z[i] + T * (v[i] - new->omega[i])), 1e-13 * F);
        g_square += g * g;
        g_omega += g * new->omega[i];
        omega_square += new->omega[i] * new->omega[i];
    }
    assert_true(sqrt(g_square) <= F * (1.0 + 1e-11));
    if (sqrt(omega_square) > standing) assert_near(g_omega / sqrt(omega_square), F, 1e-11 * F);
}

static void with_mass_it_obeys_its_own_equations(void **unused)
{
    (void)unused;
    for (int dim = 1; dim <= 3; ++dim) {
        for (int damped = 0; damped <= 1; ++damped) {
            const double M = 0.05, B = damped ? 100.0 : 0.0;
            const LedElement scene = led(dim, B, M, false);
            Rig rig = rig_of(scene.plan);
            Random random = {3};
            double v[3] = {0.0};
            int slips = 0;
            for (int k = 0; k < 10000; ++k) {
                const Memory old = read_memory(&rig, &scene, dim);
                double f[3];
                lead(&random, k, dim, v);
                rig_step_with(&rig, v);
                const Memory new = read_memory(&rig, &scene, dim);
                for (int i = 0; i < dim; ++i) {
                    f[i] = rig_resistance(&rig, scene.element, i);
                    assert_near(f[i], K * new.z[i] + B *(v[i] - new.omega[i]), 1e-12 * F); // (23a)
                }
                assert_mass_obeys_its_friction(dim, M, &old, &new, v, f);
                slips += fabs(new.omega[0]) > standing;
            }
            assert_true(slips > 1000 && slips < 9000);
            rig_free(&rig);
        }
    }
}

// (22): the force is known before the mass moves.
static void forward_variant_obeys_its_own_equations(void **unused)
{
    (void)unused;
    const double M = 0.05, B = 10.0;
    const LedElement scene = led(2, B, M, true);
    Rig rig = rig_of(scene.plan);
    Random random = {4};
    double v[2] = {0.0};
    for (int k = 0; k < 10000; ++k) {
        const Memory old = read_memory(&rig, &scene, 2);
        double f[2];
        lead(&random, k, 2, v);
        rig_step_with(&rig, v);
        const Memory new = read_memory(&rig, &scene, 2);
        for (int i = 0; i < 2; ++i) {
            f[i] = rig_resistance(&rig, scene.element, i);
            assert_near(f[i], K * (old.z[i] + T * v[i]) + B * (v[i] - old.omega[i]), 1e-12 * F);
        }
        assert_mass_obeys_its_friction(2, M, &old, &new, v, f);
    }
    rig_free(&rig);
}

static void ramp(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.05 * t;
    values[1] = 0.05;
}

// Break-away where K v t + B v = F, then the deflection goes to F/K.
static void ramp_breaks_away_in_time(void **unused)
{
    (void)unused;
    const double B = 100.0, v = 0.05, break_away = (F - B * v) / (K * v);
    assert_near(break_away, 0.01, 1e-17);
    for (int decade = 3; decade <= 5; ++decade) {
        const double step = pow(10.0, -decade);
        const StiLinearContinuous element = {.dim = 1, .law = sti_law_coulomb(F), .K = K, .B = B};
        const LedElement scene =
            scene_led_element(step, &sti_method_euler, (StiTimeFunction){.count = 2, .eval = ramp},
                              (StiImpedance){&sti_kind_linear_continuous, &element});
        Rig rig = rig_of(scene.plan);
        rig_run(&rig, lround(break_away / step) - 1);
        assert_near(*rig_y(&rig, scene.element), v * (break_away - step), 1e-15); // stuck: z = x
        assert_true(rig_resistance(&rig, scene.element, 0) < F);
        rig_run(&rig, 2);
        assert_near(rig_resistance(&rig, scene.element, 0), F, 1e-12 * F);
        rig_run(&rig, lround(0.5 / step)); // time constant B/K = 0.01 s
        assert_near(*rig_y(&rig, scene.element), F / K, 1e-15);
        rig_free(&rig);
    }
}

// In stick dz = T v exactly: dither just below the level does not move the anchor w = x - z at all.
static void anchor_does_not_drift(void **unused)
{
    (void)unused;
    const int steps = rig_short() ? 20000 : 1000000;
    for (int variant = 0; variant < 3; ++variant) {
        const LedElement scene = led(1, 100.0, variant > 0 ? 0.05 : 0.0, variant == 2);
        Rig rig = rig_of(scene.plan);
        double x = 0.0;
        for (int k = 0; k < steps; ++k) {
            const double t = k * T; // up to 0.6 F/K in 1 s, then 0.35 F/K around it
            const double v = F / K * (t < 1.0 ? 0.6 : 0.35 * 2.0 * cos(2.0 * (t - 1.0)));
            rig_step_with(&rig, &v);
            x += T * v;
            assert_true(*rig_y(&rig, scene.element) == x);
        }
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_mass_and_damper_it_clips_the_deflection),
        cmocka_unit_test(without_mass_it_is_the_elastic_element),
        cmocka_unit_test(with_mass_it_obeys_its_own_equations),
        cmocka_unit_test(forward_variant_obeys_its_own_equations),
        cmocka_unit_test(ramp_breaks_away_in_time),
        cmocka_unit_test(anchor_does_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
