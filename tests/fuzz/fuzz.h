// What the fuzz targets share.
#ifndef STICTION_TESTS_FUZZ_H
#define STICTION_TESTS_FUZZ_H

#include <stdint.h>
#include <stdlib.h>

#include "stiction/scene.h"
#include "stiction/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Whether stepping succeeds does not matter: numbers may be anything.
static inline void step_twice(const StiNetwork *network)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    if (state != NULL && scratch != NULL) sti_run(network, NULL, state, scratch, 2);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
}

static inline void read_and_step(const char *text, size_t size, const StiSceneOptions *options)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, size, "fuzz.yaml", options, messages);
    if ((scene == NULL) != (sti_messages_error_count(messages) > 0))
        abort(); // no scene without a reason
    for (int i = 0; i < sti_messages_count(messages); ++i)
        if (sti_messages_at(messages, i)->text[0] == '\0') abort();
    if (scene != NULL) step_twice(scene->network);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
}

#endif
