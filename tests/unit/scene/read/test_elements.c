// Springs, forces, contacts and joints: numbers in the right parameters, forces in the right
// direction.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static void springs_have_their_numbers(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("stop: 1\n"
                   "bodies: {a: {kind: point, mass: 1, velocity: 2}}\n"
                   "elements:\n"
                   "  spring: {kind: spring-damper, on: a, stiffness: 3, damping: 4, rest: 5}\n"
                   "  damper: {kind: spring-damper, on: a, damping: 6}\n");
    assert_true(parameter(scene, "spring.stiffness") == 3.0);
    assert_true(parameter(scene, "spring.damping") == 4.0);
    assert_true(parameter(scene, "spring.rest[0]") == 5.0);
    assert_true(parameter(scene, "damper.stiffness") == 0.0);
    assert_true(channel_at_start(scene, "spring.force") == 3.0 * -5.0 + 4.0 * 2.0);
    sti_scene_destroy(scene);
}

// A force pushes side a; its channel is a resistance, as all are.
static void forces_push_side_a(void **state)
{
    (void)state;
    StiScene *scene = good_scene("step: 1e-3\n"
                                 "stop: 1\n"
                                 "method: euler\n"
                                 "inputs: {twice: \"2*t\"}\n"
                                 "bodies:\n"
                                 "  a: {kind: point, mass: 1}\n"
                                 "  b: {kind: point, mass: 2}\n"
                                 "  c: {kind: point, dimensions: 2, mass: 1}\n"
                                 "elements:\n"
                                 "  push: {kind: force, between: [a, b], value: 3}\n"
                                 "  turn: {kind: force, on: c, value: [4, \"twice + 1\"]}\n");
    assert_near(channel_after(scene, 10, "a.v"), 0.03, 1e-16);
    assert_near(channel_after(scene, 10, "b.v"), -0.015, 1e-16);
    assert_near(channel_after(scene, 1, "c.vx"), 4e-3, 1e-18);
    assert_near(channel_after(scene, 2, "c.vy"), 1e-3 * (1.0 + 1.002), 1e-18);
    sti_scene_destroy(scene);
}

// The deepest point of each shape is 1 mm below the plane.
static void contacts_touch_where_their_shapes_are(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 1e-5\n"
        "stop: 1\n"
        "bodies:\n"
        "  ball: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.199]}\n"
        "  box: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.299]}\n"
        "  point: {kind: point, dimensions: 3, mass: 1, position: [0.1, -1.001, 0.1]}\n"
        "elements:\n"
        "  sphere: {kind: contact, on: ball, shape: sphere, radius: 0.2, stiffness: 1000, damping: "
        "2, mu: 0.3}\n"
        "  shifted: {kind: contact, on: ball, at: [0, 0, -0.2], stiffness: 1000}\n"
        "  corners: {kind: contact, on: box, shape: box, size: [1, 0.8, 0.6], stiffness: 1000}\n"
        "  wall: {kind: contact, on: point, plane: {point: [5, -1, 7], normal: [0, 3, 0]}, "
        "stiffness: 1000}\n");
    assert_true(parameter(scene, "sphere.stiffness") == 1000.0);
    assert_true(parameter(scene, "sphere.damping") == 2.0);
    assert_true(parameter(scene, "sphere.mu") == 0.3);
    assert_near(channel_at_start(scene, "sphere.fn"), 1.0, 1e-12);
    assert_near(channel_at_start(scene, "shifted.fn"), 1.0, 1e-12);
    assert_near(channel_at_start(scene, "corners.fn"), 4.0, 1e-12);
    assert_near(channel_at_start(scene, "corners.touching"), 4.0, 0.0);
    assert_near(channel_at_start(scene, "wall.fn"), 1.0, 1e-12);
    assert_near(channel_after(scene, 1, "point.vy"), 1e-5, 1e-9);
    sti_scene_destroy(scene);
}

static void joints_hold_their_frames_together(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 1e-4\n"
        "stop: 1\n"
        "bodies:\n"
        "  link: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
        "  next: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}\n"
        "elements:\n"
        "  base: {kind: penalty-joint, on: link, frame_a: {position: [-0.5, 0, 0]}, stiffness: "
        "1e5, damping: 10,\n"
        "         angular_stiffness: 1e4, angular_damping: 20}\n"
        "  elbow: {kind: penalty-joint, between: [next, link], frame_a: {position: [-0.5, 0, 0]},\n"
        "          frame_b: {position: [0.5, 0.001, 0]}, stiffness: 1e3, angular_stiffness: "
        "1e4}\n");
    assert_true(parameter(scene, "base.stiffness") == 1e5);
    assert_true(parameter(scene, "base.damping") == 10.0);
    assert_true(parameter(scene, "base.angular_stiffness") == 1e4);
    assert_true(parameter(scene, "base.angular_damping") == 20.0);
    assert_near(channel_at_start(scene, "base.f1"), 0.0, 0.0);
    assert_near(channel_at_start(scene, "elbow.f1"), -1.0, 1e-12); // pE is 1 mm above pB
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_have_their_numbers),
        cmocka_unit_test(forces_push_side_a),
        cmocka_unit_test(contacts_touch_where_their_shapes_are),
        cmocka_unit_test(joints_hold_their_frames_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
