// Simulation III of [fixed-step]: a mass on a spring slides in the plane until friction holds it,
// EQUATIONS 2.4.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/rig.h"
#include "support/scenes/sliding_mass.h"

static const double K = 3.0, F = 10.0;

static SlidingMass planar_spring(double T)
{
    const StiPointMass mass = {.dim = 2,
                               .mass = 1.0,
                               .position = {10.0, 0.0},
                               .velocity = {0.0, 30.0}};
    const StiFiniteTime P = {.dim = 2, .law = sti_law_coulomb(F)};
    const SlidingMass scene =
        scene_sliding_mass(T, &mass,
                           (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
    sliding_mass_spring(&scene, 2, K);
    return scene;
}

static double speed(const Rig *rig, const SlidingMass *scene)
{
    const double *v = rig_v(rig, scene->mass);
    return hypot(v[0], v[1]);
}

static double resistance(const Rig *rig, const SlidingMass *scene)
{
    return hypot(rig_resistance(rig, scene->friction, 0), rig_resistance(rig, scene->friction, 1));
}

typedef struct Rest {
    double time, pull;
} Rest;

static Rest run_to_rest(double T)
{
    const SlidingMass scene = planar_spring(T);
    Rig rig = rig_of(scene.plan);
    do rig_step(&rig);
    while (speed(&rig, &scene) > 0.0 && rig_time(&rig) < 6.0);
    Rest rest = {.time = rig_time(&rig)};
    rig_step(&rig);
    rest.pull = resistance(&rig, &scene);
    rig_free(&rig);
    return rest;
}

static void stops_once_and_for_all(void **unused)
{
    (void)unused;
    const SlidingMass scene = planar_spring(1e-3);
    Rig rig = rig_of(scene.plan);
    while (speed(&rig, &scene) > 0.0) rig_step(&rig);
    const double x = rig_x(&rig, scene.mass)[0], y = rig_x(&rig, scene.mass)[1];
    for (int k = 0; k < 5000; ++k) {
        rig_step(&rig);
        assert_true(speed(&rig, &scene) == 0.0);
        assert_true(rig_x(&rig, scene.mass)[0] == x && rig_x(&rig, scene.mass)[1] == y);
        assert_near(rig_resistance(&rig, scene.friction, 0), -K * x, 1e-12);
        assert_near(rig_resistance(&rig, scene.friction, 1), -K * y, 1e-12);
    }
    rig_free(&rig);
}

// The friction of a sliding mass has its full size and is along the velocity that it leaves.
static void friction_is_along_the_velocity(void **unused)
{
    (void)unused;
    const SlidingMass scene = planar_spring(1e-3);
    Rig rig = rig_of(scene.plan);
    rig_step(&rig);
    while (speed(&rig, &scene) > 0.0) {
        const double *v = rig_v(&rig, scene.mass);
        const double fx = rig_resistance(&rig, scene.friction, 0);
        const double fy = rig_resistance(&rig, scene.friction, 1);
        assert_near(hypot(fx, fy), F, 1e-14);
        assert_near(fx * v[1] - fy * v[0], 0.0, 1e-13);
        assert_true(fx * v[0] + fy * v[1] > 0.0);
        rig_step(&rig);
    }
    rig_free(&rig);
}

// The continuous solution by Runge-Kutta with steps that shrink with the speed: 4.6344143 s,
// 8.0109367 N.
static void converges_to_the_continuous_stop(void **unused)
{
    (void)unused;
    for (int decade = 3; decade <= (rig_short() ? 4 : 6); ++decade) {
        const double T = pow(10.0, -decade);
        const Rest rest = run_to_rest(T);
        assert_near(rest.time, 4.6344143, 2.5 * T);
        assert_near(rest.pull, 8.0109367, 6.1 * T);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_once_and_for_all),
        cmocka_unit_test(friction_is_along_the_velocity),
        cmocka_unit_test(converges_to_the_continuous_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
