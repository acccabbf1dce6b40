#include "command/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "command/scenes.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

StiSceneOptions load_options(const Arguments *arguments)
{
    return (StiSceneOptions){.sets = arguments->sets,
                             .set_count = arguments->set_count,
                             .variant = arguments->variant};
}

static bool is_readable(const char *path)
{
    if (access(path, R_OK) == 0) return true;
    terminal_error("cannot read %s: %s", path, strerror(errno));
    return false;
}

// Of the whole program: set once, before anything is read.
static const char *confined;

void load_confine(const char *folder) { confined = folder; }

static StiScene *read_confined(const char *file, const StiSceneOptions *given,
                               StiMessages *messages)
{
    StiSceneOptions options = *given;
    options.confine = confined;
    return sti_scene_load(file, &options, messages);
}

// A new text: the file itself, the one in a folder, or that of a scene that comes with the program.
char *load_file_of(const char *path)
{
    struct stat about;
    char *known = stat(path, &about) != 0 ? scenes_file(path) : NULL;
    if (known != NULL) return known;
    if (!load_is_folder(path)) return text_new("%s", path);
    const bool slash = path[0] != '\0' && path[strlen(path) - 1] == '/';
    return text_new("%s%sscene.yaml", path, slash ? "" : "/");
}

static StiMessages *new_messages(void)
{
    StiMessages *messages = sti_messages_create();
    if (messages != NULL) return messages;
    terminal_error("out of memory");
    exit(CODE_FAILED);
}

// A scene that cannot be read for want of memory says nothing about the scene.
static StiScene *unless_out_of_memory(StiScene *scene, const StiMessages *messages)
{
    int told = 0;
    bool lost = false;
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        told += message->severity == STI_ERROR;
        lost = lost || strstr(message->text, "out of memory") != NULL;
    }
    if (scene != NULL || (told > 0 && told == sti_messages_error_count(messages) && !lost))
        return scene;
    terminal_error("out of memory");
    exit(CODE_FAILED);
}

// With one more set, which takes the expectations away.
static StiScene *read_without_expectations(const char *file, const StiSceneOptions *given,
                                           StiMessages *messages)
{
    char *off = given->variant != NULL ? text_new("variants.%s.expect=[]", given->variant)
                                       : text_new("expect=[]");
    const char **sets = take((size_t)given->set_count + 1, sizeof *sets);
    for (int i = 0; i < given->set_count; ++i) sets[i] = given->sets[i];
    sets[given->set_count] = off;
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = given->set_count + 1,
                                     .variant = given->variant,
                                     .fmus = given->fmus};
    StiScene *scene = read_confined(file, &options, messages);
    free(sets);
    free(off);
    return unless_out_of_memory(scene, messages);
}

int load_without_expectations(const char *path, const StiSceneOptions *options, bool quiet,
                              StiScene **scene)
{
    char *file = load_file_of(path);
    int code = CODE_FILE;
    *scene = NULL;
    if (is_readable(file)) {
        StiMessages *messages = new_messages();
        *scene = read_without_expectations(file, options, messages);
        code = *scene != NULL ? CODE_GOOD : CODE_BAD_INPUT;
        terminal_messages(messages, quiet ? STI_ERROR : STI_NOTE);
        sti_messages_destroy(messages);
    }
    free(file);
    return code;
}

static void first_error(const StiMessages *messages, char *why, size_t size)
{
    snprintf(why, size, "the scene cannot be read");
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity != STI_ERROR) continue;
        snprintf(why, size, "%s:%d:%d: %s", message->file, message->line, message->column,
                 message->text);
        return;
    }
}

StiScene *load_or_leave(const char *path, const StiSceneOptions *options, bool quiet, char *why,
                        size_t size)
{
    char *file = load_file_of(path);
    StiMessages *messages = new_messages();
    StiScene *scene = read_without_expectations(file, options, messages);
    if (scene == NULL)
        first_error(messages, why, size);
    else
        terminal_messages(messages, quiet ? STI_ERROR : STI_NOTE);
    sti_messages_destroy(messages);
    free(file);
    return scene;
}

StiScene *load_or_explain(const char *path, const StiSceneOptions *options, char *why, size_t size)
{
    return load_or_leave(path, options, true, why, size);
}

StiScene *load_quietly(const char *path, const StiSceneOptions *options)
{
    return load_or_explain(path, options, NULL, 0);
}

// After errors under --set: are the expectations all that is wrong?
static StiScene *read_changed(const char *file, const StiSceneOptions *options, bool quiet)
{
    StiMessages *messages = new_messages();
    StiScene *scene = read_without_expectations(file, options, messages);
    if (scene != NULL && !quiet) {
        terminal_messages(messages, STI_NOTE);
        fprintf(stderr, "%s: the expectations do not fit the changed scene and are left out\n",
                file);
    }
    sti_messages_destroy(messages);
    return scene;
}

int load_scene(const char *path, const StiSceneOptions *options, bool quiet, StiScene **scene)
{
    char *file = load_file_of(path);
    int code = CODE_FILE;
    *scene = NULL;
    if (is_readable(file)) {
        StiMessages *messages = new_messages();
        *scene = unless_out_of_memory(read_confined(file, options, messages), messages);
        const bool good = *scene != NULL;
        if (!good && options->set_count > 0) *scene = read_changed(file, options, quiet);
        if (good || *scene == NULL) terminal_messages(messages, quiet ? STI_ERROR : STI_NOTE);
        sti_messages_destroy(messages);
        code = *scene != NULL ? CODE_GOOD : CODE_BAD_INPUT;
    }
    free(file);
    return code;
}
