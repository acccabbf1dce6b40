// Simulation I of [fixed-step] and [regularization]: a spring-pulled mass with seven friction
// models, EQUATIONS 2.1. Resistances are along +v: after the stop +2.4064 N.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/rig.h"
#include "support/scenes/spring_pull.h"

static const double T = 1e-3, M = 1.0, K = 90.0, F = 10.0;

// The continuous solution: break-away at F/(K V), then v = V - V cos w(t - t0); after the hand has
// stopped the mass swings about the place where the spring balances the friction.
typedef struct Exact {
    double break_away, v2, stop, held, rest;
} Exact;

static Exact exact_solution(void)
{
    const double V = 2.0, X = 4.0, w = sqrt(K / M), t0 = F / (K * V), phase = w * (2.0 - t0);
    const double x2 = V * (2.0 - t0) - V / w * sin(phase), v2 = V - V * cos(phase);
    const double centre = X - F / K;
    const double swing = hypot(x2 - centre, v2 / w);
    const double rest = centre + swing; // it still moves forward
    return (Exact){.break_away = t0,
                   .v2 = v2,
                   .stop = 2.0 + atan2(v2 / w, x2 - centre) / w,
                   .held = K * (X - rest),
                   .rest = rest};
}

static void the_exact_solution_has_the_printed_numbers(void **unused)
{
    (void)unused;
    const Exact exact = exact_solution();
    assert_near(exact.break_away, 0.055556, 5e-7);
    assert_near(exact.v2, 0.160173, 5e-7);
    assert_near(exact.stop, 2.0212366, 5e-8);
    assert_near(exact.held, 2.4064364, 5e-8);
    assert_near(exact.rest, 3.9732618, 5e-8);
}

typedef struct Pulled {
    Rig rig;
    SpringPull scene;
} Pulled;

static Pulled pull(double step, SceneFriction friction)
{
    Pulled pulled = {.scene = scene_spring_pull(step, friction)};
    pulled.rig = rig_of(pulled.scene.plan);
    return pulled;
}

static Pulled pull_finite_time(double step)
{
    const StiFiniteTime P = {.dim = 1, .law = sti_law_coulomb(F)};
    return pull(step, (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
}

static Pulled pull_karnopp(double eps)
{
    const StiKarnopp k = {.dim = 1, .law = sti_law_coulomb(F), .eps = eps};
    return pull(T, (SceneFriction){.reaction = &sti_kind_karnopp, .parameters = &k});
}

static Pulled pull_quinn(double eps)
{
    const StiQuinn q = {.dim = 1, .law = sti_law_coulomb(F), .eps = eps};
    return pull(T, (SceneFriction){.reaction = &sti_kind_quinn, .parameters = &q});
}

static double speed(const Pulled *pulled) { return *rig_v(&pulled->rig, pulled->scene.block); }
static double force(const Pulled *pulled)
{
    return rig_resistance(&pulled->rig, pulled->scene.friction, 0);
}

static void finite_time_breaks_away_and_stops_on_the_step(void **unused)
{
    (void)unused;
    Pulled p = pull_finite_time(T);
    assert_int_equal(p.rig.findings, 0);
    rig_run(&p.rig, 55);
    assert_true(speed(&p) == 0.0);
    assert_near(force(&p), K * 2.0 * 0.055, 1e-12); // what sticking needs
    rig_step(&p.rig);
    assert_true(speed(&p) > 0.0); // t = 0.056: the first step after 0.0556
    rig_run(&p.rig, 2020 - 56);
    assert_true(speed(&p) > 0.0);
    rig_step(&p.rig); // t = 2.021
    assert_true(speed(&p) == 0.0);
    rig_free(&p.rig);
}

static void finite_time_holds_without_a_trace_of_motion(void **unused)
{
    (void)unused;
    Pulled p = pull_finite_time(T);
    rig_run(&p.rig, 2022);
    const double held = force(&p), x = *rig_x(&p.rig, p.scene.block);
    assert_near(held, 2.4077, 5e-5);
    for (int k = 2022; k < 4000; ++k) {
        rig_step(&p.rig);
        assert_true(speed(&p) == 0.0);
        assert_true(*rig_x(&p.rig, p.scene.block) == x);
        assert_true(force(&p) == held);
    }
    rig_free(&p.rig);
}

static void the_recorded_friction_is_a_resistance(void **unused)
{
    (void)unused;
    Pulled p = pull_finite_time(T);
    StiRecorder *recorder = sti_recorder_create(p.rig.network);
    const int friction = sti_network_channel_find(p.rig.network, "friction.force");
    const int stick = sti_network_channel_find(p.rig.network, "friction.stick");
    assert_int_equal(sti_recorder_begin(recorder, p.rig.state, NULL, p.rig.scratch), STI_OK);
    for (int k = 0; k < 4000; ++k) {
        rig_step(&p.rig);
        assert_int_equal(sti_recorder_follow(recorder, p.rig.state, p.rig.scratch), STI_OK);
        assert_true(sti_recorder_value(recorder, friction) == force(&p));
        assert_true(sti_recorder_value(recorder, stick) == (speed(&p) == 0.0));
    }
    assert_near(sti_recorder_value(recorder, friction), 2.4077, 5e-5);
    sti_recorder_destroy(recorder);
    rig_free(&p.rig);
}

// In slip the rule is Euler's: first order in T. The place of rest depends on v(2) in second order
// only.
static void finite_time_converges(void **unused)
{
    (void)unused;
    const Exact exact = exact_solution();
    double last = 0.0;
    for (int decade = 3; decade <= (rig_short() ? 4 : 6); ++decade) {
        const double step = pow(10.0, -decade);
        Pulled p = pull_finite_time(step);
        rig_run(&p.rig, lround(2.0 / step));
        const double error = exact.v2 - speed(&p);
        assert_true(error > 0.0 && error <= 3.8 * step);
        if (last > 0.0) assert_near(last / error, 10.0, 0.1);
        last = error;
        while (speed(&p) != 0.0) rig_step(&p.rig);
        assert_near(rig_time(&p.rig), exact.stop, step);
        rig_step(&p.rig);
        assert_near(force(&p), exact.held, 1.3 * step);
        assert_near(*rig_x(&p.rig, p.scene.block), exact.rest, 1.5e-2 * step);
        rig_free(&p.rig);
    }
}

// eps = T F/M: Quinn's ramp is then as steep as the step allows, and asks for the finite-time
// force.
static void quinn_2_agrees_with_finite_time(void **unused)
{
    (void)unused;
    Pulled p = pull_finite_time(T), q = pull_quinn(T * F / M);
    for (int k = 0; k < 4000; ++k) {
        rig_step(&p.rig);
        rig_step(&q.rig);
        assert_near(speed(&q), speed(&p), 1e-12);
        assert_near(force(&q), force(&p), 1e-9);
    }
    rig_free(&p.rig);
    rig_free(&q.rig);
}

// Within its band of 1 m/s it leaves the velocity as it is, so the mass is driven to and fro.
static void karnopp_1_never_stops(void **unused)
{
    (void)unused;
    Pulled p = pull_karnopp(1.0);
    double lowest = 0.0, highest = 0.0;
    for (int k = 0; k < 4000; ++k) {
        rig_step(&p.rig);
        if (k < 2030) continue;
        assert_true(speed(&p) != 0.0);
        lowest = fmin(lowest, speed(&p));
        highest = fmax(highest, speed(&p));
    }
    assert_true(lowest < -0.9 && highest > 0.9);
    rig_free(&p.rig);
}

// Karnopp within its band: the velocity stays, the spring relaxes by K v per second, the force with
// it.
static void assert_creeps(const Pulled *p, int steps)
{
    const double v = speed(p), f = force(p);
    assert_true(v != 0.0);
    for (int k = 0; k < steps; ++k) {
        rig_step(&p->rig);
        assert_near(speed(p), v, 1e-15);
    }
    assert_near(force(p) - f, -K * v * T * steps, 1e-10);
}

static void karnopp_2_creeps_and_its_force_drifts(void **unused)
{
    (void)unused;
    Pulled p = pull_karnopp(1e-2);
    rig_run(&p.rig, 2030);
    assert_true(fabs(speed(&p)) <= 1e-2);
    assert_creeps(&p, 1970);
    rig_free(&p.rig);
}

// Counts how often the force jumps from one limit to the other.
static int count_jumps(const Pulled *p, int steps)
{
    int jumps = 0;
    for (int k = 0; k < steps; ++k) {
        const double before = force(p);
        rig_step(&p->rig);
        jumps += fabs(force(p) - before) > 1.99 * F;
    }
    return jumps;
}

// How long it takes is chance; until then the force is at a limit and the velocity overshoots.
static void karnopp_3_chatters_until_it_falls_into_its_band(void **unused)
{
    (void)unused;
    Pulled p = pull_karnopp(1e-4);
    int reversals = 0, k = 2020;
    rig_run(&p.rig, k);
    while (fabs(speed(&p)) > 1e-4 && ++k < 4000) {
        const double before = speed(&p);
        rig_step(&p.rig);
        assert_near(force(&p), copysign(F, before), 1e-12);
        reversals += before * speed(&p) < 0.0;
    }
    assert_true(reversals >= 2);
    if (k < 3900) {
        rig_step(&p.rig);
        assert_creeps(&p, 50);
    }
    rig_free(&p.rig);
}

// A ramp of time constant eps M/F = 0.1 s: it comes to rest only in the limit, and elsewhere.
static void quinn_1_fades(void **unused)
{
    (void)unused;
    Pulled p = pull_quinn(1.0);
    rig_run(&p.rig, 3000);
    const double v = speed(&p);
    rig_run(&p.rig, 100);
    assert_near(speed(&p) / v, pow(1.0 - T * F / 1.0, 100), 1e-6);
    rig_run(&p.rig, 900);
    assert_true(speed(&p) != 0.0);
    assert_true(*rig_x(&p.rig, p.scene.block) > exact_solution().rest + 0.1);
    rig_free(&p.rig);
}

static void quinn_3_chatters(void **unused)
{
    (void)unused;
    Pulled p = pull_quinn(1e-4);
    rig_run(&p.rig, 2021);
    assert_true(count_jumps(&p, 1979) >= 1000);
    rig_free(&p.rig);
}

static void no_model_exceeds_its_level(void **unused)
{
    (void)unused;
    Pulled models[7] = {pull_karnopp(1.0), pull_karnopp(1e-2), pull_karnopp(1e-4), pull_quinn(1.0),
                        pull_quinn(1e-2),  pull_quinn(1e-4),   pull_finite_time(T)};
    for (int i = 0; i < 7; ++i) {
        for (int k = 0; k < 4000; ++k) {
            rig_step(&models[i].rig);
            assert_true(fabs(force(&models[i])) <= F * (1.0 + 1e-15));
        }
        rig_free(&models[i].rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_solution_has_the_printed_numbers),
        cmocka_unit_test(finite_time_breaks_away_and_stops_on_the_step),
        cmocka_unit_test(finite_time_holds_without_a_trace_of_motion),
        cmocka_unit_test(the_recorded_friction_is_a_resistance),
        cmocka_unit_test(finite_time_converges),
        cmocka_unit_test(quinn_2_agrees_with_finite_time),
        cmocka_unit_test(karnopp_1_never_stops),
        cmocka_unit_test(karnopp_2_creeps_and_its_force_drifts),
        cmocka_unit_test(karnopp_3_chatters_until_it_falls_into_its_band),
        cmocka_unit_test(quinn_1_fades),
        cmocka_unit_test(quinn_3_chatters),
        cmocka_unit_test(no_model_exceeds_its_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
