// stiction converge SCENE --steps 1e-2,1e-3: errors against a reference, and the order they fall with.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "plot/gnuplot.h"
#include "command/load.h"
#include "stiction/adaptive.h"
#include "study/study.h"
#include "study/study_check.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

enum { MOST = 32, METHOD_CHANGES = 3 }; // of a list; of a scene, with the NULL after them

typedef struct List {
    char *copy;
    const char *items[MOST];
    int count;
} List;

// At commas, but not at those within braces.
static List split(const char *text)
{
    List list = {.copy = text_new("%s", text != NULL ? text : "")};
    int depth = 0;
    if (list.copy[0] != '\0') list.items[list.count++] = list.copy;
    for (char *c = list.copy; *c != '\0'; ++c) {
        depth += (*c == '{') - (*c == '}');
        if (*c != ',' || depth > 0 || list.count == MOST) continue;
        *c = '\0';
        list.items[list.count++] = c + 1;
    }
    return list;
}

typedef struct Study {
    const Arguments *arguments;
    List steps, tolerances, methods, models;
    char **friction; // elements that change their model
    int friction_count;
    double last;   // s, where a run ends
    Exact own;     // the reference of the scene as it stands
    Exact swapped; // that of the model in use, if it has one
    const Exact *exact;
    Results results;
} Study;

static const char as_it_stands[] = "as it stands";

// ---- references ---------------------------------------------------------------------------------

// All of the scene, or the one that was named; false after a message.
static bool take_friction(Study *study, const StiScene *scene)
{
    const char *wanted = study->arguments->element;
    study->friction = take((size_t)scene->friction_count + 1, sizeof *study->friction);
    for (int i = 0; i < scene->friction_count; ++i)
        if (wanted == NULL || strcmp(scene->friction[i], wanted) == 0)
            study->friction[study->friction_count++] = text_new("%s", scene->friction[i]);
    if (study->friction_count > 0 || study->models.count == 0) return true;
    const char *nearest =
        wanted != NULL ? text_nearest(wanted, scene->friction, scene->friction_count) : NULL;
    if (nearest != NULL)
        terminal_error("there is no friction element '%s'; did you mean %s?", wanted, nearest);
    else if (wanted != NULL)
        terminal_error("there is no friction element '%s'", wanted);
    else
        terminal_error("%s has no friction element whose model could change", scene->path);
    return false;
}

static int find_own(Study *study)
{
    const Arguments *arguments = study->arguments;
    const StiSceneOptions options = load_options(arguments);
    StiScene *scene = NULL;
    const int code = load_without_expectations(arguments->words[0], &options, true, &scene);
    if (code != CODE_GOOD) return code;
    study->last = scene->stop;
    const bool good = take_friction(study, scene);
    sti_scene_destroy(scene);
    return good ? exact_find(arguments, &study->own) : CODE_BAD_INPUT;
}

static void tell_reference(const Study *study)
{
    const Exact *exact = study->exact;
    if (study->arguments->quiet) return;
    printf("  reference: %s, %d channels, %lld rows\n             %s\n  checked by %s\n"
           "             differs by %.2g at the end, %.2g at most\n",
           exact->path != NULL ? exact->path : "computed", exact->trajectory.count,
           (long long)exact->trajectory.rows.count, exact->method, exact->check, exact->doubt.end,
           exact->doubt.greatest);
}

// ---- runs ---------------------------------------------------------------------------------------

static bool is_adaptive(const char *name)
{
    StiAdaptiveMethod method;
    for (int i = 0; sti_adaptive_method(i, &method); ++i)
        if (strcmp(method.name, name) == 0) return true;
    return name[0] == '{';
}

// Of the model: all friction elements.
static int model_changes(const Study *study, const char *model, const char **changes)
{
    int count = 0;
    for (int i = 0; model != as_it_stands && i < study->friction_count; ++i)
        changes[count++] = text_new("%s.model=%s", study->friction[i], model);
    return count;
}

static void release_changes(const char **changes, int count)
{
    for (int i = 0; i < count; ++i) free((char *)changes[i]);
}

// Adaptive methods report their state at the times of the reference, where the scene may have such a
// step; closer together than that it would be telling that costs.
static bool telling_step(const Study *study, double *step)
{
    const Trajectory *reference = &study->exact->trajectory;
    const double gap = trajectory_time(reference, 1) - trajectory_time(reference, 0);
    const double steps = (study->last - trajectory_time(reference, 0)) / gap;
    const Arguments *arguments = study->arguments;
    if (fabs(steps - round(steps)) > 1e-6) return false;
    const char **sets = take((size_t)arguments->set_count + 1, sizeof *sets);
    for (int i = 0; i < arguments->set_count; ++i) sets[i] = arguments->sets[i];
    char *change = text_new("step=%.17g", gap);
    sets[arguments->set_count] = change;
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = arguments->set_count + 1,
                                     .variant = arguments->variant};
    StiScene *scene = load_quietly(arguments->words[0], &options);
    const bool good = scene != NULL;
    *step = gap;
    sti_scene_destroy(scene);
    free(change);
    free(sets);
    return good;
}

static int method_changes(const Study *study, const Result *result, const char **changes)
{
    int count = 0;
    double step;
    if (!result->adaptive) {
        changes[count++] = text_new("method=%s", result->method);
        changes[count++] = text_new("step=%.17g", result->size);
        return count;
    }
    changes[count++] = isfinite(result->size)
                           ? text_new("method={adaptive: %s, rtol: %.17g, atol: %.17g}",
                                      result->method, result->size, 1e-2 * result->size)
                           : text_new("method=%s", result->method);
    if (telling_step(study, &step)) changes[count++] = text_new("step=%.17g", step);
    return count;
}

static int measure(Study *study, const char *model, const char *method, bool adaptive, double size)
{
    const char **changes = take((size_t)study->friction_count + METHOD_CHANGES, sizeof *changes);
    Result result = {.model = model, .method = method, .adaptive = adaptive, .size = size};
    int count = model_changes(study, model, changes);
    count += method_changes(study, &result, changes + count);
    const int code = study_measure(study->arguments, changes, study->exact, study->results.scale,
                                   study->arguments->work != NULL, &result);
    release_changes(changes, count);
    free(changes);
    if (code == CODE_INTERRUPTED || code == CODE_BAD_INPUT || code == CODE_FILE) return code;
    results_add(&study->results, &result);
    results_order(&study->results);
    if (!study->arguments->quiet) results_print_row(&study->results.rows[study->results.count - 1]);
    return CODE_GOOD;
}

static int follow_method(Study *study, const char *model, const char *method)
{
    const bool adaptive = is_adaptive(method);
    const List *sizes = adaptive ? &study->tolerances : &study->steps;
    int code = CODE_GOOD;
    if (method[0] == '{') return measure(study, model, method, true, NAN);
    for (int i = 0; i < sizes->count && code == CODE_GOOD; ++i)
        code = measure(study, model, method, adaptive, strtod(sizes->items[i], NULL));
    return code;
}

// A model is compared with its own solution, where it has one: then the error is the method's.
static int follow_model(Study *study, const char *model)
{
    const char **changes = take((size_t)study->friction_count + METHOD_CHANGES, sizeof *changes);
    const int count = model_changes(study, model, changes);
    int code = CODE_GOOD;
    study->exact = &study->own;
    if (count > 0 && exact_exists(study->arguments, changes)) {
        exact_release(&study->swapped);
        code = exact_compute(study->arguments, changes, &study->swapped);
        study->exact = &study->swapped;
    } else if (count > 0 && !study->arguments->quiet)
        printf("  %s is made for a fixed step: its errors are those against the scene's model\n",
               model);
    release_changes(changes, count);
    free(changes);
    for (int i = 0; i < study->methods.count && code == CODE_GOOD; ++i)
        code = follow_method(study, model, study->methods.items[i]);
    return code;
}

static int follow_all(Study *study)
{
    int code = find_own(study);
    if (code != CODE_GOOD) return code;
    study->exact = &study->own;
    tell_reference(study);
    if (!study->arguments->quiet) results_print_head(&study->results);
    if (study->models.count == 0) return follow_model(study, as_it_stands);
    for (int i = 0; i < study->models.count && code == CODE_GOOD; ++i)
        code = follow_model(study, study->models.items[i]);
    return code;
}

// ---- what is asked for --------------------------------------------------------------------------

static bool are_numbers(const List *list, const char *option)
{
    for (int i = 0; i < list->count; ++i) {
        char *end;
        const double value = strtod(list->items[i], &end);
        if (*end == '\0' && end != list->items[i] && value > 0.0 && isfinite(value)) continue;
        terminal_error("%s wants numbers above 0 with commas, not '%s'", option, list->items[i]);
        return false;
    }
    return true;
}

static bool has_sizes(const Study *study)
{
    for (int i = 0; i < study->methods.count; ++i) {
        if (is_adaptive(study->methods.items[i]) || study->steps.count > 0) continue;
        terminal_error("converge needs --steps 1e-2,1e-3,... for %s", study->methods.items[i]);
        return false;
    }
    return true;
}

static bool figures_can_be(const Arguments *arguments)
{
    if (arguments->figure == NULL && arguments->work == NULL) return true;
    return (arguments->figure == NULL || gnuplot_makes(arguments->figure)) &&
           (arguments->work == NULL || gnuplot_makes(arguments->work)) && gnuplot_is_there();
}

static bool read_scale(const Arguments *arguments, double *scale)
{
    char *end = "";
    *scale = arguments->scale != NULL ? strtod(arguments->scale, &end) : 1.0;
    if (*end == '\0' && *scale > 0.0) return true;
    terminal_error("--scale wants a number above 0, not '%s'", arguments->scale);
    return false;
}

static int show(const Study *study)
{
    const Arguments *arguments = study->arguments;
    const char *const paths[] = {arguments->output, arguments->figure, arguments->work};
    const Results *results = &study->results;
    int code = CODE_GOOD;
    if (paths[0] != NULL) code = results_write(results, paths[0]);
    for (int i = 1; i < 3; ++i)
        if (paths[i] != NULL && code == CODE_GOOD)
            code = results_draw(results, arguments->title, paths[i], i == 2);
    for (int i = 0; i < 3 && code == CODE_GOOD && !arguments->quiet; ++i)
        if (paths[i] != NULL) printf("%s  wrote %s\n", i == 0 ? "\n" : "", paths[i]);
    return code;
}

static void release(Study *study)
{
    exact_release(&study->own);
    exact_release(&study->swapped);
    results_release(&study->results);
    for (int i = 0; i < study->friction_count; ++i) free(study->friction[i]);
    free(study->friction);
    free(study->steps.copy), free(study->tolerances.copy);
    free(study->methods.copy), free(study->models.copy);
}

static int run(const Arguments *arguments)
{
    if (arguments->check != NULL) return study_check(arguments, arguments->check);
    Study study = {.arguments = arguments};
    study.steps = split(arguments->steps);
    study.tolerances =
        split(arguments->tolerances != NULL ? arguments->tolerances : "1e-4,1e-6,1e-8,1e-10");
    study.methods = split(arguments->methods != NULL ? arguments->methods : "euler,rk4,cut");
    study.models = split(arguments->models);
    const bool good = are_numbers(&study.steps, "--steps") &&
                      are_numbers(&study.tolerances, "--tolerances") && has_sizes(&study) &&
                      read_scale(arguments, &study.results.scale) && figures_can_be(arguments);
    int code = good ? follow_all(&study) : CODE_BAD_INPUT;
    if (code == CODE_GOOD) code = show(&study);
    release(&study);
    return code;
}

const Command command_converge = {
    .name = "converge",
    .summary = "errors of steps and methods against a reference, and their order",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text =
        "Runs the scene with each method and step, an adaptive method with each tolerance (rtol; "
        "atol is a hundredth of it), and each friction model, and compares with the reference: "
        "reference.csv beside the scene, if it is of this problem, else one that is computed as "
        "stiction reference does. A file named with --reference must fit. The error is "
        "hypot(positions, velocities/SCALE) over the recorded channels in m, rad, m/s and rad/s, "
        "at the stop time and at most at the times that the reference has. The order is that of "
        "the error at the end, from the line before. CPU time is that of the steps alone.\n\n"
        "A friction model is compared with its own reference; one made for a fixed step, which has "
        "none, with that of the scene.\n\n"
        "With --check the scene is held against a table of variant, method, step, scale, error, "
        "order, over: an error within a factor of 3 and an order (from the step times over, 2 if "
        "empty) within 0.3 hold; so does a smaller error.",
    .options = {OPTION_STEPS, OPTION_TOLERANCES, OPTION_METHODS, OPTION_MODELS, OPTION_ELEMENT,
                OPTION_SCALE, OPTION_REFERENCE, OPTION_CHECK, OPTION_TABLE, OPTION_CONVERGENCE,
                OPTION_WORK, OPTION_TITLE, OPTION_SET, OPTION_STOP, OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
