// stiction list WHAT: names, each with one line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/adaptive.h>
#include <stiction/registry.h>
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

static void list_role(StiKindRole role)
{
    StiEntry entry;
    StiAdaptiveMethod adaptive;
    for (int i = 0; sti_registry_at(role, i, &entry); ++i) print_line(entry.name, entry.summary);
    for (int i = 0; role == STI_ROLE_METHOD && sti_adaptive_method(i, &adaptive); ++i)
        print_line(adaptive.name, adaptive.summary);
}

// What `kind` may be in a scene.
static void list_kinds(StiSection section)
{
    StiSceneKind kind;
    for (int i = 0; sti_scene_kind(section, i, &kind); ++i) print_line(kind.name, kind.summary);
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

typedef struct List {
    const char *name, *summary;
} List;

// Beside those of the registry.
static const List scenes = {"scenes", "the scenes that come with the program, or of --root"};

static const char *summary_of(StiKindRole role)
{
    static const char *const summaries[STI_ROLES] = {
        [STI_ROLE_FRICTION] = "friction models: model in an element of kind friction",
        [STI_ROLE_LAW] = "levels of friction as functions of the speed: law",
        [STI_ROLE_ELEMENT] = "springs, friction, contacts, motors, controllers: kind in elements",
        [STI_ROLE_BODY] = "kind in bodies",
        [STI_ROLE_JOINT] = "joints of robots: type of a link",
        [STI_ROLE_SHAPE] = "shapes for contact: kind in shapes",
        [STI_ROLE_WIRE] = "how elements are joined to bodies, for programs in C",
        [STI_ROLE_METHOD] = "integrators: method",
        [STI_ROLE_SOLVER] = "how friction and contacts are resolved in a step: solver",
    };
    return summaries[role];
}

static int list_lists(void)
{
    for (int role = 0; role < STI_ROLES; ++role)
        print_line(sti_role_list((StiKindRole)role), summary_of((StiKindRole)role));
    print_line(scenes.name, scenes.summary);
    return CODE_GOOD;
}

static void refuse(const char *what)
{
    const char *names[STI_ROLES + 1];
    for (int role = 0; role < STI_ROLES; ++role) names[role] = sti_role_list((StiKindRole)role);
    names[STI_ROLES] = scenes.name;
    const char *nearest = text_nearest(what, names, STI_ROLES + 1);
    if (nearest != NULL)
        terminal_error("there is no list of '%s'; did you mean %s?", what, nearest);
    else
        terminal_error("there is no list of '%s'; stiction list shows the lists", what);
}

static int run(const Arguments *arguments)
{
    const char *what = arguments->word_count > 0 ? arguments->words[0] : NULL;
    if (what == NULL) return list_lists();
    if (strcmp(what, scenes.name) == 0) return list_scenes(arguments);
    for (int role = 0; role < STI_ROLES; ++role) {
        if (strcmp(what, sti_role_list((StiKindRole)role)) != 0) continue;
        if (role == STI_ROLE_ELEMENT)
            list_kinds(STI_SECTION_ELEMENTS);
        else if (role == STI_ROLE_BODY)
            list_kinds(STI_SECTION_BODIES);
        else
            list_role((StiKindRole)role);
        return CODE_GOOD;
    }
    refuse(what);
    return CODE_BAD_INPUT;
}

const Command command_list = {
    .name = "list",
    .summary = "what there is: models, laws, methods, bodies, elements, scenes, ...",
    .words = "[WHAT]",
    .fewest = 0,
    .most = 1,
    .text = "WHAT is models, laws, methods, solvers, bodies, elements, joints, shapes, wires or "
            "scenes; without it the lists are listed. Prints names, each with one line; stiction "
            "explain NAME says more. Scenes are looked for in the folders papers and scenes: "
            "of --root, of the present folder, or of the installation.",
    .options = {OPTION_ROOT},
    .run = run,
};
