// Springs that push and never pull (soft contacts, joint limits) under `cut`, from soft to far stiffer than the
// step resolves: against closed forms, against error control, and by energy, which never rises.
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

enum { TEXT = 3000 };
static const double pi = 3.14159265358979323846;
static const char exactly[] = "{adaptive: dormand-prince, rtol: 1e-10, atol: 1e-12}";

// ---- a mass between two stops without damping: half a period of the spring in each -----------------

typedef struct Stops {
    double mass, K, lower, upper, v, stop;
} Stops;

static Stops random_stops(Random *random, double least_K, double most_K)
{
    return (Stops){.mass = random_decades(random, 0.1, 10.0),
                   .K = random_decades(random, least_K, most_K),
                   .lower = -random_between(random, 0.1, 0.3),
                   .upper = random_between(random, 0.1, 0.3),
                   .v = random_between(random, 0.5, 2.0),
                   .stop = 0.8};
}

static double frequency(const Stops *p) { return sqrt(p->K / p->mass); }

// Place and speed at the end.
static void bounce_exactly(const Stops *p, double *x, double *v)
{
    const double w = frequency(p);
    double t = 0.0, from = 0.0, side = 1.0;
    for (;;) {
        const double end = side > 0.0 ? p->upper : p->lower, flight = side * (end - from) / p->v;
        if (t + flight >= p->stop) {
            *x = from + side * p->v * (p->stop - t);
            *v = side * p->v;
            return;
        }
        t += flight;
        if (t + pi / w >= p->stop) {
            *x = end + side * p->v / w * sin(w * (p->stop - t));
            *v = side * p->v * cos(w * (p->stop - t));
            return;
        }
        t += pi / w;
        from = end;
        side = -side;
    }
}

static double error_between_stops(const Stops *p, double T)
{
    char text[TEXT];
    double x, v;
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\nmethod: cut\nbodies:\n"
             "  m: {kind: point, mass: %.17g, velocity: %.17g}\nelements:\n"
             "  stops: {kind: joint-limit, on: m, lower: %.17g, upper: %.17g, stiffness: %.17g, "
             "damping: 0}\n",
             T, p->stop, p->mass, p->v, p->lower, p->upper, p->K);
    const LastValues last = last_values(text);
    bounce_exactly(p, &x, &v);
    return fmax(fabs(last.x[0] - x), fabs(last.x[1] - v) / fmax(frequency(p), 1.0));
}

static void bounces_are_of_order_4(void **unused)
{
    (void)unused;
    Random random = {21};
    const long runs = steps_or(30, 6);
    double sum = 0.0;
    for (long r = 0; r < runs; ++r) {
        const Stops p = random_stops(&random, 10.0, 1e3);
        const double coarse = error_between_stops(&p, 4e-3), fine = error_between_stops(&p, 1e-3);
        const double wT = frequency(&p) * 1e-3;
        assert_true(fine <= 2.0 * wT * wT * wT * wT + 1e-12);
        sum += fine > 1e-12 ? log2(coarse / fine) / 2.0 : 4.0;
    }
    assert_true(sum / (double)runs > 3.6);
}

// A few substeps follow the impact, so that it is elastic, as it should be.
static void bounces_at_any_stiffness(void **unused)
{
    (void)unused;
    Random random = {22};
    const long runs = steps_or(40, 8);
    for (long r = 0; r < runs; ++r) {
        const Stops p = random_stops(&random, 1e3, 1e12);
        static const double steps[] = {2e-4, 5e-4, 1e-3, 2e-3, 4e-3};
        const double T = steps[random_below(&random, 5)], error = error_between_stops(&p, T);
        if (!(error < 3e-4))
            fail_msg("w T = %g, T = %g: %g from the closed form", frequency(&p) * T, T, error);
    }
}

// ---- a point thrown onto soft ground -----------------------------------------------------------------

typedef struct Throw {
    double K, B, mu, height, velocity[3];
} Throw;

static Throw random_throw(Random *random)
{
    static const double ratios[] = {1e-3, 0.1, 1.0};
    const double K = random_decades(random, 1e2, 1e8);
    return (Throw){.K = K,
                   .B = ratios[random_below(random, 3)] * sqrt(0.5 * K),
                   .mu = random_between(random, 0.0, 1.0),
                   .height = random_between(random, 0.01, 0.1),
                   .velocity = {random_between(random, -1.0, 1.0), random_between(random, -0.3, 0.3),
                                0.0}};
}

static const char *point_on_ground(const Throw *p, const char *method, double T, double stop)
{
    static char text[TEXT];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\ngravity: [0, 0, -9.81]\nmethod: %s\nbodies:\n"
             "  m: {kind: point, mass: 0.5, dimensions: 3, position: [0, 0, %.17g], velocity: [%.17g, "
             "%.17g, %.17g]}\nelements:\n"
             "  ground: {kind: contact, on: m, stiffness: %.17g, damping: %.17g, mu: %.17g}\n",
             T, stop, method, p->height, p->velocity[0], p->velocity[1], p->velocity[2], p->K,
             p->B, p->mu);
    return text;
}

static void soft_contacts_agree_with_error_control(void **unused)
{
    (void)unused;
    Random random = {23};
    const long runs = steps_or(24, 5);
    for (long r = 0; r < runs; ++r) {
        const Throw p = random_throw(&random);
        const LastValues exact = last_values(point_on_ground(&p, exactly, 1e-2, 0.3));
        const LastValues cut = last_values(point_on_ground(&p, "cut", 1e-3, 0.3));
        // A bounce on the way lasts as long as the step resolves it, and the next begins where it ended.
        const double apart = last_values_apart(&cut, &exact);
        if (!(apart < 2e-3))
            fail_msg("K = %g, B = %g, mu = %g: %g apart", p.K, p.B, p.mu, apart);
    }
}

// ---- a box that tumbles on soft ground -----------------------------------------------------------------

static const char *box_on_ground(const Throw *p, const double *attitude, const char *method, double T,
                                 double stop)
{
    static char text[TEXT];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\ngravity: [0, 0, -9.81]\nmethod: %s\nbodies:\n"
             "  b: {kind: rigid, mass: 0.5, shape: box, size: [0.1, 0.2, 0.06], position: [0, 0, "
             "%.17g], velocity: [%.17g, %.17g, 0], attitude: [1, %.17g, %.17g, %.17g]}\nelements:\n"
             "  ground: {kind: contact, on: b, shape: box, size: [0.1, 0.2, 0.06], stiffness: %.17g, "
             "damping: %.17g, mu: %.17g}\n",
             T, stop, method, p->height + 0.12, p->velocity[0], p->velocity[1], attitude[0],
             attitude[1], attitude[2], p->K, p->B, p->mu);
    return text;
}

// Kinetic, of gravity, and of the springs: what the network itself calls stored.
static void energy_falls(const char *text, const char *what)
{
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    followed_open(&run, sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
    double before = INFINITY, first = NAN;
    for (long k = 0; k < run.scene->steps; ++k) {
        followed_step(&run);
        const double energy = sti_recorder_energy(run.recorder).stored;
        if (k == 0) first = fabs(energy) + 0.5;
        if (energy > before + 1e-5 * first)
            fail_msg("%s: %g J made at step %ld", what, energy - before, k);
        before = energy;
    }
    followed_close(&run);
}

static void boxes_lose_energy_at_any_stiffness(void **unused)
{
    (void)unused;
    Random random = {24};
    const long runs = steps_or(12, 3);
    for (long r = 0; r < runs; ++r) {
        const Throw p = random_throw(&random);
        const double attitude[3] = {random_between(&random, -0.5, 0.5),
                                    random_between(&random, -0.5, 0.5),
                                    random_between(&random, -0.5, 0.5)};
        char what[80];
        snprintf(what, sizeof what, "K = %g, B = %g, mu = %g", p.K, p.B, p.mu);
        energy_falls(box_on_ground(&p, attitude, "cut", 1e-3, 0.5), what);
        // The first touches, before small differences have grown.
        const LastValues exact = last_values(box_on_ground(&p, attitude, exactly, 1e-2, 0.2));
        const LastValues cut = last_values(box_on_ground(&p, attitude, "cut", 1e-3, 0.2));
        const double apart = last_values_apart(&cut, &exact);
        if (!(apart < 5e-2)) fail_msg("%s: %g apart", what, apart);
    }
}

// ---- joint limits of an arm, on the ground and on a base that floats -----------------------------------

static const char *arm_with_limits(double K, double B, bool floats, const char *method, double T)
{
    static char text[TEXT];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: 0.6\ngravity: [0, 0, -9.81]\nmethod: %s\nbodies:\n  arm:\n"
             "    kind: robot\n    links:\n%s"
             "      - {name: upper, joint: shoulder, axis: [0, 1, 0], mass: 1, centre: [0.15, 0, 0], "
             "inertia: [0.001, 0.008, 0.008]}\n"
             "      - {name: fore, joint: elbow, at: [0.3, 0, 0], axis: [0, 1, 0], mass: 0.5, centre: "
             "[0.1, 0, 0], inertia: [0.001, 0.003, 0.003]}\nelements:\n"
             "  shoulder: {kind: joint-limit, on: arm.shoulder, lower: -2, upper: 0.7, stiffness: "
             "%.17g, damping: %.17g}\n"
             "  elbow: {kind: joint-limit, on: arm.elbow, lower: -0.2, upper: 0.15, stiffness: %.17g, "
             "damping: %.17g}\n",
             T, method,
             floats ? "      - {name: base, joint: float, type: floating, mass: 3, inertia: [0.1, "
                      "0.1, 0.1]}\n"
                    : "",
             K, B, 0.3 * K, 0.3 * B);
    return text;
}

static void limits_of_arms(void **unused)
{
    (void)unused;
    Random random = {25};
    const long runs = steps_or(10, 2);
    for (long r = 0; r < runs; ++r) {
        const bool floats = r % 2 == 1;
        const double K = random_decades(&random, 10.0, 1e9),
                     B = random_decades(&random, 1e-2, 1.0) * sqrt(0.05 * K);
        char what[80];
        snprintf(what, sizeof what, "K = %g, B = %g, %s", K, B, floats ? "floating" : "on the ground");
        energy_falls(arm_with_limits(K, B, floats, "cut", 1e-3), what);
        const LastValues exact = last_values(arm_with_limits(K, B, floats, exactly, 1e-2));
        const LastValues cut = last_values(arm_with_limits(K, B, floats, "cut", 1e-3));
        const double apart = last_values_apart(&cut, &exact);
        if (!(apart < 1e-2)) fail_msg("%s: %g apart", what, apart);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_are_of_order_4),
        cmocka_unit_test(bounces_at_any_stiffness),
        cmocka_unit_test(soft_contacts_agree_with_error_control),
        cmocka_unit_test(boxes_lose_energy_at_any_stiffness),
        cmocka_unit_test(limits_of_arms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
