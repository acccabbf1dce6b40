// How long a step takes at most: a loop in real time, with what keeps the system from interfering. Prints the
// median, high quantiles and page faults; fails if a step after the first met one.
//     real_time [SCENE [STEPS]]
#define _GNU_SOURCE // RUSAGE_THREAD
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <stiction/scene.h>
#include <stiction/stiction.h>

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long page_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static StiScene *load(const char *path)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, NULL, messages);
    if (scene == NULL && sti_messages_count(messages) > 0)
        fprintf(stderr, "%s\n", sti_messages_at(messages, 0)->text);
    sti_messages_destroy(messages);
    return scene;
}

// Processor time of the thread: what others take from it is the system's affair, not the step's.
static StiStatus measure(const StiNetwork *network, StiState *state, StiScratch *scratch, int count,
                         double *times, long *faults)
{
    StiStatus status = sti_step(network, NULL, state, scratch);
    const long before = page_faults();
    for (int k = 0; k < count && status == STI_OK; ++k) {
        const double began = seconds(CLOCK_THREAD_CPUTIME_ID);
        status = sti_step(network, NULL, state, scratch);
        times[k] = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
    }
    *faults = page_faults() - before;
    return status;
}

static void print(double *times, int count, long faults)
{
    static const double shares[] = {0.5, 0.99, 0.999, 0.9999};
    qsort(times, (size_t)count, sizeof *times, compare);
    for (int i = 0; i < 4; ++i)
        printf("%7g %% of steps below %8.2f us\n", 100.0 * shares[i],
               1e6 * times[(int)(shares[i] * (count - 1))]);
    printf("the longest %19.2f us\npage faults after the first step: %ld\n", 1e6 * times[count - 1],
           faults);
}

// A state and a scratch that are thrown away: the code of all that will happen is in memory then.
static StiStatus rehearse(const StiNetwork *network, int count)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    const StiStatus status = state != NULL && scratch != NULL
                                 ? sti_run(network, NULL, state, scratch, count)
                                 : STI_OUT_OF_MEMORY;
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return status;
}

int main(int argc, char **argv)
{
    const int count = argc > 2 ? atoi(argv[2]) : 2000;
    StiScene *scene = load(argc > 1 ? argv[1] : "real_time.yaml");
    if (scene == NULL || count < 1) return EXIT_FAILURE;
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    double *times = calloc((size_t)count, sizeof *times);
    long faults = 0;
    StiStatus status = times != NULL ? rehearse(scene->network, count) : STI_OUT_OF_MEMORY;
    for (int k = 0; status == STI_OK && k < count; ++k) times[k] = 1.0; // its pages, too
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) puts("(memory may not be locked here)");
    if (status == STI_OK)
        status = measure(scene->network, state, scratch, count, times, &faults);
    if (status == STI_OK) print(times, count, faults);
    if (status != STI_OK) fprintf(stderr, "%s\n", sti_status_text(status));
    free(times);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    return status == STI_OK && faults == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
