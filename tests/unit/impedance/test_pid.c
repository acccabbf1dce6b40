// The controller alone: the law, its limits, when it samples, and what is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "judged.h"
#include "stiction/actuator.h"

static const StiImpedanceKind *const kind = &sti_kind_pid;
static const StiPid gains = {.K_P = 8.0, .K_I = 4.0, .K_D = 2.0, .period = 2e-3};

// One step of the controller at a motion that does not change: what it gives, and s afterwards.
static double step_at(const StiPid *p, int64_t k, double x, double v, double target, double rate,
                      double *s)
{
    const double signals[2] = {target, rate}, y[3] = {0.0};
    double u, ydot[3];
    const StiMotion xhat = {.x = &x, .v = &v, .signals = signals};
    const StiStage stage = {.t = 1e-3 * (double)k, .tau = 1e-3, .step = 1e-3, .k = k};
    StiStage end = stage;
    end.t += 1e-3;
    assert_int_equal(kind->eval(p, &stage, &xhat, y, s, &u, ydot), STI_OK);
    kind->settle(p, &end, &xhat, y, s);
    return u;
}

static void the_law(void **state)
{
    (void)state;
    double s[3] = {0.0};
    const double first = step_at(&gains, 0, 0.25, 0.5, 1.0, 0.125, s);
    assert_true(first == 8.0 * 0.75 + 4.0 * (0.75 * 2e-3) - 2.0 * (0.5 - 0.125));
    assert_true(s[0] == 0.75 * 2e-3 && s[1] == first);
}

// Every second step; in between neither target nor motion matters.
static void holds_between_samples(void **state)
{
    (void)state;
    double s[3] = {0.0};
    const double first = step_at(&gains, 0, 0.0, 0.0, 1.0, 0.0, s);
    assert_true(step_at(&gains, 1, 0.0, 0.0, 0.5, 0.0, s) == first); // settles the sample of step 2
    const double second = step_at(&gains, 2, 9.0, 9.0, 9.0, 9.0, s);
    assert_true(second == 8.0 * 0.5 + 4.0 * s[0]);
    assert_true(s[0] == 1.0 * 2e-3 + 0.5 * 2e-3);
}

static void limits_hold(void **state)
{
    (void)state;
    StiPid p = gains;
    p.limit = 3.0;
    double s[3] = {0.0};
    assert_true(step_at(&p, 0, 0.0, 0.0, -1.0, 0.0, s) == -3.0);
    p = gains;
    p.K_P = p.K_D = 0.0;
    p.integral_limit = 0.5;
    double wound[3] = {0.0};
    for (int k = 0; k < 1000; ++k) step_at(&p, k, 0.0, 0.0, 10.0, 0.0, wound);
    assert_true(wound[0] == 0.5 / 4.0 && wound[1] == 0.5);
}

static void can_be_switched_off(void **state)
{
    (void)state;
    StiPid p = gains;
    p.off = 3e-3;
    double s[3] = {0.0};
    for (int k = 0; k < 3; ++k) assert_true(step_at(&p, k, 0.0, 0.0, 1.0, 0.0, s) > 0.0);
    for (int k = 3; k < 9; ++k) assert_true(step_at(&p, k, 0.0, 0.0, 1.0, 0.0, s) == 0.0);
}

static void refusals(void **state)
{
    (void)state;
    StiPid p = gains;
    p.period = 0.0;
    assert_refused(&kind->info, &p, "period");
    p = gains;
    p.limit = -1.0;
    assert_refused(&kind->info, &p, "limit");
    p = gains;
    p.integral_limit = -1.0;
    assert_refused(&kind->info, &p, "integral_limit");
    p = gains;
    p.period = 1.5e-3;
    assert_int_equal(judge(&kind->info, &p, 1e-3, false).errors, 1);
    assert_int_equal(judge(&kind->info, &p, 5e-4, false).errors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law),     cmocka_unit_test(holds_between_samples),
        cmocka_unit_test(limits_hold), cmocka_unit_test(can_be_switched_off),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
