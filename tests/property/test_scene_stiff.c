// Masses with springs, dampers and friction that are stiff for the step at random, by factors of up to 1e4. A run that
// fails has been warned of; one without a warning makes no energy; cut, ark4 and ark3 do not fail.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"
#include "support/short.h"
#include "stiction/record.h"
#include "stiction/scene.h"

enum { MASSES = 3, TEXT = 4000 };
static const char *const methods[] = {"cut", "ark4",  "ark3", "rk4-split", "rule",
                                      "rk4", "euler", "heun", "gill",      "symplectic-euler"};
enum { METHODS = sizeof methods / sizeof methods[0], STABLE = 3 };

static int write_element(Random *random, int k, double m, char *to, size_t size)
{
    static const double T = 1e-3;
    static const char *const bristles[] = {"dahl", "lugre", "elastoplastic", "elastic-coulomb"};
    const double rate = random_decades(random, 1e-2, 1e4), K = m / (T * T) * rate * 1e-2;
    const double level = 5.0 * m, B = m / T * random_decades(random, 1e-3, 10.0);
    char on[60];
    if (k == 0 || random_below(random, 5) < 2)
        snprintf(on, sizeof on, "on: m%d", k);
    else
        snprintf(on, sizeof on, "between: [m%d, m%d]", k - 1, k);
    switch (random_below(random, 5)) {
    case 0:
        return snprintf(to, size,
                        "  s%d: {kind: spring-damper, %s, stiffness: %.17g, damping: %.17g}\n", k,
                        on, K * rate, B);
    case 1:
        return snprintf(to, size,
                        "  s%d: {kind: spring-damper, %s, stiffness: %.17g, damping: %.17g}\n", k,
                        on, 100.0 * m, m / T * rate);
    case 2:
        return snprintf(to, size,
                        "  s%d: {kind: friction, %s, model: coulomb, level: 1, viscous: %.17g}\n",
                        k, on, m / T * rate);
    case 3:
        return snprintf(to, size,
                        "  s%d: {kind: friction, %s, model: coulomb, law: tanh, level: %.17g, "
                        "stribeck_speed: %.17g}\n",
                        k, on, level, random_decades(random, 1e-6, 0.1));
    default: {
        const int model = random_below(random, 4);
        char damping[60] = "";
        if (model == 3) snprintf(damping, sizeof damping, ", damping: %.17g", 10.0 * B);
        return snprintf(
            to, size, "  s%d: {kind: friction, %s, model: %s, level: %.17g, stiffness: %.17g%s}\n",
            k, on, bristles[model], level, K, damping);
    }
    }
}

static void write_scene(Random *random, const char *method, char *text)
{
    const int count = 1 + random_below(random, MASSES);
    double m[MASSES];
    int at = snprintf(text, TEXT, "stop: 0.3\nmethod: %s\nbodies:\n", method);
    for (int k = 0; k < count; ++k) {
        m[k] = random_decades(random, 0.01, 10.0);
        at +=
            snprintf(text + at, (size_t)(TEXT - at),
                     "  m%d: {kind: point, mass: %.17g, position: %.17g, velocity: %.17g}\n", k,
                     m[k], random_between(random, -0.01, 0.01), random_between(random, -1.0, 1.0));
    }
    at += snprintf(text + at, (size_t)(TEXT - at), "elements:\n");
    for (int k = 0; k < count; ++k)
        at += write_element(random, k, m[k], text + at, (size_t)(TEXT - at));
}

static bool has_warned(const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i)
        if (sti_messages_at(messages, i)->severity == STI_WARNING) return true;
    return false;
}

// false: it failed, or made energy without end.
static bool runs(const StiScene *scene, StiEnergy *energy)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    StiStatus status = sti_recorder_begin(recorder, state, NULL, scratch);
    for (long k = 0; k < scene->steps && status == STI_OK; ++k) {
        status = sti_run(scene->network, NULL, state, scratch, 1);
        if (status == STI_OK) status = sti_recorder_follow(recorder, state, scratch);
        if (sti_recorder_runaway(recorder) != NULL) break;
    }
    const bool ends = status == STI_OK && sti_recorder_runaway(recorder) == NULL;
    *energy = sti_recorder_energy(recorder);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return ends;
}

static void who_fails_was_warned_and_who_was_not_is_right(void **unused)
{
    (void)unused;
    Random random = {17};
    char text[TEXT];
    int failed = 0, quiet = 0;
    for (int i = 0; i < (int)steps_or(300, 40); ++i) {
        const int method = i % METHODS;
        write_scene(&random, methods[method], text);
        StiMessages *messages = sti_messages_create();
        StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
        assert_non_null(scene);
        StiEnergy energy;
        const bool ends = runs(scene, &energy), warned = has_warned(messages);
        const bool good = ends ? warned || energy.stored <= 1.05 * energy.stored_start + 1e-9
                               : warned && method >= STABLE;
        if (!good)
            print_error("%s%s: %g J, then %g J\n%s", methods[method], ends ? "" : " failed",
                        energy.stored_start, energy.stored, text);
        assert_true(good);
        failed += !ends;
        quiet += ends && !warned;
        sti_messages_destroy(messages);
        sti_scene_destroy(scene);
    }
    assert_true(failed > 0 && quiet > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_fails_was_warned_and_who_was_not_is_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
