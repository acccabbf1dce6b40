// Resistance to rolling and spinning: set-valued, proportional to the normal force, never a source of energy.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "support/live_scene.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static LiveScene live(const char *text) { return live_scene_open(good_scene(text)); }

// A ball, or a hollow one, on a slope in any direction: it holds exactly below tan(angle) = d/r, and rolls with
// (1 + k) dv/dt = g (sin - d/r cos) above.
static void a_ball_holds_below_its_angle_and_rolls_above(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(120, 20);
    int held = 0;
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 40 + (uint64_t)i};
        const double r = random_decades(&random, 1e-3, 1.0), m = random_decades(&random, 1e-3, 1e3);
        const double k = random_between(&random, 0.1, 0.9),
                     d = r * random_between(&random, 0.01, 0.4);
        const double limit = atan(d / r), turn = random_between(&random, -3.2, 3.2);
        const double angle = limit * (i % 2 == 0 ? random_between(&random, 0.0, 0.9999)
                                                 : random_between(&random, 1.0001, 1.5));
        char text[900];
        snprintf(text, sizeof text,
                 "method: rule\nstep: 1e-3\nstop: 1\ngravity: [%.17g, %.17g, %.17g]\n"
                 "bodies:\n"
                 "  ball: {kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [0, "
                 "0, %.17g], "
                 "shapes: {kind: sphere, radius: %.17g}}\n"
                 "elements:\n"
                 "  slope: {kind: contact, on: ball, mu: 2, rolling: %.17g}\n",
                 9.81 * sin(angle) * cos(turn), 9.81 * sin(angle) * sin(turn), -9.81 * cos(angle),
                 m, k * m * r * r, k * m * r * r, k * m * r * r, r, r, d);
        LiveScene l = live(text);
        live_scene_go(&l, 300);
        const double v = 0.3 * 9.81 * fmax(sin(angle) - d / r * cos(angle), 0.0) / (1.0 + k);
        const double vx = live_scene_value(&l, "ball.vx"), vy = live_scene_value(&l, "ball.vy");
        if (i % 2 == 0) {
            assert_true(vx == 0.0 && vy == 0.0 && live_scene_value(&l, "ball.x") == 0.0);
            ++held;
        }
        assert_near(vx, v * cos(turn), 1e-9 * (1e-3 + v));
        assert_near(vy, v * sin(turn), 1e-9 * (1e-3 + v));
        live_scene_close(&l);
    }
    print_message("%d balls, %d of them held\n", count, held);
}

// A heap of balls and boxes with all resistances: energy is only lost, in every step, and the books agree.
static LiveScene heap(uint64_t seed, bool reversed, double mirror)
{
    Random random = {.state = seed};
    char bodies[3][300], text[3000];
    for (int i = 0; i < 3; ++i) {
        const double x = random_between(&random, -0.1, 0.1), y = random_between(&random, -0.1, 0.1);
        const double vx = random_between(&random, -1.0, 1.0),
                     wy = random_between(&random, -8.0, 8.0);
        const double wx = random_between(&random, -8.0, 8.0),
                     wz = random_between(&random, -8.0, 8.0);
        const char *shape =
            random_below(&random, 3) > 0 ? "sphere, radius: 0.1" : "box, size: [0.2, 0.15, 0.1]";
        snprintf(bodies[i], sizeof bodies[i],
                 "  %c: {kind: rigid, mass: 1, shape: %s, position: [%.17g, %.17g, %.17g], "
                 "velocity: [%.17g, 0, 0],"
                 " angular_velocity: [%.17g, %.17g, %.17g]}\n",
                 'a' + i, shape, x, mirror * y, 0.15 + 0.25 * i, vx, mirror * wx, wy, mirror * wz);
    }
    const double rolling = random_decades(&random, 1e-4, 2e-2),
                 spinning = random_decades(&random, 1e-4, 2e-2);
    snprintf(text, sizeof text,
             "method: rule\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\nbodies:\n%s%s%s"
             "elements:\n"
             "  floor: {kind: contact, among: all, plane: {}, mu: 0.5, rolling: %.17g, spinning: "
             "%.17g}\n",
             bodies[reversed ? 2 : 0], bodies[1], bodies[reversed ? 0 : 2], rolling, spinning);
    return live(text);
}

static void heaps_only_lose_energy(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(12, 3);
    int unsolved = 0, unsettled = 0, steps = 0;
    for (int i = 0; i < count; ++i) {
        LiveScene l = heap(900 + (uint64_t)i, false, 1.0);
        double dissipated = 0.0;
        for (int k = 0; k < 600; ++k, ++steps) {
            live_scene_go(&l, 1);
            const double now = live_scene_value(&l, "floor.dissipated");
            assert_true(now >= dissipated - 1e-12);
            dissipated = now;
            unsolved += sti_scratch_figures(l.scratch).unsolved > 0;
            unsettled += sti_scratch_figures(l.scratch).unsettled_joints > 0;
        }
        assert_true(fabs(sti_recorder_energy(l.recorder).residual) < 1e-10);
        live_scene_close(&l);
    }
    print_message("%d steps, %d unsolved, %d unsettled\n", steps, unsolved, unsettled);
    assert_true(unsolved <= steps / 500);
    assert_true(unsettled <= steps / 500);
}

// The same bits in whatever order the bodies are named; the mirror image mirrored.
static void heaps_do_not_know_their_order(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; ++i) {
        LiveScene one = heap(900 + (uint64_t)i, false, 1.0),
                  other = heap(900 + (uint64_t)i, true, 1.0);
        LiveScene image = heap(900 + (uint64_t)i, false, -1.0);
        live_scene_go(&one, 150);
        live_scene_go(&other, 150);
        live_scene_go(&image, 150);
        assert_true(live_scene_value(&one, "a.x") == live_scene_value(&other, "a.x"));
        assert_true(live_scene_value(&one, "c.wz") == live_scene_value(&other, "c.wz"));
        assert_near(live_scene_value(&one, "b.x"), live_scene_value(&image, "b.x"), 1e-7);
        assert_near(live_scene_value(&one, "b.y"), -live_scene_value(&image, "b.y"), 1e-7);
        live_scene_close(&one);
        live_scene_close(&other);
        live_scene_close(&image);
    }
}

// A wheel of a robot: an axle that slides along x carries a sphere on a hinge.
static void a_wheel_on_a_robot_rolls_against_its_resistance(void **unused)
{
    (void)unused;
    static const double pushes[] = {3.0, 6.0};
    for (int i = 0; i < 2; ++i) {
        char text[1500];
        snprintf(text, sizeof text,
                 "method: rule\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  cart:\n"
                 "    kind: robot\n"
                 "    links:\n"
                 "      - {name: lift, joint: up, type: prismatic, axis: [0, 0, 1], mass: 0.5, "
                 "inertia: [0.1, 0.1, 0.1]}\n"
                 "      - {name: body, joint: way, type: prismatic, axis: [1, 0, 0], mass: 1, "
                 "inertia: [0.1, 0.1, 0.1]}\n"
                 "      - {name: wheel, joint: axle, axis: [0, 1, 0], mass: 2, inertia: [0.01, "
                 "0.01, 0.01], "
                 "shapes: {kind: sphere, radius: 0.1}}\n"
                 "    joints: {up: {position: 0.1}}\n"
                 "elements:\n"
                 "  floor: {kind: contact, on: cart.wheel, mu: 0.8, rolling: 0.01}\n"
                 "  push: {kind: force, on: cart.way, value: %g}\n",
                 pushes[i]);
        LiveScene l = live(text);
        live_scene_go(&l, 500);
        // push - f = 3 a,  f r - d N = J a/r
        const double left = pushes[i] - 0.01 / 0.1 * 3.5 * 9.81,
                     v = 0.5 * fmax(left, 0.0) / (3.0 + 1.0);
        assert_near(live_scene_value(&l, "floor.fn"), 3.5 * 9.81, 1e-9);
        assert_near(live_scene_value(&l, "cart.way.qd"), v, left < 0.0 ? 1e-15 : 1e-9);
        live_scene_close(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_holds_below_its_angle_and_rolls_above),
        cmocka_unit_test(heaps_only_lose_energy),
        cmocka_unit_test(heaps_do_not_know_their_order),
        cmocka_unit_test(a_wheel_on_a_robot_rolls_against_its_resistance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
