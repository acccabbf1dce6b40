#include "study/exact.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stiction/record.h>
#include <stiction/version.h>

#include "command/command.h"
#include "files/csv_file.h"
#include "command/load.h"
#include "files/output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// With events; and, for scenes that have no continuous-time form or whose events are not known, pieces
// between events with a step that makes them far finer than what is compared with them.
enum { FINER = 32 }; // the reference's step; its check's is twice that
static const char *const with_events[2] = {"{adaptive: fehlberg, rtol: 1e-13, atol: 1e-14}",
                                           "{adaptive: verner, rtol: 1e-12, atol: 1e-13}"};

char *exact_place(const char *scene_path, const char *variant)
{
    const char *slash = strrchr(scene_path, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - scene_path) : 0;
    return text_new("%.*sreference%s%s.csv", folder, scene_path, variant != NULL ? "-" : "",
                    variant != NULL ? variant : "");
}

// ---- computing ----------------------------------------------------------------------------------

// All changes: the given ones, and of the method.
static int follow(const Arguments *arguments, const char *const *changes, const char *method,
                  const Trajectory *like, Trajectory *trajectory)
{
    enum { OWN = 3 };
    int count = 0, own = 0;
    while (changes[count] != NULL) ++count;
    const char **all = take((size_t)count + OWN + 1, sizeof *all);
    for (int i = 0; i < count; ++i) all[i] = changes[i];
    char *texts[OWN] = {NULL};
    double step;
    int every;
    if (sscanf(method, "cut, step: %lf, every: %d", &step, &every) == 2) {
        texts[own++] = text_new("method=cut");
        texts[own++] = text_new("step=%.17g", step);
        texts[own++] = text_new("every=%d", every);
    } else
        texts[own++] = text_new("method=%s", method);
    for (int i = 0; i < own; ++i) all[count + i] = texts[i];
    const int code = trajectory_run(arguments, all, like, trajectory);
    for (int i = 0; i < own; ++i) free(texts[i]);
    free(all);
    return code;
}

// Without a word about what is wrong.
static StiScene *load_silently(const Arguments *arguments, const char *const *changes,
                               const char *method)
{
    int count = 0;
    while (changes[count] != NULL) ++count;
    const int sets_count = arguments->set_count + count + 1;
    const char **sets = take((size_t)sets_count, sizeof *sets);
    for (int i = 0; i < arguments->set_count; ++i) sets[i] = arguments->sets[i];
    for (int i = 0; i < count; ++i) sets[arguments->set_count + i] = changes[i];
    char *change = text_new("method=%s", method);
    sets[sets_count - 1] = change;
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = sets_count,
                                     .variant = arguments->variant};
    StiScene *scene = load_quietly(arguments->words[0], &options);
    free(change);
    free(sets);
    return scene;
}

// Events where they are known; else short pieces, if the scene runs in such.
static void choose_methods(const Arguments *arguments, const char *const *changes, Exact *exact)
{
    StiScene *events = load_silently(arguments, changes, with_events[0]);
    StiScene *pieces = events == NULL ? load_silently(arguments, changes, "cut") : NULL;
    if (pieces != NULL) {
        const double T = sti_network_step(pieces->network) / FINER;
        exact->method = text_new("cut, step: %.17g, every: %d", T, FINER * pieces->every);
        exact->check = text_new("cut, step: %.17g, every: %d", 2.0 * T, FINER / 2 * pieces->every);
    } else {
        exact->method = text_new("%s", with_events[0]);
        exact->check = text_new("%s", with_events[1]);
    }
    sti_scene_destroy(pieces);
    sti_scene_destroy(events);
}

int exact_compute(const Arguments *arguments, const char *const *changes, Exact *exact)
{
    Trajectory second = {0};
    *exact = (Exact){0};
    choose_methods(arguments, changes, exact);
    int code = follow(arguments, changes, exact->method, NULL, &exact->trajectory);
    if (code == CODE_GOOD)
        code = follow(arguments, changes, exact->check, &exact->trajectory, &second);
    if (code == CODE_GOOD) exact->doubt = trajectory_distance(&second, &exact->trajectory, 1.0);
    trajectory_release(&second);
    return code;
}

bool exact_exists(const Arguments *arguments, const char *const *changes)
{
    StiScene *events = load_silently(arguments, changes, with_events[0]);
    StiScene *pieces = events == NULL ? load_silently(arguments, changes, "cut") : NULL;
    const bool exists = events != NULL || pieces != NULL;
    sti_scene_destroy(pieces);
    sti_scene_destroy(events);
    return exists;
}

// ---- finding ------------------------------------------------------------------------------------

// What makes a stored reference useless; NULL: nothing.
static bool has_channel(const Trajectory *trajectory, const char *name)
{
    for (int i = 0; i < trajectory->count; ++i)
        if (strcmp(trajectory->names[i], name) == 0) return true;
    return false;
}

// Is something recorded that the reference should have, and has not?
static bool lacks_channel(const Trajectory *trajectory, const StiScene *scene)
{
    for (int i = 0; i < scene->record_count; ++i) {
        StiChannel channel;
        const int number = sti_network_channel_find(scene->network, scene->record[i]);
        if (number >= 0 && sti_network_channel(scene->network, number, &channel) &&
            trajectory_takes(channel.unit) && !has_channel(trajectory, channel.name))
            return true;
    }
    return false;
}

static const char *flaw_of(const Exact *stored, const StiScene *scene)
{
    const Trajectory *trajectory = &stored->trajectory;
    const double end = trajectory_time(trajectory, trajectory->rows.count - 1);
    if (trajectory->fingerprint != scene->fingerprint) return "is of another problem";
    if (end < scene->stop - 1e-9 * (1.0 + fabs(scene->stop))) return "ends too early";
    if (lacks_channel(trajectory, scene)) return "lacks a channel that the scene records";
    return NULL;
}

// A file that was named must fit; one that is only there may be left aside.
static int judge_stored(const char *path, bool named, const StiScene *scene, Exact *exact)
{
    const int code = exact_read(path, exact);
    const char *flaw = code == CODE_GOOD ? flaw_of(exact, scene) : NULL;
    if (flaw == NULL) return code;
    exact_release(exact);
    if (named) {
        terminal_error("%s %s; stiction reference makes a new one", path, flaw);
        return CODE_BAD_INPUT;
    }
    fprintf(stderr, "%s %s: the reference is computed anew (stiction reference stores it)\n", path,
            flaw);
    return CODE_GOOD;
}

int exact_find(const Arguments *arguments, Exact *exact)
{
    static const char *const none[] = {NULL};
    const StiSceneOptions options = load_options(arguments);
    const bool named = arguments->reference != NULL;
    StiScene *scene = NULL;
    *exact = (Exact){0};
    int code = load_without_expectations(arguments->words[0], &options, true, &scene);
    if (code != CODE_GOOD) return code;
    char *path =
        named ? text_new("%s", arguments->reference) : exact_place(scene->path, arguments->variant);
    if (named || access(path, R_OK) == 0) code = judge_stored(path, named, scene, exact);
    free(path);
    sti_scene_destroy(scene);
    return code == CODE_GOOD && exact->path == NULL ? exact_compute(arguments, none, exact) : code;
}
