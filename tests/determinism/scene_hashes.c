// scene_hashes SCENE...: runs each scene as far as STEPS steps and prints a hash over all its states, so that
// runs on different processors, or of different compilers, can be compared.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stiction/scene.h"
#include "stiction/step.h"

enum { STEPS = 3000 };

static const char *run(const StiScene *scene, uint64_t *hash)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiStatus status = state != NULL && scratch != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    const int64_t steps = scene->steps < STEPS ? scene->steps : STEPS;
    for (int64_t i = 0; status == STI_OK && i < steps; ++i) {
        status = sti_run(scene->network, NULL, state, scratch, 1);
        *hash = (*hash ^ sti_state_hash(state)) * 0x100000001b3u;
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return sti_status_text(status);
}

int main(int count, char **paths)
{
    for (int i = 1; i < count; ++i) {
        StiMessages *messages = sti_messages_create();
        StiScene *scene = sti_scene_load(paths[i], NULL, messages);
        uint64_t hash = 0xcbf29ce484222325u;
        const char *status = scene != NULL ? run(scene, &hash) : "not read";
        printf("%016" PRIx64 " %s %s\n", hash, paths[i], status);
        sti_scene_destroy(scene);
        sti_messages_destroy(messages);
    }
    return EXIT_SUCCESS;
}
