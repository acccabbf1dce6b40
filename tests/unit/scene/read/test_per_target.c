// One value for each place is the same as an element for each place; and what is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stiction/scene.h"
#include "stiction/step.h"

static const char robot[] =
    "stop: 0.2\ngravity: [0, 0, -9.81]\nbodies:\n  arm:\n    kind: robot\n    links:\n"
    "      - {name: upper, joint: a, axis: [0, 1, 0], mass: 1, centre: [0, 0, -0.15], inertia: [0.008, 0.008, 0.001]}\n"
    "      - {name: fore, joint: b, at: [0, 0, -0.3], axis: [0, 1, 0], mass: 0.5, centre: [0, 0, -0.1], inertia: [0.003, 0.003, 0.001]}\n"
    "    joints: {a: {position: 0.5}}\nelements:\n";

static StiScene *read_scene(const char *elements, char *message, size_t size)
{
    char text[4000];
    StiMessages *messages = sti_messages_create();
    snprintf(text, sizeof text, "%s%s", robot, elements);
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    if (message != NULL)
        snprintf(message, size, "%s", sti_messages_count(messages) > 0 ? sti_messages_at(messages, 0)->text : "");
    sti_messages_destroy(messages);
    return scene;
}

static uint64_t hash_at_end(const char *elements)
{
    char message[400];
    StiScene *scene = read_scene(elements, message, sizeof message);
    if (scene == NULL) fail_msg("%s", message);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, scene->steps), STI_OK);
    const uint64_t hash = sti_state_hash(state);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    return hash;
}

// Names of elements decide their order, so the written-out ones have the names that lists give.
static void lists_are_elements_one_by_one(void **state)
{
    (void)state;
    static const char *const lists =
        "  pid: {kind: pid, on: [arm.a, arm.b], target: [\"sin(t)\", 0.1], kp: [20, 9], kd: [1, 0.5], period: 2e-3}\n"
        "  motor: {kind: dc-motor, on: arm.joints, voltage: pid, torque_constant: [0.03, 0.02], resistance: 1, gear_ratio: [80, 50], rated_voltage: 24}\n"
        "  friction: {kind: friction, on: arm.joints, model: coulomb, level: [2, 0.3], static: [2.5, 0.4]}\n"
        "  push: {kind: force, on: arm.joints, value: [\"cos(t)\", -0.2]}\n"
        "  spring: {kind: spring-damper, on: arm.joints, stiffness: 3, rest: [0.1, 0.2]}\n";
    static const char *const apart =
        "  arm.a.pid: {kind: pid, on: arm.a, target: \"sin(t)\", kp: 20, kd: 1, period: 2e-3}\n"
        "  arm.b.pid: {kind: pid, on: arm.b, target: 0.1, kp: 9, kd: 0.5, period: 2e-3}\n"
        "  arm.a.motor: {kind: dc-motor, on: arm.a, voltage: arm.a.pid, torque_constant: 0.03, resistance: 1, gear_ratio: 80, rated_voltage: 24}\n"
        "  arm.b.motor: {kind: dc-motor, on: arm.b, voltage: arm.b.pid, torque_constant: 0.02, resistance: 1, gear_ratio: 50, rated_voltage: 24}\n"
        "  arm.a.friction: {kind: friction, on: arm.a, model: coulomb, level: 2, static: 2.5}\n"
        "  arm.b.friction: {kind: friction, on: arm.b, model: coulomb, level: 0.3, static: 0.4}\n"
        "  arm.a.push: {kind: force, on: arm.a, value: \"cos(t)\"}\n"
        "  arm.b.push: {kind: force, on: arm.b, value: -0.2}\n"
        "  arm.a.spring: {kind: spring-damper, on: arm.a, stiffness: 3, rest: 0.1}\n"
        "  arm.b.spring: {kind: spring-damper, on: arm.b, stiffness: 3, rest: 0.2}\n";
    assert_true(hash_at_end(lists) == hash_at_end(apart));
}

// The inertias of rotors are part of the robot, which is made before its motors are read.
static void rotors_keep_the_order_of_the_joints(void **state)
{
    (void)state;
    static const char *const all =
        "  m: {kind: dc-motor, on: arm.joints, torque_constant: 0.02, resistance: 0.6, gear_ratio: [100, 30], "
        "rotor_inertia: [1e-5, 2e-4], rated_voltage: 24, voltage: 1}\n";
    static const char *const named =
        "  m: {kind: dc-motor, on: [arm.a, arm.b], torque_constant: 0.02, resistance: 0.6, gear_ratio: [100, 30], "
        "rotor_inertia: [1e-5, 2e-4], rated_voltage: 24, voltage: 1}\n";
    static const char *const swapped =
        "  m: {kind: dc-motor, on: arm.joints, torque_constant: 0.02, resistance: 0.6, gear_ratio: [100, 30], "
        "rotor_inertia: [2e-4, 1e-5], rated_voltage: 24, voltage: 1}\n";
    assert_true(hash_at_end(all) == hash_at_end(named));
    assert_false(hash_at_end(all) == hash_at_end(swapped));
}

static void assert_refused(const char *elements, const char *words)
{
    char message[400];
    StiScene *scene = read_scene(elements, message, sizeof message);
    assert_null(scene);
    if (strstr(message, words) == NULL) fail_msg("'%s' is not about '%s'", message, words);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    assert_refused("  f: {kind: friction, on: arm.joints, model: coulomb, level: [1, 2, 3]}\n",
                   "level has 3 entries, and on names 2 places");
    assert_refused("  f: {kind: friction, on: arm.a, model: coulomb, mu: 0.1}\n", "needs 'radius'");
    assert_refused("  m: {kind: dc-motor, on: arm.joints, torque_constant: 0.02, resistance: 0.6, gear_ratio: 100, "
                   "rotor_inertia: [1e-5, 2e-5, 3e-5], rated_voltage: 24, voltage: 1}\n",
                   "rotor_inertia has 3 entries, and on names 2 places");
    assert_refused("gravity: 9.81\n", "gravity");
}

static void gravity_needs_a_direction(void **state)
{
    (void)state;
    static const char text[] = "stop: 1\ngravity: -9.81\nbodies: {p: {kind: point, mass: 1}}\n";
    StiMessages *messages = sti_messages_create();
    assert_null(sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages));
    assert_non_null(strstr(sti_messages_at(messages, 0)->text, "gravity has a direction"));
    sti_messages_destroy(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_elements_one_by_one),
        cmocka_unit_test(rotors_keep_the_order_of_the_joints),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(gravity_needs_a_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
