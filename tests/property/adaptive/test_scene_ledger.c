// The energy ledger of every scene of the repository under every method that takes it: both counts
// agree, and nothing that only resists gives.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/adaptive.h"
#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static const char *const methods[] = {
    NULL, // the scene's own
    "method=rule",
    "method=cut",
    "method=rk4",
    "method=euler",
    "method=symplectic-euler",
    "method=heun",
    "method=gill",
    "method=ark4",
    "method=ark3",
    "method=rk4-split",
    "solver=semi-implicit",
    "solver=implicit",
    "solver=sweeps",
    "solver=coupled",
    "method={adaptive: dormand-prince}",
    "method={adaptive: bdf}",
    "method={adaptive: ode23}",
};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

// Follows the scene for some steps, with the most that dissipation fell in one; what fails on the way (painleve, accumulating events) ends it.
// most_given: the most that dissipation fell in one step; most: the largest energy on the way.
static StiEnergy follow(const StiScene *scene, long steps, double *most_given, double *most)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    StiReport *report = sti_report_create();
    StiAdaptive *adaptive = scene->adaptive != NULL
                                ? sti_adaptive_create(scene->network, scene->adaptive, report)
                                : NULL;
    assert_true(scene->adaptive == NULL || adaptive != NULL);
    StiStatus status = sti_recorder_begin(recorder, state, NULL, scratch);
    double dissipated = 0.0;
    for (long k = 0; k < steps && k < scene->steps && status == STI_OK; ++k) {
        status = adaptive != NULL ? sti_adaptive_step(adaptive, NULL, state, scratch)
                                  : sti_run(scene->network, NULL, state, scratch, 1);
        if (status == STI_OK) status = sti_recorder_follow(recorder, state, scratch);
        const StiEnergy now = sti_recorder_energy(recorder);
        *most_given = fmax(*most_given, dissipated - now.dissipated);
        *most = fmax(*most, fmax(fabs(now.stored), fabs(now.work)));
        dissipated = now.dissipated;
    }
    const StiEnergy energy = sti_recorder_energy(recorder);
    sti_adaptive_destroy(adaptive);
    sti_report_destroy(report);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return energy;
}

// most: J, what a part lifted and put down again had in between
static void judge(const char *path, const char *method, StiEnergy e, double most)
{
    const double size = 1e-3 + most + fabs(e.work) + fabs(e.stored) + fabs(e.stored_start) +
                        fabs(e.dissipated) + fabs(e.numerical);
    if (!isfinite(e.stored)) return; // too stiff for an explicit method, which has warned
    if (!(fabs(e.residual) <= 1e-12 * size))
        print_error("%s, %s: residual %g J of %g J\n", path, method, e.residual, size);
    assert_true(fabs(e.residual) <= 1e-12 * size);
}

// Returns 1 if the scene takes this method.
static int try_scene(const char *path, const char *set, const char *variant)
{
    const char *sets[] = {set};
    const StiSceneOptions options = {.sets = sets, .set_count = set != NULL, .variant = variant};
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, &options, messages);
    sti_messages_destroy(messages);
    if (scene == NULL) return 0;
    const bool usual = set == NULL || strcmp(set, "method=rule") == 0 || strcmp(set, "method=cut") == 0;
    const long steps = scene->adaptive != NULL ? steps_or(100, 5) : steps_or(usual ? 1000 : 200, 20);
    double given = 0.0, most = 0.0;
    const StiEnergy energy = follow(scene, steps, &given, &most);
    judge(path, set != NULL ? set : variant != NULL ? variant : "its own method", energy, most);
    sti_scene_destroy(scene);
    return 1;
}

static int try_variants(const char *path)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, NULL, messages);
    int count = 0;
    for (int i = 0; scene != NULL && i < scene->variant_count; ++i)
        count += try_scene(path, NULL, scene->variants[i].name);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return count;
}

static void every_scene_balances_under_every_method(void **unused)
{
    (void)unused;
    static const char *const patterns[] = {SOURCE_DIR "/papers/*/*/*.yaml",
                                           SOURCE_DIR "/scenes/*/*.yaml",
                                           SOURCE_DIR "/tests/cli/scenes/*.yaml"};
    glob_t files = {0};
    int runs = 0;
    for (int i = 0; i < 3; ++i)
        assert_int_equal(glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; ++i) {
        for (int m = 0; m < METHOD_COUNT; ++m) runs += try_scene(files.gl_pathv[i], methods[m], NULL);
        runs += try_variants(files.gl_pathv[i]);
    }
    assert_true(runs > 8 * (int)files.gl_pathc);
    globfree(&files);
}

// Balls, one spinning, thrown at a floor and at each other: contacts never give anything back, and with
// restitution 1 and no friction they take nothing. (Balls that meet just when one is at the floor lose.)
static void impacts_never_give(void **unused)
{
    (void)unused;
    Random random = {9};
    const int runs = (int)steps_or(60, 6);
    for (int i = 0; i < runs; ++i) {
        const double e = i % 3 == 0 ? 1.0 : random_between(&random, 0.0, 1.0);
        const double mu = i % 2 == 0 ? 0.0 : random_between(&random, 0.1, 0.6);
        char text[900];
        snprintf(text, sizeof text,
                 "stop: 1\n"
                 "gravity: [0, 0, -9.81]\n"
                 "method: %s\n"
                 "bodies:\n"
                 "  a: {kind: rigid, mass: 0.7, shape: sphere, radius: 0.1, position: [0, 0, %.17g], "
                 "velocity: [%.17g, 0, %.17g], angular_velocity: [3, -4, 5]}\n"
                 "  b: {kind: rigid, mass: %.17g, shape: sphere, radius: 0.1, "
                 "position: [%g, 0.02, %.17g], velocity: [-1, 0, 0]}\n"
                 "elements:\n"
                 "  floor: {kind: contact, on: [a, b], restitution: %.17g, mu: %.17g}\n"
                 "  each: {kind: contact, between: [a, b], restitution: %.17g, mu: %.17g}\n",
                 i % 4 == 3 ? "{adaptive: dormand-prince}" : "rule", random_between(&random, 0.2, 0.6),
                 random_between(&random, -1.0, 2.0), random_between(&random, -1.0, 1.0),
                 random_between(&random, 0.2, 2.0), e == 1.0 ? 5.0 : 0.5,
                 random_between(&random, 0.2, 0.6), e, mu, e, mu);
        StiScene *scene = good_scene(text);
        double given = 0.0, most = 0.0;
        const StiEnergy energy = follow(scene, 1000, &given, &most);
        judge(text, "impacts", energy, most);
        const double size = energy.stored_start;
        if (e == 1.0 && mu == 0.0) assert_near(energy.dissipated, 0.0, 1e-9 * size);
        assert_near(given, 0.0, (i % 4 == 3 ? 1e-8 : 1e-12) * size); // works are not error controlled
        sti_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_balances_under_every_method),
        cmocka_unit_test(impacts_never_give),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
