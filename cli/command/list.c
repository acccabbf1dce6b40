// stiction list WHAT: names, each with one line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/adaptive.h>
#include <stiction/scene.h>

#include "command/command.h"
#include "command/scenes.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// One line each for programs that read it; a terminal gets it broken at column 80.
static void print_line(const char *name, const char *summary)
{
    enum { NAME = 22 };
    printf("%-*s ", NAME, name);
    if (terminal_is(stdout))
        text_wrap(stdout, NAME + 1, summary);
    else
        printf("%s\n", summary);
}

static int print_words(const StiWord *words, int count)
{
    for (int i = 0; i < count; ++i) print_line(words[i].name, words[i].summary);
    return CODE_GOOD;
}

static int list_models(const Arguments *arguments)
{
    int count;
    (void)arguments;
    const StiWord *words = sti_scene_models(&count);
    return print_words(words, count);
}

static int list_laws(const Arguments *arguments)
{
    int count;
    (void)arguments;
    const StiWord *words = sti_scene_laws(&count);
    return print_words(words, count);
}

static int list_solvers(const Arguments *arguments)
{
    int count;
    (void)arguments;
    const StiWord *words = sti_scene_solvers(&count);
    return print_words(words, count);
}

static int list_methods(const Arguments *arguments)
{
    (void)arguments;
    for (int i = 0; sti_methods[i] != NULL; ++i)
        print_line(sti_methods[i]->name, sti_methods[i]->summary);
    StiAdaptiveMethod adaptive;
    for (int i = 0; sti_adaptive_method(i, &adaptive); ++i)
        print_line(adaptive.name, adaptive.summary);
    return CODE_GOOD;
}

static int print_kinds(StiSection section)
{
    StiSceneKind kind;
    for (int i = 0; sti_scene_kind(section, i, &kind); ++i) print_line(kind.name, kind.summary);
    return CODE_GOOD;
}

static int list_bodies(const Arguments *arguments)
{
    (void)arguments;
    return print_kinds(STI_SECTION_BODIES);
}

static int list_elements(const Arguments *arguments)
{
    (void)arguments;
    return print_kinds(STI_SECTION_ELEMENTS);
}

static void print_scene(const SceneFile *file)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene =
        messages != NULL ? sti_scene_load(file->path, &(StiSceneOptions){0}, messages) : NULL;
    printf("%s  ", file->path);
    if (terminal_is(stdout)) printf("\n    ");
    printf("%s\n", scene != NULL ? scene->title : "has errors: stiction check explains them");
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
}

static int list_scenes(const Arguments *arguments)
{
    char *root = scenes_root(arguments->root);
    if (root == NULL) return CODE_FILE;
    SceneFiles files = scenes_find(root);
    for (int i = 0; i < files.count; ++i) print_scene(&files.files[i]);
    scenes_release(&files);
    free(root);
    return CODE_GOOD;
}

static int run(const Arguments *arguments)
{
    static const char *const names[] = {"models", "laws",     "methods", "solvers",
                                        "bodies", "elements", "scenes"};
    static int (*const lists[])(const Arguments *) = {list_models,  list_laws,   list_methods,
                                                      list_solvers, list_bodies, list_elements,
                                                      list_scenes};
    enum { LISTS = sizeof names / sizeof names[0] };
    const char *what = arguments->words[0];
    for (int i = 0; i < LISTS; ++i)
        if (strcmp(what, names[i]) == 0) return lists[i](arguments);
    const char *nearest = text_nearest(what, names, LISTS);
    if (nearest != NULL)
        terminal_error("there is no list of '%s'; did you mean %s?", what, nearest);
    else
        terminal_error("there is no list of '%s', but of models, laws, methods, solvers, bodies, "
                       "elements and scenes",
                       what);
    return CODE_BAD_INPUT;
}

const Command command_list = {
    .name = "list",
    .summary = "models, laws, methods, solvers, bodies, elements or scenes",
    .words = "WHAT",
    .fewest = 1,
    .most = 1,
    .text =
        "WHAT is models, laws, methods, solvers, bodies, elements or scenes. "
        "Prints names, each with one line of explanation; stiction explain NAME says more about "
        "a model, a law, a method, a body or an element. Scenes are looked for in the folders "
        "papers and scenes: "
        "of --root, of the present folder, or of the installation.",
    .options = {OPTION_ROOT},
    .run = run,
};
