// Static above kinetic friction, [regularization] (19) and Fig. 9: FS = 13 N, FC = 10 N under the
// spring-pulled mass, EQUATIONS 2.2. Resistances are along +v.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/rig.h"
#include "support/scenes/spring_pull.h"

static const double FS = 13.0, FC = 10.0, K = 90.0;

enum { SLIPS = 3 };
static const double starts[SLIPS] = {0.072222, 0.734802, 1.397381};
static const double ends[SLIPS] = {0.701468, 1.364048, 2.0184456};
static const double held = 2.2344636, rest = 3.9751726;

static SpringPull finite_time_scene(double T)
{
    const StiFiniteTime P = {.dim = 1, .law = sti_law_coulomb(FC), .level_static = FS};
    return scene_spring_pull(T,
                             (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
}

// Runs until the mass starts or stops moving; returns the time.
static double next_change(const Rig *rig, const SpringPull *scene, double until)
{
    const bool resting = *rig_v(rig, scene->block) == 0.0;
    while ((*rig_v(rig, scene->block) == 0.0) == resting) {
        rig_step(rig);
        assert_true(rig_time(rig) < until);
    }
    return rig_time(rig);
}

static void switches_within_one_step(void **unused)
{
    (void)unused;
    const double T = 1e-3;
    const SpringPull scene = finite_time_scene(T);
    Rig rig = rig_of(scene.plan);
    for (int i = 0; i < SLIPS; ++i) {
        assert_near(next_change(&rig, &scene, 4.0), starts[i], T);
        assert_near(next_change(&rig, &scene, 4.0), ends[i], T);
    }
    rig_free(&rig);
}

// A break-away that is late by part of a step shifts all that follows: chance, but first order in
// T.
static void converges_to_the_exact_intervals(void **unused)
{
    (void)unused;
    for (int decade = 3; decade <= (rig_short() ? 4 : 6); ++decade) {
        const double T = pow(10.0, -decade);
        const SpringPull scene = finite_time_scene(T);
        Rig rig = rig_of(scene.plan);
        for (int i = 0; i < SLIPS; ++i) {
            assert_near(next_change(&rig, &scene, 4.0), starts[i], T + 5e-7);
            assert_near(next_change(&rig, &scene, 4.0), ends[i], T + 5e-7);
        }
        rig_step(&rig);
        assert_near(rig_resistance(&rig, scene.friction, 0), held, 12.0 * T + 5e-8);
        assert_near(*rig_x(&rig, scene.block), rest, 12.0 / K * T + 5e-8);
        rig_free(&rig);
    }
}

static void carries_up_to_the_static_level_and_slips_at_the_kinetic_one(void **unused)
{
    (void)unused;
    const SpringPull scene = finite_time_scene(1e-4);
    Rig rig = rig_of(scene.plan);
    double highest = 0.0;
    for (int k = 0; k < 40000; ++k) {
        rig_step(&rig);
        const double f = rig_resistance(&rig, scene.friction, 0);
        if (*rig_v(&rig, scene.block) != 0.0) assert_true(f == FC);
        highest = fmax(highest, f);
        assert_true(f >= 0.0 && f <= FS);
    }
    assert_true(highest > FS - K * 2.0 * 1e-4); // one step before break-away
    rig_free(&rig);
}

static void holds_afterwards(void **unused)
{
    (void)unused;
    const SpringPull scene = finite_time_scene(1e-3);
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, 2020);
    const double x = *rig_x(&rig, scene.block), f = rig_resistance(&rig, scene.friction, 0);
    for (int k = 2020; k < 4000; ++k) {
        rig_step(&rig);
        assert_true(*rig_v(&rig, scene.block) == 0.0);
        assert_true(*rig_x(&rig, scene.block) == x);
        assert_true(rig_resistance(&rig, scene.friction, 0) == f);
    }
    rig_free(&rig);
}

// Karnopp with eps = 1e-2 sees the same intervals, each shortened by the time that the mass needs
// to leave and enter the band of speeds, but creeps where it should stand.
static void karnopp_2_finds_the_intervals_and_creeps(void **unused)
{
    (void)unused;
    const double T = 1e-3, eps = 1e-2;
    const StiKarnopp p = {.dim = 1, .law = sti_law_coulomb(FC), .level_static = FS, .eps = eps};
    const SpringPull scene =
        scene_spring_pull(T, (SceneFriction){.reaction = &sti_kind_karnopp, .parameters = &p});
    Rig rig = rig_of(scene.plan);
    int slip = 0;
    bool slipping = false;
    for (int k = 1; k <= 4000; ++k) {
        rig_step(&rig);
        const double t = rig_time(&rig);
        const bool fast = fabs(*rig_v(&rig, scene.block)) > eps;
        if (fast == slipping) continue;
        assert_true(slip < SLIPS);
        assert_near(t, fast ? starts[slip] : ends[slip], 0.012);
        slip += !fast;
        slipping = fast;
    }
    assert_int_equal(slip, SLIPS);
    assert_true(*rig_v(&rig, scene.block) != 0.0);
    const double f = rig_resistance(&rig, scene.friction, 0);
    rig_run(&rig, 100);
    assert_near(rig_resistance(&rig, scene.friction, 0) - f, -K * *rig_v(&rig, scene.block) * 0.1,
                1e-10);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_within_one_step),
        cmocka_unit_test(converges_to_the_exact_intervals),
        cmocka_unit_test(carries_up_to_the_static_level_and_slips_at_the_kinetic_one),
        cmocka_unit_test(holds_afterwards),
        cmocka_unit_test(karnopp_2_finds_the_intervals_and_creeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
