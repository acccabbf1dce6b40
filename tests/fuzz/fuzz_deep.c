// Any bytes as a scene under some method: compiled, and stepped 50 times. The first byte chooses the method.
#include <stdint.h>
#include <stdlib.h>

#include "fuzz.h"

static const char *const methods[] = {
    "method=cut",       "method=rule",           "method=rk4",      "method=euler",
    "method=ark4",      "method=ark3",           "method=heun",     "method=symplectic-euler",
    "method=rk4-split", "solver=semi-implicit",  "solver=implicit", "solver=coupled",
    "solver=sweeps",    "allow_unphysical=true",
};

// Evaluations are counted, not seconds: what is slow is no hang as long as it looks.
static bool is_enough(void *context)
{
    enum { MOST = 5000 };
    return ++*(int *)context > MOST;
}

static void step_often(const StiNetwork *network)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    int evaluations = 0;
    if (scratch != NULL) sti_scratch_watch(scratch, is_enough, &evaluations);
    if (state != NULL && scratch != NULL) sti_run(network, NULL, state, scratch, 50);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    const char *set = methods[data[0] % (sizeof methods / sizeof methods[0])];
    const StiSceneOptions options = {.sets = &set, .set_count = 1};
    StiMessages *messages = sti_messages_create();
    StiScene *scene =
        sti_scene_read((const char *)data + 1, size - 1, "fuzz.yaml", &options, messages);
    if (scene != NULL) step_often(scene->network);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return 0;
}
