// Logs made by scenes of our own, with noise, for fits whose true values are known.
#ifndef FIT_TRIAL_H
#define FIT_TRIAL_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <stiction/fit.h>
#include <stiction/record.h>

typedef enum NoiseKind { NOISE_WHITE, NOISE_CORRELATED, NOISE_QUANTISED } NoiseKind;

typedef struct Trial {
    const char *scene;   // text, with the true values
    const char *fit;     // its section fit; the log is trial.csv with columns t, x, u, v
    const char *channel; // that is measured as x
    const char *second;  // as v, without noise; NULL: none
    const char *input;   // recorded as u
    const char *sets[8]; // other values to start from: "friction.level=9"
    int set_count;
    double deviation; // of the noise
    NoiseKind noise;
    double delay; // s, of the measured channel: whole steps
} Trial;

static inline double trial_uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static inline double trial_normal(uint64_t *seed)
{
    const double a = trial_uniform(seed), b = trial_uniform(seed);
    return sqrt(-2.0 * log(a)) * cos(6.28318530717958647692 * b);
}

// Correlated: over about ten rows, of the same deviation.
static inline double trial_noise(const Trial *trial, double value, double *before, uint64_t *seed)
{
    static const double kept = 0.9;
    if (trial->noise == NOISE_QUANTISED) {
        const double step = trial->deviation * sqrt(12.0);
        return step * floor((value + step * (trial_uniform(seed) - 0.5)) / step + 0.5);
    }
    const double fresh = trial_normal(seed);
    *before =
        trial->noise == NOISE_CORRELATED ? kept * *before + sqrt(1.0 - kept * kept) * fresh : fresh;
    return value + trial->deviation * *before;
}

static inline void trial_print(const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i)
        fprintf(stderr, "%s: %s\n", sti_messages_at(messages, i)->file,
                sti_messages_at(messages, i)->text);
}

// Writes trial.csv; false where the scene cannot be run.
static inline bool trial_log(const Trial *trial, const StiScene *scene, uint64_t seed)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    const int x = sti_network_channel_find(scene->network, trial->channel),
              u = sti_network_channel_find(scene->network, trial->input),
              v = trial->second != NULL ? sti_network_channel_find(scene->network, trial->second)
                                        : u;
    FILE *file = fopen("trial.csv", "w");
    const double T = sti_network_step(scene->network);
    double late[64] = {0}, before = 0.0;
    const int64_t delay = (int64_t)(trial->delay / T + 0.5);
    bool good = file != NULL && sti_recorder_begin(recorder, state, NULL, scratch) == STI_OK;
    if (good) fputs("t,x,u,v\n", file);
    for (int i = 0; i < 100; ++i) trial_uniform(&seed);
    for (int64_t k = 0; good && k <= scene->steps; ++k) {
        const double value = sti_recorder_value(recorder, x);
        late[k % 64] = value;
        if (k == 0)
            for (int i = 0; i < 64; ++i) late[i] = value;
        const double seen = late[(k + 64 - delay) % 64];
        fprintf(file, "%.9g,%.12g,%.12g,%.12g\n", (double)k * T,
                trial_noise(trial, seen, &before, &seed), sti_recorder_value(recorder, u),
                sti_recorder_value(recorder, v));
        if (k == scene->steps) break;
        good = sti_run(scene->network, NULL, state, scratch, 1) == STI_OK &&
               sti_recorder_follow(recorder, state, scratch) == STI_OK;
    }
    if (file != NULL) good = fclose(file) == 0 && good;
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return good;
}

// Runs the scene, adds noise of this seed, and fits. NULL after messages on standard error.
static inline StiFitResult *trial_fit(const Trial *trial, uint64_t seed, int threads)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene =
        sti_scene_read(trial->scene, strlen(trial->scene), "trial.yaml", NULL, messages);
    StiFitResult *result = NULL;
    FILE *file = fopen("trial.yaml", "w");
    if (scene != NULL && file != NULL && trial_log(trial, scene, seed)) {
        fprintf(file, "%s%s", trial->scene, trial->fit);
        fclose(file);
        const StiSceneOptions options = {.sets = trial->sets, .set_count = trial->set_count};
        StiFit *fit = sti_fit_load("trial.yaml", &options, messages);
        if (fit != NULL) result = sti_fit_run(fit, &(StiFitTask){.threads = threads});
        sti_fit_destroy(fit);
    }
    if (result == NULL) trial_print(messages);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return result;
}

static inline const StiFitted *trial_find(const StiFitResult *result, const char *name)
{
    for (int i = 0; i < result->count; ++i)
        if (strcmp(result->parameters[i].name, name) == 0) return &result->parameters[i];
    return NULL;
}

#endif
