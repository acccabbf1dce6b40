// What moves when a run starts slips: row 0 says so, and the first step takes the level of slip, not
// the static one. What is at rest sticks up to the static level. Every way that friction can be resolved.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static const double T = 1e-3;

// Text of a scene in which `m` starts with v and is pushed with F; its friction is called rub.
typedef void Write(char *text, size_t size, double mass, double v, double F, double level,
                   double level_static);

static void on_a_line(char *text, size_t size, double mass, double v, double F, double level,
                      double level_static)
{
    snprintf(text, size,
             "stop: 1\nbodies:\n  m: {kind: point, mass: %.17g, velocity: %.17g}\nelements:\n"
             "  push: {kind: force, on: m, value: %.17g}\n"
             "  rub: {kind: friction, on: m, model: coulomb, level: %.17g, static: %.17g}\n",
             mass, v, F, level, level_static);
}

static void in_a_plane(char *text, size_t size, double mass, double v, double F, double level,
                       double level_static)
{
    snprintf(text, size,
             "stop: 1\nbodies:\n  m: {kind: point, dimensions: 2, mass: %.17g, "
             "velocity: [0, %.17g]}\nelements:\n"
             "  push: {kind: force, on: m, value: [0, %.17g]}\n"
             "  rub: {kind: friction, on: m, model: coulomb, level: %.17g, static: %.17g}\n",
             mass, v, F, level, level_static);
}

static void at_a_joint(char *text, size_t size, double mass, double v, double F, double level,
                       double level_static)
{
    snprintf(text, size,
             "stop: 1\nbodies:\n  m:\n    kind: robot\n    links:\n"
             "      - {name: l, joint: j, type: prismatic, axis: [1, 0, 0], mass: %.17g, "
             "inertia: [1, 1, 1]}\n"
             "    joints: {j: {velocity: %.17g}}\nelements:\n"
             "  push: {kind: force, on: m.j, value: %.17g}\n"
             "  rub: {kind: friction, on: m.j, model: coulomb, level: %.17g, static: %.17g}\n",
             mass, v, F, level, level_static);
}

static void of_a_contact(char *text, size_t size, double mass, double v, double F, double level,
                         double level_static)
{
    const double N = 10.0 * mass;
    snprintf(text, size,
             "stop: 1\ngravity: [0, 0, -10]\nbodies:\n"
             "  m: {kind: rigid, mass: %.17g, shape: box, size: [0.2, 0.2, 0.1], "
             "position: [0, 0, 0.05], velocity: [%.17g, 0, 0]}\nelements:\n"
             "  push: {kind: force, on: m, at: [0, 0, -0.05], value: [%.17g, 0, 0]}\n"
             "  rub: {kind: contact, on: m, mu: %.17g, mu_static: %.17g}\n",
             mass, v, F, level / N, level_static / N);
}

typedef struct Way {
    Write *write;
    const char *velocity; // channel
    const char *how[5];   // NULL: no more
} Way;
static const Way ways[] = {
    {on_a_line, "m.v", {"method=rule", "solver=coupled", "solver=sweeps", "method=cut"}},
    {in_a_plane, "m.vy", {"method=rule", "solver=coupled", "solver=sweeps", "method=cut"}},
    {at_a_joint, "m.j.qd", {"method=rule", "solver=coupled", "solver=sweeps", "method=cut"}},
    {of_a_contact, "m.vx", {"method=rule"}},
};

static LiveScene open_scene(const char *text, const char *set)
{
    const char *sets[] = {set};
    const StiSceneOptions options = {.sets = sets, .set_count = 1};
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", &options, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_error("%s: %s\n", set, sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    return live_scene_open(scene);
}

static void what_moves_slips_from_the_first_row_on(void **unused)
{
    (void)unused;
    Random random = {3};
    const int trials = (int)steps_or(40, 4);
    char text[1200];
    for (int i = 0; i < trials; ++i)
        for (int w = 0; w < 4; ++w)
            for (int h = 0; ways[w].how[h] != NULL; ++h) {
                const double mass = random_decades(&random, 0.1, 10.0);
                const double level = random_decades(&random, 0.5, 20.0) * mass;
                const double level_static = random_between(&random, 1.1, 1.6) * level;
                // would stop in the first step under the static level, not under that of slip
                const double v = T / mass * random_between(&random, 1.01 * level, 0.99 * level_static);
                ways[w].write(text, sizeof text, mass, v, 0.0, level, level_static);
                LiveScene l = open_scene(text, ways[w].how[h]);
                assert_true(live_scene_value(&l, "rub.stick") == 0.0);
                live_scene_go(&l, 1);
                assert_near(live_scene_value(&l, ways[w].velocity), v - T * level / mass, 1e-12 * v);
                assert_true(live_scene_value(&l, "rub.stick") == 0.0);
                live_scene_close(&l);
            }
}

static void what_rests_sticks_up_to_the_static_level(void **unused)
{
    (void)unused;
    Random random = {4};
    const int trials = (int)steps_or(40, 4);
    char text[1200];
    for (int i = 0; i < trials; ++i)
        for (int w = 0; w < 4; ++w)
            for (int h = 0; ways[w].how[h] != NULL; ++h) {
                const double mass = random_decades(&random, 0.1, 10.0);
                const double level = random_decades(&random, 0.5, 9.0) * mass;
                const double level_static = random_between(&random, 1.1, 1.6) * level;
                const double F = random_between(&random, 1.01 * level, 0.99 * level_static);
                ways[w].write(text, sizeof text, mass, 0.0, F, level, level_static);
                LiveScene l = open_scene(text, ways[w].how[h]);
                assert_true(live_scene_value(&l, "rub.stick") == 1.0);
                live_scene_go(&l, 1);
                assert_near(live_scene_value(&l, ways[w].velocity), 0.0, w == 3 ? 1e-15 : 0.0);
                assert_true(live_scene_value(&l, "rub.stick") == 1.0);
                live_scene_close(&l);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moves_slips_from_the_first_row_on),
        cmocka_unit_test(what_rests_sticks_up_to_the_static_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
