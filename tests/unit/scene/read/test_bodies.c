// Bodies: the numbers of a scene end up in the right parameters.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static void points_have_their_numbers(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "bodies:\n"
        "  line: {kind: point, mass: 2, position: 3, velocity: [-4]}\n"
        "  plane: {kind: point, dimensions: 2, mass: 5, position: [6, 7], velocity: [8, 9]}\n"
        "  space: {kind: point, dimensions: 3, mass: 1, position: [1, 2, 3]}\n");
    assert_true(parameter(scene, "line.mass") == 2.0);
    assert_true(parameter(scene, "line.position[0]") == 3.0);
    assert_true(parameter(scene, "line.velocity[0]") == -4.0);
    assert_true(parameter(scene, "plane.position[1]") == 7.0);
    assert_true(parameter(scene, "plane.velocity[0]") == 8.0);
    assert_true(channel_at_start(scene, "line.x") == 3.0);
    assert_true(channel_at_start(scene, "plane.vy") == 9.0);
    assert_true(channel_at_start(scene, "space.z") == 3.0);
    assert_int_equal(sti_network_channel_find(scene->network, "plane.z"), -1);
    sti_scene_destroy(scene);
}

static void rigid_bodies_have_their_numbers(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "bodies:\n"
        "  body: {kind: rigid, mass: 2, inertia: [3, 4, 5, 0.1, 0.2, 0.3], position: [1, 2, 3],\n"
        "         attitude: [0, 1, 0, 0], velocity: [4, 5, 6], angular_velocity: [7, 8, 9]}\n"
        "  diagonal: {kind: rigid, mass: 1, inertia: [3, 4, 5]}\n");
    static const double inertia[] = {3, 4, 5, 0.1, 0.2, 0.3};
    for (int i = 0; i < 6; ++i) {
        char path[32];
        snprintf(path, sizeof path, "body.inertia[%d]", i);
        assert_true(parameter(scene, path) == inertia[i]);
        snprintf(path, sizeof path, "diagonal.inertia[%d]", i);
        assert_true(parameter(scene, path) == (i < 3 ? inertia[i] : 0.0));
    }
    assert_true(parameter(scene, "body.attitude[1]") == 1.0);
    assert_true(parameter(scene, "body.velocity[2]") == 6.0);
    assert_true(parameter(scene, "body.angular_velocity[0]") == 7.0);
    assert_true(channel_at_start(scene, "body.wy") == -8.0); // half a turn about x
    sti_scene_destroy(scene);
}

static void solids_have_the_moments_of_the_books(void **state)
{
    (void)state;
    StiScene *scene = good_scene("stop: 1\n"
                                 "bodies:\n"
                                 "  ball: {kind: rigid, mass: 5, shape: sphere, radius: 0.2}\n"
                                 "  box: {kind: rigid, mass: 12, shape: box, size: [1, 2, 3]}\n");
    for (int i = 0; i < 3; ++i) {
        static const double moments[3] = {4 + 9, 1 + 9, 1 + 4};
        char path[32];
        snprintf(path, sizeof path, "ball.inertia[%d]", i);
        assert_near(parameter(scene, path), 0.08, 1e-16);
        snprintf(path, sizeof path, "box.inertia[%d]", i);
        assert_near(parameter(scene, path), moments[i], 0.0);
        snprintf(path, sizeof path, "box.inertia[%d]", i + 3);
        assert_near(parameter(scene, path), 0.0, 0.0);
    }
    sti_scene_destroy(scene);
}

static void guided_blocks_have_their_numbers(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("stop: 1\n"
                   "bodies:\n"
                   "  plain: {kind: guided-block, mass: 2}\n"
                   "  slide: {kind: guided-block, mass: 3, axis: [0, 3, 4], origin: [1, 2, 3],\n"
                   "          position: 5, velocity: -6}\n");
    assert_true(parameter(scene, "plain.axis[0]") == 1.0 &&
                parameter(scene, "plain.axis[1]") == 0.0);
    assert_true(parameter(scene, "slide.mass") == 3.0);
    assert_true(parameter(scene, "slide.axis[2]") == 4.0);
    assert_true(parameter(scene, "slide.origin[1]") == 2.0);
    assert_true(parameter(scene, "slide.position") == 5.0);
    assert_true(parameter(scene, "slide.velocity") == -6.0);
    sti_scene_destroy(scene);
}

static void motions_move_as_told(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("step: 0.25\n"
                   "stop: 1\n"
                   "bodies:\n"
                   "  still: {kind: motion, x: 3}\n"
                   "  told: {kind: motion, x: [\"2*t\", 1, \"t^2\"], v: [7, \"8*t\", 9]}\n"
                   "  follows: {kind: motion, x: [\"2*t\", \"t^3\"]}\n");
    assert_true(channel_after(scene, 4, "still.x") == 3.0);
    assert_true(channel_after(scene, 4, "still.v") == 0.0);
    assert_true(channel_after(scene, 2, "told.x") == 1.0);
    assert_true(channel_after(scene, 2, "told.z") == 0.25);
    assert_true(channel_after(scene, 2, "told.vy") == 4.0);
    assert_true(channel_after(scene, 4, "told.vz") == 9.0);
    assert_near(channel_after(scene, 4, "follows.vx"), 2.0, 1e-11);
    assert_near(channel_after(scene, 4, "follows.vy"), 3.0, 1e-10);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_have_their_numbers),
        cmocka_unit_test(rigid_bodies_have_their_numbers),
        cmocka_unit_test(solids_have_the_moments_of_the_books),
        cmocka_unit_test(guided_blocks_have_their_numbers),
        cmocka_unit_test(motions_move_as_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
