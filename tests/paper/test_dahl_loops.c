// Dahl's hysteresis loops, [dahl] Fig. 7, EQUATIONS 4.1. On one branch, from a reversal on, the
// distance u = 1 - F sgn(v)/F_c from the level is known in closed form.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/led_element.h"
#include "support/scenes/rig.h"

static const double PI = 3.14159265358979323846;
static const double Fc = 0.75, sigma = 15.0, X = 0.1, w = 0.1; // N, N/m, m, rad/s

enum { QUARTER = 2000 }; // steps of a quarter period: reversals are met by a step

static void swing(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = X * sin(w * t);
    values[1] = X * w * cos(w * t);
}

static LedElement dahl(double alpha, bool stiff, int quarter)
{
    const StiDahl element = {.law = sti_law_coulomb(Fc),
                             .K = sigma,
                             .alpha = alpha,
                             .stiff = stiff};
    return scene_led_element(0.5 * PI / w / quarter, &sti_method_rk4,
                             (StiTimeFunction){.count = 2, .eval = swing},
                             (StiImpedance){&sti_kind_dahl, &element});
}

static double force(const Rig *rig, const LedElement *scene)
{
    return sigma * *rig_y(rig, scene->element);
}
static double place(const Rig *rig) { return X * sin(w * rig_time(rig)); }

// u after a way dx on a branch that began with u0.
static double branch(double alpha, double u0, double dx)
{
    if (alpha == 1.0) return u0 * exp(-sigma * dx / Fc);
    const double power = pow(u0, 1.0 - alpha) - (1.0 - alpha) * sigma * dx / Fc;
    return power > 0.0 ? pow(power, 1.0 / (1.0 - alpha)) : 0.0;
}

static double worst_error_on_branches(double alpha)
{
    const LedElement scene = dahl(alpha, false, QUARTER);
    Rig rig = rig_of(scene.plan);
    double worst = 0.0;
    for (int reversal = 0; reversal <= 6; ++reversal) {
        const double direction = reversal % 2 == 0 ? 1.0 : -1.0;
        const double start = place(&rig), u0 = 1.0 - direction * force(&rig, &scene) / Fc;
        for (int k = 0; k < (reversal == 0 ? QUARTER : 2 * QUARTER); ++k) {
            rig_step(&rig);
            const double u = branch(alpha, u0, direction * (place(&rig) - start));
            worst = fmax(worst, fabs(force(&rig, &scene) - direction * Fc * (1.0 - u)));
        }
    }
    rig_free(&rig);
    return worst;
}

static void branches_are_exact(void **unused)
{
    (void)unused;
    assert_near(worst_error_on_branches(1.0), 0.0, 5e-14);
    assert_near(worst_error_on_branches(1.5), 0.0, 5e-14);
    assert_near(worst_error_on_branches(2.0), 0.0, 5e-14);
    // below 1 the level is reached within a finite way, with a kink there
    assert_near(worst_error_on_branches(0.5), 0.0, 2e-7);
}

// The peak after six reversals.
static double steady_peak(double alpha)
{
    const LedElement scene = dahl(alpha, false, QUARTER);
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, 13 * QUARTER);
    const double peak = force(&rig, &scene);
    rig_free(&rig);
    return peak;
}

static void steady_peaks(void **unused)
{
    (void)unused;
    assert_near(Fc * tanh(sigma * X / Fc), 0.723020685, 5e-10);
    assert_near(steady_peak(1.0), Fc * tanh(sigma * X / Fc), 1e-11);
    assert_near(steady_peak(1.5), 0.649519053, 5e-10);
}

// Simpson's rule over one period, from reversal to reversal.
static double loop_area(double alpha)
{
    const LedElement scene = dahl(alpha, false, QUARTER);
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, 13 * QUARTER);
    const double T = sti_network_step(rig.network);
    double sum = 0.0;
    for (int k = 0; k <= 4 * QUARTER; ++k) {
        const double v = X * w * cos(w * rig_time(&rig));
        const double weight = k == 0 || k == 4 * QUARTER ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
        sum += weight * force(&rig, &scene) * v * T / 3.0;
        rig_step(&rig);
    }
    rig_free(&rig);
    return sum;
}

static void loop_has_its_area(void **unused)
{
    (void)unused;
    assert_near(loop_area(1.0), 0.155395863, 5e-10);
}

// The stiff form looks tau ahead: the same loop in first order.
static void stiff_form_converges_to_the_same_loop(void **unused)
{
    (void)unused;
    double last = 0.0;
    for (int quarter = 1000; quarter <= 8000; quarter *= 2) {
        const LedElement scene = dahl(1.0, true, quarter);
        Rig rig = rig_of(scene.plan);
        rig_run(&rig, 13 * quarter);
        const double error = force(&rig, &scene) - Fc * tanh(sigma * X / Fc);
        if (last != 0.0) assert_near(last / error, 2.0, 4.0 / quarter);
        last = error;
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_are_exact),
        cmocka_unit_test(steady_peaks),
        cmocka_unit_test(loop_has_its_area),
        cmocka_unit_test(stiff_form_converges_to_the_same_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
