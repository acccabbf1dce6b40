// Every public model that loads runs: 4 steps under the default, or as many as STI_TEST_PUBLIC_STEPS says. Where a step
// fails the reader, or the energy account, has said why. Under sanitizers every fourth model, 2 steps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "stiction/network.h"
#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/public_robots.h"

typedef struct Tally {
    int files, loaded, warned, failed;
    int stride; // every so many of the files
    int64_t steps;
} Tally;

// That the step is too long for what the model has in it.
static bool was_warned(const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity == STI_WARNING &&
            (strstr(message->text, "too stiff for the step") != NULL ||
             strstr(message->text, "is not stable") != NULL))
            return true;
    }
    return false;
}

static bool is_finite(const StiScene *scene, const StiRecorder *recorder)
{
    StiChannel channel;
    for (int i = 0; sti_network_channel(scene->network, i, &channel); ++i)
        if (!isfinite(sti_recorder_value(recorder, i))) return false;
    return true;
}

static StiStatus simulate(const StiScene *scene, int64_t steps)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    StiStatus status = sti_recorder_begin(recorder, state, NULL, scratch);
    for (int64_t k = 0; k < steps && status == STI_OK; ++k) {
        status = sti_run(scene->network, NULL, state, scratch, 1);
        if (status == STI_OK) status = sti_recorder_follow(recorder, state, scratch);
        if (status == STI_OK && !is_finite(scene, recorder)) status = STI_NOT_FINITE;
    }
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return status;
}

static void run_model(const char *path, void *data)
{
    Tally *tally = data;
    if (tally->files++ % tally->stride != 0) return;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, NULL, messages);
    if (scene != NULL) {
        const StiStatus status = simulate(scene, tally->steps);
        ++tally->loaded;
        if (status != STI_OK) {
            const bool warned = was_warned(messages);
            print_message("%s: %s%s\n", path, sti_status_text(status), warned ? ", warned of" : "");
            ++*(warned ? &tally->warned : &tally->failed);
        }
    }
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
}

static void all_in(const char *kind, const char *ending)
{
    const char *steps = getenv("STI_TEST_PUBLIC_STEPS");
    const bool sanitized = getenv("STI_TEST_SHORT") != NULL;
    Tally tally = {.stride = sanitized ? 4 : 1,
                   .steps = steps != NULL ? atoll(steps) : sanitized ? 2 : 4};
    char folder[512];
    if (!public_robots_are_there(kind)) skip();
    snprintf(folder, sizeof folder, "%s/../shared/data/robots/%s", SOURCE_DIR, kind);
    public_robots_in(folder, ending, run_model, &tally);
    print_message("%s: %d files, %d load, %d stop after a warning, %d without\n", kind, tally.files,
                  tally.loaded, tally.warned, tally.failed);
    assert_int_equal(tally.failed, 0);
    assert_true(tally.warned <= (tally.loaded + 49) / 50);
}

static void urdf_runs(void **state)
{
    (void)state;
    all_in("urdf", ".urdf");
}

static void mjcf_runs(void **state)
{
    (void)state;
    all_in("mjcf", ".xml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(urdf_runs), cmocka_unit_test(mjcf_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
