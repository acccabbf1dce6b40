// Ten masses on top of each other, all interfaces with friction, EQUATIONS 4.5: the reactions are
// resolved together, without a search over stick and slip. Checked against a run from event to
// event.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"
#include "support/scenes/pile.h"
#include "support/scenes/rig.h"

enum { N = 10 };
static const double g = 9.81;
static double level(int i) { return (0.1 + 0.03 * i) * (N - i) * g; }
static const double thrown[N] = {2, -1, 3, 0, 1, -2, 4, 1, 0, -3};

// The exact motion: accelerations are constant between events. Interface i carries the resistance
// r[i] of mass i against mass i - 1, so that mass i has the acceleration r[i + 1] - r[i].
typedef struct ExactPile {
    double t, x[N], v[N];
    double lock[N]; // when each interface came to rest for the last time
} ExactPile;

static double slip(const double *v, int i) { return i == 0 ? v[0] : v[i] - v[i - 1]; }

// At an interface that rests: the force that keeps it at rest, if the level allows. Sweeps to
// rounding.
static void exact_accelerations(const ExactPile *pile, double *a)
{
    double r[N + 1] = {0.0};
    for (int i = 0; i < N; ++i) r[i] = copysign(level(i), slip(pile->v, i));
    for (int sweep = 0; sweep < 3000; ++sweep) {
        for (int i = 0; i < N; ++i) {
            if (slip(pile->v, i) != 0.0) continue;
            const double below = i == 0 ? 0.0 : r[i - 1], inertia = i == 0 ? 1.0 : 0.5;
            r[i] = fmin(fmax(inertia * (r[i + 1] + below), -level(i)), level(i));
        }
    }
    for (int i = 0; i < N; ++i) a[i] = r[i + 1] - r[i];
}

// Moves to the next event; false if none comes. There the slip that ends is 0 by assignment,
// together with the masses that rest on it already.
static bool exact_advance(ExactPile *pile)
{
    double a[N], next = INFINITY;
    int event = -1;
    exact_accelerations(pile, a);
    for (int i = 0; i < N; ++i) {
        const double time = -slip(pile->v, i) / slip(a, i);
        if (slip(pile->v, i) != 0.0 && time > 0.0 && time < next) next = time, event = i;
    }
    if (event < 0) return false;
    bool resting[N];
    for (int i = 0; i < N; ++i)
        resting[i] = i == event || (slip(pile->v, i) == 0.0 && fabs(slip(a, i)) < 1e-9);
    for (int i = 0; i < N; ++i) pile->x[i] += next * (pile->v[i] + 0.5 * next * a[i]);
    for (int i = 0; i < N; ++i) pile->v[i] += next * a[i];
    for (int i = 0; i < N; ++i)
        if (resting[i]) pile->v[i] = i == 0 ? 0.0 : pile->v[i - 1];
    pile->t += next;
    pile->lock[event] = pile->t;
    return true;
}

static ExactPile exact_start(void)
{
    ExactPile pile = {0};
    for (int i = 0; i < N; ++i) pile.v[i] = thrown[i];
    return pile;
}

static void the_exact_motion_has_the_printed_locks(void **unused)
{
    (void)unused;
    ExactPile pile = exact_start();
    assert_true(exact_advance(&pile));
    assert_near(pile.t, 0.019528, 5e-7);
    assert_near(pile.lock[4], 0.019528, 5e-7);
    while (exact_advance(&pile)) assert_true(pile.t < 2.0);
    assert_near(pile.t, 0.826515, 5e-7);
    assert_near(pile.lock[9], 0.826515, 5e-7);
    for (int i = 0; i < N; ++i) assert_true(pile.v[i] == 0.0);
}

static double velocity(const Rig *rig, const Pile *pile, int i)
{
    return *rig_v(rig, pile->masses[i]);
}
static bool rests(const Rig *rig, const Pile *pile, int i)
{
    return velocity(rig, pile, i) == (i == 0 ? 0.0 : velocity(rig, pile, i - 1));
}

// When each interface came to rest for the last time, and the first of all.
typedef struct Locks {
    double at[N], first;
    int first_interface;
} Locks;

static Locks simulated_locks(double T)
{
    const Pile pile = scene_ten_mass_pile(T);
    Rig rig = rig_of(pile.plan);
    Locks locks = {.first_interface = -1};
    bool rested[N] = {false};
    for (int64_t k = 0; k < lround(1.0 / T); ++k) {
        rig_step(&rig);
        for (int i = 0; i < N; ++i) {
            const bool now = rests(&rig, &pile, i);
            if (now && !rested[i]) locks.at[i] = rig_time(&rig);
            if (now && locks.first_interface < 0)
                locks.first_interface = i, locks.first = rig_time(&rig);
            rested[i] = now;
        }
    }
    for (int i = 0; i < N; ++i) assert_true(velocity(&rig, &pile, i) == 0.0);
    rig_free(&rig);
    return locks;
}

// The rule is first order in T: every interface locks in the step in which it does exactly.
static void locks_come_in_time_in_first_order(void **unused)
{
    (void)unused;
    ExactPile exact = exact_start();
    while (exact_advance(&exact)) {}
    for (int decade = 3; decade <= (rig_short() ? 4 : 5); ++decade) {
        const double T = pow(10.0, -decade);
        const Locks locks = simulated_locks(T);
        assert_int_equal(locks.first_interface, 4);
        assert_near(locks.first, 0.019528, T);
        for (int i = 0; i < N; ++i) assert_near(locks.at[i] - 0.5 * T, exact.lock[i], 0.5 * T);
    }
}

// Between locks the forces are constant, and a lock brings the velocities together as the exact
// impulse does: what the step is wrong about is only when within it.
static void velocities_between_locks_are_exact(void **unused)
{
    (void)unused;
    static const double times[3] = {0.05, 0.2, 0.5};
    for (int decade = 3; decade <= 5; ++decade) {
        const double T = pow(10.0, -decade);
        const Pile pile = scene_ten_mass_pile(T);
        Rig rig = rig_of(pile.plan);
        ExactPile exact = exact_start(), before = exact;
        for (int j = 0; j < 3; ++j) {
            while (exact.t < times[j]) {
                before = exact;
                assert_true(exact_advance(&exact));
            }
            double a[N];
            exact_accelerations(&before, a);
            rig_run(&rig, lround(times[j] / T) - sti_state_k(rig.state));
            for (int i = 0; i < N; ++i)
                assert_near(velocity(&rig, &pile, i), before.v[i] + (times[j] - before.t) * a[i],
                            1e-11);
        }
        rig_free(&rig);
    }
}

static void places_converge_in_first_order(void **unused)
{
    (void)unused;
    ExactPile exact = exact_start();
    while (exact_advance(&exact)) {}
    for (int decade = 3; decade <= (rig_short() ? 4 : 5); ++decade) {
        const double T = pow(10.0, -decade);
        const Pile pile = scene_ten_mass_pile(T);
        Rig rig = rig_of(pile.plan);
        rig_run(&rig, lround(1.0 / T));
        for (int i = 0; i < N; ++i) {
            const double error = *rig_x(&rig, pile.masses[i]) - exact.x[i];
            assert_near(error, -0.5 * T * thrown[i],
                        4.0 * T * T); // positions follow the new velocity
        }
        rig_free(&rig);
    }
}

// Every step: friction within its level; of full size, along the slip, where the interface slips;
// and the velocities follow from the forces.
static void every_step_obeys_coulomb(void **unused)
{
    (void)unused;
    const double T = 1e-3;
    const Pile pile = scene_ten_mass_pile(T);
    Rig rig = rig_of(pile.plan);
    for (int k = 0; k < 1000; ++k) {
        double before[N], r[N + 1] = {0.0};
        for (int i = 0; i < N; ++i) before[i] = velocity(&rig, &pile, i);
        rig_step(&rig);
        for (int i = 0; i < N; ++i) r[i] = rig_resistance(&rig, pile.interfaces[i], 0);
        for (int i = 0; i < N; ++i) {
            const double below = i == 0 ? 0.0 : velocity(&rig, &pile, i - 1);
            const double relative = velocity(&rig, &pile, i) - below;
            assert_true(fabs(r[i]) <= level(i) * (1.0 + 1e-12));
            if (relative != 0.0) assert_near(r[i], copysign(level(i), relative), 1e-11);
            assert_near(velocity(&rig, &pile, i), before[i] + T * (r[i + 1] - r[i]), 1e-14);
        }
        assert_true(sti_scratch_figures(rig.scratch).reaction_residual <= 1e-12);
    }
    rig_free(&rig);
}

// A hundred unequal masses come to rest, and no step takes many sweeps.
static void tall_pile_locks(void **unused)
{
    (void)unused;
    enum { TALL = 100 };
    double masses[TALL], velocities[TALL], levels[TALL];
    Random random = {7};
    for (int i = 0; i < TALL; ++i) {
        masses[i] = random_decades(&random, 0.1, 10.0);
        velocities[i] = random_between(&random, -1.0, 1.0);
        levels[i] = 30.0 * (TALL - i);
    }
    const Pile pile = scene_pile(1e-3, TALL, masses, velocities, levels);
    Rig rig = rig_of(pile.plan);
    int most = 0;
    for (int k = 0; k < 2000; ++k) {
        rig_step(&rig);
        const int sweeps = sti_scratch_figures(rig.scratch).sweeps;
        most = sweeps > most ? sweeps : most;
    }
    for (int i = 0; i < TALL; ++i) assert_true(velocity(&rig, &pile, i) == 0.0);
    assert_true(most < 100);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_motion_has_the_printed_locks),
        cmocka_unit_test(locks_come_in_time_in_first_order),
        cmocka_unit_test(velocities_between_locks_are_exact),
        cmocka_unit_test(places_converge_in_first_order),
        cmocka_unit_test(every_step_obeys_coulomb),
        cmocka_unit_test(tall_pile_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
