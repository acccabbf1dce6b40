// Jets against differences, breaks against what is known, and what the new functions are.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "expression/expression_syntax.h"
#include "network/network.h"
#include "unit/scene/scenes.h"
#include "support/near.h"
#include "support/random.h"

static const char *const names[] = {"t"};

static Program *program_of(const char *text)
{
    char error[200];
    const Vocabulary words = {.names = names, .count = 1, .first_constant = INT_MAX};
    Program *program = scene_program_create(text, &words, error, sizeof error);
    if (program == NULL) print_error("%s: %s\n", text, error);
    assert_non_null(program);
    return program;
}

static double value_at(const Program *program, double t)
{
    double stack[64];
    return scene_program_value(program, &t, stack);
}

static Jet jet_at(const Program *program, double t)
{
    Jet stack[64];
    return scene_program_jet(program, &(Jet){t, 1.0, 0.0}, stack, NULL);
}

static const char *const smooth[] = {
    "3 + 1.5*sin(2*pi*t)",
    "cos(t^2)*exp(-t)",
    "tan(0.3*t)",
    "asin(0.2*t)",
    "acos(0.3*t - 0.1)",
    "atan(3*t)",
    "atan2(sin(t), t+1)",
    "sinh(t)*cosh(2*t)",
    "tanh(4*t - 3)",
    "ln(1 + t)*t",
    "log10(2 + t^3)",
    "sqrt(1 + t)/(2 + t)",
    "t^2.5",
    "(1 + t)^(t - 2)",
    "2^t",
    "t^3 - t^4 + t^2/(1 + t)",
    "-(-t)^3",
    "mod(7*t, 100)",
    "max(t, 5 - t)",
    "abs(t - 10)*clamp(t, -9, 9)",
};

static void rates_and_accelerations_are_exact(void **state)
{
    (void)state;
    Random random = {11};
    for (size_t i = 0; i < sizeof smooth / sizeof smooth[0]; ++i) {
        Program *program = program_of(smooth[i]);
        for (int k = 0; k < 50; ++k) {
            const double t = random_between(&random, 0.3, 2.0), h = 1e-3;
            const Jet jet = jet_at(program, t), before = jet_at(program, t - h),
                      after = jet_at(program, t + h), far_before = jet_at(program, t - 2.0 * h),
                      far_after = jet_at(program, t + 2.0 * h);
            const double rate =
                (8.0 * (after.x - before.x) - (far_after.x - far_before.x)) / (12.0 * h);
            const double acceleration =
                (8.0 * (after.v - before.v) - (far_after.v - far_before.v)) / (12.0 * h);
            assert_true(jet.x == value_at(program, t)); // to the last bit
            assert_near(jet.v, rate, 1e-7 * (1.0 + fabs(rate)));
            assert_near(jet.a, acceleration, 1e-6 * (1.0 + fabs(acceleration)));
        }
        scene_program_destroy(program);
    }
}

static void a_line_has_its_slope_to_the_last_bit(void **state)
{
    (void)state;
    Program *program = program_of("0.1*t");
    Random random = {12};
    for (int k = 0; k < 1000; ++k) {
        const Jet jet = jet_at(program, random_between(&random, -10.0, 10.0));
        assert_true(jet.v == 0.1 && jet.a == 0.0);
    }
    scene_program_destroy(program);
}

static void new_functions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double t, value;
    } cases[] = {
        {"floor(t)", 1.7, 1.0},   {"floor(t)", -1.2, -2.0},   {"mod(t, 3)", 7.5, 1.5},
        {"mod(t, 3)", -0.5, 2.5}, {"mod(t, -3)", 1.0, -2.0},  {"(t > 1)*5", 1.5, 5.0},
        {"(t > 1)*5", 0.5, 0.0},  {"floor(2.5) + t", 1, 3.0}, {"t^2", 3.0, 9.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Program *program = program_of(cases[i].text);
        assert_near(value_at(program, cases[i].t), cases[i].value, 1e-15);
        scene_program_destroy(program);
    }
}

static void noise_holds_is_bounded_and_has_no_mean(void **state)
{
    (void)state;
    Program *one = program_of("noise(1, 100)"), *other = program_of("noise(2, 100)");
    double sum = 0.0, squares = 0.0, both = 0.0, next = 0.0, last = 0.0;
    enum { COUNT = 20000 };
    for (int k = 0; k < COUNT; ++k) {
        const double t = (k + 0.5) / 100.0, x = value_at(one, t), y = value_at(other, t);
        assert_true(fabs(x) <= 1.0 && x == value_at(one, t + 0.004) &&
                    x == value_at(one, t - 0.004));
        sum += x;
        squares += x * x;
        both += x * y;
        next += x * last;
        last = x;
    }
    assert_near(sum / COUNT, 0.0, 0.02);
    assert_near(squares / COUNT, 1.0 / 3.0, 0.01);
    assert_near(both / COUNT, 0.0, 0.01);
    assert_near(next / COUNT, 0.0, 0.01);
    scene_program_destroy(one);
    scene_program_destroy(other);
}

// ---- breaks -----------------------------------------------------------------------------------

static void check_breaks(const char *push, const double *expected, int count)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "step: 1e-3\nstop: 4\ninputs: {push: \"%s\"}\nbodies: {block: {kind: point, mass: 1}}\n",
        push);
    StiScene *scene = good_scene(text);
    const StiTimeFunction *function = &scene->network->sources[0].function;
    int found = 0;
    for (int i = 0; i < function->break_count; ++i, ++found) {
        const double *t = function->breaks + i;
        const bool pair = i + 1 < function->break_count && t[1] - t[0] < 1e-12; // of a jump
        if (found < count) assert_near(pair ? 0.5 * (t[0] + t[1]) : t[0], expected[found], 2e-15);
        i += pair;
    }
    if (found != count) print_error("%s: %d breaks\n", push, found);
    assert_int_equal(found, count);
    sti_scene_destroy(scene);
}

static void breaks_are_found(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    check_breaks("sin(t)", NULL, 0);
    check_breaks("t < 2 ? t : 1", (double[]){2.0}, 1);
    check_breaks("min(1, 4*(t - 3))", (double[]){3.25}, 1);
    check_breaks("min(t, 1, 2*t - 3)", (double[]){1.0, 2.0}, 2);
    check_breaks("abs(t - 1.5) + sign(2*t - 1)", (double[]){0.5, 1.5}, 2);
    check_breaks("clamp(t, 1, 2)", (double[]){1.0, 2.0}, 2);
    check_breaks("floor(t/1.5)", (double[]){0.0, 1.5, 3.0}, 3);
    check_breaks("mod(t, 1.25)", (double[]){0.0, 1.25, 2.5, 3.75}, 4);
    check_breaks("rint(t - 0.25)", (double[]){0.75, 1.75, 2.75, 3.75}, 4);
    check_breaks("abs(sin(t))*(t > 0.1)", (double[]){0.0, 0.1, pi}, 3);
    check_breaks("sin(2*t) > 0.5 && t > 0.1 ? 1 : 0",
                 (double[]){0.1, pi / 12.0, 5.0 * pi / 12.0, 13.0 * pi / 12.0}, 4);
    // Across and back within one step.
    check_breaks("step(1e-7 - (t - 1.23456)^2)",
                 (double[]){1.23456 - 3.1622776601683794e-4, 1.23456 + 3.1622776601683794e-4}, 2);
}

static void many_breaks_are_all_found(void **state)
{
    (void)state;
    StiScene *scene = good_scene("step: 1e-3\nstop: 4\ninputs: {push: \"noise(3, 1000)\"}\n"
                                 "bodies: {block: {kind: point, mass: 1}}\n");
    assert_int_equal(scene->network->sources[0].function.break_count, 4001);
    sti_scene_destroy(scene);
}

// A measured force has more points than fit any small list, and steps end at all of them.
static void long_tables_are_met_point_by_point(void **state)
{
    (void)state;
    enum { POINTS = 1001 };
    double v = 0.0, last = 0.0;
    Random random = {13};
    FILE *file = fopen("long.csv", "w");
    assert_non_null(file);
    fputs("t,force\n", file);
    for (int i = 0; i < POINTS; ++i) {
        const double force = random_between(&random, -1.0, 1.0);
        fprintf(file, "%.17g,%.17g\n", i / 1000.0, force);
        if (i > 0) v += 0.5 * (force + last) / 1000.0;
        last = force;
    }
    fclose(file);
    StiScene *scene = good_scene("step: 7e-3\nstop: 1.001\n"
                                 "bodies: {block: {kind: point, mass: 1}}\n"
                                 "elements: {push: {kind: force, on: block, value: {csv: long.csv, "
                                 "column: force}}}\n");
    assert_near(channel_after(scene, 143, "block.v"), v + 0.001 * last, 1e-13);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_and_accelerations_are_exact),
        cmocka_unit_test(a_line_has_its_slope_to_the_last_bit),
        cmocka_unit_test(new_functions),
        cmocka_unit_test(noise_holds_is_bounded_and_has_no_mean),
        cmocka_unit_test(breaks_are_found),
        cmocka_unit_test(many_breaks_are_all_found),
        cmocka_unit_test(long_tables_are_met_point_by_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
