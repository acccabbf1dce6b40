// Loops of each type, alone: closed forms, or the same machine as a tree or as one body.
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

static const double g = 9.81;

static StiVec3 random_direction(Random *random)
{
    StiVec3 u;
    do
        u = sti_vec3(random_between(random, -1.0, 1.0), random_between(random, -1.0, 1.0),
                     random_between(random, -1.0, 1.0));
    while (sti_vec3_norm(u) < 0.1 || sti_vec3_norm(u) > 1.0);
    return sti_vec3_scale(1.0 / sti_vec3_norm(u), u);
}

static StiVec3 place_of(const LiveScene *l)
{
    return sti_vec3(live_scene_value(l, "a.x"), live_scene_value(l, "a.y"),
                    live_scene_value(l, "a.z"));
}

static void assert_same_place(StiVec3 a, StiVec3 b, double tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

// Half a second of a body with its centre on an axis or in a plane of any direction: it falls along what is free.
// With spin about the axis where the loop lets it turn.
static void bodies_fall_along_what_is_free(void **unused)
{
    (void)unused;
    static const char *const types[] = {"line", "slider", "cylindrical", "plane"};
    const int count = (int)steps_or(24, 8);
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 11 + (uint64_t)i};
        const char *type = types[i % 4];
        const bool plane = i % 4 == 3, turns = i % 4 == 2;
        const StiVec3 u = random_direction(&random), down = {0.0, 0.0, -g};
        const StiVec3 along = sti_vec3_scale(sti_vec3_dot(down, u), u);
        const StiVec3 a = plane ? sti_vec3_sub(down, along) : along;
        const StiVec3 v = sti_vec3_scale(plane ? 0.0 : random_between(&random, -1.0, 1.0), u);
        const StiVec3 w = sti_vec3_scale(turns ? 5.0 : 0.0, u);
        char text[1200];
        snprintf(text, sizeof text,
                 "method: %s\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  a: {kind: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], velocity: [%.17g, "
                 "%.17g, %.17g], "
                 "angular_velocity: [%.17g, %.17g, %.17g]}\n"
                 "elements:\n  close: {kind: loop, type: %s, on: a, at: [0, 0, 0], anchor: [0, 0, "
                 "0], axis: [%.17g, %.17g, %.17g]}\n",
                 i / 4 % 2 == 0 ? "cut" : "rule", v.x, v.y, v.z, w.x, w.y, w.z, type, u.x, u.y,
                 u.z);
        LiveScene l = live(text);
        live_scene_go(&l, 500);
        const StiVec3 at = sti_vec3_add(sti_vec3_scale(0.5, v), sti_vec3_scale(0.125, a));
        // rule: positions by the velocities at the ends of steps
        assert_same_place(place_of(&l), at, i / 4 % 2 == 0 ? 1e-9 : 3e-3);
        assert_near(live_scene_value(&l, "a.vz"), v.z + 0.5 * a.z, 1e-9);
        assert_near(live_scene_value(&l, "a.wx"), w.x, 1e-9);
        assert_near(live_scene_value(&l, "a.wz"), w.z, 1e-9);
        live_scene_close(&l);
    }
}

// Two bodies without gravity, turned about any axis, are one with the inertia of both.
static void fixed_bodies_are_one(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(8, 2);
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 400 + (uint64_t)i};
        const double m[2] = {random_decades(&random, 0.3, 3.0), random_decades(&random, 0.3, 3.0)};
        const double I = random_between(&random, 0.01, 0.1), d = random_between(&random, 0.2, 1.0);
        const StiVec3 w =
            sti_vec3_scale(random_between(&random, 1.0, 6.0), random_direction(&random));
        const double across = 2.0 * I + m[0] * m[1] / (m[0] + m[1]) * d * d;
        const StiVec3 v = sti_vec3_cross(w, sti_vec3(d, 0.0, 0.0)); // of b; a stands still
        char text[1600];
        snprintf(text, sizeof text,
                 "method: cut\nstep: 1e-3\nstop: 1\n"
                 "bodies:\n  a: {kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], "
                 "angular_velocity: [%.17g, %.17g, %.17g]}\n"
                 "  b: {kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: "
                 "[%.17g, 0, 0], velocity: [%.17g, %.17g, "
                 "%.17g], angular_velocity: [%.17g, %.17g, %.17g]}\n"
                 "  one: {kind: rigid, mass: 1, inertia: [%.17g, %.17g, %.17g], angular_velocity: "
                 "[%.17g, %.17g, %.17g]}\n"
                 "elements:\n  close: {kind: loop, type: fixed, between: [a, b], at: [[%.17g, 0, "
                 "0], [0, 0, 0]]}\n",
                 m[0], I, I, I, w.x, w.y, w.z, m[1], I, I, I, d, v.x, v.y, v.z, w.x, w.y, w.z,
                 2.0 * I, across, across, w.x, w.y, w.z, d);
        LiveScene l = live(text);
        for (int k = 0; k < 5; ++k) {
            live_scene_go(&l, 100);
            assert_near(live_scene_value(&l, "a.wx"), live_scene_value(&l, "one.wx"), 1e-8);
            assert_near(live_scene_value(&l, "b.wy"), live_scene_value(&l, "one.wy"), 1e-8);
            assert_near(live_scene_value(&l, "a.wz"), live_scene_value(&l, "one.wz"), 1e-8);
        }
        live_scene_close(&l);
    }
}

// A mass on a rod goes round at w^2 = g/(L cos).
static void rods_are_conical_pendulums(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(8, 2);
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 500 + (uint64_t)i};
        const double L = random_between(&random, 0.2, 2.0),
                     tilt = random_between(&random, 0.2, 1.3);
        const double w = sqrt(g / (L * cos(tilt))), r = L * sin(tilt);
        char text[700];
        snprintf(text, sizeof text,
                 "method: cut\nstep: 1e-3\nstop: 2\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  a: {kind: rigid, mass: 2, inertia: [1, 1, 1], position: [%.17g, 0, "
                 "%.17g], velocity: [0, %.17g, 0]}\n"
                 "elements:\n  close: {kind: loop, type: rod, on: a, at: [0, 0, 0], anchor: [0, 0, "
                 "0]}\n",
                 r, -L * cos(tilt), w * r);
        LiveScene l = live(text);
        live_scene_go(&l, 1500);
        assert_same_place(place_of(&l),
                          sti_vec3(r * cos(1.5 * w), r * sin(1.5 * w), -L * cos(tilt)), 1e-8);
        live_scene_close(&l);
    }
}

// A body on a universal joint, as a loop and as two hinges of a tree with next to nothing in between.
static void universal_joints_are_two_hinges(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(8, 2);
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 600 + (uint64_t)i};
        const double L = random_between(&random, 0.2, 1.0),
                     I[3] = {random_between(&random, 0.05, 0.1), 0.08, 0.06};
        const double w[2] = {random_between(&random, -4.0, 4.0),
                             random_between(&random, -4.0, 4.0)};
        char text[1600];
        snprintf(text, sizeof text,
                 "method: cut\nstep: 1e-3\nstop: 2\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  a: {kind: rigid, mass: 2, inertia: [%.17g, %.17g, %.17g], position: "
                 "[0, 0, %.17g], velocity: [%.17g, "
                 "%.17g, 0], angular_velocity: [%.17g, %.17g, 0]}\n"
                 "  tree:\n    kind: robot\n    links:\n"
                 "      - {name: cross, joint: first, axis: [0, 1, 0], mass: 1e-9, inertia: "
                 "[1e-10, 1e-10, 1e-10]}\n"
                 "      - {name: body, joint: second, axis: [1, 0, 0], mass: 2, centre: [0, 0, "
                 "%.17g], inertia: [%.17g, %.17g, %.17g]}\n"
                 "    joints: {first: {velocity: %.17g}, second: {velocity: %.17g}}\n"
                 "elements:\n  close: {kind: loop, type: universal, on: a, at: [0, 0, %.17g], "
                 "anchor: [0, 0, 0], axis: [[1, 0, 0], [0, 1, 0]]}\n",
                 I[0], I[1], I[2], -L, -w[1] * L, w[0] * L, w[0], w[1], -L, I[0], I[1], I[2], w[1],
                 w[0], L);
        LiveScene l = live(text);
        for (int k = 0; k < 4; ++k) {
            live_scene_go(&l, 200);
            const double q1 = live_scene_value(&l, "tree.first.q"),
                         q2 = live_scene_value(&l, "tree.second.q");
            assert_same_place(place_of(&l),
                              sti_vec3(-L * cos(q2) * sin(q1), L * sin(q2), -L * cos(q2) * cos(q1)),
                              1e-7);
        }
        live_scene_close(&l);
    }
}

// Friction on a slider by its own load: on a slope of any direction it holds below the angle of friction, to
// rounding, and slides with g (sin - mu cos) above it.
static void sliders_rub_by_their_load(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(24, 6);
    int held = 0;
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 800 + (uint64_t)i};
        StiVec3 u = random_direction(&random);
        if (u.z > 0.0) u = sti_vec3_scale(-1.0, u);
        const double mu = random_between(&random, 0.1, 2.0), flat = sqrt(1.0 - u.z * u.z);
        const double a = g * (-u.z - mu * flat);
        char text[900];
        snprintf(text, sizeof text,
                 "method: %s\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  a: {kind: rigid, mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
                 "elements:\n  close: {kind: loop, type: slider, on: a, at: [0, 0, 0], anchor: [0, "
                 "0, 0], axis: [%.17g, %.17g, %.17g]}\n"
                 "  rub: {kind: friction, on: close, model: finite-time, mu: %.17g}\n",
                 i % 2 == 0 ? "rule" : "cut", u.x, u.y, u.z, mu);
        LiveScene l = live(text);
        live_scene_go(&l, 300);
        const double v = live_scene_value(&l, "a.vz");
        if (a < 0.0)
            assert_true(fabs(v) < 1e-16 && fabs(live_scene_value(&l, "a.z")) < 1e-16);
        else
            assert_near(v, 0.3 * a * u.z, 1e-9);
        held += a < 0.0;
        live_scene_close(&l);
    }
    print_message("%d of %d held\n", held, count);
    assert_true(held > 0 && held < count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_fall_along_what_is_free),
        cmocka_unit_test(fixed_bodies_are_one),
        cmocka_unit_test(rods_are_conical_pendulums),
        cmocka_unit_test(universal_joints_are_two_hinges),
        cmocka_unit_test(sliders_rub_by_their_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
