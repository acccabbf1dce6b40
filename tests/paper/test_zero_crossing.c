// Simulation II of [regularization], Fig. 10: a force reverses a sliding mass, EQUATIONS 2.3, and
// the invariant behind it: the finite-time rule never pushes along the velocity it leaves.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"
#include "support/scenes/rig.h"
#include "support/scenes/sliding_mass.h"

static const double F = 10.0, M = 1.0;

static void forty_newtons(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace, (void)t;
    values[0] = 40.0;
}

static SlidingMass reversal(double T, SceneFriction friction)
{
    const StiPointMass mass = {.dim = 1, .mass = M, .velocity = {-0.13}};
    const SlidingMass scene = scene_sliding_mass(T, &mass, friction);
    sliding_mass_force(&scene, (StiTimeFunction){.count = 1, .eval = forty_newtons});
    return scene;
}

static SlidingMass finite_time_reversal(double T)
{
    const StiFiniteTime P = {.dim = 1, .law = sti_law_coulomb(F)};
    return reversal(T, (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
}

// At 3 ms the full level is just what stops the mass: a case on the edge, within rounding.
static void finite_time_steps_through_zero(void **unused)
{
    (void)unused;
    static const double v[5] = {-0.08, -0.03, 0.0, 0.03, 0.06}, f[5] = {-10, -10, 10, 10, 10};
    const SlidingMass scene = finite_time_reversal(1e-3);
    Rig rig = rig_of(scene.plan);
    for (int k = 0; k < 5; ++k) {
        rig_step(&rig);
        assert_near(*rig_v(&rig, scene.mass), v[k], 1e-16);
        assert_near(rig_resistance(&rig, scene.friction, 0), f[k], 1e-11);
    }
    rig_free(&rig);
}

// Exact: 50 m/s^2 until 2.6 ms, then 30 m/s^2. The steps do not fit the crossing: that step loses
// at most T (50 - 30) m/s^2.
static void finite_time_converges_to_the_exact_crossing(void **unused)
{
    (void)unused;
    static const int steps[4] = {37, 307, 3001, 30011};
    for (int i = 0; i < 4; ++i) {
        const double T = 4e-3 / steps[i];
        const SlidingMass scene = finite_time_reversal(T);
        Rig rig = rig_of(scene.plan);
        while (*rig_v(&rig, scene.mass) < 0.0) rig_step(&rig);
        assert_near(rig_time(&rig), 2.6e-3, T);
        rig_run(&rig, steps[i] - sti_state_k(rig.state));
        assert_near(*rig_v(&rig, scene.mass), 0.042, 20.0 * T + 1e-12);
        rig_free(&rig);
    }
}

static void quinn_2_pushes_along_the_motion_once(void **unused)
{
    (void)unused;
    const StiQuinn q = {.dim = 1, .law = sti_law_coulomb(F), .eps = 1e-2};
    const SlidingMass scene =
        reversal(1e-3, (SceneFriction){.reaction = &sti_kind_quinn, .parameters = &q});
    Rig rig = rig_of(scene.plan);
    for (int k = 1; k <= 5; ++k) {
        rig_step(&rig);
        const double v = *rig_v(&rig, scene.mass);
        const double power = rig_resistance(&rig, scene.friction, 0) * v;
        if (k == 3) assert_near(v, 0.02, 1e-16);
        if (k == 3)
            assert_true(power < 0.0); // a resistance that drives
        else
            assert_true(power > 0.0);
    }
    rig_free(&rig);
}

static StiLaw random_law(Random *random)
{
    const double level = random_decades(random, 0.1, 100.0);
    switch (random_below(random, 4)) {
    case 0:
        return sti_law_coulomb(level);
    case 1:
        return sti_law_viscous(level, random_decades(random, 0.01, 1000.0));
    case 2:
        return sti_law_stribeck(level, level * random_between(random, 1.0, 2.0),
                                random_decades(random, 1e-3, 1.0), random_between(random, 0.5, 2.0),
                                random_decades(random, 0.01, 10.0));
    default:
        return sti_law_tanh(level, random_decades(random, 1e-3, 1.0));
    }
}

// T f_k.v_k is the work of the rule: never positive, whatever the other forces do.
static void finite_time_never_does_positive_work(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        Random random = {seed};
        const int dim = 1 + random_below(&random, 3);
        const StiPointMass mass = {.dim = dim, .mass = random_decades(&random, 0.01, 100.0)};
        StiFiniteTime P = {.dim = dim, .law = random_law(&random)};
        if (seed % 2 == 0) P.level_static = 1.5 * sti_law_survey(&P.law).highest;
        const double strength = 2.0 * sti_law_survey(&P.law).highest;
        const SlidingMass scene =
            scene_sliding_mass(random_decades(&random, 1e-5, 1e-2), &mass,
                               (SceneFriction){.reaction = &sti_kind_finite_time,
                                               .parameters = &P});
        sliding_mass_hand(&scene, dim);
        Rig rig = rig_of(scene.plan);
        for (int k = 0; k < 500; ++k) {
            double hand[3], power = 0.0;
            for (int i = 0; i < dim; ++i) hand[i] = random_between(&random, -strength, strength);
            rig_step_with(&rig, hand);
            for (int i = 0; i < dim; ++i)
                power += rig_resistance(&rig, scene.friction, i) * rig_v(&rig, scene.mass)[i];
            assert_true(power >= 0.0);
        }
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_time_steps_through_zero),
        cmocka_unit_test(finite_time_converges_to_the_exact_crossing),
        cmocka_unit_test(quinn_2_pushes_along_the_motion_once),
        cmocka_unit_test(finite_time_never_does_positive_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
