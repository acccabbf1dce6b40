// Two bodies with friction between them, [regularization] (18), EQUATIONS 2.8.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"
#include "support/scenes/pile.h"
#include "support/scenes/rig.h"

static Pile two_bodies(double T)
{
    return scene_pile(T, 2, (const double[]){1.0, 2.0}, (const double[]){3.0, 0.0},
                      (const double[]){0.0, 4.0});
}

static double momentum(const Rig *rig, const Pile *pile)
{
    return 1.0 * *rig_v(rig, pile->masses[0]) + 2.0 * *rig_v(rig, pile->masses[1]);
}

// 4 N on 1/(1/1 + 1/2) kg: 6 m/s^2 relative.
static void lock_at_half_a_second_with_common_velocity(void **unused)
{
    (void)unused;
    for (int decade = 2; decade <= 4; ++decade) {
        const double T = pow(10.0, -decade);
        const Pile pile = two_bodies(T);
        Rig rig = rig_of(pile.plan);
        while (*rig_v(&rig, pile.masses[0]) != *rig_v(&rig, pile.masses[1])) {
            rig_step(&rig);
            assert_near(momentum(&rig, &pile), 3.0, 1e-13);
        }
        assert_near(rig_time(&rig), 0.5, T * (1.0 + 1e-9));
        assert_near(*rig_v(&rig, pile.masses[0]), 1.0, 1e-12);
        rig_free(&rig);
    }
}

static void the_resistance_is_that_of_a_over_b(void **unused)
{
    (void)unused;
    const Pile pile = two_bodies(1e-3);
    Rig rig = rig_of(pile.plan);
    rig_run(&rig, 100);
    // side a is the upper mass, which is slower: its resistance is negative
    assert_near(rig_resistance(&rig, pile.interfaces[1], 0), -4.0, 1e-14);
    rig_run(&rig, 900);
    assert_near(rig_resistance(&rig, pile.interfaces[1], 0), 0.0, 1e-12);
    rig_free(&rig);
}

// Locked bodies stay together to the last bit while a force below the level pulls one of them.
static void locked_bodies_move_as_one(void **unused)
{
    (void)unused;
    const double T = 1e-3;
    const Pile pile = two_bodies(T);
    const StiWire wire = sti_wire_coordinate(pile.masses[0], 0, 1);
    const StiElementId push = sti_plan_add_impedance(pile.plan, "push", &sti_kind_force_source,
                                                     &(StiForceSource){1}, &wire);
    const StiSourceId hand = sti_plan_add_input(pile.plan, "hand", 1, NULL);
    sti_plan_connect(pile.plan, sti_signal_source(hand, 0), push, 0);
    Rig rig = rig_of(pile.plan);
    rig_run(&rig, 600);
    const double apart = *rig_x(&rig, pile.masses[0]) - *rig_x(&rig, pile.masses[1]);
    Random random = {1};
    double expected = momentum(&rig, &pile);
    for (int k = 0; k < 10000; ++k) {
        const double force =
            random_between(&random, -5.9, 5.9); // two thirds go through the contact
        rig_step_with(&rig, &force);
        expected += T * force;
        assert_true(*rig_v(&rig, pile.masses[0]) == *rig_v(&rig, pile.masses[1]));
        assert_near(momentum(&rig, &pile), expected, 1e-12);
    }
    assert_near(*rig_x(&rig, pile.masses[0]) - *rig_x(&rig, pile.masses[1]), apart, 1e-12);
    const double strong = 6.1; // 4.07 N would have to go through
    rig_step_with(&rig, &strong);
    assert_true(*rig_v(&rig, pile.masses[0]) > *rig_v(&rig, pile.masses[1]));
    rig_free(&rig);
}

// Any masses and levels: the lock comes at vrel/(F (1/Ma + 1/Mb)), with the common velocity.
static void any_two_masses_lock(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        Random random = {seed};
        const double m[2] = {random_decades(&random, 0.01, 100.0),
                             random_decades(&random, 0.01, 100.0)};
        const double v[2] = {random_between(&random, -3.0, 3.0),
                             random_between(&random, -3.0, 3.0)};
        const double F[2] = {0.0, random_decades(&random, 0.1, 10.0)};
        const double lock = fabs(v[0] - v[1]) / (F[1] * (1.0 / m[0] + 1.0 / m[1]));
        const double T = lock / random_between(&random, 20.0, 300.0);
        const double common = (m[0] * v[0] + m[1] * v[1]) / (m[0] + m[1]);
        const Pile pile = scene_pile(T, 2, m, v, F);
        Rig rig = rig_of(pile.plan);
        while (*rig_v(&rig, pile.masses[0]) != *rig_v(&rig, pile.masses[1])) rig_step(&rig);
        assert_near(rig_time(&rig), lock, T * (1.0 + 1e-9));
        assert_near(*rig_v(&rig, pile.masses[0]), common, 1e-12);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lock_at_half_a_second_with_common_velocity),
        cmocka_unit_test(the_resistance_is_that_of_a_over_b),
        cmocka_unit_test(locked_bodies_move_as_one),
        cmocka_unit_test(any_two_masses_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
