// Simulation IV of [fixed-step]: ten elements in parallel, led along nested loops, EQUATIONS 2.7.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/scenes/led_element.h"
#include "support/scenes/rig.h"

static const double PI = 3.14159265358979323846;
static const double K = 1e4, peak_speed = 1e-4; // N/m, m/s

enum { ELEMENTS = 10, POINTS = 14 };
static const double reversals[POINTS] = {0.0,     1.5e-3,  -0.9e-3, 0.7e-3,  -0.5e-3,
                                         0.3e-3,  -0.1e-3, 0.3e-3,  -0.5e-3, 0.7e-3,
                                         -0.9e-3, 1.5e-3,  -1.5e-3, 1.5e-3};
// The second visit of a reversal point, and the first. 11 and 13 close the outer loop, whose first
// branch was the virgin curve.
static const int visits[][2] = {{7, 5}, {8, 4}, {9, 3}, {10, 2}, {11, 1}, {13, 11}};
enum { VISITS = sizeof visits / sizeof visits[0] };

// A path through the reversal points: how long each branch takes.
typedef struct Path {
    bool ramps; // constant speed in place of half cosines
    double arrival[POINTS];
} Path;

static Path path_of(bool ramps)
{
    Path path = {.ramps = ramps};
    for (int i = 1; i < POINTS; ++i) {
        const double distance = fabs(reversals[i] - reversals[i - 1]);
        path.arrival[i] = path.arrival[i - 1] + (ramps ? 1.0 : 0.5 * PI) * distance / peak_speed;
    }
    return path;
}

static void follow_path(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Path *path = data;
    int i = 1;
    while (i < POINTS - 1 && t >= path->arrival[i]) ++i;
    const double duration = path->arrival[i] - path->arrival[i - 1];
    const double s = (t - path->arrival[i - 1]) / duration, way = reversals[i] - reversals[i - 1];
    if (path->ramps) {
        values[0] = reversals[i - 1] + s * way;
        values[1] = way / duration;
    } else {
        values[0] = reversals[i - 1] + 0.5 * (1.0 - cos(PI * s)) * way;
        values[1] = 0.5 * PI * sin(PI * s) * way / duration;
    }
}

// Parameters of the parts; they live as long as the scene is built.
typedef struct Bank {
    StiLinearContinuous elements[ELEMENTS];
    StiImpedance parts[ELEMENTS];
    StiCompound compound;
} Bank;

static void fill_bank(Bank *bank, double B)
{
    for (int i = 0; i < ELEMENTS; ++i) {
        bank->elements[i] =
            (StiLinearContinuous){.dim = 1, .law = sti_law_coulomb(1.0 + i), .K = K, .B = B};
        bank->parts[i] = (StiImpedance){&sti_kind_linear_continuous, &bank->elements[i]};
    }
    bank->compound = (StiCompound){.count = ELEMENTS, .parts = bank->parts};
}

static LedElement led_bank(double T, const Path *path, double B)
{
    Bank bank;
    fill_bank(&bank, B);
    return scene_led_element(T, &sti_method_euler,
                             (StiTimeFunction){.count = 2, .eval = follow_path, .data = path},
                             (StiImpedance){&sti_kind_compound, &bank.compound});
}

// The force that acts when the path has come to each of its reversal points.
static void forces_at_reversals(double T, const Path *path, double B, double *forces)
{
    const LedElement scene = led_bank(T, path, B);
    Rig rig = rig_of(scene.plan);
    for (int i = 1; i < POINTS; ++i) {
        rig_run(&rig, lround(path->arrival[i] / T) - sti_state_k(rig.state));
        forces[i] = rig_resistance(&rig, scene.element, 0);
    }
    rig_free(&rig);
}

static void loops_of_half_cosines_close(void **unused)
{
    (void)unused;
    const Path path = path_of(false);
    double forces[POINTS];
    forces_at_reversals(rig_short() ? 4e-3 : 1e-3, &path, 100.0, forces);
    for (int i = 0; i < VISITS; ++i) assert_near(forces[visits[i][0]], forces[visits[i][1]], 5e-5);
}

static void loops_of_ramps_close(void **unused)
{
    (void)unused;
    const Path path = path_of(true);
    double forces[POINTS];
    forces_at_reversals(rig_short() ? 4e-3 : 1e-3, &path, 100.0, forces);
    for (int i = 0; i < VISITS; ++i) assert_near(forces[visits[i][0]], forces[visits[i][1]], 1e-11);
}

// Exact Maxwell slip: sliders that clip their spring, led by the path itself.
static double maxwell_force(double *z, double dx)
{
    double sum = 0.0;
    for (int i = 0; i < ELEMENTS; ++i) {
        const double limit = (1.0 + i) / K;
        z[i] = fmin(fmax(z[i] + dx, -limit), limit);
        sum += K * z[i];
    }
    return sum;
}

static void without_dampers_it_is_a_stack_of_maxwell_sliders(void **unused)
{
    (void)unused;
    const double T = rig_short() ? 1e-2 : 1e-3;
    const Path path = path_of(true);
    const LedElement scene = led_bank(T, &path, 0.0);
    Rig rig = rig_of(scene.plan);
    double z[ELEMENTS] = {0.0}, x[2] = {0.0};
    double worst = 0.0;
    for (int64_t k = 1; k <= lround(path.arrival[POINTS - 1] / T); ++k) {
        const double before = x[0];
        follow_path(&path, NULL, (double)k * T, x);
        const double exact = maxwell_force(z, x[0] - before);
        rig_step(&rig);
        worst = fmax(worst, fabs(rig_resistance(&rig, scene.element, 0) - exact));
    }
    assert_near(worst, 0.0, 2e-11);
    rig_free(&rig);
}

// The same sliders, with their dampers, as the one kind that holds them all.
static void compound_equals_the_maxwell_slip_kind(void **unused)
{
    (void)unused;
    const double T = 1e-2;
    const Path path = path_of(false);
    double stiffness[ELEMENTS], levels[ELEMENTS], damping[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i) {
        stiffness[i] = K;
        levels[i] = 1.0 + i;
        damping[i] = 100.0;
    }
    const StiMaxwellSlip stack = {.elements = ELEMENTS, .K = stiffness, .F = levels, .B = damping};
    const LedElement a = led_bank(T, &path, 100.0);
    const LedElement b =
        scene_led_element(T, &sti_method_euler,
                          (StiTimeFunction){.count = 2, .eval = follow_path, .data = &path},
                          (StiImpedance){&sti_kind_maxwell_slip, &stack});
    Rig rig_a = rig_of(a.plan), rig_b = rig_of(b.plan);
    for (int64_t k = 0; k < lround(path.arrival[POINTS - 1] / T); ++k) {
        rig_step(&rig_a);
        rig_step(&rig_b);
        assert_near(rig_resistance(&rig_a, a.element, 0), rig_resistance(&rig_b, b.element, 0),
                    1e-11);
    }
    rig_free(&rig_a);
    rig_free(&rig_b);
}

// On the virgin curve all elements below the deflection slip: F(x) is known in closed form.
static void virgin_curve_is_the_sum_of_clipped_springs(void **unused)
{
    (void)unused;
    const double T = 1e-3;
    const Path path = path_of(true);
    const LedElement scene = led_bank(T, &path, 0.0);
    Rig rig = rig_of(scene.plan);
    for (int k = 1; k <= lround(path.arrival[1] / T); ++k) {
        double expected = 0.0;
        for (int i = 0; i < ELEMENTS; ++i) expected += fmin(K * peak_speed * k * T, 1.0 + i);
        rig_step(&rig);
        assert_near(rig_resistance(&rig, scene.element, 0), expected, 1e-11);
    }
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_half_cosines_close),
        cmocka_unit_test(loops_of_ramps_close),
        cmocka_unit_test(without_dampers_it_is_a_stack_of_maxwell_sliders),
        cmocka_unit_test(compound_equals_the_maxwell_slip_kind),
        cmocka_unit_test(virgin_curve_is_the_sum_of_clipped_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
