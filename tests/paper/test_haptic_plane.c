// The haptic loop of [fixed-step] VI: an object in the plane under a hand whose force comes in with
// each step, EQUATIONS 2.9.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/rig.h"
#include "support/scenes/sliding_mass.h"

static const double PI = 3.14159265358979323846;
static const double M = 2.0, F = 6.0;

static SlidingMass object(double T)
{
    const StiPointMass mass = {.dim = 2, .mass = M};
    const StiFiniteTime P = {.dim = 2, .law = sti_law_coulomb(F)};
    const SlidingMass scene =
        scene_sliding_mass(T, &mass,
                           (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
    sliding_mass_hand(&scene, 2);
    return scene;
}

// The hand at time t. On the circle about (1, 0.5): 6 N along the way, 4 N to the centre, 2 rad/s.
static void hand_force(double t, double force[2])
{
    const double angle = 2.0 * (t - 3.5);
    force[0] = t <= 1.0 ? 9.0 : t <= 2.5 ? 3.0 : 0.0;
    force[1] = t > 2.5 && t <= 3.5 ? 8.0 : 0.0;
    if (t <= 3.5 || t > 3.5 + PI) return;
    force[0] = -6.0 * sin(angle) - 4.0 * cos(angle);
    force[1] = 6.0 * cos(angle) - 4.0 * sin(angle);
}

// Each step gets the force in its middle, so that switches at whole steps are met exactly.
static void run_until(const Rig *rig, double T, double until)
{
    double force[2];
    while (sti_state_k(rig->state) < lround(until / T)) {
        hand_force(rig_time(rig) + 0.5 * T, force);
        rig_step_with(rig, force);
    }
}

static void assert_at(const Rig *rig, const SlidingMass *scene, double x, double y,
                      double tolerance)
{
    assert_near(rig_x(rig, scene->mass)[0], x, tolerance);
    assert_near(rig_x(rig, scene->mass)[1], y, tolerance);
}

static void follows_the_exact_path_in_first_order(void **unused)
{
    (void)unused;
    for (int decade = 3; decade <= (rig_short() ? 4 : 5); ++decade) {
        const double T = pow(10.0, -decade);
        const SlidingMass scene = object(T);
        Rig rig = rig_of(scene.plan);
        const double *v = rig_v(&rig, scene.mass);
        assert_int_equal(sti_network_input_count(rig.network), 2);
        assert_int_equal(sti_network_input(rig.network, "hand"), 0);
        run_until(&rig, T, 1.0);
        assert_at(&rig, &scene, 0.75, 0.0, 0.76 * T);
        assert_near(v[0], 1.5, 1e-11);
        run_until(&rig, T, 2.5);
        assert_at(&rig, &scene, 1.5, 0.0, 1e-11);
        run_until(&rig, T, 3.5);
        assert_at(&rig, &scene, 1.5, 0.5, 0.51 * T);
        assert_near(v[1], 1.0, 1e-11);
        for (double turn = 0.25; turn <= 1.0; turn += 0.25) {
            run_until(&rig, T, 3.5 + turn * PI);
            const double angle = 2.0 * (rig_time(&rig) - 3.5);
            assert_at(&rig, &scene, 1.0 + 0.5 * cos(angle), 0.5 + 0.5 * sin(angle), 1.8 * T);
        }
        run_until(&rig, T, 8.0);
        assert_at(&rig, &scene, 1.5, 0.5 + 1.0 / 6.0, T);
        rig_free(&rig);
    }
}

static void stands_although_three_newtons_pull(void **unused)
{
    (void)unused;
    const double T = 1e-3;
    const SlidingMass scene = object(T);
    Rig rig = rig_of(scene.plan);
    const double *v = rig_v(&rig, scene.mass), *p = rig_x(&rig, scene.mass);
    run_until(&rig, T, 1.999);
    assert_true(v[0] > 0.0);
    run_until(&rig, T, 2.001);
    const double x = p[0];
    while (rig_time(&rig) < 2.4999) {
        run_until(&rig, T, rig_time(&rig) + T);
        assert_true(v[0] == 0.0 && v[1] == 0.0 && p[0] == x && p[1] == 0.0);
        assert_near(rig_resistance(&rig, scene.friction, 0), 3.0, 1e-14);
        assert_near(rig_resistance(&rig, scene.friction, 1), 0.0, 1e-14);
    }
    rig_free(&rig);
}

static void without_a_hand_the_usual_input_is_no_force(void **unused)
{
    (void)unused;
    const SlidingMass scene = object(1e-3);
    Rig rig = rig_of(scene.plan);
    run_until(&rig, 1e-3, 1.0);
    rig_run(&rig, 500); // 1.5 m/s and 3 m/s^2
    const double x = *rig_x(&rig, scene.mass);
    rig_run(&rig, 10);
    assert_near(x, 1.125, 1e-9);
    assert_true(*rig_x(&rig, scene.mass) == x);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_exact_path_in_first_order),
        cmocka_unit_test(stands_although_three_newtons_pull),
        cmocka_unit_test(without_a_hand_the_usual_input_is_no_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
