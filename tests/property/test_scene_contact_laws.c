// Friction of contacts beyond one mu: laws of speed, coefficients by direction, tables of materials.
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

// A point that slides on a floor under a law of the contact, and a mass on a line under the same law times its
// weight, by the finite-time rule: the same motion, under `rule` and `cut`.
static void a_contact_and_an_element_know_the_same_laws(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(40, 8);
    for (int i = 0; i < 2 * count; ++i) {
        const bool cuts = i >= count;
        Random random = {.state = 60 + (uint64_t)(i % count)};
        const double mu = random_between(&random, 0.05, 0.5),
                     held = mu * random_between(&random, 1.0, 2.0);
        const double speed = random_decades(&random, 0.03, 1.0),
                     viscous = random_between(&random, 0.0, 0.2);
        const double v = random_between(&random, 0.1, 2.0),
                     push = random_between(&random, 0.0, 8.0);
        const double N = 2.0 * 9.81;
        char contact[300], element[300], text[1500];
        switch (i % 4) {
        case 0:
            snprintf(contact, sizeof contact, "mu: %.17g, law: {kind: viscous, viscous: %.17g}", mu,
                     viscous);
            snprintf(element, sizeof element, "level: %.17g, law: viscous, viscous: %.17g", mu * N,
                     viscous * N);
            break;
        case 1:
            snprintf(contact, sizeof contact,
                     "mu: %.17g, mu_static: %.17g, law: {kind: stribeck, stribeck_speed: %.17g, "
                     "viscous: %.17g}",
                     mu, held, speed, viscous);
            snprintf(
                element, sizeof element,
                "level: %.17g, static: %.17g, law: stribeck, stribeck_speed: %.17g, viscous: %.17g",
                mu * N, held * N, speed, viscous * N);
            break;
        case 2:
            snprintf(contact, sizeof contact,
                     "law: {kind: table, table: [[0, %.17g], [%.17g, %.17g]]}", held, speed, mu);
            snprintf(element, sizeof element, "law: table, table: [[0, %.17g], [%.17g, %.17g]]",
                     held * N, speed, mu * N);
            break;
        default:
            snprintf(contact, sizeof contact, "mu: %.17g, law: coulomb", mu);
            snprintf(element, sizeof element, "level: %.17g, law: coulomb", mu * N);
        }
        snprintf(text, sizeof text,
                 "method: %s\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  puck: {kind: rigid, mass: 2, inertia: [1, 1, 1], velocity: [%.17g, 0, 0], "
                 "shapes: {kind: point}}\n"
                 "  mass: {kind: point, mass: 2, velocity: %.17g}\n"
                 "elements:\n"
                 "  floor: {kind: contact, on: puck, %s}\n"
                 "  rub: {kind: friction, on: mass, model: finite-time, %s}\n"
                 "  push: {kind: force, on: puck, value: [\"%.17g*t\", 0, 0]}\n"
                 "  pull: {kind: force, on: mass, value: \"%.17g*t\"}\n",
                 cuts ? "cut" : "rule", v, v, contact, element, push, push);
        LiveScene l = live(text);
        for (int k = 0; k < 10; ++k) {
            live_scene_go(&l, 90);
            assert_near(live_scene_value(&l, "puck.x"), live_scene_value(&l, "mass.x"), 1e-9);
            assert_near(live_scene_value(&l, "puck.vx"), live_scene_value(&l, "mass.v"), 1e-8);
        }
        if (cuts) assert_int_equal(sti_scratch_figures(l.scratch).fallbacks, 0);
        live_scene_close(&l);
    }
}

// dv/dt = -g (mu + b v) along a straight line in any direction, to a stop at exactly 0: order 4 in the steps of `cut`.
static void under_cut_laws_are_of_order_four(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(20, 5);
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 700 + (uint64_t)i};
        const double g = 9.81, mu = random_between(&random, 0.1, 0.5),
                     b = random_between(&random, 0.1, 0.4);
        const double angle = random_between(&random, -3.2, 3.2),
                     v = random_between(&random, 1.0, 3.0);
        const double stop = log(1.0 + b * v / mu) / (g * b);
        const double way = v / (g * b) - mu / b * stop; // the integral of v
        double off[2];
        for (int fine = 0; fine < 2; ++fine) {
            const double step = 0.2 * stop / (fine ? 16 : 8);
            char text[800];
            snprintf(text, sizeof text,
                     "method: cut\nstep: %.17g\nstop: \"100*%.17g\"\ngravity: [0, 0, -9.81]\n"
                     "bodies:\n  puck: {kind: rigid, mass: 2, inertia: [1, 1, 1], velocity: "
                     "[%.17g, %.17g, 0], "
                     "shapes: {kind: point}}\n"
                     "elements:\n  floor: {kind: contact, on: puck, mu: %.17g, law: {kind: "
                     "viscous, viscous: %.17g}}\n",
                     step, step, v * cos(angle), v * sin(angle), mu, b);
            LiveScene l = live(text);
            live_scene_go(&l, fine ? 90 : 45);
            off[fine] =
                fabs(hypot(live_scene_value(&l, "puck.x"), live_scene_value(&l, "puck.y")) - way);
            assert_true(live_scene_value(&l, "puck.vx") == 0.0 &&
                        live_scene_value(&l, "puck.vy") == 0.0);
            live_scene_close(&l);
        }
        assert_true(off[1] < off[0] / 11.0 || off[1] < 1e-13);
    }
}

// Pulled at an angle to its edges, in axes that are turned by any angle: holds inside the ellipse, and slides with a
// force on it, at right angles to it (the motion that dissipates most).
static void friction_by_direction_is_an_ellipse(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(60, 10);
    int held = 0;
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 300 + (uint64_t)i};
        const double mu[2] = {random_decades(&random, 0.02, 1.0),
                              random_decades(&random, 0.02, 1.0)};
        const double turn = random_between(&random, -3.2, 3.2),
                     angle = random_between(&random, -3.2, 3.2);
        const double share =
            i % 2 == 0 ? random_between(&random, 0.1, 0.999) : random_between(&random, 1.001, 2.0);
        // an acceleration `share` times what friction can take in that direction
        const double g[2] = {share * 9.81 * mu[0] * cos(angle), share * 9.81 * mu[1] * sin(angle)};
        const double c = cos(turn), s = sin(turn);
        char text[900];
        snprintf(text, sizeof text,
                 "method: rule\nstep: 1e-3\nstop: 1\ngravity: [%.17g, %.17g, -9.81]\n"
                 "bodies:\n"
                 "  ski: {kind: rigid, mass: 2, inertia: [1, 1, 1], shapes: {kind: point}}\n"
                 "elements:\n"
                 "  snow: {kind: contact, on: ski, mu: %.17g, mu_across: %.17g, along: [%.17g, "
                 "%.17g, 0]}\n",
                 c * g[0] - s * g[1], s * g[0] + c * g[1], mu[0], mu[1], 3.0 * c, 3.0 * s);
        LiveScene l = live(text);
        live_scene_go(&l, 200);
        const double vx = live_scene_value(&l, "ski.vx"), vy = live_scene_value(&l, "ski.vy");
        const double v[2] = {c * vx + s * vy, -s * vx + c * vy};
        if (share < 1.0) {
            assert_true(vx == 0.0 && vy == 0.0 && live_scene_value(&l, "ski.x") == 0.0);
            ++held;
        } else {
            // from rest under a constant force the direction stays: a = g + f, f = -9.81 (mu_i^2 v_i)/|mu v|
            const double size = hypot(mu[0] * v[0], mu[1] * v[1]);
            for (int d = 0; d < 2; ++d)
                assert_near(v[d] / 0.2, g[d] - 9.81 * mu[d] * mu[d] * v[d] / size, 1e-8);
        }
        live_scene_close(&l);
    }
    print_message("%d of %d held\n", held, count);
}

// A table gives what the numbers on the contact give, to the last bit, in either order of its names.
static void tables_of_materials_are_numbers_by_pairs(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"rule", "cut"};
    for (int i = 0; i < 8; ++i) {
        Random random = {.state = 12 + (uint64_t)i};
        const double mu = random_between(&random, 0.1, 0.6),
                     e = i / 2 % 2 * random_between(&random, 0.1, 0.9);
        const double vx = random_between(&random, 0.5, 3.0);
        double end[3][3];
        for (int way = 0; way < 3; ++way) {
            char text[1500], table[300], numbers[160];
            snprintf(table, sizeof table,
                     "materials:\n  - {between: [lead, lead], mu: 3}\n  - {between: %s, mu: %.17g, "
                     "mu_static: %.17g, "
                     "restitution: %.17g}\n",
                     way == 1 ? "[oak, lead]" : "[lead, oak]", mu, 1.2 * mu, e);
            snprintf(numbers, sizeof numbers, ", mu: %.17g, mu_static: %.17g, restitution: %.17g",
                     mu, 1.2 * mu, e);
            snprintf(text, sizeof text,
                     "method: %s\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n%s"
                     "bodies:\n"
                     "  ball: {kind: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, "
                     "0.15], "
                     "velocity: [%.17g, 0, 0], shapes: {kind: sphere, radius: 0.1%s}}\n"
                     "elements:\n"
                     "  floor: {kind: contact, on: ball, plane: {%s}%s}\n",
                     methods[i % 2], way == 2 ? "" : table, vx, way == 2 ? "" : ", material: lead",
                     way == 2 ? "" : "material: oak", way == 2 ? numbers : "");
            LiveScene l = live(text);
            live_scene_go(&l, 600);
            end[way][0] = live_scene_value(&l, "ball.x");
            end[way][1] = live_scene_value(&l, "ball.z");
            end[way][2] = live_scene_value(&l, "ball.wy");
            live_scene_close(&l);
        }
        for (int d = 0; d < 3; ++d) assert_true(end[0][d] == end[1][d] && end[0][d] == end[2][d]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_and_an_element_know_the_same_laws),
        cmocka_unit_test(under_cut_laws_are_of_order_four),
        cmocka_unit_test(friction_by_direction_is_an_ellipse),
        cmocka_unit_test(tables_of_materials_are_numbers_by_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
