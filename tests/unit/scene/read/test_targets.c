// What an element acts on: the forces show it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static void springs_act_on_coordinates(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("stop: 1\n"
                   "bodies:\n"
                   "  a: {kind: point, mass: 1, position: 5}\n"
                   "  b: {kind: motion, x: 2}\n"
                   "  c: {kind: point, dimensions: 2, mass: 1, position: [1, 2]}\n"
                   "elements:\n"
                   "  on: {kind: spring-damper, on: a, stiffness: 10}\n"
                   "  pair: {kind: spring-damper, between: [a, b], stiffness: 10}\n"
                   "  swapped: {kind: spring-damper, between: [b, a], stiffness: 10}\n"
                   "  planar: {kind: spring-damper, on: c, stiffness: 10, rest: [0, 3]}\n");
    assert_true(channel_at_start(scene, "on.force") == 50.0);
    assert_true(channel_at_start(scene, "pair.force") == 30.0);
    assert_true(channel_at_start(scene, "swapped.force") == -30.0);
    assert_true(channel_at_start(scene, "planar.fx") == 10.0);
    assert_true(channel_at_start(scene, "planar.fy") == -10.0);
    sti_scene_destroy(scene);
}

// The body is turned by half a turn about z: its x axis points along -x.
static const char rigid[] =
    "stop: 1\n"
    "bodies:\n"
    "  body: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 5],\n"
    "         attitude: [0, 0, 0, 1]}\n"
    "  other: {kind: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "  point: {kind: point, dimensions: 3, mass: 1, position: [0, 7, 0]}\n"
    "  line: {kind: motion, x: 3}\n"
    "elements:\n"
    "  centre: {kind: spring-damper, on: body, stiffness: 1}\n"
    "  point_of: {kind: spring-damper, on: body, at: [1, 2, 3], anchor: [10, 20, 30],\n"
    "             stiffness: 1}\n"
    "  pair: {kind: spring-damper, between: [body, other], at: [[1, 0, 0], [0, 0, 2]],\n"
    "         stiffness: 1}\n"
    "  mixed: {kind: spring-damper, between: [point, body], stiffness: 1}\n"
    "  guided: {kind: spring-damper, between: [line, other], stiffness: 1}\n";

static void assert_force(const StiScene *scene, const char *name, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    for (int i = 0; i < 3; ++i) {
        char channel[32];
        snprintf(channel, sizeof channel, "%s.f%c", name, "xyz"[i]);
        assert_near(channel_at_start(scene, channel), expected[i], 1e-15);
    }
}

static void springs_act_on_points_of_rigid_bodies(void **state)
{
    (void)state;
    StiScene *scene = good_scene(rigid);
    assert_force(scene, "centre", 0, 0, 5);
    assert_force(scene, "point_of", -1 - 10, -2 - 20, 5 + 3 - 30);
    assert_force(scene, "pair", -1, 0, 5 - 2);
    assert_force(scene, "mixed", 0, 7, -5);
    assert_force(scene, "guided", 3, 0, 0);
    sti_scene_destroy(scene);
}

static void a_list_makes_one_element_for_each(void **state)
{
    (void)state;
    StiScene *scene = good_scene("stop: 1\n"
                                 "bodies:\n"
                                 "  a: {kind: point, mass: 1, position: 1}\n"
                                 "  b: {kind: point, mass: 1, position: 2}\n"
                                 "  c: {kind: point, mass: 1, position: 3}\n"
                                 "elements:\n"
                                 "  spring: {kind: spring-damper, on: [a, c], stiffness: 10}\n"
                                 "  rub: {kind: friction, on: [b], model: coulomb, level: 2}\n");
    assert_true(channel_at_start(scene, "a.spring.force") == 10.0);
    assert_true(channel_at_start(scene, "c.spring.force") == 30.0);
    assert_true(parameter(scene, "b.rub.level") == 2.0);
    assert_int_equal(sti_network_channel_find(scene->network, "b.spring.force"), -1);
    assert_int_equal(sti_network_channel_find(scene->network, "spring.force"), -1);
    assert_int_equal(scene->friction_count, 1);
    assert_string_equal(scene->friction[0], "rub");
    sti_scene_destroy(scene);
}

// Elements on a joint may stand before it; they act about its axis: here, at 2 rad/s.
static void a_joint_stands_in_the_place_of_a_body(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 1e-4\n"
        "stop: 1\n"
        "bodies:\n"
        "  body: {kind: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2]}\n"
        "elements:\n"
        "  brake: {kind: spring-damper, on: joint, damping: 3}\n"
        "  rub: {kind: friction, on: [joint], model: coulomb, level: 5}\n"
        "  joint: {kind: penalty-joint, on: body, stiffness: 1e4, angular_stiffness: 1e4,\n"
        "          frame_b: {attitude: [1, 0, 0, 1]}}\n");
    assert_near(channel_at_start(scene, "brake.force"), 6.0, 1e-12);
    assert_near(channel_after(scene, 1, "joint.rub.force"), 5.0, 1e-12);
    sti_scene_destroy(scene);
}

// The tip of a horizontal rod of length 2, at (2, 0, 0): springs pull it, contacts push it.
static void links_are_joined_by_points(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "step: 1e-5\n"
        "stop: 1\n"
        "bodies:\n"
        "  arm: {kind: robot, chain: {links: 2, length: 1, mass: 1, axis: [0, 1, 0]}}\n"
        "  ball: {kind: rigid, mass: 1, shape: sphere, radius: 0.1, position: [2, 0, 0.5]}\n"
        "elements:\n"
        "  cord: {kind: spring-damper, on: arm.link1, at: [1, 0, 0], anchor: [2, 3, 0], stiffness: "
        "2}\n"
        "  rope: {kind: spring-damper, between: [arm.link1, ball], at: [[1, 0, 0], [0, 0, 0]], "
        "stiffness: 4}\n"
        "  inner: {kind: spring-damper, between: [arm.link1, arm.link0], at: [[1, 0, 0], [0, 0, "
        "0]], "
        "stiffness: 1}\n"
        "  both: {kind: spring-damper, between: [arm.joint1, arm.joint0], stiffness: 1, rest: "
        "0.25}\n"
        "  lift: {kind: force, on: arm.link1, at: [1, 0, 0], value: [0, 0, 5]}\n"
        "  floor: {kind: contact, on: arm.link1, at: [1, 0, 0], plane: {point: [0, 0, 0.01]}, "
        "stiffness: 100}\n");
    assert_near(channel_at_start(scene, "cord.fy"), -6.0, 1e-15);
    assert_near(channel_at_start(scene, "rope.fz"), -2.0, 1e-15);
    assert_near(channel_at_start(scene, "inner.fx"), 2.0, 1e-15);
    assert_near(channel_at_start(scene, "both.force"), -0.25, 0.0);
    assert_near(channel_at_start(scene, "floor.fn"), 1.0, 1e-12);
    // About y a lift of the tip turns the last joint backwards; the ball is pulled down.
    assert_true(channel_after(scene, 10, "arm.joint1.qd") < 0.0);
    assert_near(channel_after(scene, 1, "ball.vz"), -2.0 * 1e-5, 1e-12);
    sti_scene_destroy(scene);
}

// A joint and its link share a name: a point means the link.
static void a_point_means_the_link(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "bodies:\n"
        "  arm: {kind: robot, links: [{name: rod, joint: rod, mass: 1, inertia: [1, 1, 1]}]}\n"
        "elements:\n"
        "  joint: {kind: spring-damper, on: arm.rod, stiffness: 1}\n"
        "  link: {kind: spring-damper, on: arm.rod, at: [1, 0, 0], stiffness: 1}\n");
    assert_true(channel_at_start(scene, "joint.force") == 0.0);
    assert_true(channel_at_start(scene, "link.fx") == 1.0);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_act_on_coordinates),
        cmocka_unit_test(springs_act_on_points_of_rigid_bodies),
        cmocka_unit_test(a_list_makes_one_element_for_each),
        cmocka_unit_test(a_joint_stands_in_the_place_of_a_body),
        cmocka_unit_test(links_are_joined_by_points),
        cmocka_unit_test(a_point_means_the_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
