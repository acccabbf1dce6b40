// Loads: while the block slides, friction is mu times what it listens to.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static StiScene *scene_with(const char *load)
{
    char text[2000];
    snprintf(text, sizeof text,
             "step: 1e-3\n"
             "stop: 1\n"
             "gravity: [0, 0, -10]\n"
             "inputs: {grip: \"20 + 5*t\", grip.more: 7}\n"
             "bodies:\n"
             "  block: {kind: point, mass: 1, velocity: 100}\n"
             "  slide: {kind: guided-block, mass: 3}\n"
             "  hand: {kind: motion, x: -2}\n"
             "  puck: {kind: point, dimensions: 3, mass: 2, position: [0, 0, -1e-4]}\n"
             "elements:\n"
             "  press: {kind: spring-damper, on: hand, stiffness: 30}\n"
             "  lift: {kind: spring-damper, on: puck, stiffness: 50}\n"
             "  floor: {kind: contact, on: puck, stiffness: 2e5}\n"
             "  rub: {kind: friction, on: block, model: elastic-coulomb, stiffness: 1e5, damping: "
             "100, mu: 0.5,\n"
             "        load: %s}\n",
             load);
    return good_scene(text);
}

static double friction_at(const char *load, int steps)
{
    StiScene *scene = scene_with(load);
    const double force = channel_after(scene, steps, "rub.force");
    sti_scene_destroy(scene);
    return force;
}

static void functions_of_time_load(void **state)
{
    (void)state;
    assert_near(friction_at("10", 5), 5.0, 1e-12);
    assert_near(friction_at("-10", 5), 5.0, 1e-12); // its magnitude counts
    assert_near(friction_at("\"2*3\"", 5), 3.0, 1e-12);
    assert_near(friction_at("grip", 100), 0.5 * (20.0 + 5.0 * 0.0995), 1e-12); // mean over the step
    assert_near(friction_at("grip.more", 5), 3.5, 1e-12);
    assert_near(friction_at("\"t < 0.05 ? 8 : 4\"", 20), 4.0, 1e-12);
    assert_near(friction_at("\"t < 0.05 ? 8 : 4\"", 80), 2.0, 1e-12);
}

// The load of a guided block: its weight across the guide.
static void bodies_load(void **state)
{
    (void)state;
    assert_near(friction_at("slide.load", 5), 15.0, 1e-9);
}

static void elements_load(void **state)
{
    (void)state;
    assert_near(friction_at("press.force", 5), 30.0, 1e-12); // 60 N, pulling
    assert_near(friction_at("press.fx", 5), 30.0, 1e-12);
    assert_near(friction_at("press.f0", 5), 30.0, 1e-12);
    assert_near(friction_at("floor.fz", 1), 10.0, 0.1); // 20 N, and the puck hardly moves
    assert_near(friction_at("lift.fz", 1), 0.0, 0.01);
}

// Listening does not depend on the order in which elements stand.
static void later_elements_load_too(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "bodies: {block: {kind: point, mass: 1, velocity: 9}, hand: {kind: motion, x: 2}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: block, model: coulomb, mu: 0.5, load: zpress.force}\n"
        "  zpress: {kind: spring-damper, on: hand, stiffness: 4}\n");
    assert_near(channel_after(scene, 2, "rub.force"), 4.0, 1e-12);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_time_load),
        cmocka_unit_test(bodies_load),
        cmocka_unit_test(elements_load),
        cmocka_unit_test(later_elements_load_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
