// A body that slides against a load between its two levels of friction comes to rest and stays: under the rule,
// too, at any step. With (19) word by word some steps jump over the rest, and the body slides back.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

typedef struct Slide {
    double mass, v, load, level, level_static, T;
} Slide;

// The same slide of a point, of a point in a plane at an angle, of a joint, and of a joint beside a contact.
static void write_point(char *text, size_t size, const Slide *s, const char *model)
{
    snprintf(text, size,
             "step: %.17g\nstop: 1\nmethod: rule\nbodies:\n"
             "  m: {kind: point, mass: %.17g, velocity: %.17g}\nelements:\n"
             "  load: {kind: force, on: m, value: %.17g}\n"
             "  rub: {kind: friction, on: m, model: %s, level: %.17g, static: %.17g}\n",
             s->T, s->mass, s->v, -s->load, model, s->level, s->level_static);
}

static void write_in_plane(char *text, size_t size, const Slide *s, const char *model)
{
    snprintf(text, size,
             "step: %.17g\nstop: 1\nmethod: rule\nbodies:\n"
             "  m: {kind: point, dimensions: 2, mass: %.17g, velocity: [%.17g, %.17g]}\nelements:\n"
             "  load: {kind: force, on: m, value: [%.17g, %.17g]}\n"
             "  rub: {kind: friction, on: m, model: %s, level: %.17g, static: %.17g}\n",
             s->T, s->mass, 0.6 * s->v, 0.8 * s->v, -0.6 * s->load, -0.8 * s->load, model, s->level,
             s->level_static);
}

static void write_joint(char *text, size_t size, const Slide *s, const char *model)
{
    snprintf(text, size,
             "step: %.17g\nstop: 1\nmethod: rule\nbodies:\n  m:\n    kind: robot\n    links:\n"
             "      - {name: l, joint: j, type: prismatic, axis: [1, 0, 0], mass: %.17g, inertia: "
             "[1, 1, 1]}\n    joints: {j: {velocity: %.17g}}\nelements:\n"
             "  load: {kind: force, on: m.j, value: %.17g}\n"
             "  rub: {kind: friction, on: m.j, model: %s, level: %.17g, static: %.17g}\n",
             s->T, s->mass, s->v, -s->load, model, s->level, s->level_static);
}

static void write_beside_contact(char *text, size_t size, const Slide *s, const char *model)
{
    write_joint(text, size, s, model);
    const size_t used = strlen(text);
    snprintf(
        text + used, size - used,
        "  floor: {kind: contact, on: m.l, shape: point, plane: {point: [0, 0, -1]}, mu: 0.5}\n");
}

typedef struct Way {
    void (*write)(char *text, size_t size, const Slide *s, const char *model);
    const char *x, *v; // channels
    double part;       // of the way along x
} Way;
static const Way ways[] = {{write_point, "m.x", "m.v", 1.0},
                           {write_in_plane, "m.x", "m.vx", 0.6},
                           {write_joint, "m.j.q", "m.j.qd", 1.0},
                           {write_beside_contact, "m.j.q", "m.j.qd", 1.0}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static Slide random_slide(Random *random, double from, double to)
{
    Slide s = {.mass = random_between(random, 0.5, 3.0),
               .v = random_between(random, 0.2, 1.0) * (random_below(random, 2) == 0 ? 1.0 : -1.0),
               .level = random_between(random, 2.0, 10.0),
               .T = 1.0 / (400 + random_below(random, 9600))};
    s.level_static = s.level * random_between(random, 1.1, 1.5);
    s.load = s.level + random_between(random, from, to) * (s.level_static - s.level);
    s.load = copysign(s.load, s.v); // against the motion
    return s;
}

// Place and speed after the time of the slide and a little.
static void follow(const Way *way, const Slide *s, const char *model, double *x, double *v)
{
    char text[1500];
    way->write(text, sizeof text, s, model);
    LiveScene live = live_scene_open(good_scene(text));
    const double slows = (fabs(s->load) + s->level) / s->mass;
    live_scene_go(&live, (int64_t)((fabs(s->v) / slows + 0.05) / s->T));
    *x = live_scene_value(&live, way->x);
    *v = live_scene_value(&live, way->v);
    live_scene_close(&live);
}

static void a_load_between_the_levels_is_held(void **unused)
{
    (void)unused;
    Random random = {5};
    int slid_back = 0;
    for (int i = 0; i < (int)steps_or(200, 40); ++i) {
        const Slide s = random_slide(&random, 0.05, 0.95);
        const double slows = (fabs(s.load) + s.level) / s.mass;
        const double way = copysign(s.v * s.v / (2.0 * slows), s.v);
        for (int k = 0; k < WAYS; ++k) {
            double x, v;
            follow(&ways[k], &s, "coulomb", &x, &v);
            assert_true(v == 0.0);
            assert_near(x, ways[k].part * way, 2.0 * fabs(s.v) * s.T);
        }
        double x, v;
        follow(&ways[0], &s, "finite-time, literal: true", &x, &v);
        slid_back += v != 0.0;
    }
    if (steps_or(1, 0) == 1) assert_true(slid_back > 0);
}

static void a_load_beyond_them_turns_the_body_round(void **unused)
{
    (void)unused;
    Random random = {6};
    for (int i = 0; i < (int)steps_or(50, 10); ++i) {
        const Slide s = random_slide(&random, 1.1, 1.6);
        for (int k = 0; k < WAYS; ++k) {
            double x, v;
            follow(&ways[k], &s, "coulomb", &x, &v);
            assert_true(v * s.v < 0.0);
        }
    }
}

// A box on four corners, at an angle: under cut they stop at one moment, and stick all together.
static void a_box_holds_a_load_between_its_levels(void **unused)
{
    (void)unused;
    Random random = {9};
    char text[1500];
    for (int i = 0; i < (int)steps_or(100, 20); ++i) {
        const Slide s = random_slide(&random, 0.05, 0.95);
        const double slows = (fabs(s.load) + s.level) / s.mass, N = 10.0 * s.mass;
        const double way = s.v * s.v / (2.0 * slows), angle = random_between(&random, 0.0, 6.0);
        const double c = cos(angle), d = sin(angle), push = copysign(s.load, s.v);
        for (int cuts = 0; cuts < 2; ++cuts) {
            snprintf(text, sizeof text,
                     "step: %.17g\nstop: 1\nmethod: %s\ngravity: [0, 0, -10]\nbodies:\n"
                     "  m: {kind: rigid, mass: %.17g, shape: box, size: [0.4, 0.4, 0.1], "
                     "position: [0, 0, 0.05], velocity: [%.17g, %.17g, 0]}\nelements:\n"
                     "  load: {kind: force, on: m, at: [0, 0, -0.05], value: [%.17g, %.17g, 0]}\n"
                     "  rub: {kind: contact, on: m, mu: %.17g, mu_static: %.17g}\n",
                     s.T, cuts ? "cut" : "rule", s.mass, c * s.v, d * s.v, -c * push, -d * push,
                     s.level / N, s.level_static / N);
            LiveScene live = live_scene_open(good_scene(text));
            live_scene_go(&live, (int64_t)((fabs(s.v) / slows + 0.05) / s.T));
            const double x = live_scene_value(&live, "m.x"), y = live_scene_value(&live, "m.y");
            assert_true(live_scene_value(&live, "rub.stick") == 1.0);
            assert_near(hypot(x, y), way, cuts ? 1e-10 : 2.0 * fabs(s.v) * s.T);
            live_scene_close(&live);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_holds_a_load_between_its_levels),
        cmocka_unit_test(a_load_between_the_levels_is_held),
        cmocka_unit_test(a_load_beyond_them_turns_the_body_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
