// Surfaces that run over their bodies. The judge is Galilei: what happens on a belt is what happens on a floor
// to someone who rides along. On turntables: a ball rolls in a circle at 2/7 of the table's rate.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "support/followed_scene.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static const char *const methods[] = {"rule", "cut",
                                      "{adaptive: dormand-prince, rtol: 1e-10, atol: 1e-12}"};

static FollowedScene run_of(const char *text)
{
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    followed_open(&run, sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
    return run;
}

static void go(FollowedScene *run, int steps)
{
    for (int k = 0; k < steps; ++k) followed_step(run);
}

// A body thrown onto a slope.
typedef struct Throw {
    double angle, turn; // of the slope: its steepness, and where it falls to
    double u[2];        // m/s, of the belt along its two directions
    double v[2], spin;  // m/s, rad/s, of the body
    double drop;        // m above the belt
    double mu;
    int shape;
} Throw;

static Throw draw(Random *random)
{
    Throw it = {.angle = random_between(random, 0.0, 0.6),
                .turn = random_between(random, -3.0, 3.0),
                .drop = random_below(random, 2) * random_between(random, 0.0, 0.05),
                .mu = random_between(random, 0.05, 0.9),
                .spin = random_between(random, -4.0, 4.0),
                .shape = random_below(random, 3)};
    for (int d = 0; d < 2; ++d) {
        it.u[d] = random_between(random, -2.0, 2.0);
        it.v[d] = random_between(random, -1.0, 1.0);
    }
    return it;
}

// The scene in axes of the slope: gravity is turned instead. rides: the observer moves with the belt.
static FollowedScene scene_of(const Throw *it, const char *method, bool rides)
{
    static const char *const shapes[] = {"{kind: point, at: [0, 0, -0.1]}",
                                         "{kind: sphere, radius: 0.1}",
                                         "{kind: box, size: [0.3, 0.2, 0.2]}"};
    char text[1200];
    snprintf(text, sizeof text,
             "method: %s\nstep: 1e-3\nstop: 1\n"
             "gravity: [%.17g, %.17g, %.17g]\n"
             "bodies:\n"
             "  body: {kind: rigid, mass: 2, inertia: [0.01, 0.012, 0.014], shapes: %s,\n"
             "         position: [0, 0, %.17g], velocity: [%.17g, %.17g, 0], angular_velocity: [0, "
             "0, %.17g]}\n"
             "elements:\n"
             "  belt: {kind: contact, on: body, mu: %.17g, plane: {surface_velocity: [%.17g, "
             "%.17g, 0]}}\n",
             method, 9.81 * sin(it->angle) * cos(it->turn), 9.81 * sin(it->angle) * sin(it->turn),
             -9.81 * cos(it->angle), shapes[it->shape], 0.1 + it->drop,
             it->v[0] - (rides ? it->u[0] : 0.0), it->v[1] - (rides ? it->u[1] : 0.0), it->spin,
             it->mu, rides ? 0.0 : it->u[0], rides ? 0.0 : it->u[1]);
    return run_of(text);
}

static void a_belt_is_a_floor_to_whoever_rides_along(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(24, 4);
    double worst = 0.0;
    for (int i = 0; i < 3 * count; ++i) {
        Random random = {.state = 100 + (uint64_t)(i / 3)};
        const Throw it = draw(&random);
        FollowedScene ground = scene_of(&it, methods[i % 3], false),
                      belt = scene_of(&it, methods[i % 3], true);
        go(&ground, 400);
        go(&belt, 400);
        const double t = 0.4;
        const double dx =
            followed_value(&ground, "body.x") - followed_value(&belt, "body.x") - it.u[0] * t;
        const double dy =
            followed_value(&ground, "body.y") - followed_value(&belt, "body.y") - it.u[1] * t;
        const double dw = followed_value(&ground, "body.wz") - followed_value(&belt, "body.wz");
        const double dh =
            followed_value(&ground, "belt.dissipated") - followed_value(&belt, "belt.dissipated");
        const double off = fmax(fmax(fabs(dx), fabs(dy)), fmax(fabs(dw), fabs(dh)));
        if (off > 1e-7) print_message("scene %d, %s: off by %g\n", i / 3, methods[i % 3], off);
        worst = fmax(worst, off);
        assert_true(fabs(sti_recorder_energy(ground.recorder).residual) < 1e-9);
        followed_close(&ground);
        followed_close(&belt);
    }
    print_message("%d scenes under three methods: off by at most %g\n", count, worst);
    assert_true(worst < 1e-7);
}

// Rolling from the start; wherever the table has its axis.
static void a_ball_rolls_in_a_circle_on_a_turntable(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; ++i) {
        Random random = {.state = 500 + (uint64_t)i};
        const double r = random_between(&random, 0.02, 0.2),
                     rate = random_between(&random, -4.0, 4.0);
        const double x = random_between(&random, -0.5, 0.5), y = random_between(&random, -0.5, 0.5);
        const double vx = random_between(&random, -0.5, 0.5),
                     vy = random_between(&random, -0.5, 0.5);
        char text[1000];
        snprintf(text, sizeof text,
                 "method: %s\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  ball: {kind: rigid, mass: 2, shape: sphere, radius: %.17g, position: [%.17g, "
                 "%.17g, %.17g],\n"
                 "         velocity: [%.17g, %.17g, 0], angular_velocity: [%.17g, %.17g, 0]}\n"
                 "elements:\n"
                 "  table: {kind: contact, on: ball, mu: 3, plane: {point: [0.2, -0.1, 0], "
                 "surface_spin: [0, 0, %.17g]}}\n",
                 methods[1 + i % 2], r, x, y, r, vx, vy, (rate * (x - 0.2) - vy) / r,
                 (vx + rate * (y + 0.1)) / r, rate);
        FollowedScene l = run_of(text);
        go(&l, 1000);
        const double turn = 2.0 / 7.0 * rate, c = cos(turn), s = sin(turn);
        assert_near(followed_value(&l, "ball.vx"), c * vx - s * vy, 1e-7);
        assert_near(followed_value(&l, "ball.vy"), s * vx + c * vy, 1e-7);
        assert_near(followed_value(&l, "ball.x"), x + (s * vx - (1.0 - c) * vy) / turn, 1e-7);
        assert_near(followed_value(&l, "ball.y"), y + ((1.0 - c) * vx + s * vy) / turn, 1e-7);
        followed_close(&l);
    }
}

// A crate that stands on a turntable goes round with it, for any number of turns.
static void what_sticks_on_a_turntable_goes_round_with_it(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        char text[800];
        snprintf(text, sizeof text,
                 "method: %s\nstep: 1e-3\nstop: 20\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n"
                 "  crate: {kind: rigid, mass: 2, shape: box, size: [0.2, 0.2, 0.1], position: "
                 "[0.3, 0, 0.05],\n"
                 "          velocity: [0, 0.3, 0], angular_velocity: [0, 0, 1]}\n"
                 "elements:\n"
                 "  table: {kind: contact, on: crate, mu: 0.3, plane: {surface_spin: [0, 0, 1]}}\n",
                 methods[i]);
        FollowedScene l = run_of(text);
        go(&l, 20000);
        // rule: half a step behind, no matter how long
        const double tolerance = i == 0 ? 0.3 * 1e-3 : 1e-10;
        assert_near(followed_value(&l, "crate.x"), 0.3 * cos(20.0), tolerance);
        assert_near(followed_value(&l, "crate.y"), 0.3 * sin(20.0), tolerance);
        assert_near(hypot(followed_value(&l, "crate.x"), followed_value(&l, "crate.y")), 0.3, 1e-6);
        followed_close(&l);
    }
}

// A plane that a motion turns is a plane whose surface spins.
static void a_motion_that_turns_is_a_turntable(void **unused)
{
    (void)unused;
    static const char *const ways[] = {
        "  table: {kind: contact, on: body, mu: 0.4, plane: {point: [0.2, -0.1, 0], surface_spin: "
        "[0, 0, %.17g]}}\n",
        "  table: {kind: contact, between: [body, disc], mu: 0.4}\n"};
    for (int i = 0; i < 8; ++i) {
        Random random = {.state = 800 + (uint64_t)i};
        const double rate = random_between(&random, -3.0, 3.0),
                     vx = random_between(&random, -1.0, 1.0);
        const char *shape = i % 2 == 0 ? "sphere, radius: 0.1" : "box, size: [0.3, 0.2, 0.2]";
        double x[2], y[2], w[2];
        for (int way = 0; way < 2; ++way) {
            char text[1200], table[300];
            snprintf(table, sizeof table, ways[way], rate);
            snprintf(text, sizeof text,
                     "method: rule\nstep: 1e-3\nstop: 1\ngravity: [0.5, 0, -9.81]\n"
                     "bodies:\n"
                     "  disc: {kind: motion, x: [0.2, -0.1, 0], angle: \"%.17g*t\", shapes: {kind: "
                     "plane}}\n"
                     "  body: {kind: rigid, mass: 2, shape: %s, position: [0.5, 0.2, 0.1], "
                     "velocity: [%.17g, 0, 0]}\n"
                     "elements:\n%s",
                     rate, shape, vx, table);
            FollowedScene run = run_of(text);
            go(&run, 600);
            x[way] = followed_value(&run, "body.x");
            y[way] = followed_value(&run, "body.y");
            w[way] = followed_value(&run, "body.wz");
            assert_true(fabs(sti_recorder_energy(run.recorder).residual) < 1e-9);
            followed_close(&run);
        }
        assert_near(x[0], x[1], 1e-9);
        assert_near(y[0], y[1], 1e-9);
        assert_near(w[0], w[1], 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_is_a_floor_to_whoever_rides_along),
        cmocka_unit_test(a_ball_rolls_in_a_circle_on_a_turntable),
        cmocka_unit_test(what_sticks_on_a_turntable_goes_round_with_it),
        cmocka_unit_test(a_motion_that_turns_is_a_turntable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
