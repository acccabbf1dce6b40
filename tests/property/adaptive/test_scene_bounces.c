// Impacts with restitution 0 to 1 under `rule`: a ball keeps its energy and is where the closed form says; of balls,
// boxes and points that strike each other in a room the energy does not rise, and no impact gives any.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/last_values.h"
#include "support/random.h"
#include "support/short.h"

enum { TEXT = 6000 };
static const double g = 9.81;

static StiScene *read(const char *text, StiMessages *messages)
{
    return sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
}

// ---- one ball: its flights are parabolas ----------------------------------------------------------

typedef struct Ball {
    double h, v; // of its lowest point: m, m/s
} Ball;

// Exact, from above the floor; a: m/s^2, downwards.
static Ball fly(Ball ball, double a, double e, double time)
{
    for (;;) {
        const double falls = (ball.v + sqrt(ball.v * ball.v + 2.0 * a * ball.h)) / a;
        if (falls >= time)
            return (Ball){ball.h + (ball.v - 0.5 * a * time) * time, ball.v - a * time};
        time -= falls;
        ball = (Ball){0.0, e * (a * falls - ball.v)};
    }
}

static void a_ball_bounces_as_parabolas_say(void **unused)
{
    (void)unused;
    Random random = {7};
    for (long run = 0; run < steps_or(20, 4); ++run) {
        const double e = run % 2 == 0 ? 1.0 : random_between(&random, 0.7, 1.0);
        const double r = random_between(&random, 0.02, 0.2),
                     mass = random_decades(&random, 0.1, 10.0);
        const Ball start = {random_between(&random, 0.2, 1.0), random_between(&random, -1.0, 1.0)};
        char text[TEXT];
        snprintf(text, sizeof text,
                 "stop: 1.5\nmethod: rule\ngravity: [0, 0, -9.81]\nbodies:\n  ball: {kind: rigid, "
                 "mass: %.17g, "
                 "shape: sphere, radius: %.17g, position: [0, 0, %.17g], velocity: [0, 0, "
                 "%.17g]}\nelements:\n  "
                 "floor: {kind: contact, on: ball, restitution: %.17g}\n",
                 mass, r, r + start.h, start.v, e);
        const LastValues last = last_values(text);
        const Ball end = fly(start, g, e, 1.5);
        const double off = fabs(last.x[2] - r - end.h) + fabs(last.x[9] - end.v);
        if (!(off < 1e-6)) fail_msg("run %ld, e %g: %g m and m/s off the parabolas", run, e, off);
    }
}

// Under a force beside gravity positions follow the velocities of the step's end: a leapfrog, exact for parabolas
// where velocities are those of half a step before, at the start and at the end, too.
static void a_pushed_ball_bounces_as_parabolas_say(void **unused)
{
    (void)unused;
    Random random = {8};
    for (long run = 0; run < steps_or(20, 4); ++run) {
        const double e = run % 2 == 0 ? 1.0 : random_between(&random, 0.7, 1.0);
        const double r = random_between(&random, 0.02, 0.2), mass = random_decades(&random, 0.1, 10.0),
                     T = random_decades(&random, 5e-4, 4e-3), a = g + random_between(&random, -5.0, 10.0);
        const double stop = T * floor(1.5 / T), lag = 0.5 * a * T;
        const Ball start = {random_between(&random, 0.2, 1.0), random_between(&random, -1.0, 1.0)};
        char text[TEXT];
        snprintf(text, sizeof text,
                 "step: %.17g\nstop: %.17g\nmethod: rule\ngravity: [0, 0, -9.81]\nbodies:\n  ball: {kind: rigid, "
                 "mass: %.17g, shape: sphere, radius: %.17g, position: [0, 0, %.17g], velocity: [0, 0, %.17g]}\n"
                 "elements:\n  push: {kind: force, on: ball, value: [0, 0, %.17g]}\n"
                 "  floor: {kind: contact, on: ball, restitution: %.17g}\n",
                 T, stop, mass, r, r + start.h, start.v + lag, mass * (g - a), e);
        const LastValues last = last_values(text);
        const Ball end = fly(start, a, e, stop);
        const double off = fabs(last.x[2] - r - end.h) + fabs(last.x[9] - lag - end.v);
        if (!(off < 1e-6)) fail_msg("run %ld, e %g, T %g: %g m and m/s off the parabolas", run, e, T, off);
    }
}

// ---- many -----------------------------------------------------------------------------------------

static int write_body(Random *random, int i, bool boxes, char *text, size_t room)
{
    double q[4], norm = 0.0;
    for (int k = 0; k < 4; ++k) {
        q[k] = random_between(random, -1.0, 1.0);
        norm += q[k] * q[k];
    }
    const int drawn = random_below(random, 3), kind = drawn == 1 && !boxes ? 0 : drawn;
    int n =
        snprintf(text, room,
                 "  b%d: {kind: %s, mass: %.17g, position: [%.17g, %.17g, %.17g], velocity: "
                 "[%.17g, %.17g, %.17g]",
                 i, kind == 2 ? "point, dimensions: 3" : "rigid", random_between(random, 0.3, 3.0),
                 random_between(random, -0.3, 0.3), random_between(random, -0.3, 0.3),
                 0.4 + 0.45 * i, random_between(random, -2.0, 2.0),
                 random_between(random, -2.0, 2.0), random_between(random, -2.0, 2.0));
    if (kind == 0)
        n += snprintf(text + n, room - (size_t)n, ", shape: sphere, radius: %.17g",
                      random_between(random, 0.05, 0.15));
    if (kind == 1)
        n += snprintf(
            text + n, room - (size_t)n,
            ", shape: box, size: [%.17g, %.17g, %.17g], attitude: [%.17g, %.17g, %.17g, %.17g]",
            random_between(random, 0.1, 0.2), random_between(random, 0.1, 0.2),
            random_between(random, 0.1, 0.2), q[0] / sqrt(norm), q[1] / sqrt(norm),
            q[2] / sqrt(norm), q[3] / sqrt(norm));
    return n + snprintf(text + n, room - (size_t)n, "}\n");
}

static void write_room(Random *random, double T, bool boxes, char *text, size_t room)
{
    static const double restitutions[] = {0.0, 0.3, 0.7, 1.0, 1.0}, mus[] = {0.0, 0.0, 0.3, 0.8};
    const double e = restitutions[random_below(random, 5)], mu = mus[random_below(random, 4)];
    const int count = 1 + random_below(random, 5);
    const bool sequential = random_below(random, 3) == 0;
    int n = snprintf(text, room,
                     "step: %.17g\nstop: 1.5\nmethod: rule\ngravity: [0, 0, -9.81]\nbodies:\n", T);
    for (int i = 0; i < count; ++i) n += write_body(random, i, boxes, text + n, room - (size_t)n);
    snprintf(text + n, room - (size_t)n,
             "elements:\n  touch: {kind: contact, among: all, mu: %g, restitution: %g, "
             "restitution_model: %s, "
             "against: [{plane: {}}, {plane: {point: [-1, 0, 0], normal: [1, 0, 0]}}, {plane: "
             "{point: [1, 0, 0], "
             "normal: [-1, 0, 0.2]}}, {plane: {point: [0, -1, 0], normal: [0, 1, 0]}}, {plane: "
             "{point: [0, 1, 0], "
             "normal: [0, -1, 0]}}]}\n",
             mu, e, sequential ? "sequential" : "simultaneous");
}

typedef struct Account {
    double start; // J stored
    double rise;  // most that was ever stored beyond that
    double given; // most that contacts gave in one step
} Account;

static Account account_of(const char *text)
{
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    followed_open(&run, read(text, messages), messages);
    Account account = {.start = sti_recorder_energy(run.recorder).stored};
    double dissipated = 0.0;
    for (long k = 0; k < run.scene->steps; ++k) {
        followed_step(&run);
        const StiEnergy now = sti_recorder_energy(run.recorder);
        account.rise = fmax(account.rise, now.stored - account.start);
        account.given = fmax(account.given, dissipated - now.dissipated);
        dissipated = now.dissipated;
    }
    followed_close(&run);
    return account;
}

// A box that turns by a tenth of a radian in a step strikes at another moment than its velocity says.
static void impacts_make_no_energy(void **unused)
{
    (void)unused;
    static char text[TEXT];
    for (int seed = 0; seed < steps_or(30, 5); ++seed)
        for (int fine = 0; fine < 2; ++fine) {
            const bool boxes = seed % 2 == 1;
            Random random = {.state = (uint64_t)seed};
            write_room(&random, fine ? 2.5e-4 : 1e-3, boxes, text, sizeof text);
            const Account a = account_of(text);
            const double most = boxes ? (fine ? 5e-3 : 2e-2) : 1e-8;
            if (!(a.rise <= most * a.start) || !(a.given <= 5e-6 * a.start))
                fail_msg("room %d: %g J more than the %g J of the start, contacts gave %g J\n%s",
                         seed, a.rise, a.start, a.given, text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_as_parabolas_say),
        cmocka_unit_test(a_pushed_ball_bounces_as_parabolas_say),
        cmocka_unit_test(impacts_make_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
