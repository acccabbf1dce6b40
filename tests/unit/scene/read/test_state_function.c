// Forces and inputs that are functions of channels.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "unit/scene/scenes.h"

static void quadratic_drag_slows_as_known(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 1e-3\nstop: 1\nparameters: {c: 0.5}\n"
        "bodies: {block: {kind: point, mass: 1, velocity: 2}}\n"
        "elements: {drag: {kind: force, on: block, value: \"-c*block.v*abs(block.v)\"}}\n");
    // v' = -c v^2: v = v0/(1 + c v0 t), x = ln(1 + c v0 t)/c
    assert_near(channel_after(scene, 1000, "block.v"), 1.0, 1e-11);
    assert_near(channel_after(scene, 1000, "block.x"), 2.0 * log(2.0), 1e-11);
    sti_scene_destroy(scene);
}

static void a_written_spring_swings_like_one(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("step: 1e-3\nstop: 1\n"
                   "bodies: {block: {kind: point, mass: 2, position: 0.3}}\n"
                   "elements: {spring: {kind: force, on: block, value: \"-50*block.x\"}}\n");
    assert_near(channel_after(scene, 1000, "block.x"), 0.3 * cos(5.0), 1e-10);
    assert_near(channel_after(scene, 1000, "block.v"), -1.5 * sin(5.0), 1e-9);
    sti_scene_destroy(scene);
}

static void axes_and_time_and_inputs(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("step: 1e-3\nstop: 1\ninputs: {push: \"2*t\"}\n"
                   "bodies: {ball: {kind: point, dimensions: 2, mass: 1, position: [1, 0], "
                   "velocity: [0, 3]}}\n"
                   "elements: {centre: {kind: force, on: ball, value: [\"-9*ball.x + push - 2*t\", "
                   "\"-9*ball.y + 0*ball.vx\"]}}\n");
    assert_near(channel_after(scene, 1000, "ball.x"), cos(3.0), 1e-10);
    assert_near(channel_after(scene, 1000, "ball.y"), sin(3.0), 1e-10);
    sti_scene_destroy(scene);
}

static const char controlled[] =
    "step: 1e-3\nstop: 1\nbodies: {block: {kind: point, mass: 1}}\n"
    "elements:\n"
    "  control: {kind: pid, on: block, target: 1, kp: %g, kd: %g, period: 1e-3}\n"
    "  push: {kind: force, on: block, value: %s}\n";

static double controlled_end(double kp, double kd, const char *value)
{
    char text[500];
    snprintf(text, sizeof text, controlled, kp, kd, value);
    StiScene *scene = good_scene(text);
    const double x = channel_after(scene, 500, "block.x");
    sti_scene_destroy(scene);
    return x;
}

static void controllers_may_be_scaled_and_summed(void **state)
{
    (void)state;
    assert_near(controlled_end(20.0, 4.0, "\"2*control\""), controlled_end(40.0, 8.0, "control"),
                1e-13);
    assert_near(controlled_end(20.0, 4.0, "\"control + 0*t\""),
                controlled_end(20.0, 4.0, "control"), 1e-15);
}

// Time alone still breaks the steps.
static void kinks_of_time_are_met(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 0.03\nstop: 0.9\nbodies: {block: {kind: point, mass: 1}}\n"
        "elements: {push: {kind: force, on: block, value: \"step(t - 0.5)*4 + 0*block.x\"}}\n");
    assert_near(channel_after(scene, 30, "block.x"), 2.0 * 0.4 * 0.4, 1e-14);
    sti_scene_destroy(scene);
}

static double end_under_load(const char *friction)
{
    char text[700];
    snprintf(text, sizeof text,
             "step: 1e-3\nstop: 1\n"
             "bodies: {block: {kind: point, mass: 1, velocity: 1}, weight: {kind: point, mass: 1, "
             "position: 0.1}}\n"
             "elements:\n"
             "  screw: {kind: spring-damper, on: weight, stiffness: 30}\n"
             "  friction: {kind: friction, on: block, %s}\n",
             friction);
    StiScene *scene = good_scene(text);
    const double x = channel_after(scene, 300, "block.x");
    sti_scene_destroy(scene);
    return x;
}

static void a_load_may_be_an_expression(void **state)
{
    (void)state;
    const double plain = end_under_load("model: coulomb, mu: 0.15, load: screw.force");
    assert_near(end_under_load("model: coulomb, mu: 0.5, load: \"0.3*screw.force\""), plain, 1e-13);
    assert_true(plain < 0.299); // it rubs
}

// Friction takes the size of its load: a kink where the load changes its sign, at cos = 0.
static void steps_end_where_a_load_changes_its_sign(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 2e-3\nstop: 1\nbodies: {block: {kind: point, mass: 1, velocity: 3}}\n"
        "elements: {friction: {kind: friction, on: block, model: coulomb, mu: 0.5, load: "
        "\"cos(3*t)\"}}\n");
    assert_near(channel_after(scene, 500, "block.v"), 3.0 - 0.5 * (2.0 - sin(3.0)) / 3.0, 1e-11);
    sti_scene_destroy(scene);
}

static void inputs_from_outside_may_be_used(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("step: 1e-2\nstop: 1\ninputs: {u: {unit: N, value: 3}}\n"
                   "bodies: {block: {kind: point, mass: 1}}\n"
                   "elements: {push: {kind: force, on: block, value: \"2*u + 1\"}}\n");
    assert_near(channel_after(scene, 100, "block.x"), 3.5, 1e-13);
    sti_scene_destroy(scene);
}

static void loops_are_refused_with_their_path(void **state)
{
    (void)state;
    StiMessages *messages =
        messages_of("stop: 1\nbodies: {block: {kind: point, mass: 1}}\n"
                    "elements:\n"
                    "  one: {kind: force, on: block, value: \"2*two.force\"}\n"
                    "  two: {kind: force, on: block, value: \"one.force + 1\"}\n",
                    false);
    assert_int_equal(sti_messages_count(messages), 1);
    assert_non_null(
        strstr(sti_messages_at(messages, 0)->text, "one listens to two listens to one"));
    sti_messages_destroy(messages);
}

static void mistakes_have_their_place(void **state)
{
    (void)state;
    static const char scene[] = "stop: 1\nbodies: {block: {kind: point, mass: 1}}\n"
                                "elements:\n"
                                "  push: {kind: force, on: block, value: \"%s\"}\n";
    static const struct {
        const char *value, *part;
    } cases[] = {
        {"2*block.q", "'block.q' cannot be used in an expression"},
        {"2*blok.v + block.v", "'blok.v' is not known here; did you mean 'block.v'?"},
        {"block.v +", "a value is missing at the end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[400];
        snprintf(text, sizeof text, scene, cases[i].value);
        StiMessages *messages = messages_of(text, false);
        const StiMessage *m = sti_messages_at(messages, 0);
        if (strstr(m->text, cases[i].part) == NULL) print_error("%s\n", m->text);
        assert_non_null(strstr(m->text, cases[i].part));
        assert_int_equal(m->line, 4);
        assert_int_equal(m->column, 41);
        sti_messages_destroy(messages);
    }
}

static void kinks_in_channels_are_said_once(void **state)
{
    (void)state;
    assert_message(
        "stop: 1\nbodies: {block: {kind: point, mass: 1}}\n"
        "elements: {push: {kind: force, on: block, value: \"sign(block.v) + abs(block.x)\"}}\n",
        true, 1, 3, 50,
        "'sign(block.v) + abs(block.x)' has a kink or jump where a channel crosses a "
        "value: steps cross it, which costs accuracy there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratic_drag_slows_as_known),
        cmocka_unit_test(a_written_spring_swings_like_one),
        cmocka_unit_test(axes_and_time_and_inputs),
        cmocka_unit_test(controllers_may_be_scaled_and_summed),
        cmocka_unit_test(kinks_of_time_are_met),
        cmocka_unit_test(a_load_may_be_an_expression),
        cmocka_unit_test(steps_end_where_a_load_changes_its_sign),
        cmocka_unit_test(inputs_from_outside_may_be_used),
        cmocka_unit_test(loops_are_refused_with_their_path),
        cmocka_unit_test(mistakes_have_their_place),
        cmocka_unit_test(kinks_in_channels_are_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
