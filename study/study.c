// A study is loaded, and how its runs get their parameters is decided.
#include "stiction/lanes.h"
#include "study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "design.h"
#include "stiction/adaptive.h"
#include "stiction/step.h"
#include "stiction/version.h"

static char *copy_text(const char *text)
{
    if (text == NULL) return NULL;
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static bool keep_options(StiStudy *study, const char *path, const StiSceneOptions *options)
{
    static const StiSceneOptions none;
    if (options == NULL) options = &none;
    study->path = copy_text(path);
    study->variant = copy_text(options->variant);
    study->confine = copy_text(options->confine);
    study->sets = calloc((size_t)options->set_count + 1, sizeof *study->sets);
    bool good = study->path != NULL && study->sets != NULL &&
                (study->variant != NULL) == (options->variant != NULL) &&
                (study->confine != NULL) == (options->confine != NULL);
    for (int i = 0; good && i < options->set_count; ++i) {
        study->sets[i] = copy_text(options->sets[i]);
        study->set_count += study->sets[i] != NULL;
        good = study->sets[i] != NULL;
    }
    return good;
}

// "friction.level=12.5", to the last bit.
static bool write_sets(const StiStudy *study, const double *values, char **sets)
{
    const StiDesign *design = study->scene->study;
    for (int i = 0; i < study->set_count; ++i) sets[i] = study->sets[i];
    for (int i = 0; i < design->varied_count; ++i) {
        const char *path = design->varied[i].path;
        const size_t size = strlen(path) + 32;
        char *set = malloc(size);
        if (set == NULL) return false;
        snprintf(set, size, "%s=%.17g", path, values[i]);
        sets[study->set_count + i] = set;
    }
    return true;
}

StiScene *study_load_scene(const StiStudy *study, const double *values, StiMessages *messages)
{
    const int varied = values != NULL ? study->scene->study->varied_count : 0;
    const int count = study->set_count + varied;
    char **sets = calloc((size_t)count + 1, sizeof *sets);
    StiScene *scene = NULL;
    if (sets != NULL && (varied == 0 || write_sets(study, values, sets))) {
        if (varied == 0)
            for (int i = 0; i < count; ++i) sets[i] = study->sets[i];
        const StiSceneOptions options = {.sets = (const char *const *)sets,
                                         .set_count = count,
                                         .variant = study->variant,
                                         .confine = study->confine};
        scene = study->text != NULL ? sti_scene_read(study->text, study->length, study->path,
                                                     &options, messages)
                                    : sti_scene_load(study->path, &options, messages);
    }
    for (int i = study->set_count; sets != NULL && i < count; ++i) free(sets[i]);
    free(sets);
    return scene;
}

// ---- may runs set parameters of the plan instead of reading the scene again? --------------------------------

static bool same_parameters(const StiPlan *a, const StiPlan *b)
{
    StiParameter p, q;
    for (int i = 0;; ++i) {
        const bool more = sti_plan_parameter(a, i, &p);
        if (sti_plan_parameter(b, i, &q) != more) return false;
        if (!more) return true;
        if (strcmp(p.path, q.path) != 0 || memcmp(&p.value, &q.value, sizeof p.value) != 0)
            return false;
    }
}

// After some steps from the start; 0: it cannot be said.
static uint64_t hash_after_steps(const StiNetwork *network)
{
    enum { STEPS = 3 };
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    uint64_t hash = 0;
    if (state != NULL && scratch != NULL &&
        sti_run(network, NULL, state, scratch, STEPS) == STI_OK)
        hash = sti_state_hash(state);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return hash;
}

static bool same_network(const StiNetwork *a, const StiNetwork *b)
{
    const uint64_t hash = hash_after_steps(a);
    return sti_network_layout(a) == sti_network_layout(b) &&
           sti_network_method(a) == sti_network_method(b) &&
           sti_network_step(a) == sti_network_step(b) && hash != 0 && hash == hash_after_steps(b);
}

// Sets the values of a run in the plan of trial, and reads the scene with them: is it the same?
static bool agrees(const StiStudy *study, StiScene *trial, int64_t run, double *values,
                   StiMessages *ignored)
{
    const StiDesign *design = study->scene->study;
    study_design_values(design, study->factor, run, values);
    bool same = true;
    for (int i = 0; i < design->varied_count; ++i)
        same = same && sti_plan_set(trial->plan, design->varied[i].path, values[i]) == STI_OK;
    if (!same) return false;
    StiNetwork *network = NULL;
    StiScene *read = study_load_scene(study, values, ignored);
    same = read != NULL && same_parameters(trial->plan, read->plan) &&
           sti_plan_compile(trial->plan, NULL, &network) == STI_OK &&
           same_network(network, read->network);
    sti_network_destroy(network);
    sti_scene_destroy(read);
    return same;
}

// The first, a run in between, the last.
static int64_t tried_run(const StiStudy *study, int i)
{
    return (study_design_runs(study->scene->study) - 1) * i / 2;
}

// A name that leads nowhere makes every run fail: the messages of the first are those of the study then. Where only
// some values are refused it is a matter of these runs.
static bool can_be_read(const StiStudy *study, StiMessages *messages)
{
    double *values = calloc((size_t)study->scene->study->varied_count, sizeof *values);
    StiMessages *ignored = sti_messages_create();
    bool good = false;
    for (int i = 0; values != NULL && ignored != NULL && i < 4 && !good; ++i) {
        study_design_values(study->scene->study, study->factor, tried_run(study, i % 3), values);
        StiScene *scene = study_load_scene(study, values, i < 3 ? ignored : messages);
        good = scene != NULL;
        sti_scene_destroy(scene);
    }
    sti_messages_destroy(ignored);
    free(values);
    return good;
}

// Reading a scene takes about ten times as long as setting its parameters and compiling. It is left out only where both give the same scene in the first,
// the last and a run in between: the same parameters, start, method and steps.
static bool may_set_directly(const StiStudy *study)
{
    StiMessages *ignored = sti_messages_create();
    StiScene *trial = ignored != NULL ? study_load_scene(study, NULL, ignored) : NULL;
    double *values = calloc((size_t)study->scene->study->varied_count, sizeof *values);
    bool good = trial != NULL && values != NULL;
    for (int i = 0; good && i < 3; ++i) good = agrees(study, trial, tried_run(study, i), values, ignored);
    free(values);
    sti_scene_destroy(trial);
    sti_messages_destroy(ignored);
    return good;
}

// ---- the fingerprint ----------------------------------------------------------------------------------------

static uint64_t add_number(uint64_t hash, double value)
{
    return sti_hash_bytes(hash, &value, sizeof value);
}

static uint64_t add_varied(uint64_t hash, const StiVaried *varied)
{
    hash = sti_hash_text(hash, varied->path);
    hash = sti_hash_bytes(hash, &varied->spread, sizeof varied->spread);
    const double numbers[5] = {varied->a, varied->b, varied->c, varied->least, varied->most};
    hash = sti_hash_bytes(hash, numbers, sizeof numbers);
    for (int i = 0; varied->values != NULL && i < varied->count; ++i)
        hash = add_number(hash, varied->values[i]);
    return hash;
}

static uint64_t add_measure(uint64_t hash, const StiExpectation *measure)
{
    hash = sti_hash_text(hash, measure->what);
    hash = sti_hash_text(hash, measure->channel);
    if (measure->against != NULL) hash = sti_hash_text(hash, measure->against);
    hash = sti_hash_bytes(hash, &measure->measure, sizeof measure->measure);
    hash = add_number(hash, measure->t1);
    return add_number(hash, measure->t2);
}

static uint64_t add_method(uint64_t hash, const StiScene *scene)
{
    const StiAdaptiveOptions *adaptive = scene->adaptive;
    if (adaptive == NULL) return sti_hash_text(hash, sti_network_method(scene->network)->name);
    hash = sti_hash_text(hash, adaptive->method);
    hash = add_number(add_number(hash, adaptive->rtol), adaptive->atol);
    return add_number(hash, adaptive->longest_step);
}

static uint64_t fingerprint_of(const StiScene *scene)
{
    const StiDesign *design = scene->study;
    uint64_t hash = sti_hash_text(STI_HASH_START, STI_VERSION);
    hash = sti_hash_bytes(hash, &scene->fingerprint, sizeof scene->fingerprint);
    hash = sti_hash_bytes(hash, &scene->steps, sizeof scene->steps);
    hash = add_number(hash, sti_network_step(scene->network));
    hash = add_method(hash, scene);
    const uint64_t numbers[3] = {(uint64_t)design->sample, (uint64_t)design->runs, design->seed};
    hash = sti_hash_bytes(hash, numbers, sizeof numbers);
    for (int i = 0; i < design->varied_count; ++i) hash = add_varied(hash, &design->varied[i]);
    for (int i = 0; i < design->correlation_count; ++i) {
        const StiCorrelation *c = &design->correlations[i];
        hash = add_number(add_number(add_number(hash, c->first), c->second), c->value);
    }
    for (int i = 0; i < design->measure_count; ++i) hash = add_measure(hash, &design->measures[i]);
    return hash;
}

// ---- loading ------------------------------------------------------------------------------------------------

static void fail(StiMessages *messages, const char *path, const char *text)
{
    sti_messages_add(messages, STI_ERROR, path, text);
}

static bool prepare(StiStudy *study, StiMessages *messages)
{
    const StiDesign *design = study->scene->study;
    if (design == NULL || design->varied_count == 0) {
        fail(messages, study->path, "the scene has no section study: there is nothing to vary");
        return false;
    }
    if (design->measure_count == 0) {
        fail(messages, study->path,
             "nothing is measured: name measures in the study, or expectations in the scene");
        return false;
    }
    if (design->correlation_count > 0) {
        const size_t n = (size_t)design->varied_count;
        study->factor = calloc(n * n, sizeof *study->factor);
        if (study->factor == NULL || !study_design_factor(design, study->factor)) {
            fail(messages, study->path,
                 study->factor == NULL ? "out of memory"
                                       : "the correlations of the study contradict each other");
            return false;
        }
    }
    if (!can_be_read(study, messages)) return false;
    study->fingerprint = fingerprint_of(study->scene);
    study->direct = may_set_directly(study);
    return true;
}

static bool keep_text(StiStudy *study, const char *text, size_t length)
{
    if (text == NULL) return true;
    study->text = malloc(length + 1);
    if (study->text == NULL) return false;
    memcpy(study->text, text, length);
    study->text[length] = '\0';
    study->length = length;
    return true;
}

StiStudy *sti_study_read(const char *text, size_t length, const char *path,
                         const StiSceneOptions *options, StiMessages *messages)
{
    StiStudy *study = calloc(1, sizeof *study);
    if (study == NULL || !keep_options(study, path, options) || !keep_text(study, text, length)) {
        fail(messages, path, "out of memory");
        sti_study_destroy(study);
        return NULL;
    }
    study->scene = study_load_scene(study, NULL, messages);
    if (study->scene != NULL && prepare(study, messages)) return study;
    sti_study_destroy(study);
    return NULL;
}

StiStudy *sti_study_load(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    return sti_study_read(NULL, 0, path, options, messages);
}

void sti_study_destroy(StiStudy *study)
{
    if (study == NULL) return;
    for (int i = 0; i < study->set_count; ++i) free(study->sets[i]);
    free(study->sets);
    free(study->path);
    free(study->text);
    free(study->variant);
    free(study->confine);
    free(study->factor);
    sti_scene_destroy(study->scene);
    free(study);
}

const StiScene *sti_study_scene(const StiStudy *study) { return study->scene; }
const StiDesign *sti_study_design(const StiStudy *study) { return study->scene->study; }
int64_t sti_study_runs(const StiStudy *study) { return study_design_runs(study->scene->study); }
uint64_t sti_study_fingerprint(const StiStudy *study) { return study->fingerprint; }
bool sti_study_is_direct(const StiStudy *study) { return study->direct; }

int sti_study_together(const StiStudy *study)
{
    return study->direct && sti_lanes_apply(study->scene->network) ? STI_LANES : 1;
}

void sti_study_values(const StiStudy *study, int64_t run, double *values)
{
    study_design_values(study->scene->study, study->factor, run, values);
}
