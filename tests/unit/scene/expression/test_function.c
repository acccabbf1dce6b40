// Functions of time: expressions, tables, inputs, and the derivative of a motion.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <sys/stat.h>

#include "unit/scene/scenes.h"
#include "support/random.h"

static StiScene *motion(double start, const char *x)
{
    char text[500];
    snprintf(text, sizeof text,
             "step: 0.01\nstart: %.17g\nstop: %.17g\nbodies:\n  hand: {kind: motion, x: %s}\n",
             start, start + 1.0, x);
    return good_scene(text);
}

static double velocity_at(double t, const char *x)
{
    StiScene *scene = motion(t, x);
    const double v = channel_at_start(scene, "hand.v");
    sti_scene_destroy(scene);
    return v;
}

static double rate_sine(double t) { return 3.0 * cos(3.0 * t); }
static double rate_fading(double t) { return -exp(-t) * (cos(5.0 * t) + 5.0 * sin(5.0 * t)); }
static double rate_cubic(double t) { return 3.0 * t * t - 2.0; }
static double rate_slow(double t) { return 0.01 * cos(0.1 * t); }
static double rate_tanh(double t) { return 2.0 / (cosh(2.0 * t - 3.0) * cosh(2.0 * t - 3.0)); }

static void velocities_are_derivatives(void **state)
{
    (void)state;
    static const struct {
        const char *x;
        double (*rate)(double);
    } cases[] = {
        {"\"sin(3*t)\"", rate_sine},      {"\"exp(-t)*cos(5*t)\"", rate_fading},
        {"\"t^3 - 2*t\"", rate_cubic},    {"\"0.1*sin(0.1*t)\"", rate_slow},
        {"\"tanh(2*t - 3)\"", rate_tanh},
    };
    Random random = {7};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        for (int j = 0; j < 50; ++j) {
            const double t = random_between(&random, 0.0, 3.0);
            assert_near(velocity_at(t, cases[i].x), cases[i].rate(t), 1e-9);
        }
}

// The kink of "2*min(t, 2)" at 2: 2 before, 0 from there on.
static void breaks_belong_to_what_follows(void **state)
{
    (void)state;
    static const char x[] = "\"2*min(t, 2)\", breaks: [2]";
    static const double before[] = {2.0 - 1e-12, 2.0 - 1e-6, 2.0 - 1e-4, 2.0 - 3e-4, 2.0 - 1e-3};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; ++i) {
        assert_near(velocity_at(before[i], x), 2.0, 1e-9);
        assert_near(velocity_at(4.0 - before[i], x), 0.0, 1e-9);
    }
    assert_near(velocity_at(2.0, x), 0.0, 1e-9);
    assert_near(velocity_at(2.0, "\"t < 2 ? t : 100 + 5*t\", breaks: [1, 2]"), 5.0, 1e-7); // a jump
    assert_near(velocity_at(2.0 - 1e-4, "\"t < 2 ? t : 100 + 5*t\", breaks: [1, 2]"), 1.0, 1e-7);
}

// Two kinks closer together than the difference quotient is wide.
static void breaks_may_stand_close(void **state)
{
    (void)state;
    static const char x[] = "\"t < 1 ? 0 : t < 1.0002 ? 3*t : 50\", breaks: [1.0002, 1]";
    assert_near(velocity_at(1.0, x), 3.0, 1e-6);
    assert_near(velocity_at(1.0001, x), 3.0, 1e-6);
    assert_near(velocity_at(1.00019, x), 3.0, 1e-5);
    assert_near(velocity_at(1.0002, x), 0.0, 1e-9);
    assert_near(velocity_at(1.0 - 1e-5, x), 0.0, 1e-9);
}

// Where there is nothing on the left, the right derivative counts.
static void a_start_needs_no_past(void **state)
{
    (void)state;
    assert_near(velocity_at(0.0, "\"t*sqrt(t)\""), 0.0, 0.02);
    assert_near(velocity_at(0.0, "\"2*t + 0*sqrt(t)\""), 2.0, 1e-9);
    assert_near(velocity_at(1.0, "\"t*sqrt(t)\""), 1.5, 1e-9);
}

static void constants_do_not_move(void **state)
{
    (void)state;
    assert_true(velocity_at(0.3, "5") == 0.0 && velocity_at(0.3, "\"2*pi\"") == 0.0);
}

static void inputs_are_used_in_expressions(void **state)
{
    (void)state;
    StiScene *scene = good_scene("step: 0.25\n"
                                 "stop: 1\n"
                                 "parameters: {a: 2, b: \"a + 1\", c: \"a*b\"}\n"
                                 "inputs:\n"
                                 "  one: \"a*t\"\n"
                                 "  two: \"one + b\"\n"
                                 "  three: 4\n"
                                 "bodies: {hand: {kind: motion, x: \"two*three + c\"}}\n"
                                 "elements: {push: {kind: force, on: hand, value: \"one^2\"}}\n");
    for (int k = 0; k <= 4; ++k) {
        const double t = 0.25 * k;
        assert_near(channel_after(scene, k, "hand.x"), (2.0 * t + 3.0) * 4.0 + 6.0, 1e-14);
        assert_near(channel_after(scene, k, "hand.v"), 8.0, 1e-10);
        assert_near(channel_after(scene, k, "two"), 2.0 * t + 3.0, 1e-15);
    }
    sti_scene_destroy(scene);
}

static void write_table(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("t, force, late\n0, 1, 0\n0.5, 3, 1\n1, 2, 2\n", file);
    fclose(file);
}

static StiScene *scene_with_table(const char *path, const char *csv)
{
    char text[500];
    snprintf(text, sizeof text,
             "step: 0.25\nstop: 2\n"
             "inputs:\n"
             "  line: {csv: %s, column: force}\n"
             "  hold: {csv: %s, column: force, interpolation: hold}\n"
             "  late: {csv: %s, time: late, column: force}\n"
             "bodies:\n"
             "  hand: {kind: motion, x: {csv: %s, column: force}}\n"
             "  twice: {kind: motion, x: \"2*line\", breaks: [0, 0.5, 1]}\n",
             csv, csv, csv, csv);
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), path, NULL, messages);
    if (scene == NULL) print_messages(messages);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

static void tables_are_functions(void **state)
{
    (void)state;
    static const double line[] = {1, 2, 3, 2.5, 2, 2, 2, 2, 2},
                        hold[] = {1, 1, 3, 3, 2, 2, 2, 2, 2};
    static const double late[] = {1, 1.5, 2, 2.5, 3, 2.75, 2.5, 2.25, 2},
                        rate[] = {4, 4, -2, -2, 0, 0, 0, 0, 0};
    write_table("pushes.csv");
    StiScene *scene = scene_with_table("scene.yaml", "pushes.csv");
    for (int k = 0; k <= 8; ++k) {
        assert_near(channel_after(scene, k, "line"), line[k], 1e-15);
        assert_near(channel_after(scene, k, "hold"), hold[k], 0.0);
        assert_near(channel_after(scene, k, "late"), late[k], 1e-15);
        assert_near(channel_after(scene, k, "hand.x"), line[k], 1e-15);
        assert_near(channel_after(scene, k, "hand.v"), rate[k], 1e-14);
        assert_near(channel_after(scene, k, "twice.v"), 2.0 * rate[k], 1e-9);
    }
    sti_scene_destroy(scene);
    remove("pushes.csv");
}

// Paths of tables are relative to the scene, not to where the program runs.
static void tables_stand_beside_the_scene(void **state)
{
    (void)state;
    mkdir("folder", 0777);
    write_table("folder/pushes.csv");
    StiScene *scene = scene_with_table("folder/scene.yaml", "pushes.csv");
    assert_near(channel_at_start(scene, "line"), 1.0, 0.0);
    sti_scene_destroy(scene);
    remove("folder/pushes.csv");
    remove("folder");
}

// A decimal point is a point wherever the program runs.
static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    for (int i = 0; i < 3; ++i) {
        setlocale(LC_ALL, locales[i]); // where it is installed
        StiScene *scene =
            good_scene("stop: 1\nparameters: {m: 0.25}\n"
                       "bodies: {block: {kind: point, mass: 1.5, position: \"m + 0.5\"}}\n");
        assert_true(parameter(scene, "block.mass") == 1.5 &&
                    parameter(scene, "block.position[0]") == 0.75);
        sti_scene_destroy(scene);
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_derivatives),
        cmocka_unit_test(breaks_belong_to_what_follows),
        cmocka_unit_test(breaks_may_stand_close),
        cmocka_unit_test(a_start_needs_no_past),
        cmocka_unit_test(constants_do_not_move),
        cmocka_unit_test(inputs_are_used_in_expressions),
        cmocka_unit_test(tables_are_functions),
        cmocka_unit_test(tables_stand_beside_the_scene),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
