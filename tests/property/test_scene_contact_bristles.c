// Bristles at hard contacts against scalar equations of the same models, solved by halving intervals; against the
// elements of the same names as steps become short; turned by any angle; without drift where the model has none.
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

static const char *const names[] = {"elastic-coulomb", "lugre", "elastoplastic"};

// A mass m pressed to the floor by its weight, pushed with amplitude sin(frequency t).
typedef struct Puck {
    int model;
    double m, mu, mu_static, speed, K, B, viscous, breakaway, amplitude, frequency, v, x, z, T;
} Puck;

static Puck random_puck(Random *random, int model)
{
    Puck p = {.model = model, .T = 1e-3};
    p.m = random_decades(random, 0.2, 5.0);
    p.mu = random_between(random, 0.1, 0.6);
    p.mu_static = model == 0 ? p.mu : p.mu * random_between(random, 1.0, 1.5);
    p.speed = random_decades(random, 0.02, 0.5);
    p.K = p.m * random_decades(random, 1e3, 1e6);
    p.B = random_between(random, 0.0, 1.0) * sqrt(p.K * p.m);
    p.breakaway = random_between(random, 0.3, 0.9);
    p.viscous = model == 0 ? 0.0 : 1.01 * p.B * (p.mu_static - p.mu) / p.mu;
    p.amplitude = p.m * 9.81 * p.mu * random_between(random, 0.2, 2.5);
    p.frequency = random_between(random, 2.0, 15.0);
    p.v = random_between(random, -1.0, 1.0) * (random_below(random, 2) == 0 ? 0.0 : 1.0);
    return p;
}

static double level(const Puck *p, double v)
{
    const double ratio = fabs(v) / p->speed;
    return 9.81 * p->m * (p->mu + (p->mu_static - p->mu) * exp(-ratio * ratio));
}

// Friction at the velocity of the end of the step, and where the bristle ends.
static double friction(const Puck *p, double v, double *z)
{
    const double pi = 3.14159265358979323846;
    if (p->model == 0) {
        const double Z = p->B + p->T * p->K, trial = Z * v + p->K * p->z, most = level(p, 0.0);
        const double f = fmax(-most, fmin(most, trial));
        *z = p->z + p->T * (f - p->K * p->z) / Z;
        return f;
    }
    const double most = level(p, 0.0) / p->K; // it is never bent further
    const double before = fmax(-most, fmin(most, p->z));
    const double s = level(p, v), r = p->K * before * (v < 0.0 ? -1.0 : 1.0) / s;
    double share = 1.0;
    if (p->model == 2 && r <= p->breakaway)
        share = 0.0;
    else if (p->model == 2 && r < 1.0)
        share = 0.5 + 0.5 * sin(pi * (r - 0.5 * (1.0 + p->breakaway)) / (1.0 - p->breakaway));
    const double a = share * p->K * fabs(v) / s;
    *z = (before + p->T * v) / (1.0 + p->T * a);
    return p->K * *z + p->B * (*z - before) / p->T + p->viscous * v;
}

static void step_puck(Puck *p, double t)
{
    const double push = p->amplitude * sin(p->frequency * t);
    double lower = -100.0, upper = 100.0, z;
    for (int i = 0; i < 200; ++i) {
        const double v = 0.5 * (lower + upper);
        const bool above = p->m * (v - p->v) > p->T * (push - friction(p, v, &z));
        *(above ? &upper : &lower) = v;
    }
    p->v = 0.5 * (lower + upper);
    friction(p, p->v, &z);
    p->z = z;
    p->x += p->T * p->v;
}

static void write_bristle(const Puck *p, char *to, size_t size)
{
    int n = snprintf(to, size, "{kind: %s, stiffness: %.17g, damping: %.17g", names[p->model], p->K,
                     p->B);
    if (p->model > 0) n += snprintf(to + n, size - (size_t)n, ", viscous: %.17g", p->viscous);
    if (p->model == 2) n += snprintf(to + n, size - (size_t)n, ", breakaway: %.17g", p->breakaway);
    snprintf(to + n, size - (size_t)n, "}");
}

static void write_law(const Puck *p, char *to, size_t size)
{
    *to = '\0';
    if (p->model > 0)
        snprintf(to, size, "mu_static: %.17g, law: {kind: stribeck, stribeck_speed: %.17g}, ",
                 p->mu_static, p->speed);
}

static void a_point_moves_as_the_scalar_model_says(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(60, 9);
    double worst = 0.0;
    int slid = 0;
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 900 + (uint64_t)i};
        Puck p = random_puck(&random, i % 3);
        const double angle = random_between(&random, -3.2, 3.2), c = cos(angle), s = sin(angle);
        char text[1500], bristle[300], law[200];
        write_bristle(&p, bristle, sizeof bristle);
        write_law(&p, law, sizeof law);
        snprintf(text, sizeof text,
                 "method: rule\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  puck: {kind: rigid, mass: %.17g, inertia: [1, 1, 1], velocity: "
                 "[%.17g, %.17g, 0], shapes: {kind: point}}\n"
                 "elements:\n  floor: {kind: contact, on: puck, mu: %.17g, %sbristle: %s}\n"
                 "  push: {kind: force, on: puck, value: [\"%.17g*sin(%.17g*t)\", "
                 "\"%.17g*sin(%.17g*t)\", 0]}\n",
                 p.m, c * p.v, s * p.v, p.mu, law, bristle, c * p.amplitude, p.frequency,
                 s * p.amplitude, p.frequency);
        LiveScene l = live(text);
        double slip = 0.0;
        for (int k = 1; k <= 600; ++k) {
            live_scene_go(&l, 1);
            step_puck(&p, 1e-3 * k);
            const double vx = live_scene_value(&l, "puck.vx"), vy = live_scene_value(&l, "puck.vy");
            worst = fmax(worst, fabs(c * vx + s * vy - p.v));
            worst = fmax(worst, fabs(c * vy - s * vx));
            assert_near(c * vx + s * vy, p.v, 1e-9);
            assert_near(c * live_scene_value(&l, "puck.x") + s * live_scene_value(&l, "puck.y"),
                        p.x, 1e-9);
            slip = fmax(slip, 1.0 - live_scene_value(&l, "floor.stick"));
            assert_near(live_scene_value(&l, "energy.residual"), 0.0, 1e-9);
        }
        slid += slip > 0.0;
        live_scene_close(&l);
    }
    print_message("largest difference %.1e m/s, %d of %d slid\n", worst, slid, count);
    assert_true(slid > count / 4 && slid < count);
}

// Pushed across its way, so that the bristle turns; a box on four points, a ball that rolls. The whole scene turned
// about the vertical moves in turned directions.
static void turned_scenes_move_turned(void **unused)
{
    (void)unused;
    static const char *const shapes[] = {
        "shape: box, size: [0.2, 0.2, 0.1], position: [0, 0, 0.05]",
        "shape: sphere, radius: 0.1, position: [0, 0, 0.1]"};
    const int count = (int)steps_or(18, 6);
    int troubled = 0;
    for (int i = 0; i < count; ++i) {
        double end[2][2];
        int unsettled =
            0; // steps whose repetition did not end: what comes out is not known to rounding
        for (int turned = 0; turned < 2; ++turned) {
            Random random = {.state = 77 + (uint64_t)i};
            const Puck p = random_puck(&random, i % 3);
            const double angle = turned * random_between(&random, -3.2, 3.2), c = cos(angle),
                         s = sin(angle);
            const double across = p.amplitude * random_between(&random, -1.0, 1.0);
            char text[1500], bristle[300], law[200];
            write_bristle(&p, bristle, sizeof bristle);
            write_law(&p, law, sizeof law);
            // push = (A sin wt, across cos wt), turned
            snprintf(text, sizeof text,
                     "method: rule\nstep: 1e-3\nstop: 1\ngravity: [0, 0, -9.81]\n"
                     "bodies:\n  it: {kind: rigid, mass: %.17g, %s, attitude: [%.17g, 0, 0, "
                     "%.17g], velocity: "
                     "[%.17g, %.17g, 0]}\n"
                     "elements:\n  floor: {kind: contact, on: it, mu: %.17g, %sbristle: %s}\n"
                     "  push: {kind: force, on: it, value: [\"%.17g*sin(9*t) - %.17g*cos(9*t)\", "
                     "\"%.17g*sin(9*t) + %.17g*cos(9*t)\", 0]}\n",
                     p.m, shapes[i / 3 % 2], cos(0.5 * angle), sin(0.5 * angle), c * p.v, s * p.v,
                     p.mu, law, bristle, 0.3 * c * p.amplitude, 0.3 * s * across,
                     0.3 * s * p.amplitude, 0.3 * c * across);
            LiveScene l = live(text);
            for (int k = 0; k < 400; ++k) {
                live_scene_go(&l, 1);
                unsettled += sti_scratch_figures(l.scratch).unsettled_joints > 0;
            }
            const double x = live_scene_value(&l, "it.x"), y = live_scene_value(&l, "it.y");
            end[turned][0] = c * x + s * y;
            end[turned][1] = c * y - s * x;
            live_scene_close(&l);
        }
        for (int d = 0; d < 2; ++d) assert_near(end[1][d], end[0][d], unsettled > 0 ? 1e-6 : 1e-12);
        troubled += unsettled > 0;
    }
    print_message("%d of %d with steps that did not settle\n", troubled, count);
    assert_true(troubled <= count / 6);
}

// The element of the same name, under the same load, in very short steps.
static void contacts_tend_to_their_elements(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; ++i) {
        Random random = {.state = 5 + (uint64_t)i};
        Puck p = random_puck(&random, i);
        p.K = 1e4 * p.m, p.B = 20.0 * p.m,
        p.viscous = i == 0 ? 0.0 : 1.01 * p.B * (p.mu_static - p.mu) / p.mu;
        p.amplitude = 1.3 * p.mu * p.m * 9.81;
        double off[2];
        for (int fine = 0; fine < 2; ++fine) {
            const double N = 9.81 * p.m, step = fine ? 1e-5 : 4e-5;
            char text[2000], bristle[300], law[200], element[300] = "";
            write_bristle(&p, bristle, sizeof bristle);
            write_law(&p, law, sizeof law);
            if (i > 0)
                snprintf(element, sizeof element,
                         "viscous: %.17g, law: stribeck, static: %.17g, stribeck_speed: %.17g, ",
                         p.viscous, p.mu_static * N, p.speed);
            if (i == 2) {
                const size_t n = strlen(element);
                snprintf(element + n, sizeof element - n, "breakaway: %.17g, ", p.breakaway);
            }
            snprintf(text, sizeof text,
                     "method: rule\nstep: %.17g\nstop: 1\ngravity: [0, 0, -9.81]\n"
                     "bodies:\n  puck: {kind: rigid, mass: %.17g, inertia: [1, 1, 1], shapes: "
                     "{kind: point}}\n"
                     "  mass: {kind: point, mass: %.17g}\n"
                     "elements:\n  floor: {kind: contact, on: puck, mu: %.17g, %sbristle: %s}\n"
                     "  rub: {kind: friction, on: mass, model: %s, level: %.17g, %sstiffness: "
                     "%.17g, damping: %.17g}\n"
                     "  push: {kind: force, on: puck, value: [\"%.17g*sin(20*t)\", 0, 0]}\n"
                     "  pull: {kind: force, on: mass, value: \"%.17g*sin(20*t)\"}\n",
                     step, p.m, p.m, p.mu, law, bristle, names[i], p.mu * N, element, p.K, p.B,
                     p.amplitude, p.amplitude);
            LiveScene l = live(text);
            live_scene_go(&l, (int64_t)(0.2 / step + 0.5));
            off[fine] = fabs(live_scene_value(&l, "puck.x") - live_scene_value(&l, "mass.x"));
            print_message("%s, step %g: %.2e of %.2e m\n", names[i], step, off[fine],
                          fabs(live_scene_value(&l, "mass.x")));
            live_scene_close(&l);
        }
        assert_true(off[1] < 0.35 * off[0] && off[1] < 2e-5);
    }
}

// A box under a constant push and a dither below break-away; then both are gone.
static void what_does_not_drift_returns(void **unused)
{
    (void)unused;
    const int dither = (int)steps_or(30, 3); // s
    for (int i = 0; i < 3; ++i) {
        char text[1200];
        snprintf(text, sizeof text,
                 "method: rule\nstep: 1e-3\nstop: 100\ngravity: [0, 0, -9.81]\n"
                 "bodies:\n  box: {kind: rigid, mass: 2, shape: box, size: [0.2, 0.2, 0.05], "
                 "position: [0, 0, 0.025]}\n"
                 "elements:\n  floor: {kind: contact, on: box, mu: 0.5, bristle: {kind: %s, "
                 "stiffness: 1e4, damping: 30}}\n"
                 "  push: {kind: force, on: box, at: [0, 0, -0.025], value: [\"t < %d ? 2.5 + "
                 "2*sin(30*t) : 0\", \"t < %d ? "
                 "1 + 2*cos(17*t) : 0\", 0]}\n",
                 names[i], dither, dither);
        LiveScene l = live(text);
        live_scene_go(&l, 1000 * (dither + 4));
        const double x = live_scene_value(&l, "box.x"), y = live_scene_value(&l, "box.y");
        const double way = sqrt(x * x + y * y);
        print_message("%s: %.2e m off after %d s of dither\n", names[i], way, dither);
        if (i == 1)
            assert_true(way > 1e-5); // lugre walks
        else
            assert_true(way < 1e-11);
        live_scene_close(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_moves_as_the_scalar_model_says),
        cmocka_unit_test(turned_scenes_move_turned),
        cmocka_unit_test(contacts_tend_to_their_elements),
        cmocka_unit_test(what_does_not_drift_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
