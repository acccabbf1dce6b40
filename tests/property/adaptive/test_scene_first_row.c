// Row 0 of a recording is the moment at which the run starts: who sticks, and with which forces, does not depend
// on the method (`rule` takes inputs at the end of its first step: a short one). Random scenes of every kind; elastic friction, whose spring is not yet loaded, in closed form.
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
#include "support/random_scene.h"
#include "support/short.h"

static const char exactly[] = "method={adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}";

// false: the method does not run this scene.
static bool open_at_start(const char *text, const char *step, const char *set, LiveScene *live)
{
    const char *sets[] = {step, set};
    const StiSceneOptions options = {.sets = sets, .set_count = 2};
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", &options, messages);
    sti_messages_destroy(messages);
    if (scene == NULL) return false;
    *live = (LiveScene){.scene = scene,
                        .state = sti_state_create(scene->network),
                        .scratch = sti_scratch_create(scene->network),
                        .recorder = sti_recorder_create(scene->network)};
    if (sti_recorder_begin(live->recorder, live->state, NULL, live->scratch) == STI_OK) return true;
    live_scene_close(live);
    return false;
}

// How many channels of these roles differ between two methods.
static int differ(const RandomScene *scene, const LiveScene *one, const LiveScene *two, bool forces,
                  const char *who)
{
    int count = 0;
    double scale = 1.0;
    for (int i = 0; i < scene->channel_count; ++i)
        if (scene->channels[i].role == ROLE_FORCE)
            scale = fmax(scale, fabs(live_scene_value(two, scene->channels[i].name)));
    for (int i = 0; i < scene->channel_count; ++i) {
        const SceneChannel *c = &scene->channels[i];
        if (c->role != ROLE_STICK && (c->role != ROLE_FORCE || !forces)) continue;
        const double a = live_scene_value(one, c->name), b = live_scene_value(two, c->name);
        if (fabs(a - b) <= 1e-8 * scale) continue;
        print_error("%s under %s: %s is %.12g, with error control %.12g\n", scene->kind, who,
                    c->name, a, b);
        ++count;
    }
    return count;
}

static void the_first_row_does_not_depend_on_the_method(void **unused)
{
    (void)unused;
    static RandomScene scene;
    int wrong = 0, compared = 0;
    for (int k = 0; random_scene_kind(k) != NULL; ++k)
        for (int seed = 0; seed < (int)steps_or(17, 2); ++seed) {
            assert_true(random_scene_make(&scene, random_scene_kind(k), seed, SCENE_PLAIN));
            LiveScene exact = {0}, live = {0};
            if (!open_at_start(scene.text, "step=1e-3", exactly, &exact)) continue;
            if (open_at_start(scene.text, "step=1e-3", "method=cut", &live)) {
                wrong += differ(&scene, &live, &exact, true, "cut");
                live_scene_close(&live);
                ++compared;
            }
            if (open_at_start(scene.text, "step=1e-6", "method=rule", &live)) {
                wrong += differ(&scene, &live, &exact, false, "rule");
                live_scene_close(&live);
            }
            live_scene_close(&exact);
        }
    assert_true(compared > 20);
    assert_int_equal(wrong, 0);
}

// Sticking it pulls with K e + B v; beyond the level it slips, from the first moment on.
static void elastic_friction_starts_within_its_level(void **unused)
{
    (void)unused;
    Random random = {8};
    static const char *const how[] = {"method=cut", "method=ark4", "method=ark3", exactly};
    char text[800];
    for (int i = 0; i < (int)steps_or(60, 6); ++i) {
        const double level = random_decades(&random, 0.5, 20.0);
        const double K = random_decades(&random, 1e2, 1e5), B = random_decades(&random, 1.0, 1e3);
        const double v = random_between(&random, -2.0, 2.0) * level / B;
        const double e = random_between(&random, -0.9, 0.9) * level / K;
        snprintf(text, sizeof text,
                 "stop: 1\nbodies:\n  m: {kind: point, mass: 1, velocity: %.17g}\nelements:\n"
                 "  rub: {kind: friction, on: m, model: elastic-coulomb, level: %.17g, "
                 "stiffness: %.17g, damping: %.17g, deflection: %.17g}\n",
                 v, level, K, B, e);
        const double held = K * e + B * v;
        for (int h = 0; h < 4; ++h) {
            LiveScene live = {0};
            assert_true(open_at_start(text, "step=1e-3", how[h], &live));
            assert_near(live_scene_value(&live, "rub.force"), fmax(-level, fmin(level, held)),
                        1e-12 * level);
            assert_true(live_scene_value(&live, "rub.stick") == (fabs(held) <= level));
            live_scene_close(&live);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_row_does_not_depend_on_the_method),
        cmocka_unit_test(elastic_friction_starts_within_its_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
