// A scene file becomes a plan, a network and a run.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sections.h"

typedef struct Memory {
    StiScene scene; // first: the public part
    StiArena arena;
    Reader reader;
} Memory;

static const char *const method_words[] = {"euler", "symplectic-euler", "heun", "rk4", "gill", NULL};
static const char *const solver_words[] = {"coupled", NULL};

static const Key top_level[] = {
    {"title", VALUE_TEXT, false, "one line", NULL},
    {"description", VALUE_TEXT, false, "free text", NULL},
    {"step", VALUE_NUMBER, false, "the step T, s", NULL},
    {"start", VALUE_NUMBER, false, "s", NULL},
    {"stop", VALUE_NUMBER, true, "s, a whole number of steps after start", NULL},
    {"method", VALUE_WORD, false, "the integrator; networks with reactions do not use it", method_words},
    {"solver", VALUE_WORD, false, "how reactions are resolved", solver_words},
    {"gravity", VALUE_VECTOR, false, "m/s^2", NULL},
    {"allow_unphysical", VALUE_TRUTH, false, "unphysical parameters become warnings", NULL},
    {"parameters", VALUE_ANY, false, "names and numbers", NULL},
    {"inputs", VALUE_ANY, false, "names and functions of time", NULL},
    {"bodies", VALUE_ANY, true, "names and bodies", NULL},
    {"elements", VALUE_ANY, false, "names and elements", NULL},
    {"record", VALUE_TEXTS, false, "channels", NULL},
    {"every", VALUE_COUNT, false, "record every n-th step", NULL},
    {"expect", VALUE_ANY, false, "expectations", NULL},
    {"variants", VALUE_ANY, false, "further runs", NULL},
    {"grid", VALUE_ANY, false, "paths and ranges: one run for each combination", NULL},
};

const Key *scene_top_level(int *count)
{
    *count = (int)(sizeof top_level / sizeof top_level[0]);
    return top_level;
}

// ---- the run --------------------------------------------------------------------------------------------

static void read_texts(Reader *reader, StiScene *scene)
{
    const Node *title = scene_node_find(reader->root, "title");
    const Node *description = scene_node_find(reader->root, "description");
    scene->title = scene->path;
    if (title != NULL) scene_text(reader, title, "title", &scene->title);
    if (description != NULL) scene_text(reader, description, "description", &scene->description);
}

static void read_time(Reader *reader, StiScene *scene)
{
    double step = 1e-3;
    const Node *stop = scene_node_find(reader->root, "stop");
    bool good = scene_number_at(reader, reader->root, "step", &step);
    good = scene_number_at(reader, reader->root, "start", &scene->start) && good;
    good = scene_number_at(reader, reader->root, "stop", &scene->stop) && good;
    if (!good || stop == NULL) return;
    if (!(step > 0.0)) {
        scene_error(reader, scene_node_find(reader->root, "step")->mark, "step must be above 0 s, not %g", step);
        return;
    }
    const double steps = (scene->stop - scene->start) / step, whole = round(steps);
    if (!(whole >= 1.0) || whole > 1e15 || fabs(steps - whole) > 1e-6 * fmax(1.0, 1e-6 * whole))
        scene_error(reader, stop->mark, "stop - start = %g s is not a whole number (1 or more) of steps of %g s",
                    scene->stop - scene->start, step);
    else
        scene->steps = (int64_t)whole;
    sti_plan_set_step(reader->plan, step);
    sti_plan_set_start(reader->plan, scene->start);
}

static void read_settings(Reader *reader, StiScene *scene)
{
    const Node *root = reader->root, *method = scene_node_find(root, "method"),
               *solver = scene_node_find(root, "solver"), *gravity = scene_node_find(root, "gravity"),
               *allow = scene_node_find(root, "allow_unphysical"), *every = scene_node_find(root, "every");
    double g[3] = {0.0};
    int count;
    bool allowed = false;
    const int word = method != NULL ? scene_word(reader, method, "method", method_words) : -1;
    if (word >= 0) sti_plan_set_method(reader->plan, sti_method_find(method_words[word]));
    if (solver != NULL) scene_word(reader, solver, "solver", solver_words);
    if (gravity != NULL && scene_vector(reader, gravity, "gravity", 1, 3, g, &count))
        sti_plan_set_gravity(reader->plan, sti_vec3(g[0], g[1], g[2]));
    if (allow != NULL && scene_truth(reader, allow, "allow_unphysical", &allowed))
        sti_plan_allow_unphysical(reader->plan, allowed);
    scene->every = 1;
    if (every != NULL) scene_count(reader, every, "every", 1, 1000000000, &scene->every);
}

// Names of parameters must not be those of components.
static void check_names(Reader *reader)
{
    static const char *const sections[] = {"bodies", "elements", "inputs"};
    const Node *parameters = scene_node_find(reader->root, "parameters");
    for (int i = 0; parameters != NULL && parameters->type == NODE_MAP && i < parameters->count; ++i)
        for (int j = 0; j < 3; ++j) {
            const Node *section = scene_node_find(reader->root, sections[j]);
            const Entry *entry = section != NULL && section->type == NODE_MAP
                                     ? scene_node_entry(section, parameters->entries[i].key)
                                     : NULL;
            if (entry != NULL)
                scene_error(reader, entry->mark, "the name '%s' is taken by a parameter; names are unique",
                            entry->key);
        }
}

static void list_friction(Reader *reader, StiScene *scene)
{
    const char **names = sti_arena_take(reader->arena, (size_t)reader->element_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < reader->element_count; ++i) {
        const Element *e = &reader->elements[i];
        const bool again = scene->friction_count > 0 && names[scene->friction_count - 1] == e->entry;
        if (e->friction && !again) names[scene->friction_count++] = e->entry;
    }
    scene->friction = names;
}

int sti_scene_friction_elements(const StiScene *scene, const char *const **names)
{
    *names = scene->friction;
    return scene->friction_count;
}

static void compile(Reader *reader, StiScene *scene)
{
    StiReport *report = sti_report_create();
    if (report == NULL) return;
    const StiStatus status = sti_plan_compile(reader->plan, report, &scene->network);
    scene_place_findings(reader, report);
    if (status != STI_OK && sti_report_error_count(report) == 0)
        scene_error(reader, reader->root->mark, "the scene does not compile: %s", sti_status_text(status));
    sti_report_destroy(report);
}

static void read_all(Reader *reader, StiScene *scene)
{
    scene_check_keys(reader, reader->root, "a scene", top_level, sizeof top_level / sizeof top_level[0]);
    read_texts(reader, scene);
    if (!scene_read_parameters(reader)) return; // all numbers may depend on them
    read_time(reader, scene);
    read_settings(reader, scene);
    check_names(reader);
    scene_read_inputs(reader);
    scene_read_bodies(reader);
    scene_read_elements(reader);
    scene_connect_loads(reader);
    scene_read_expectations(reader, scene);
    scene_read_variants(reader, scene);
    scene_read_grid(reader, scene);
    list_friction(reader, scene);
    if (sti_messages_error_count(reader->messages) > 0) return;
    compile(reader, scene);
    if (scene->network != NULL) scene_read_record(reader, scene);
}

// ---- loading --------------------------------------------------------------------------------------------

// The variant's settings, then those of the caller; the variant's expectations in place of the scene's.
static bool apply_variant(Reader *reader, Node *root, const char *name)
{
    const Node *variants = scene_node_find(root, "variants");
    const Node *variant =
        variants != NULL && variants->type == NODE_MAP ? scene_node_find(variants, name) : NULL;
    const Node *set = variant != NULL && variant->type == NODE_MAP ? scene_node_find(variant, "set") : NULL;
    if (set == NULL || set->type != NODE_MAP) {
        scene_error(reader, root->mark, "there is no variant '%s'", name);
        return false;
    }
    reader->expect = scene_node_find(variant, "expect");
    bool good = true;
    int count;
    const char *const *sets = scene_sets_of(reader, set, &count);
    for (int i = 0; sets != NULL && i < count; ++i)
        good = scene_document_set(root, sets[i], reader->arena, reader->messages) && good;
    return good;
}

static bool apply_options(Reader *reader, Node *root, const StiSceneOptions *options)
{
    bool good = true;
    reader->expect = scene_node_find(root, "expect");
    if (options == NULL) return true;
    if (options->variant != NULL) good = apply_variant(reader, root, options->variant);
    for (int i = 0; i < options->set_count; ++i)
        good = scene_document_set(root, options->sets[i], reader->arena, reader->messages) && good;
    return good;
}

static const char *folder_of(StiArena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = sti_arena_text(arena, path);
    if (folder != NULL) folder[slash != NULL ? slash - path + 1 : 0] = '\0';
    return folder;
}

StiScene *sti_scene_read(const char *text, size_t length, const char *path, const StiSceneOptions *options,
                         StiMessages *messages)
{
    Memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) return NULL;
    Reader *reader = &memory->reader;
    StiScene *scene = &memory->scene;
    scene->path = sti_arena_text(&memory->arena, path);
    scene->plan = sti_plan_create();
    *reader = (Reader){.arena = &memory->arena,
                       .messages = messages,
                       .folder = folder_of(&memory->arena, path),
                       .plan = scene->plan};
    Node *root = scene_document_read(text, length, scene->path, &memory->arena, messages);
    reader->root = root;
    if (root != NULL && scene->plan != NULL && apply_options(reader, root, options)) read_all(reader, scene);
    if (sti_messages_error_count(messages) > 0 || scene->network == NULL) {
        sti_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    while (file != NULL) {
        if (*length == capacity) {
            capacity = 2 * capacity + 65536;
            char *more = realloc(text, capacity);
            if (more == NULL) break;
            text = more;
        }
        const size_t got = fread(text + *length, 1, capacity - *length, file);
        *length += got;
        if (got > 0) continue;
        const bool good = ferror(file) == 0;
        fclose(file);
        if (good) return text;
        file = NULL;
    }
    if (file != NULL) fclose(file);
    free(text);
    return NULL;
}

StiScene *sti_scene_load(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    size_t length;
    errno = 0;
    char *text = read_file(path, &length);
    if (text == NULL) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "cannot be read: %s",
                      errno != 0 ? strerror(errno) : "not a file");
        return NULL;
    }
    StiScene *scene = sti_scene_read(text, length, path, options, messages);
    free(text);
    return scene;
}

void sti_scene_destroy(StiScene *scene)
{
    if (scene == NULL) return;
    Memory *memory = (Memory *)(void *)scene;
    sti_network_destroy(scene->network);
    sti_plan_destroy(scene->plan);
    sti_arena_release(&memory->arena);
    free(memory);
}
