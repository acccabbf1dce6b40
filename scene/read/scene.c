// A scene file becomes a plan, a network and a run.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "text/file.h"
#include "read/materials.h"
#include "text/named_files.h"
#include "yaml/plain.h"
#include "read/linkages.h"
#include "read/robots.h"
#include "read/sections.h"
#include "stiction/continuous.h"
#include "stiction/import.h"

typedef struct Memory {
    StiScene scene; // first: the public part
    StiArena arena;
    Reader reader;
} Memory;

static const char *const painleve_words[] = {"stop", "go-on", NULL};
static const Key top_level[] = {
    {"title", VALUE_TEXT, false, "one line", NULL},
    {"description", VALUE_TEXT, false, "free text", NULL},
    {"step", VALUE_NUMBER, false, "the step T, s", NULL},
    {"start", VALUE_NUMBER, false, "s", NULL},
    {"stop", VALUE_NUMBER, true, "s, a whole number of steps after start", NULL},
    {"method", VALUE_METHOD, false,
     "the integrator; usual: cut where all elements can run under it, else rule or rk4", NULL},
    {"solver", VALUE_SOLVER, false, "how reactions are resolved", NULL},
    {"gravity", VALUE_VECTOR, false, "m/s^2", NULL},
    {"painleve", VALUE_WORD, false,
     "where loads and friction have several solutions or none: stop or go-on", painleve_words},
    {"allow_unphysical", VALUE_TRUTH, false, "unphysical parameters become warnings", NULL},
    {"parameters", VALUE_ANY, false, "names and numbers", NULL},
    {"inputs", VALUE_ANY, false, "names and functions of time", NULL},
    {"materials", VALUE_ANY, false, "pairs of materials, and what contacts between them do", NULL},
    {"bodies", VALUE_ANY, true, "names and bodies", NULL},
    {"elements", VALUE_ANY, false, "names and elements", NULL},
    {"record", VALUE_TEXTS, false, "channels", NULL},
    {"every", VALUE_COUNT, false, "record every n-th step", NULL},
    {"expect", VALUE_ANY, false, "expectations", NULL},
    {"variants", VALUE_ANY, false, "further runs", NULL},
    {"grid", VALUE_ANY, false, "paths and ranges: one run for each combination", NULL},
    {"study", VALUE_ANY, false, "varied parameters and what to measure: for stiction sweep", NULL},
    {"fit", VALUE_ANY, false, "measured logs and what is to be found from them: for stiction fit",
     NULL},
    {"figures", VALUE_ANY, false, "pictures that a report shows", NULL},
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
    reader->names.start = scene->start;
    reader->names.stop = scene->stop;
    reader->names.step = step;
    if (!(step > 0.0)) {
        scene_error(reader, scene_node_find(reader->root, "step")->mark,
                    "step must be above 0 s, not %g", step);
        return;
    }
    const double steps = (scene->stop - scene->start) / step, whole = round(steps);
    if (!(whole >= 1.0) || fabs(steps - whole) > 1e-6 + 1e-15 * whole)
        scene_error(reader, stop->mark,
                    "stop - start = %.10g s is not a whole number (1 or more) of steps of %.10g s",
                    scene->stop - scene->start, step);
    else if (whole > 1e15)
        scene_error(reader, stop->mark, "%.3g steps of %g s are more than can be counted", whole,
                    step);
    else if (!(step > 8.0 * DBL_EPSILON * fmax(fabs(scene->start), fabs(scene->stop))))
        scene_error(reader, stop->mark,
                    "times near %g s cannot be told apart by steps of %g s; let start be 0",
                    scene->stop, step);
    else
        scene->steps = (int64_t)whole;
    sti_plan_set_step(reader->plan, step);
    sti_plan_set_start(reader->plan, scene->start);
}

static void read_settings(Reader *reader, StiScene *scene)
{
    const Node *root = reader->root, *gravity = scene_node_find(root, "gravity"),
               *allow = scene_node_find(root, "allow_unphysical"),
               *every = scene_node_find(root, "every");
    double g[3] = {0.0};
    int count;
    bool allowed = false;
    scene_read_method(reader, scene);
    scene_read_solver(reader);
    if (gravity != NULL && gravity->type == NODE_SCALAR)
        scene_error(reader, gravity->mark,
                    "gravity has a direction: write a list, for example [0, 0, -9.81] (m/s^2)");
    else if (gravity != NULL && scene_vector(reader, gravity, "gravity", 1, 3, g, &count))
        sti_plan_set_gravity(reader->plan, sti_vec3(g[0], g[1], g[2]));
    const Node *painleve = scene_node_find(root, "painleve");
    if (painleve != NULL)
        sti_plan_set_unsettled_policy(reader->plan, scene_word(reader, painleve, "painleve",
                                                               painleve_words) == 1);
    if (allow != NULL && scene_truth(reader, allow, "allow_unphysical", &allowed))
        sti_plan_allow_unphysical(reader->plan, allowed);
    scene->every = 1;
    if (every != NULL) scene_count(reader, every, "every", 1, 1000000000, &scene->every);
}

// Words that paths and channels use themselves, and the constant of expressions.
static bool reserved(const char *name)
{
    static const char *const words[] = {"t",       "pi",     "step",      "start",
                                        "gravity", "energy", "integrator"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(name, words[i]) == 0) return true;
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Parameters stand in expressions only, where '-' and '.' would mean something else.
static void check_name(Reader *reader, const Entry *entry, bool parameter)
{
    const char *name = entry->key, *others = parameter ? "0123456789_" : "0123456789_-.";
    bool good = is_letter(name[0]) && strlen(name) < sizeof(((StiFinding *)0)->component);
    for (const char *c = name; *c != '\0'; ++c)
        good = good && (is_letter(*c) || strchr(others, *c) != NULL);
    if (!good)
        scene_error(
            reader, entry->mark,
            "'%s' cannot be a name: a name is a letter, then letters, digits%s, below 64 long",
            name, parameter ? " and '_'" : ", '_', '-' or '.'");
    else if (reserved(name))
        scene_error(
            reader, entry->mark,
            "'%s' cannot be a name: t, pi, step, start, gravity, energy and integrator are taken",
            name);
}

static void check_names(Reader *reader)
{
    static const char *const sections[][2] = {{"parameters", "a parameter"},
                                              {"inputs", "an input"},
                                              {"bodies", "a body"},
                                              {"elements", "an element"}};
    for (int i = 0; i < 4; ++i) {
        const Node *section = scene_node_find(reader->root, sections[i][0]);
        for (int k = 0; section != NULL && section->type == NODE_MAP && k < section->count; ++k) {
            const Entry *entry = &section->entries[k];
            check_name(reader, entry, i == 0);
            for (int j = 0; j < i; ++j)
                if (scene_node_entry(scene_node_find(reader->root, sections[j][0]), entry->key) !=
                    NULL)
                    scene_error(reader, entry->mark,
                                "the name '%s' is taken by %s; names are unique", entry->key,
                                sections[j][1]);
        }
    }
}

static void list_friction(Reader *reader, StiScene *scene)
{
    const char **names =
        sti_arena_take(reader->arena, (size_t)reader->element_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < reader->element_count; ++i) {
        const Element *e = &reader->elements[i];
        const bool again =
            scene->friction_count > 0 && names[scene->friction_count - 1] == e->entry;
        if (e->friction && !again) names[scene->friction_count++] = e->entry;
    }
    scene->friction = names;
}

static void list_parameters(Reader *reader, StiScene *scene)
{
    const Names *names = &reader->names;
    const int first = scene_name_count(names) - names->parameter_count;
    StiSceneParameter *list =
        sti_arena_take(reader->arena, (size_t)names->parameter_count + 1, sizeof *list);
    for (int i = 0; list != NULL && i < names->parameter_count; ++i)
        list[i] = (StiSceneParameter){names->names[first + i], names->values[first + i]};
    scene->parameters = list;
    scene->parameter_count = list != NULL ? names->parameter_count : 0;
}

bool sti_scene_find(const StiScene *scene, const char *name, StiFound *found)
{
    if (sti_network_find(scene->network, name, found)) return true;
    StiParameter parameter;
    for (int i = 0; sti_plan_parameter(scene->plan, i, &parameter); ++i) {
        if (strcmp(parameter.path, name) != 0) continue;
        *found = (StiFound){.role = STI_PARAMETER, .number = i, .position = -1, .velocity = -1};
        return true;
    }
    return false;
}

int sti_scene_friction_elements(const StiScene *scene, const char *const **names)
{
    *names = scene->friction;
    return scene->friction_count;
}

// Does this many parts of a row fit into every period?
static bool parts_fit(Reader *reader, const Node *elements, double step, int parts)
{
    for (int i = 0; i < elements->count; ++i) {
        const Node *element = elements->entries[i].value;
        double period = 0.0;
        if (element->type != NODE_MAP || scene_node_find(element, "period") == NULL) continue;
        if (!scene_number_at(reader, element, "period", &period)) return false;
        const double count = period * parts / step;
        if (!(fabs(count - round(count)) <= 1e-6)) return false;
    }
    return true;
}

// Under error control the step is only the distance of rows, and controllers may sample at any rate: rows are
// divided so that samples fall on them, and as many are recorded as before.
static void fit_rows_to_samples(Reader *reader, StiScene *scene)
{
    enum { PARTS = 1000 };
    const Node *elements = scene_node_find(reader->root, "elements");
    double step = 1e-3;
    scene_number_at(reader, reader->root, "step", &step);
    if (scene->adaptive == NULL || elements == NULL || elements->type != NODE_MAP) return;
    for (int parts = 1; parts <= PARTS; ++parts) {
        if (!parts_fit(reader, elements, step, parts)) continue;
        scene->steps *= parts;
        scene->every *= parts;
        sti_plan_set_step(reader->plan, step / parts);
        return;
    }
}

// Where parts of the scene could not be read, compile still judges the others.
static void compile(Reader *reader, StiScene *scene, bool whole)
{
    if (reader->arena->failed) return; // parts that were read have holes
    StiReport *report = sti_report_create();
    if (report == NULL) {
        scene_error(reader, reader->root->mark, "out of memory");
        return;
    }
    StiStatus status = sti_plan_compile(reader->plan, report, &scene->network);
    scene_keep_method(reader, scene);
    if (status == STI_OK && scene->adaptive != NULL)
        status = sti_continuous_check(scene->network, report);
    if (status == STI_OK && whole)
        status = sti_network_check_stability(reader->plan, scene->network, report);
    if (status == STI_OK && whole) status = sti_network_check_start(scene->network, report);
    if (status == STI_OK && whole) scene_warn_of_traps(reader);
    scene_place_findings(reader, report, whole);
    if (status == STI_OUT_OF_MEMORY)
        scene_error(reader, reader->root->mark, "out of memory");
    else if (whole && status != STI_OK && sti_report_error_count(report) == 0)
        scene_error(reader, reader->root->mark, "the scene does not compile: %s",
                    sti_status_text(status));
    sti_report_destroy(report);
}

// Goes on after errors, so that all of them are found.
static void read_all(Reader *reader, StiScene *scene)
{
    scene_check_keys(reader, reader->root, "a scene", top_level,
                     sizeof top_level / sizeof top_level[0]);
    read_texts(reader, scene);
    read_time(reader, scene);
    read_settings(reader, scene);
    check_names(reader);
    scene_read_inputs(reader);
    scene_read_outside(reader);
    scene_read_fmus(reader, scene);
    scene_read_materials(reader);
    scene_read_bodies(reader);
    scene_read_elements(reader);
    scene_connect_signals(reader);
    const bool whole = sti_messages_error_count(reader->messages) == 0;
    if (whole) fit_rows_to_samples(reader, scene);
    scene_read_expectations(reader, scene);
    scene_read_variants(reader, scene);
    scene_read_grid(reader, scene);
    scene_read_study(reader, scene);
    scene_read_fit(reader, scene);
    scene_read_figures(reader, scene);
    list_friction(reader, scene);
    list_parameters(reader, scene);
    scene_list_files(reader, scene);
    scene_show_robots(reader, scene);
    scene->fingerprint = scene_fingerprint(reader);
    compile(reader, scene, whole);
    scene_read_record(reader, scene, whole);
}

// ---- loading --------------------------------------------------------------------------------------------

static const char *folder_of(StiArena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = sti_arena_text(arena, path);
    if (folder != NULL) folder[slash != NULL ? slash - path + 1 : 0] = '\0';
    return folder;
}

// The tree as it is to be read: parameters say how often things are repeated, so what is set of them comes first.
static bool take_document(Reader *reader, Node *root, const StiSceneOptions *options)
{
    const Settings *settings = scene_settings(reader, root, options);
    if (settings == NULL) return false;
    scene_apply_settings(reader, root, settings, true);
    if (!scene_read_parameters(reader) || !scene_expand_repeats(reader, root)) return false;
    scene_apply_settings(reader, root, settings, false);
    const char *variant = options != NULL ? options->variant : NULL;
    const Node *from =
        variant != NULL ? scene_node_find(scene_node_find(root, "variants"), variant) : root;
    reader->expect = scene_node_find(from, "expect");
    if (!scene_expand_repeats(reader, root)) return false; // of values that were set
    scene_settle_element_names(reader, root);
    return true;
}

static StiScene *read_scene(const char *text, size_t length, const char *path,
                            const StiSceneOptions *options, StiMessages *messages)
{
    Memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) return NULL;
    Reader *reader = &memory->reader;
    StiScene *scene = &memory->scene;
    scene->path = sti_arena_text(&memory->arena, path);
    scene->plan = sti_plan_create();
    if (options != NULL && options->confine != NULL)
        scene->confine = sti_arena_text(&memory->arena, options->confine);
    *reader = (Reader){.arena = &memory->arena,
                       .messages = messages,
                       .folder = folder_of(&memory->arena, path),
                       .confine = options != NULL ? options->confine : NULL,
                       .fmus = options != NULL && options->fmus,
                       .plan = scene->plan};
    Node *root = memory->arena.failed
                     ? NULL
                     : scene_document_read(text, length, scene->path, &memory->arena, messages);
    reader->root = root;
    if (root != NULL && scene->plan != NULL) {
        if (take_document(reader, root, options)) read_all(reader, scene);
        scene_check_grid(reader, root);
        scene_check_study(reader, root);
    }
    if (memory->arena.failed || scene->plan == NULL)
        scene_message(messages, STI_ERROR, (Mark){scene->path, 0, 0}, "out of memory");
    if (sti_messages_error_count(messages) > 0 || scene->network == NULL) {
        sti_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

// A model file as the scene that stiction import would write. What is said about that scene's lines names it so.
static StiScene *read_model(const char *text, size_t length, const char *path,
                            const StiSceneOptions *options, StiMessages *messages)
{
    char *scene_text = sti_import_text(text, length, path, options, messages);
    if (scene_text == NULL) return NULL;
    StiScene *scene = read_scene(scene_text, strlen(scene_text), path, options, messages);
    free(scene_text);
    return scene;
}

StiScene *sti_scene_read(const char *text, size_t length, const char *path,
                         const StiSceneOptions *options, StiMessages *messages)
{
    const StiLocale locale = sti_locale_begin();
    StiScene *scene = sti_is_model(text, length)
                          ? read_model(text, length, path, options, messages)
                          : read_scene(text, length, path, options, messages);
    sti_locale_end(locale);
    return scene;
}

StiScene *sti_scene_load(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    enum { MOST_BYTES = 1 << 30 };
    size_t length;
    const char *why;
    char *text = scene_file_read(path, MOST_BYTES, &length, &why);
    if (text == NULL) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "cannot be read: %s", why);
        return NULL;
    }
    StiScene *scene = sti_scene_read(text, length, path, options, messages);
    free(text);
    return scene;
}

char *sti_scene_plain(const StiScene *scene)
{
    return scene_plain_text(((const Memory *)(const void *)scene)->reader.root, scene->adaptive != NULL);
}

void sti_scene_destroy(StiScene *scene)
{
    if (scene == NULL) return;
    Memory *memory = (Memory *)(void *)scene;
    sti_network_destroy(scene->network);
    sti_plan_destroy(scene->plan);
    for (KeptRobot *kept = memory->reader.robots; kept != NULL; kept = kept->next)
        sti_robot_destroy(kept->robot);
    scene_destroy_linkages(&memory->reader);
    sti_arena_release(&memory->arena);
    free(memory);
}
