// Bristle models from logs of presliding with noise: stiffness and level are found again.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fit_trial.h"

// Pushes below the level first, then beyond it.
#define PUSHED \
    "title: Presliding\n" \
    "step: 2e-3\n" \
    "stop: 3\n" \
    "inputs: {u: \"3*sin(6*t) + (t > 1.5 ? 4*sin(9*t) : 0)\"}\n" \
    "bodies: {block: {kind: point, mass: 1}}\n" \
    "elements:\n" \
    "  push: {kind: force, on: block, value: u}\n"
#define FITTED \
    "fit:\n" \
    "  data: trial.csv\n" \
    "  map: {block.x: x}\n" \
    "  drive: {u: u}\n" \
    "  start: {block.x: 0}\n" \
    "  starts: 2\n"

static void expect_near(const StiFitResult *result, const char *name, double truth, double share)
{
    const StiFitted *of = trial_find(result, name);
    assert_non_null(of);
    if (!(fabs(of->value - truth) <= share * truth))
        print_error("%s is %g, %g to %g, not %g\n", name, of->value, of->low, of->high, truth);
    assert_true(fabs(of->value - truth) <= share * truth);
    assert_true(of->determined);
}

static void lugre_is_found_again(void **state)
{
    (void)state;
    const Trial trial = {.scene = PUSHED "  friction: {kind: friction, on: block, model: lugre, "
                                         "level: 4, stiffness: 2000, damping: 30, viscous: 0.5}\n",
                         .fit = FITTED "  free: {friction.level: [1, 20], friction.stiffness: "
                                       "[100, 1e5], friction.damping: [1, 300]}\n",
                         .channel = "block.x",
                         .input = "u",
                         .sets = {"friction.level=9", "friction.stiffness=30000",
                                  "friction.damping=5"},
                         .set_count = 3,
                         .deviation = 2e-5};
    StiFitResult *result = trial_fit(&trial, 5, 2);
    assert_non_null(result);
    assert_int_equal(result->status, STI_OK);
    expect_near(result, "friction.level", 4.0, 0.02);
    expect_near(result, "friction.stiffness", 2000.0, 0.03);
    expect_near(result, "friction.damping", 30.0, 0.15);
    sti_fit_result_destroy(result);
}

static void maxwell_slip_is_found_again(void **state)
{
    (void)state;
    const Trial trial = {
        .scene = PUSHED "  friction: {kind: friction, on: block, model: maxwell-slip, elements: 2, "
                        "level: [1.5, 2.5], stiffness: [3000, 800]}\n",
        .fit =
            FITTED "  free: {friction.stiffness.0: [1500, 1e5], friction.stiffness.1: [50, 1500], "
                   "friction.level.0: [0.3, 10], friction.level.1: [0.3, 10]}\n",
        .channel = "block.x",
        .input = "u",
        .sets = {"friction.stiffness.0=6000", "friction.stiffness.1=400", "friction.level.0=1",
                 "friction.level.1=4"},
        .set_count = 4,
        .deviation = 2e-5};
    StiFitResult *result = trial_fit(&trial, 6, 2);
    assert_non_null(result);
    if (result->status != STI_OK) print_error("%s\n", result->reason);
    assert_int_equal(result->status, STI_OK);
    expect_near(result, "friction.stiffness.0", 3000.0, 0.05);
    expect_near(result, "friction.stiffness.1", 800.0, 0.05);
    expect_near(result, "friction.level.0", 1.5, 0.05);
    expect_near(result, "friction.level.1", 2.5, 0.05);
    sti_fit_result_destroy(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lugre_is_found_again),
        cmocka_unit_test(maxwell_slip_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
