// Whole scenes: the settings of the top level, loading, options.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static const char minimal[] = "stop: 2\nbodies: {block: {kind: point, mass: 1}}\n";

static void what_is_not_given_is_usual(void **state)
{
    (void)state;
    StiScene *scene = good_scene(minimal);
    assert_string_equal(scene->path, "scene.yaml");
    assert_string_equal(scene->title, "scene.yaml");
    assert_null(scene->description);
    assert_true(scene->start == 0.0 && scene->stop == 2.0 && scene->steps == 2000 &&
                scene->every == 1);
    assert_true(sti_network_step(scene->network) == 1e-3);
    assert_string_equal(sti_network_method(scene->network)->name, "cut");
    assert_true(parameter(scene, "gravity[2]") == 0.0);
    assert_int_equal(scene->expectation_count + scene->variant_count + scene->grid_count +
                         scene->friction_count,
                     0);
    const char *const *names;
    assert_int_equal(sti_scene_friction_elements(scene, &names), 0);
    assert_int_equal(scene->parameter_count, 0);
    sti_scene_destroy(scene);
}

static void parameters_are_listed(void **state)
{
    (void)state;
    StiScene *scene = good_scene("stop: 2\n"
                                 "parameters: {m: 2, twice: \"2*m\"}\n"
                                 "bodies: {block: {kind: point, mass: twice}}\n");
    assert_int_equal(scene->parameter_count, 2);
    assert_string_equal(scene->parameters[0].name, "m");
    assert_string_equal(scene->parameters[1].name, "twice");
    assert_true(scene->parameters[0].value == 2.0 && scene->parameters[1].value == 4.0);
    sti_scene_destroy(scene);
}

static void settings_are_read(void **state)
{
    (void)state;
    StiScene *scene = good_scene("title: A block\n"
                                 "description: >\n  It does\n  nothing.\n"
                                 "step: 0.25\n"
                                 "start: -1\n"
                                 "stop: \"4*pi - 4*pi + 2\"\n"
                                 "method: heun\n"
                                 "solver: coupled\n"
                                 "gravity: [1, 2, 3]\n"
                                 "every: 3\n"
                                 "bodies: {block: {kind: point, mass: 1}}\n");
    assert_string_equal(scene->title, "A block");
    assert_string_equal(scene->description, "It does nothing.\n");
    assert_true(scene->start == -1.0 && scene->stop == 2.0 && scene->steps == 12 &&
                scene->every == 3);
    assert_true(sti_network_time(scene->network, 2) == -0.5);
    assert_string_equal(sti_network_method(scene->network)->name, "heun");
    assert_true(parameter(scene, "gravity[0]") == 1.0 && parameter(scene, "gravity[2]") == 3.0);
    sti_scene_destroy(scene);
}

static void every_method_has_its_word(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        char text[200];
        snprintf(text, sizeof text, "%smethod: %s\n", minimal, sti_methods[i]->name);
        StiScene *scene = good_scene(text);
        assert_ptr_equal(sti_network_method(scene->network), sti_methods[i]);
        sti_scene_destroy(scene);
    }
}

// Steps that no binary number can hold exactly still fit a whole number of times.
static void stop_may_be_rounded(void **state)
{
    (void)state;
    static const struct {
        const char *times;
        int64_t steps;
    } cases[] = {
        {"step: 0.1\nstop: 0.3\n", 3},
        {"step: 1e-3\nstart: 0.1\nstop: 0.7\n", 600},
        {"step: \"20*pi/6400\"\nstop: \"80*pi\"\n", 25600},
        {"step: 1e-5\nstop: 3600\n", 360000000},
        {"step: \"1/3\"\nstop: 100000\n", 300000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[200];
        snprintf(text, sizeof text, "%sbodies: {block: {kind: point, mass: 1}}\n", cases[i].times);
        StiScene *scene = good_scene(text);
        assert_int_equal(scene->steps, cases[i].steps);
        sti_scene_destroy(scene);
    }
}

static void unphysical_values_are_allowed_on_demand(void **state)
{
    (void)state;
    StiMessages *messages = messages_of(
        "stop: 1\nallow_unphysical: true\nbodies: {block: {kind: point, mass: 1}}\n"
        "elements: {rub: {kind: friction, on: block, model: coulomb, level: 2, static: 1}}\n",
        true);
    assert_int_equal(sti_messages_at(messages, 0)->severity, STI_WARNING);
    sti_messages_destroy(messages);
}

static void settings_are_applied_in_order(void **state)
{
    (void)state;
    const char *const sets[] = {"block.mass=2",     "step=0.5",  "block.mass=3",
                                "block.velocity=4", "title=New", "parameters={m: 5}",
                                "block.position=m"};
    StiScene *scene = good_scene_with(minimal, &(StiSceneOptions){.sets = sets, .set_count = 7});
    assert_true(parameter(scene, "block.mass") == 3.0 &&
                parameter(scene, "block.velocity[0]") == 4.0);
    assert_true(parameter(scene, "block.position[0]") == 5.0);
    assert_int_equal(scene->steps, 4);
    assert_string_equal(scene->title, "New");
    sti_scene_destroy(scene);
}

// A setting that fails does not hide what else is wrong.
static void all_settings_are_judged(void **state)
{
    (void)state;
    const char *const sets[] = {"blok.mass=2", "block.mass=heavy"};
    StiMessages *messages = sti_messages_create();
    assert_null(sti_scene_read(minimal, strlen(minimal), "scene.yaml",
                               &(StiSceneOptions){.sets = sets, .set_count = 2}, messages));
    assert_int_equal(sti_messages_error_count(messages), 2);
    sti_messages_destroy(messages);
}

static void files_are_loaded(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    assert_null(sti_scene_load("absent.yaml", NULL, messages));
    assert_int_equal(sti_messages_count(messages), 1);
    assert_string_equal(sti_messages_at(messages, 0)->text,
                        "cannot be read: No such file or directory");
    assert_string_equal(sti_messages_at(messages, 0)->file, "absent.yaml");
    sti_messages_destroy(messages);

    messages = sti_messages_create();
    assert_null(sti_scene_load(".", NULL, messages));
    assert_int_equal(sti_messages_error_count(messages), 1);
    sti_messages_destroy(messages);

    FILE *file = fopen("loaded.yaml", "w");
    assert_non_null(file);
    fputs(minimal, file);
    for (int i = 0; i < 100000; ++i)
        fputs("# a comment that makes the file longer than any buffer\n", file);
    fclose(file);
    messages = sti_messages_create();
    StiScene *scene = sti_scene_load("loaded.yaml", NULL, messages);
    assert_non_null(scene);
    assert_int_equal(scene->steps, 2000);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    remove("loaded.yaml");
}

static void nothing_can_be_destroyed(void **state)
{
    (void)state;
    sti_scene_destroy(NULL);
}

// Two scratches of one network do not disturb each other: expressions are opened for each.
static void scratches_are_independent(void **state)
{
    (void)state;
    StiScene *scene = good_scene("step: 0.5\nstop: 2\ninputs: {w: \"3*t\"}\nbodies:\n"
                                 "  hand: {kind: motion, x: \"w + t^2\"}\n");
    StiScratch *scratches[2] = {sti_scratch_create(scene->network),
                                sti_scratch_create(scene->network)};
    StiState *states[2] = {sti_state_create(scene->network), sti_state_create(scene->network)};
    StiRecorder *recorders[2] = {sti_recorder_create(scene->network),
                                 sti_recorder_create(scene->network)};
    const int x = sti_network_channel_find(scene->network, "hand.x");
    for (int i = 0; i < 2; ++i)
        assert_int_equal(sti_recorder_begin(recorders[i], states[i], NULL, scratches[i]), STI_OK);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i) {
            if (i == 1 && k == 2) continue; // one falls behind
            assert_int_equal(sti_run(scene->network, NULL, states[i], scratches[i], 1), STI_OK);
            assert_int_equal(sti_recorder_follow(recorders[i], states[i], scratches[i]), STI_OK);
        }
    assert_true(sti_recorder_value(recorders[0], x) == 4.5 + 2.25);
    assert_true(sti_recorder_value(recorders[1], x) == 3.0 + 1.0);
    for (int i = 0; i < 2; ++i) {
        sti_recorder_destroy(recorders[i]);
        sti_state_destroy(states[i]);
        sti_scratch_destroy(scratches[i]);
    }
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_is_usual),
        cmocka_unit_test(parameters_are_listed),
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(every_method_has_its_word),
        cmocka_unit_test(stop_may_be_rounded),
        cmocka_unit_test(unphysical_values_are_allowed_on_demand),
        cmocka_unit_test(settings_are_applied_in_order),
        cmocka_unit_test(all_settings_are_judged),
        cmocka_unit_test(files_are_loaded),
        cmocka_unit_test(nothing_can_be_destroyed),
        cmocka_unit_test(scratches_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
