// Soft stops: they push back at both ends, and give back no more than they took.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judged.h"
#include "stiction/actuator.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

static const StiImpedanceKind *const kind = &sti_kind_joint_limit;
static const StiJointLimit elbow = {.lower = -0.5, .upper = 2.0, .K = 100.0, .B = 5.0};

static double resistance(const StiJointLimit *p, double x, double v)
{
    const StiStage stage = {.tau = 0.0};
    const StiMotion xhat = {.x = &x, .v = &v};
    double u;
    assert_int_equal(kind->eval(p, &stage, &xhat, NULL, NULL, &u, NULL), STI_OK);
    return u;
}

static double stored(const StiJointLimit *p, double x)
{
    const StiMotion xhat = {.x = &x};
    return kind->stored(p, &xhat, NULL);
}

static double touching(const StiJointLimit *p, double x)
{
    const StiStage stage = {.tau = 0.0};
    const StiMotion xhat = {.x = &x};
    double value;
    kind->observe(p, &stage, &xhat, NULL, NULL, NULL, &value);
    return value;
}

static void acts_beyond_the_range_only(void **state)
{
    (void)state;
    for (int i = 0; i <= 100; ++i) {
        const double x = elbow.lower + (elbow.upper - elbow.lower) * i / 100.0;
        assert_true(resistance(&elbow, x, 10.0) == 0.0 && resistance(&elbow, x, -10.0) == 0.0);
        assert_true(stored(&elbow, x) == 0.0 && touching(&elbow, x) == 0.0);
    }
    assert_true(touching(&elbow, nextafter(2.0, 0.0)) == 0.0);
    assert_true(touching(&elbow, nextafter(2.0, 3.0)) == 1.0);
    assert_true(touching(&elbow, nextafter(-0.5, 0.0)) == 0.0);
    assert_true(touching(&elbow, nextafter(-0.5, -1.0)) == 1.0);
    assert_near(resistance(&elbow, 2.1, 0.0), 10.0, 1e-12);
    assert_near(resistance(&elbow, 2.1, 1.0), 15.0, 1e-12);
    assert_near(resistance(&elbow, 2.1, -1.0), 5.0, 1e-12);
    assert_true(resistance(&elbow, 2.1, -3.0) == 0.0); // a damper alone would pull
    assert_near(resistance(&elbow, -0.7, 0.0), -20.0, 1e-12);
    assert_near(resistance(&elbow, -0.7, -1.0), -25.0, 1e-12);
    assert_true(resistance(&elbow, -0.7, 5.0) == 0.0);
    assert_near(stored(&elbow, 2.1), 0.5, 1e-13);
    assert_near(stored(&elbow, -0.7), 2.0, 1e-13);
    assert_true(touching(&elbow, 2.1) == 1.0 && touching(&elbow, -0.7) == 1.0);
}

static StiJointLimit random_limit(Random *random)
{
    const double lower = random_between(random, -3.0, 3.0);
    return (StiJointLimit){.lower = lower,
                           .upper = lower + random_decades(random, 1e-2, 3.0),
                           .K = random_decades(random, 1.0, 1e4),
                           .B = random_below(random, 4) ? random_decades(random, 0.1, 1e3) : 0.0};
}

// u v >= K d v, the rate at which energy is stored; and the force never pulls.
static void takes_at_least_what_it_stores(void **state)
{
    (void)state;
    Random random = {411};
    int pushes = 0;
    for (int trial = 0; trial < 100000; ++trial) {
        const StiJointLimit p = random_limit(&random), before = p;
        const double x = random_between(&random, p.lower - 1.0, p.upper + 1.0);
        const double v = random_between(&random, -5.0, 5.0), u = resistance(&p, x, v);
        const double d = x > p.upper ? x - p.upper : x < p.lower ? x - p.lower : 0.0;
        assert_true(u * d >= 0.0);
        assert_true(u * v - p.K * d * v >= -1e-15 * (fabs(u * v) + fabs(p.K * d * v)));
        assert_true(resistance(&p, x, v) == u);
        assert_memory_equal(&p, &before, sizeof p);
        pushes += u != 0.0;
    }
    assert_true(pushes > 10000);
}

static void tangent_is_the_change_of_force_in_touch(void **state)
{
    (void)state;
    Random random = {412};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiJointLimit p = random_limit(&random);
        const double x = p.upper + 1.0, v = 0.0;
        const StiStage stage = {.tau = random_decades(&random, 1e-4, 1e-1)};
        const StiMotion xhat = {.x = &x, .v = &v};
        double Z;
        kind->tangent(&p, &stage, &xhat, NULL, NULL, &Z);
        const double moved = resistance(&p, x + stage.tau, 1.0) - resistance(&p, x, v);
        assert_near(moved, Z, 1e-14 * (p.K + Z));
    }
}

typedef struct Bounce {
    double deepest;  // rad, beyond the range
    double speed;    // rad/s, at the end
    double gained;   // J, the most that bodies and stop ever had above the start
    double residual; // J
} Bounce;

// A mass runs into one end.
static Bounce bounce(const StiJointLimit *p, double I, double v0, double T, int steps)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId joint = add_moving_mass(plan, "joint", I, v0);
    const StiWire wire = sti_wire_coordinate(joint, 0, 1);
    sti_plan_add_impedance(plan, "limit", kind, p, &wire);
    sti_plan_set_step(plan, T);
    Built built = build_and_destroy(plan);
    StiRecorder *recorder = sti_recorder_create(built.network);
    assert_int_equal(sti_recorder_begin(recorder, built.state, NULL, built.scratch), STI_OK);
    Bounce found = {.gained = -1.0};
    for (int k = 0; k < steps; ++k) {
        assert_steps(&built, NULL);
        assert_int_equal(sti_recorder_follow(recorder, built.state, built.scratch), STI_OK);
        const StiEnergy energy = sti_recorder_energy(recorder);
        const double x = *position(&built, joint);
        found.deepest = fmax(found.deepest, fmax(x - p->upper, p->lower - x));
        found.gained = fmax(found.gained, energy.stored - energy.stored_start);
        found.residual = fmax(found.residual, fabs(energy.residual));
    }
    found.speed = *velocity(&built, joint);
    sti_recorder_destroy(recorder);
    release(&built);
    return found;
}

// Without damping it returns at the speed it came with, after v0 sqrt(I/K) of depth.
static void a_spring_returns_the_mass(void **state)
{
    (void)state;
    const StiJointLimit p = {.lower = -1.0, .upper = 0.25, .K = 400.0};
    const double I = 0.04, v0 = 2.0;
    const Bounce upper = bounce(&p, I, v0, 1e-5, 30000);
    assert_near(upper.deepest, v0 * sqrt(I / p.K), 1e-9);
    assert_near(upper.speed, -v0, 1e-7); // it leaves within a step
    assert_near(upper.residual, 0.0, 1e-14);
}

static void damping_stops_the_mass_and_gives_no_energy(void **state)
{
    (void)state;
    Random random = {413};
    for (int trial = 0; trial < 40; ++trial) {
        StiJointLimit p = random_limit(&random);
        p.lower = -random_between(&random, 0.1, 0.3);
        p.upper = random_between(&random, 0.1, 0.3);
        p.B = random_decades(&random, 0.05, 2.0) * sqrt(p.K);
        const double v0 = random_below(&random, 2) ? 2.0 : -2.0;
        const Bounce found = bounce(&p, 1.0, v0, 2e-4, 10000);
        assert_true(found.deepest > 0.0 && found.deepest < 2.0 / sqrt(p.K));
        assert_true(fabs(found.speed) < 2.0);
        assert_true(found.gained <= 1e-6 * 2.0); // of the start; the touch lies within a step
        assert_near(found.residual, 0.0, 1e-13);
    }
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    StiJointLimit p = elbow;
    assert_accepted(&kind->info, &p);
    p.upper = p.lower;
    assert_refused(&kind->info, &p, "upper");
    p = elbow;
    p.K = 0.0;
    assert_refused(&kind->info, &p, "stiffness");
    p = elbow;
    p.B = -1.0;
    assert_refused(&kind->info, &p, "damping");
    p.B = 0.0;
    assert_accepted(&kind->info, &p);
    assert_true(sti_kind_find(&kind->info, &p, "lower") == &p.lower);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acts_beyond_the_range_only),
        cmocka_unit_test(takes_at_least_what_it_stores),
        cmocka_unit_test(tangent_is_the_change_of_force_in_touch),
        cmocka_unit_test(a_spring_returns_the_mass),
        cmocka_unit_test(damping_stops_the_mass_and_gives_no_energy),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
