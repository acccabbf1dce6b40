// Small machines with answers that can be computed by hand, with random numbers, under `rule`, the default and error
// control: carts, pendulums that strike each other, cards that lean on each other, boxes pushed below and above what
// friction holds, blocks on belts.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/last_values.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

enum { TEXT = 6000, METHODS = 3 };
static const char *const methods[METHODS] = {
    "method: rule\n", "", "method: {adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}\n"};
static const double g = 9.81;

static void open_text(FollowedScene *run, const char *text)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    followed_open(run, scene, messages);
}

// ---- carts: 2 tau/r drive M + 4 m + 4 I/r^2; what turns and what brakes at the floor tips the cart back --------

typedef struct Cart {
    double mass, wheel, inertia, r, x, y, torque; // kg, kg, kg m^2, m, m, m, N m on each rear wheel
} Cart;

static int write_cart(const Cart *c, const char *method, bool cylinders, char *text, size_t room)
{
    static const char *const names[4] = {"fl", "fr", "rl", "rr"};
    int n = snprintf(text, room,
                     "stop: 0.5\n%sgravity: [0, 0, -9.81]\nbodies:\n  cart:\n    kind: robot\n    "
                     "links:\n      - {name: "
                     "base, joint: base, type: floating, at: [0, 0, %.17g], mass: %.17g, inertia: "
                     "[0.3, 0.5, 0.7]}\n",
                     method, c->r, c->mass);
    for (int i = 0; i < 4; ++i) {
        n += snprintf(text + n, room - (size_t)n,
                      "      - {name: %s, parent: base, joint: j%s, at: [%.17g, %.17g, 0], axis: "
                      "[0, 1, 0], mass: "
                      "%.17g, inertia: [%.17g, %.17g, %.17g], shapes: [",
                      names[i], names[i], i < 2 ? c->x : -c->x, i % 2 == 0 ? c->y : -c->y, c->wheel,
                      0.6 * c->inertia, c->inertia, 0.6 * c->inertia);
        n += cylinders
                 ? snprintf(text + n, room - (size_t)n,
                            "{kind: cylinder, radius: %.17g, length: 0.04, attitude: "
                            "[0.70710678118654757, "
                            "0.70710678118654757, 0, 0]}]}\n",
                            c->r)
                 : snprintf(text + n, room - (size_t)n, "{kind: sphere, radius: %.17g}]}\n", c->r);
    }
    n += snprintf(text + n, room - (size_t)n,
                  "elements:\n  drive: {kind: force, on: [cart.jrl, cart.jrr], value: %.17g}\n",
                  c->torque);
    for (int i = 0; i < 4; ++i)
        n += snprintf(text + n, room - (size_t)n, "  %s: {kind: contact, on: cart.%s, mu: 0.8}\n",
                      names[i], names[i]);
    return n;
}

static void drive_cart(const Cart *c, int method, bool cylinders)
{
    static char text[TEXT];
    FollowedScene run;
    write_cart(c, methods[method], cylinders, text, sizeof text);
    open_text(&run, text);
    for (long k = 0; k < run.scene->steps; ++k) followed_step(&run);
    const double all = c->mass + 4.0 * c->wheel,
                 a = 2.0 * c->torque / c->r / (all + 4.0 * c->inertia / (c->r * c->r));
    const double tips = (4.0 * c->inertia * a / c->r + c->r * all * a) / c->x,
                 front = 0.25 * (all * g - tips);
    const double loads[4] = {followed_value(&run, "fl.fn"), followed_value(&run, "fr.fn"),
                             followed_value(&run, "rl.fn"), followed_value(&run, "rr.fn")};
    double off = fabs(followed_value(&run, "cart.base.vx") - 0.5 * a);
    for (int i = 0; i < 4; ++i)
        off = fmax(off, 1e-4 * fabs(loads[i] - (i < 2 ? front : front + 0.5 * tips)));
    if (!(off < 1e-8))
        fail_msg("%s under %s: speed %.12g of %.12g, loads %g %g %g %g",
                 cylinders ? "cylinders" : "spheres", methods[method],
                 followed_value(&run, "cart.base.vx"), 0.5 * a, loads[0], loads[1], loads[2],
                 loads[3]);
    followed_close(&run);
}

static void carts_roll_evenly(void **unused)
{
    (void)unused;
    Random random = {3};
    for (int i = 0; i < steps_or(2, 1); ++i) {
        Cart c = {.mass = random_between(&random, 5.0, 15.0),
                  .wheel = random_between(&random, 0.2, 1.0),
                  .r = random_between(&random, 0.06, 0.12),
                  .x = random_between(&random, 0.2, 0.4),
                  .y = random_between(&random, 0.15, 0.3),
                  .torque = random_between(&random, 0.5, 2.0)};
        c.inertia = 0.5 * c.wheel * c.r * c.r;
        for (int method = 0; method < METHODS; ++method) drive_cart(&c, method, false);
        for (int method = 0; method < 2; ++method) drive_cart(&c, method, true);
    }
}

// ---- two pendulums of two robots --------------------------------------------------------------------------------

static int write_pendulum(Random *random, char name, double x, double side, char *text, size_t room)
{
    const double length = random_between(random, 0.45, 0.6);
    return snprintf(
        text, room,
        "  %c: {kind: robot, links: [{joint: j, at: [%.17g, 0, 1], axis: [0, 1, 0], mass: %.17g, "
        "centre: [0, "
        "0, -%.17g], inertia: [0.01, 0.01, 0.01], shapes: [{kind: sphere, radius: 0.1, at: [0, 0, "
        "-%.17g]}]}], joints: {j: {position: %.17g}}}\n",
        name, x, random_between(random, 0.5, 2.0), length, length,
        side * random_between(random, 0.5, 1.2));
}

static void pendulums_gain_nothing(void **unused)
{
    (void)unused;
    static char text[TEXT];
    Random random = {5};
    for (int i = 0; i < steps_or(12, 2); ++i) {
        const double e = i % 3 == 0 ? 1.0 : random_between(&random, 0.0, 1.0),
                     mu = random_between(&random, 0.0, 0.5);
        char bodies[2000];
        int n = write_pendulum(&random, 'a', -random_between(&random, 0.1, 0.15), 1.0, bodies,
                               sizeof bodies);
        write_pendulum(&random, 'b', random_between(&random, 0.1, 0.15), -1.0, bodies + n,
                       sizeof bodies - (size_t)n);
        for (int method = 0; method < METHODS; ++method) {
            FollowedScene run;
            snprintf(text, sizeof text,
                     "stop: 3\n%sgravity: [0, 0, -9.81]\nbodies:\n%selements:\n  touch: {kind: "
                     "contact, between: [a, b], "
                     "mu: %.17g, restitution: %.17g}\n",
                     methods[method], bodies, mu, e);
            open_text(&run, text);
            const double start = sti_recorder_energy(run.recorder).stored;
            double rise = 0.0;
            for (long k = 0; k < run.scene->steps; ++k) {
                followed_step(&run);
                rise = fmax(rise, sti_recorder_energy(run.recorder).stored - start);
            }
            // a pendulum swings under rule with an energy that is off by T, to and fro
            if (!(rise < (method == 0 ? 5e-3 : 1e-7) * start))
                fail_msg("pendulums %d under %s: %g J gained of %g", i, methods[method], rise,
                         start);
            followed_close(&run);
        }
    }
}

// ---- cards ------------------------------------------------------------------------------------------------------

static int write_card(double lean, double t, double L, double side, char *text, size_t room)
{
    const double top = L * sin(lean) + t * cos(lean), foot = -L * cos(lean) - t * sin(lean);
    return snprintf(text, room,
                    "  %s: {kind: rigid, mass: 0.002, shape: box, size: [%.17g, 0.06, %.17g], "
                    "position: [%.17g, 0, %.17g], "
                    "attitude: [%.17g, 0, %.17g, 0]}\n",
                    side > 0.0 ? "left" : "right", 2.0 * t, 2.0 * L, -side * top, -foot,
                    cos(0.5 * lean), side * sin(0.5 * lean));
}

// Half a thickness t and a length L from the middle: friction must hold H = m g (tan(lean) - t/L)/2 with m g.
static void cards_stand_or_fall_as_mirror_images(void **unused)
{
    (void)unused;
    static const double sign[13] = {-1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1, -1, -1};
    static char text[TEXT];
    Random random = {11};
    for (int i = 0; i < steps_or(12, 2); ++i) {
        const double lean = random_between(&random, 0.15, 0.5),
                     t = random_between(&random, 3e-4, 1e-3);
        const double L = random_between(&random, 0.03, 0.06), least = 0.5 * (tan(lean) - t / L);
        for (int k = 0; k < 4; ++k) {
            const bool falls = k % 2 == 1;
            int n = snprintf(text, sizeof text, "stop: 0.2\n%sgravity: [0, 0, -9.81]\nbodies:\n",
                             methods[k / 2]);
            n += write_card(lean, t, L, 1.0, text + n, sizeof text - (size_t)n);
            n += write_card(lean, t, L, -1.0, text + n, sizeof text - (size_t)n);
            snprintf(text + n, sizeof text - (size_t)n,
                     "elements:\n  touch: {kind: contact, among: all, plane: {}, mu: %.17g}\n",
                     (falls ? 0.6 : 1.1) * least);
            const LastValues last = last_values(text);
            double apart = 0.0;
            for (int j = 0; j < 13; ++j)
                apart = fmax(apart, fabs(last.x[j] - sign[j] * last.x[13 + j]));
            const double down = L * cos(lean) + t * sin(lean) - last.x[2];
            if (!(apart < 1e-3) || (falls ? !(down > 1e-3) : !(fabs(down) < 1e-12)))
                fail_msg("cards %d, %s at mu %g: %g m down, %g off the mirror image", i,
                         k < 2 ? "rule" : "the default", (falls ? 0.6 : 1.1) * least, down, apart);
        }
    }
}

// ---- boxes that are pushed --------------------------------------------------------------------------------------

static void boxes_hold_or_slide(void **unused)
{
    (void)unused;
    static const double most_off[METHODS] = {3e-3, 1e-9, 1e-7}; // m of about one
    static char text[TEXT];
    Random random = {13};
    for (int i = 0; i < steps_or(6, 2); ++i) {
        const double size[3] = {random_between(&random, 0.15, 0.3),
                                random_between(&random, 0.15, 0.3),
                                random_between(&random, 0.1, 0.24)};
        const double mass = random_decades(&random, 0.5, 5.0),
                     angle = random_between(&random, 0.0, 6.2);
        const double mu =
            0.5 * fmin(size[0], size[1]) / size[2] * random_between(&random, 0.5, 0.9);
        const double share =
            i % 2 == 0 ? random_between(&random, 0.78, 0.97) : random_between(&random, 1.05, 1.4);
        const double F = share * mu * mass * g, way = share > 1.0 ? 0.5 * (F / mass - mu * g) : 0.0;
        for (int method = 0; method < METHODS; ++method) {
            snprintf(text, sizeof text,
                     "stop: 1\n%sgravity: [0, 0, -9.81]\nbodies:\n  box: {kind: rigid, mass: "
                     "%.17g, shape: box, size: "
                     "[%.17g, %.17g, %.17g], position: [0, 0, %.17g]}\nelements:\n  push: {kind: "
                     "force, on: box, value: "
                     "[%.17g, %.17g, 0]}\n  floor: {kind: contact, on: box, mu: %.17g}\n",
                     methods[method], mass, size[0], size[1], size[2], 0.5 * size[2],
                     F * cos(angle), F * sin(angle), mu);
            const LastValues last = last_values(text);
            const double off = hypot(last.x[0] - way * cos(angle), last.x[1] - way * sin(angle));
            if (!(off <= (way == 0.0 ? 1e-15 : most_off[method])))
                fail_msg("box %d at %g of its limit under %s: %g m off", i, share, methods[method],
                         off);
        }
    }
}

// ---- belts ------------------------------------------------------------------------------------------------------

static LastValues on_belt(const char *belt, const char *method, double level, double speed,
                          double k)
{
    static char text[TEXT];
    snprintf(text, sizeof text,
             "stop: 3\nmethod: %s\nparameters: {vb: %.17g}\nbodies:\n  belt: {kind: motion, x: "
             "\"vb*t\"%s}\n  block: {kind: "
             "point, mass: 1}\nelements:\n  spring: {kind: spring-damper, on: block, stiffness: "
             "%.17g, damping: 0.3}\n  "
             "rub: {kind: friction, between: [belt, block], model: coulomb, level: %.17g, static: "
             "%.17g, "
             "stribeck_speed: 0.05}\n",
             method, speed, belt, k, level, 1.4 * level);
    return last_values(text);
}

static void belts_need_no_velocity(void **unused)
{
    (void)unused;
    static const char *const names[] = {"dormand-prince", "bogacki-shampine",
                                        "verner",         "fehlberg",
                                        "adams",          "bdf",
                                        "ode23"};
    Random random = {17};
    for (int i = 0; i < steps_or(7, 2); ++i) {
        const double level = random_between(&random, 2.0, 6.0),
                     speed = random_between(&random, 0.03, 0.3);
        const double k = random_between(&random, 10.0, 60.0);
        char method[100];
        snprintf(method, sizeof method, "{adaptive: %s, rtol: 1e-9, atol: 1e-11}", names[i % 7]);
        const LastValues plain = on_belt("", method, level, speed, k),
                         given = on_belt(", v: vb", method, level, speed, k);
        const LastValues cut = on_belt("", "cut", level, speed, k);
        if (!(last_values_apart(&plain, &given) < 1e-5) ||
            !(last_values_apart(&plain, &cut) < 1e-4))
            fail_msg("belt %d, %s: %g off with v given, %g off cut", i, names[i % 7],
                     last_values_apart(&plain, &given), last_values_apart(&plain, &cut));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carts_roll_evenly),
        cmocka_unit_test(pendulums_gain_nothing),
        cmocka_unit_test(cards_stand_or_fall_as_mirror_images),
        cmocka_unit_test(boxes_hold_or_slide),
        cmocka_unit_test(belts_need_no_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
