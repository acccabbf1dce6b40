// native_run STEPS SCENE [VARIANT]: the state's hash after so many steps, and microseconds per step: what the WebAssembly
// module is compared with. STEPS 0: all of the scene's.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <stiction/scene.h>
#include <stiction/step.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run(const StiScene *scene, int64_t steps)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    if (state == NULL || scratch == NULL) return EXIT_FAILURE;
    const double began = now();
    const StiStatus status = sti_run(scene->network, NULL, state, scratch, steps);
    const double seconds = now() - began;
    printf("%016" PRIx64 " %.4f %" PRId64 "\n", sti_state_hash(state),
           1e6 * seconds / (double)steps, sti_state_k(state));
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return status == STI_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count, char **words)
{
    if (count < 3) return 2;
    const long long steps = atoll(words[1]);
    StiMessages *messages = sti_messages_create();
    StiScene *scene =
        messages != NULL
            ? sti_scene_load(words[2], &(StiSceneOptions){.variant = count > 3 ? words[3] : NULL},
                             messages)
            : NULL;
    int code = 2;
    if (scene != NULL && scene->adaptive != NULL) printf("adaptive\n");
    if (scene != NULL)
        code =
            scene->adaptive != NULL ? EXIT_SUCCESS : run(scene, steps > 0 ? steps : scene->steps);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return code;
}
