// Priors, weights, sensors, windows and profiles, each against a closed form or values that are known.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fit_trial.h"

#define SCENE \
    "title: A block, pushed\n" \
    "step: 1e-2\n" \
    "stop: 3\n" \
    "inputs: {u: \"12*sin(1.7*t) + 6*sin(4.1*t)\"}\n" \
    "bodies: {block: {kind: point, mass: 2}, other: {kind: point, mass: 1}}\n" \
    "elements:\n" \
    "  push: {kind: force, on: block, value: u}\n" \
    "  friction: {kind: friction, on: block, model: coulomb, level: 4, viscous: 3}\n"
#define FIT "fit:\n  data: trial.csv\n  drive: {u: u}\n  starts: 1\n"
#define START_AT_REST "  start: {block.x: 0}\n"

static Trial trial_of(const char *fit, double deviation)
{
    return (Trial){
        .scene = SCENE, .fit = fit, .channel = "block.x", .input = "u", .deviation = deviation};
}

static StiFitResult *run(const Trial *trial, uint64_t seed)
{
    StiFitResult *result = trial_fit(trial, seed, 2);
    assert_non_null(result);
    if (result->status != STI_OK) print_error("%s\n", result->reason);
    assert_int_equal(result->status, STI_OK);
    return result;
}

static StiFitted fitted(const char *fit, double deviation, uint64_t seed, const char *name)
{
    const Trial trial = trial_of(fit, deviation);
    StiFitResult *result = run(&trial, seed);
    const StiFitted *of = trial_find(result, name);
    assert_non_null(of);
    const StiFitted copy = *of;
    sti_fit_result_destroy(result);
    return copy;
}

static void expect_near(double value, double truth, double within, const char *what)
{
    if (!(fabs(value - truth) <= within)) print_error("%s: %.9g, not %.9g\n", what, value, truth);
    assert_true(fabs(value - truth) <= within);
}

// Two normal distributions of one number: that of the log and that of the prior. The mean of both is weighted by what
// each knows.
static void a_prior_is_one_more_measurement(void **state)
{
    (void)state;
    static const double prior = 4.3, prior_deviation = 0.02;
    for (uint64_t seed = 31; seed < 34; ++seed) {
        const StiFitted alone = fitted(FIT START_AT_REST "  map: {block.x: x}\n"
                                                         "  free: {friction.level: [0, 20]}\n",
                                       0.02, seed, "friction.level");
        const StiFitted both =
            fitted(FIT START_AT_REST
                   "  map: {block.x: x}\n"
                   "  free: {friction.level: {from: 0, to: 20, prior: [4.3, 0.02]}}\n",
                   0.02, seed, "friction.level");
        const double log_knows = 1.0 / (alone.deviation * alone.deviation),
                     prior_knows = 1.0 / (prior_deviation * prior_deviation);
        const double deviation = 1.0 / sqrt(log_knows + prior_knows);
        expect_near(both.value,
                    (log_knows * alone.value + prior_knows * prior) / (log_knows + prior_knows),
                    0.1 * deviation, "value with a prior");
        expect_near(both.deviation, deviation, 0.05 * deviation, "deviation with a prior");
    }
}

static void a_prior_tells_what_the_log_does_not(void **state)
{
    (void)state;
    const StiFitted of =
        fitted(FIT START_AT_REST "  map: {block.x: x}\n"
                                 "  free: {friction.level: [0, 20], other.mass: {from: 0.1, to: 9, "
                                 "prior: [1.5, 0.1]}}\n",
               1e-3, 35, "other.mass");
    expect_near(of.value, 1.5, 1e-3, "value of the prior");
    expect_near(of.deviation, 0.1, 2e-3, "deviation of the prior");
}

// The block's velocity was measured with a wrong gain, so that both channels ask for other levels; weights decide.
static void channels_are_weighted(void **state)
{
    (void)state;
#define CHANNELS(x, v) \
    FIT START_AT_REST "  map: {block.x: {column: x, deviation: 1, weight: " x "}, block.v: " \
                      "{column: 1.1*v, deviation: 1, weight: " v "}}\n" \
                      "  free: {friction.level: [0, 20]}\n"
    Trial trial = trial_of(CHANNELS("1", "0.001"), 0.0);
    trial.second = "block.v";
    static const char *const fits[] = {CHANNELS("1", "1e-4"), CHANNELS("1e-4", "1"),
                                       CHANNELS("1", "0.7")};
    double values[3], plain[3];
    for (int i = 0; i < 3; ++i) {
        trial.fit = fits[i];
        StiFitResult *result = run(&trial, 40);
        values[i] = trial_find(result, "friction.level")->value;
        plain[i] = result->misfit;
        sti_fit_result_destroy(result);
    }
    expect_near(values[0], 4.0, 1e-3, "level by the position alone");
    assert_true(values[1] < 3.9);
    assert_true(values[2] > values[1] && values[2] < values[0]);
    assert_true(plain[2] > plain[0]);
}

static void sensors_are_found_again(void **state)
{
    (void)state;
    for (uint64_t seed = 50; seed < 52; ++seed) {
        Trial trial =
            trial_of(FIT
                     "  start: {block.x: 0, block.v: 0}\n"
                     "  map: {block.x: {column: \"0.25 + 1.2*x\", gain: [0.5, 2], offset: [-1, 1], "
                     "delay: [0, 0.2]}}\n"
                     "  free: {friction.level: [0, 20]}\n",
                     1e-3);
        trial.delay = 0.05;
        StiFitResult *result = run(&trial, seed);
        static const struct {
            const char *name;
            double value;
        } truth[] = {{"block.x.offset", 0.25},
                     {"block.x.gain", 1.2},
                     {"block.x.delay", 0.05},
                     {"friction.level", 4.0}};
        for (int i = 0; i < 4; ++i) {
            const StiFitted *of = trial_find(result, truth[i].name);
            assert_non_null(of);
            // Three times the half width of 95 %: about six deviations.
            expect_near(of->value, truth[i].value, 1.5 * (of->high - of->low), truth[i].name);
            assert_true(of->high - of->low < 0.02 * fabs(truth[i].value) + 0.002);
        }
        sti_fit_result_destroy(result);
    }
}

// Pushed upwards at its top a pendulum falls: errors grow so fast that one piece tells nothing about where it fell.
static void windows_fit_what_falls_over(void **state)
{
    (void)state;
    static const char scene[] =
        "title: What falls over and is caught\n"
        "step: 1e-2\n"
        "stop: 4\n"
        "parameters: {rise: 20}\n"
        "inputs: {u: \"3*sin(3*t) + 2*cos(7*t)\"}\n"
        "bodies: {block: {kind: point, mass: 1}}\n"
        "elements:\n"
        "  push: {kind: force, on: block, value: \"u + rise*block.x - 25*block.x^3\"}\n"
        "  friction: {kind: friction, on: block, model: coulomb, level: 0.5, viscous: 0.4}\n";
    Trial trial = {.scene = scene,
                   .fit = FIT "  window: 0.5\n"
                              "  map: {block.x: x}\n"
                              "  free: {rise: [1, 60], friction.viscous: [0, 5]}\n",
                   .channel = "block.x",
                   .input = "u",
                   .sets = {"rise=45", "friction.viscous=2"},
                   .set_count = 2,
                   .deviation = 2e-4};
    StiFitResult *result = run(&trial, 60);
    expect_near(trial_find(result, "rise")->value, 20.0, 0.6, "rise");
    expect_near(trial_find(result, "friction.viscous")->value, 0.4, 0.1, "viscous");
    assert_int_equal(result->series_count, 8); // windows
    sti_fit_result_destroy(result);
}

// Near its least the misfit is a parabola, and both intervals are the same.
static void profiles_agree_with_the_covariance(void **state)
{
    (void)state;
    const StiFitted of =
        fitted(FIT START_AT_REST "  profile: true\n"
                                 "  map: {block.x: x}\n"
                                 "  free: {friction.level: [0, 20], friction.viscous: [0, 20]}\n",
               2e-3, 70, "friction.viscous");
    const double half = 0.5 * (of.high - of.low);
    expect_near(of.profile_low, of.low, 0.1 * half, "lower end of the profile");
    expect_near(of.profile_high, of.high, 0.1 * half, "upper end of the profile");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prior_is_one_more_measurement),
        cmocka_unit_test(a_prior_tells_what_the_log_does_not),
        cmocka_unit_test(channels_are_weighted),
        cmocka_unit_test(sensors_are_found_again),
        cmocka_unit_test(windows_fit_what_falls_over),
        cmocka_unit_test(profiles_agree_with_the_covariance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
