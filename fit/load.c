// A fit is loaded: the scene, its logs, and how they drive it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fit.h"
#include "stiction/version.h"
#include "suspect.h"

static char *copy_text(const char *text) { return text != NULL ? strdup(text) : NULL; }

static bool keep_options(StiFit *fit, const char *path, const StiSceneOptions *options)
{
    static const StiSceneOptions none;
    if (options == NULL) options = &none;
    fit->path = copy_text(path);
    fit->variant = copy_text(options->variant);
    fit->confine = copy_text(options->confine);
    fit->sets = calloc((size_t)options->set_count + 1, sizeof *fit->sets);
    if (fit->path == NULL || fit->sets == NULL) return false;
    for (int i = 0; i < options->set_count; ++i)
        if ((fit->sets[fit->set_count++] = copy_text(options->sets[i])) == NULL) return false;
    return true;
}

// What is expected of the scene is not the matter of a fit, and may not hold for it.
static StiScene *load_scene(const StiFit *fit, char *const *more, int more_count,
                            StiMessages *messages)
{
    const int count = fit->set_count + more_count + 1;
    const char **sets = calloc((size_t)count, sizeof *sets);
    char off[FIT_TEXT];
    if (sets == NULL) return NULL;
    if (fit->variant != NULL)
        snprintf(off, sizeof off, "variants.%s.expect=[]", fit->variant);
    else
        snprintf(off, sizeof off, "expect=[]");
    for (int i = 0; i < fit->set_count; ++i) sets[i] = fit->sets[i];
    for (int i = 0; i < more_count; ++i) sets[fit->set_count + i] = more[i];
    sets[count - 1] = off;
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = count,
                                     .variant = fit->variant,
                                     .confine = fit->confine};
    StiScene *scene = sti_scene_load(fit->path, &options, messages);
    free(sets);
    return scene;
}

static char *set_text(const char *path, const char *value)
{
    const size_t size = strlen(path) + strlen(value) + 2;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s=%s", path, value);
    return text;
}

StiScene *problem_load(const Problem *problem, int log, const double *values, StiMessages *messages)
{
    const StiFit *fit = problem->fit;
    const StiFitLog *own = &problem->design->logs[log];
    char **sets = calloc((size_t)(fit->drive_set_count + problem->plan.set_count + own->set_count +
                                  problem->count + 1),
                         sizeof *sets);
    StiScene *scene = NULL;
    int count = 0, kept;
    if (sets == NULL) return NULL;
    for (int i = 0; i < fit->drive_set_count; ++i) sets[count++] = fit->drive_sets[i];
    for (int i = 0; i < problem->plan.set_count; ++i) sets[count++] = problem->plan.sets[i];
    for (int i = 0; i < own->set_count; ++i) sets[count++] = (char *)(uintptr_t)own->sets[i];
    kept = count;
    for (int i = 0; values != NULL && i < problem->count; ++i) {
        char number[32];
        if (problem->parameters[i].part != STI_FIT_PARAMETER || isnan(values[i])) continue;
        snprintf(number, sizeof number, "%.17g", values[i]);
        sets[count++] = set_text(problem->parameters[i].path, number);
    }
    scene = load_scene(fit, sets, count, messages);
    while (count > kept) free(sets[--count]);
    free(sets);
    return scene;
}

// ---- logs -------------------------------------------------------------------------------------------------

static double **evaluate(const Measured *measured, int count, const StiFitDesign *design,
                         bool drives, StiMessages *messages)
{
    double **all = calloc((size_t)count + 1, sizeof *all);
    for (int i = 0; all != NULL && i < count; ++i) {
        const char *what = drives ? design->drives[i].path : design->channels[i].channel;
        const char *column = drives ? design->drives[i].column : design->channels[i].column;
        all[i] = log_evaluate(&measured->log, column, what, messages);
    }
    return all;
}

static bool read_logs(StiFit *fit, StiMessages *messages)
{
    const StiFitDesign *design = fit->scene->fit;
    fit->logs = calloc((size_t)design->log_count + 1, sizeof *fit->logs);
    if (fit->logs == NULL) return false;
    for (int i = 0; i < design->log_count; ++i) {
        Measured *measured = &fit->logs[i];
        if (!log_read(&measured->log, design->logs[i].file, design->time, messages)) continue;
        measured->channels = evaluate(measured, design->channel_count, design, false, messages);
        measured->drives = evaluate(measured, design->drive_count, design, true, messages);
        measured->noise = calloc((size_t)design->channel_count + 1, sizeof *measured->noise);
        if (measured->channels == NULL || measured->drives == NULL || measured->noise == NULL)
            return false;
        for (int c = 0; c < design->channel_count; ++c)
            if (measured->channels[c] != NULL)
                measured->noise[c] = log_noise(&measured->log, measured->channels[c]);
    }
    return sti_messages_error_count(messages) == 0;
}

// ---- how logs drive the scene -------------------------------------------------------------------------------

// An input that is set from outside is there already; one that is a function of time becomes one; a key of an
// element gets a new one.
static bool drive(StiFit *fit, int i, StiMessages *messages)
{
    const StiNetwork *network = fit->scene->network;
    const char *path = fit->scene->fit->drives[i].path;
    char name[FIT_TEXT], set[FIT_TEXT];
    StiFound found;
    if (sti_network_input(network, path) >= 0) return (fit->drive_inputs[i] = strdup(path)) != NULL;
    const bool function = strchr(path, '.') == NULL;
    if (function && !sti_network_find(network, path, &found)) {
        fit_message(
            messages, STI_ERROR, fit->path, 0, 0,
            "drive: the scene has no input '%s': name one, or a key that takes a function of time "
            "(motor.voltage)",
            path);
        return false;
    }
    if (function)
        snprintf(name, sizeof name, "%s", path);
    else
        snprintf(name, sizeof name, "fit_drive_%d", i + 1);
    snprintf(set, sizeof set, "inputs.%.300s={value: 0}", name);
    fit->drive_inputs[i] = strdup(name);
    fit->drive_sets[fit->drive_set_count++] = strdup(set);
    if (!function) fit->drive_sets[fit->drive_set_count++] = set_text(path, name);
    return true;
}

static bool drive_all(StiFit *fit, StiMessages *messages)
{
    const int count = fit->scene->fit->drive_count;
    fit->drive_sets = calloc((size_t)(2 * count) + 1, sizeof *fit->drive_sets);
    fit->drive_inputs = calloc((size_t)count + 1, sizeof *fit->drive_inputs);
    if (fit->drive_sets == NULL || fit->drive_inputs == NULL) return false;
    for (int i = 0; i < count; ++i)
        if (!drive(fit, i, messages)) return false;
    StiScene *driven = load_scene(fit, fit->drive_sets, fit->drive_set_count, messages);
    sti_scene_destroy(driven);
    return driven != NULL;
}

// ---- names --------------------------------------------------------------------------------------------------

static bool check_channels(const StiFit *fit, StiMessages *messages)
{
    const StiFitDesign *design = fit->scene->fit;
    const StiNetwork *network = fit->scene->network;
    int count = 0;
    StiChannel channel;
    while (sti_network_channel(network, count, &channel)) ++count;
    char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < count; ++i) {
        sti_network_channel(network, i, &channel);
        names[i] = strdup(channel.name);
    }
    for (int i = 0; names != NULL && i < design->channel_count; ++i) {
        const char *name = design->channels[i].channel;
        if (sti_network_channel_find(network, name) >= 0) continue;
        const char *near = fit_nearest(name, names, count);
        fit_message(messages, STI_ERROR, fit->path, 0, 0,
                    near != NULL ? "map: there is no channel '%s'; did you mean '%s'?"
                                 : "map: there is no channel '%s'%s; see stiction check",
                    name, near != NULL ? near : "");
    }
    for (int i = 0; names != NULL && i < count; ++i) free(names[i]);
    free(names);
    return sti_messages_error_count(messages) == 0;
}

// ---- loading ----------------------------------------------------------------------------------------------

static uint64_t hash_file(uint64_t hash, const char *path)
{
    char part[4096];
    FILE *file = fopen(path, "r");
    for (size_t n; file != NULL && (n = fread(part, 1, sizeof part, file)) > 0;)
        hash = sti_hash_bytes(hash, part, n);
    if (file != NULL) fclose(file);
    return hash;
}

// All that the search depends on: the scene's text and what changes it, files that it names, the logs.
static uint64_t fingerprint_of(const StiFit *fit)
{
    const StiFitDesign *design = fit->scene->fit;
    uint64_t hash = sti_hash_text(STI_HASH_START, STI_VERSION);
    hash = sti_hash_bytes(hash, &fit->scene->fingerprint, sizeof fit->scene->fingerprint);
    hash = hash_file(hash, fit->path);
    if (fit->variant != NULL) hash = sti_hash_text(hash, fit->variant);
    for (int i = 0; i < fit->set_count; ++i) hash = sti_hash_text(hash, fit->sets[i]);
    for (int l = 0; l < design->log_count; ++l) {
        const size_t size = (size_t)fit->logs[l].log.rows * sizeof(double);
        for (int i = 0; i < design->channel_count; ++i)
            hash = sti_hash_bytes(hash, fit->logs[l].channels[i], size);
        for (int i = 0; i < design->drive_count; ++i)
            hash = sti_hash_bytes(hash, fit->logs[l].drives[i], size);
    }
    return hash;
}

static bool prepare(StiFit *fit, StiMessages *messages)
{
    if (fit->scene->fit == NULL) {
        fit_message(messages, STI_ERROR, fit->path, 0, 0,
                    "the scene has no section fit: there are no logs to fit it to");
        return false;
    }
    if (!check_channels(fit, messages) || !read_logs(fit, messages) || !drive_all(fit, messages))
        return false;
    suspect_columns(fit, messages);
    fit->fingerprint = fingerprint_of(fit);
    return true;
}

StiFit *sti_fit_load(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    StiFit *fit = calloc(1, sizeof *fit);
    if (fit == NULL || !keep_options(fit, path, options)) {
        fit_message(messages, STI_ERROR, path, 0, 0, "out of memory");
        sti_fit_destroy(fit);
        return NULL;
    }
    fit->scene = load_scene(fit, NULL, 0, messages);
    if (fit->scene != NULL && prepare(fit, messages)) return fit;
    sti_fit_destroy(fit);
    return NULL;
}

static void release_texts(char **texts, int count)
{
    for (int i = 0; texts != NULL && i < count; ++i) free(texts[i]);
    free(texts);
}

static void release_columns(double **columns, int count)
{
    for (int i = 0; columns != NULL && i < count; ++i) free(columns[i]);
    free(columns);
}

void sti_fit_destroy(StiFit *fit)
{
    if (fit == NULL) return;
    const StiFitDesign *design = fit->scene != NULL ? fit->scene->fit : NULL;
    for (int i = 0; fit->logs != NULL && i < design->log_count; ++i) {
        release_columns(fit->logs[i].channels, design->channel_count);
        release_columns(fit->logs[i].drives, design->drive_count);
        free(fit->logs[i].noise);
        log_release(&fit->logs[i].log);
    }
    free(fit->logs);
    if (design != NULL) release_texts(fit->drive_inputs, design->drive_count);
    release_texts(fit->drive_sets, fit->drive_set_count);
    release_texts(fit->sets, fit->set_count);
    free(fit->path);
    free(fit->variant);
    free(fit->confine);
    sti_scene_destroy(fit->scene);
    free(fit);
}

const StiScene *sti_fit_scene(const StiFit *fit) { return fit->scene; }
const StiFitDesign *sti_fit_design(const StiFit *fit) { return fit->scene->fit; }
uint64_t sti_fit_fingerprint(const StiFit *fit) { return fit->fingerprint; }

int sti_fit_models(const StiFit *fit)
{
    return fit->scene->fit->model_count > 0 ? fit->scene->fit->model_count : 1;
}

const char *sti_fit_model_name(const StiFit *fit, int model)
{
    return model < fit->scene->fit->model_count ? fit->scene->fit->models[model].name : "";
}
