// What is recorded: names, patterns, and what is usual.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static StiScene *scene_with(const char *record)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "stop: 1\n"
        "inputs: {push: \"sin(t)\"}\n"
        "bodies:\n"
        "  block: {kind: point, mass: 1}\n"
        "  block.left: {kind: point, mass: 1}\n"
        "  disc: {kind: point, dimensions: 2, mass: 1}\n"
        "elements:\n"
        "  rub: {kind: friction, on: [disc], model: elastic-coulomb, level: 1, stiffness: 10}\n"
        "%s\n",
        record);
    return good_scene(text);
}

static void assert_recorded(const char *record, const char *const *names, int count)
{
    StiScene *scene = scene_with(record);
    for (int i = 0; i < scene->record_count && i < count; ++i)
        assert_string_equal(scene->record[i], names[i]);
    assert_int_equal(scene->record_count, count);
    sti_scene_destroy(scene);
}

static void names_are_recorded_in_their_order(void **state)
{
    (void)state;
    assert_recorded("record: [disc.vy, block.x, push]",
                    (const char *[]){"disc.vy", "block.x", "push"}, 3);
    assert_recorded("record: []", NULL, 0);
}

// A pattern takes the channels of one component, not of those whose names begin with it.
static void patterns_take_a_component(void **state)
{
    (void)state;
    assert_recorded("record: [disc.*]", (const char *[]){"disc.x", "disc.y", "disc.vx", "disc.vy"},
                    4);
    StiScene *scene = scene_with("record: [block.*]");
    for (int i = 0; i < scene->record_count; ++i) {
        assert_true(strncmp(scene->record[i], "block.", 6) == 0);
        assert_null(strchr(scene->record[i] + 6, '.'));
    }
    assert_int_equal(scene->record_count, 2);
    sti_scene_destroy(scene);
}

static void nothing_is_recorded_twice(void **state)
{
    (void)state;
    assert_recorded("record: [block.v, \"block.*\", block.x, block.v]",
                    (const char *[]){"block.v", "block.x"}, 2);
}

static void all_is_all(void **state)
{
    (void)state;
    StiScene *scene = scene_with("record: [all]");
    StiChannel channel;
    int count = 0;
    for (; sti_network_channel(scene->network, count, &channel); ++count)
        assert_string_equal(scene->record[count], channel.name);
    assert_int_equal(scene->record_count, count);
    assert_true(count > 12);
    sti_scene_destroy(scene);
}

static bool records(const StiScene *scene, const char *name)
{
    for (int i = 0; i < scene->record_count; ++i)
        if (strcmp(scene->record[i], name) == 0) return true;
    return false;
}

// Without 'record': bodies, inputs, forces and sticking.
static void what_is_usual_is_recorded(void **state)
{
    (void)state;
    StiScene *scene = scene_with("");
    static const char *const usual[] = {"block.x", "block.v",        "block.left.x",  "disc.vy",
                                        "push",    "disc.rub.force", "disc.rub.stick"};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; ++i)
        assert_true(records(scene, usual[i]));
    assert_false(records(scene, "disc.rub.memory0"));
    assert_false(records(scene, "disc.rub.dissipated"));
    sti_scene_destroy(scene);
}

static void every_is_read(void **state)
{
    (void)state;
    StiScene *scene = scene_with("every: 25");
    assert_int_equal(scene->every, 25);
    sti_scene_destroy(scene);
    scene = scene_with("");
    assert_int_equal(scene->every, 1);
    sti_scene_destroy(scene);
}

// A name with '-' is a channel, though no expression could name it.
static void expectations_read_any_channel(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "bodies: {left-wheel: {kind: point, mass: 1}}\n"
        "record: [left-wheel.x]\n"
        "expect: [{what: w, channel: left-wheel.v, at: 1, value: 0, tolerance: 0, from: exact}]\n");
    assert_int_equal(scene->record_count, 1);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_recorded_in_their_order),
        cmocka_unit_test(patterns_take_a_component),
        cmocka_unit_test(nothing_is_recorded_twice),
        cmocka_unit_test(all_is_all),
        cmocka_unit_test(what_is_usual_is_recorded),
        cmocka_unit_test(every_is_read),
        cmocka_unit_test(expectations_read_any_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
