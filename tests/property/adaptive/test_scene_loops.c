// Loops in space: planar four-bars written both ways agree; Bennett linkages obey his equation and keep their energy;
// driven slider-cranks askew follow their closed form; nothing drifts.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/followed_scene.h"
#include "support/random.h"
#include "support/short.h"


static FollowedScene open(const char *text)
{
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    if (scene == NULL) print_error("%s", text);
    followed_open(&run, scene, messages);
    return run;
}

// ---- planar four-bars -----------------------------------------------------------------------------------

typedef struct FourBar {
    double length[3], ground; // crank, coupler, rocker
    double mass[3], inertia[3];
    double angle[3]; // absolute, at the start, closed
    double level;    // friction of the crank, N m
} FourBar;

// Where two circles meet: coupler and rocker from the crank's angle.
static bool close_bars(FourBar *bar)
{
    const double x = bar->ground - bar->length[0] * cos(bar->angle[0]), y = -bar->length[0] * sin(bar->angle[0]);
    const double d = hypot(x, y), l = bar->length[1], r = bar->length[2];
    const double along = (d * d + l * l - r * r) / (2.0 * d), square = l * l - along * along;
    if (!(square > 0.01 * l * l)) return false;
    bar->angle[1] = atan2(y, x) + atan2(sqrt(square), along);
    bar->angle[2] = atan2(y - l * sin(bar->angle[1]), x - l * cos(bar->angle[1]));
    return true;
}

static FourBar random_bar(Random *random)
{
    FourBar bar;
    do {
        bar.ground = random_between(random, 0.3, 0.5);
        bar.length[0] = random_between(random, 0.08, 0.15);
        bar.length[1] = random_between(random, 0.3, 0.5);
        bar.length[2] = random_between(random, 0.2, 0.4);
        bar.angle[0] = random_between(random, -3.0, 3.0);
    } while (!close_bars(&bar));
    for (int i = 0; i < 3; ++i) {
        bar.mass[i] = random_between(random, 0.5, 2.0);
        bar.inertia[i] = bar.mass[i] * bar.length[i] * bar.length[i] / 12.0;
    }
    bar.level = random_below(random, 2) == 0 ? 0.0 : random_between(random, 0.05, 0.4);
    return bar;
}

static void write_planar(const FourBar *bar, const char *head, char *text, size_t size)
{
    double x = 0.0, y = 0.0, p[3][2];
    for (int i = 0; i < 3; ++i) {
        p[i][0] = x + 0.5 * bar->length[i] * cos(bar->angle[i]);
        p[i][1] = y + 0.5 * bar->length[i] * sin(bar->angle[i]);
        x += bar->length[i] * cos(bar->angle[i]);
        y += bar->length[i] * sin(bar->angle[i]);
    }
    size_t used = (size_t)snprintf(text, size, "%sgravity: [0, -9.81, 0]\nbodies:\n  m:\n    kind: linkage\n    bodies:\n", head);
    for (int i = 0; i < 3; ++i)
        used += (size_t)snprintf(text + used, size - used,
                                 "      b%d: {mass: %.17g, inertia: %.17g, position: [%.17g, %.17g], angle: %.17g}\n", i,
                                 bar->mass[i], bar->inertia[i], p[i][0], p[i][1], bar->angle[i]);
    const double *l = bar->length;
    used += (size_t)snprintf(text + used, size - used,
                             "    joints:\n      j0: {type: revolute, on: b0, at: [%.17g, 0], anchor: [0, 0]}\n"
                             "      j1: {type: revolute, between: [b1, b0], at: [[%.17g, 0], [%.17g, 0]]}\n"
                             "      j2: {type: revolute, between: [b2, b1], at: [[%.17g, 0], [%.17g, 0]]}\n"
                             "      j3: {type: revolute, on: b2, at: [%.17g, 0], anchor: [%.17g, 0]}\n"
                             "elements:\n  push: {kind: force, on: j0, value: \"0.4*sin(5*t)\"}\n",
                             -0.5 * l[0], -0.5 * l[1], 0.5 * l[0], -0.5 * l[2], 0.5 * l[1], 0.5 * l[2], bar->ground);
    if (bar->level > 0.0)
        snprintf(text + used, size - used, "  rub: {kind: spring-damper, on: j0, damping: %.17g}\n", bar->level);
}

static void write_spatial(const FourBar *bar, const char *head, char *text, size_t size)
{
    const double *l = bar->length, *a = bar->angle;
    size_t used = (size_t)snprintf(text, size, "%sgravity: [0, -9.81, 0]\nbodies:\n  m:\n    kind: robot\n    links:\n", head);
    for (int i = 0; i < 3; ++i)
        used += (size_t)snprintf(text + used, size - used,
                                 "      - {name: b%d, joint: j%d, at: [%.17g, 0, 0], axis: [0, 0, 1], mass: %.17g, "
                                 "centre: [%.17g, 0, 0], inertia: [1e-5, %.17g, %.17g]}\n",
                                 i, i, i > 0 ? l[i - 1] : 0.0, bar->mass[i], 0.5 * l[i], bar->inertia[i], bar->inertia[i]);
    used += (size_t)snprintf(text + used, size - used,
                             "    joints: {j0: {position: %.17g}, j1: {position: %.17g}, j2: {position: %.17g}}\nelements:\n"
                             "  close: {kind: loop, type: hinge, on: m.b2, at: [%.17g, 0, 0], anchor: [%.17g, 0, 0]}\n"
                             "  push: {kind: force, on: m.j0, value: \"0.4*sin(5*t)\"}\n",
                             a[0], a[1] - a[0], a[2] - a[1], l[2], bar->ground);
    if (bar->level > 0.0)
        snprintf(text + used, size - used, "  rub: {kind: spring-damper, on: m.j0, damping: %.17g}\n", bar->level);
}

static void planar_and_spatial_agree(void **state)
{
    (void)state;
    static const char head[] = "step: 0.02\nstop: 0.6\nmethod: {adaptive: dormand-prince, rtol: 1e-12, atol: 1e-13}\n";
    for (int seed = 0; seed < (int)steps_or(12, 3); ++seed) {
        Random random = {(uint64_t)(40 + seed)};
        const FourBar bar = random_bar(&random);
        char planar[3000], spatial[3000];
        write_planar(&bar, head, planar, sizeof planar);
        write_spatial(&bar, head, spatial, sizeof spatial);
        FollowedScene runs[2] = {open(planar), open(spatial)};
        for (long k = 0; k < runs[0].scene->steps; ++k) {
            followed_step(&runs[0]);
            followed_step(&runs[1]);
            const double off = fabs(followed_value(&runs[0], "b0.angle") - followed_value(&runs[1], "m.j0.q"));
            if (off > 1e-9) fail_msg("seed %d, row %ld: off by %g\n%s%s", seed, k, off, planar, spatial);
        }
        followed_close(&runs[0]);
        followed_close(&runs[1]);
    }
}

// ---- Bennett ---------------------------------------------------------------------------------------------

static void bennett_linkages_move(void **state)
{
    (void)state;
    static const char *const methods[] = {"cut", "rule", "{adaptive: dormand-prince, rtol: 1e-9}"};
    for (int seed = 0; seed < (int)steps_or(12, 3); ++seed) {
        Random random = {(uint64_t)(7000 + seed)};
        const double alpha = random_between(&random, 0.4, 0.9), beta = alpha + random_between(&random, 0.3, 0.6);
        const double a = random_between(&random, 0.1, 0.3), b = a * sin(beta) / sin(alpha);
        const double k = sin(0.5 * (alpha + beta)) / sin(0.5 * (beta - alpha));
        const double q1 = random_between(&random, 0.5, 2.0), q2 = 2.0 * atan(k / tan(0.5 * q1));
        char text[3000];
        const double c2 = alpha + beta, c3 = 2.0 * alpha + beta;
        snprintf(text, sizeof text,
                 "step: 1e-3\nstop: 0.5\nmethod: %s\ngravity: [1, 2, -9.81]\nbodies:\n  m:\n    kind: robot\n    links:\n"
                 "      - {name: a, joint: q1, axis: [0, 0, 1], mass: 1, centre: [%.17g, 0, 0], inertia: [1e-3, 4e-3, 4e-3]}\n"
                 "      - {name: b, joint: q2, at: [%.17g, 0, 0], axis: [0, %.17g, %.17g], mass: 1.5, centre: [%.17g, 0, 0], inertia: [1e-3, 8e-3, 8e-3]}\n"
                 "      - {name: c, joint: q3, at: [%.17g, 0, 0], axis: [0, %.17g, %.17g], mass: 0.7, centre: [%.17g, 0, 0], inertia: [1e-3, 4e-3, 4e-3]}\n"
                 "    joints: {q1: {position: %.17g}, q2: {position: %.17g}, q3: {position: %.17g}}\n"
                 "elements:\n"
                 "  last: {kind: loop, type: hinge, on: m.c, at: [%.17g, 0, 0], anchor: [%.17g, 0, 0], axis: [[0, %.17g, %.17g], [0, %.17g, %.17g]]}\n",
                 methods[seed % 3], 0.5 * a, a, -sin(alpha), cos(alpha), 0.5 * b, b, -sin(c2), cos(c2), 0.5 * a, q1, q2, -q1,
                 a, -b, -sin(c3), cos(c3), sin(beta), cos(beta));
        FollowedScene run = open(text);
        for (long row = 0; row < run.scene->steps; ++row) {
            followed_step(&run);
            const double x = followed_value(&run, "m.q1.q"), y = followed_value(&run, "m.q2.q");
            // both angles, without the poles of the tangents
            const double off = sin(0.5 * x) * sin(0.5 * y) - k * cos(0.5 * x) * cos(0.5 * y);
            if (fabs(off) > 1e-10 || fabs(x + followed_value(&run, "m.q3.q")) > 1e-10)
                fail_msg("seed %d, row %ld: off by %g\n%s", seed, row, off, text);
        }
        if (seed % 3 != 1) {
            const double made = followed_value(&run, "energy.numerical"), stored = followed_value(&run, "energy.stored");
            if (fabs(made) > 1e-6 * (1.0 + fabs(stored))) fail_msg("seed %d: %g J were made\n%s", seed, made, text);
        }
        assert_true(fabs(followed_value(&run, "m.q1.q") - q1) > 1e-3);
        followed_close(&run);
    }
}

// ---- slider-cranks askew ---------------------------------------------------------------------------------

static void driven_slider_cranks(void **state)
{
    (void)state;
    static const char *const methods[] = {"cut", "rule", "{adaptive: dormand-prince}"};
    for (int seed = 0; seed < (int)steps_or(15, 3); ++seed) {
        Random random = {(uint64_t)(900 + seed)};
        const double r = random_between(&random, 0.05, 0.1), h = random_between(&random, -0.1, 0.1),
                     L = random_between(&random, 0.25, 0.4), w = random_between(&random, 2.0, 8.0);
        char text[2000];
        snprintf(text, sizeof text,
                 "step: 2e-3\nstop: 1\nmethod: %s\nbodies:\n"
                 "  crank: {kind: robot, links: [{name: disc, joint: turn, at: [0, 0, %.17g], axis: [0, 1, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}]}\n"
                 "  slider: {kind: guided-block, mass: 2, axis: [0, 1, 0], position: %.17g}\n"
                 "elements:\n"
                 "  rod: {kind: loop, type: rod, between: [crank.disc, slider], at: [[%.17g, 0, 0], [0, 0, 0]], length: %.17g}\n"
                 "  motor: {kind: drive, on: crank.turn, value: \"%.17g*t\"}\n"
                 "  friction: {kind: friction, on: slider, model: coulomb, mu: 0.1, load: slider.load}\n",
                 methods[seed % 3], h, sqrt(L * L - r * r - h * h), r, L, w);
        FollowedScene run = open(text);
        for (long row = 1; row <= run.scene->steps; ++row) {
            followed_step(&run);
            const double y = sqrt(L * L - r * r - h * h + 2.0 * r * h * sin(w * 2e-3 * (double)row));
            const double off = followed_value(&run, "slider.x") - y;
            if (fabs(off) > 1e-11) fail_msg("seed %d, row %ld: off by %g\n%s", seed, row, off, text);
        }
        if (fabs(followed_value(&run, "energy.residual")) > 1e-10) fail_msg("seed %d: residual\n%s", seed, text);
        followed_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_and_spatial_agree),
        cmocka_unit_test(bennett_linkages_move),
        cmocka_unit_test(driven_slider_cranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
