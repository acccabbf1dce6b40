// stiction converge SCENE --steps 1e-2,1e-3: errors at the stop time, and the order they fall with.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "endpoint.h"
#include "load.h"
#include "stiction/adaptive.h"
#include "terminal.h"
#include "text.h"

enum { MOST = 32 };

typedef struct List {
    char *copy;
    const char *items[MOST];
    int count;
} List;

// At commas, but not at those within braces.
static List split(const char *text)
{
    List list = {.copy = text_new("%s", text)};
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

// The names of adaptive methods are enough.
static char *method_change(const char *name)
{
    StiAdaptiveMethod method;
    for (int i = 0; sti_adaptive_method(i, &method); ++i)
        if (strcmp(method.name, name) == 0) return text_new("method={adaptive: %s}", name);
    return text_new("method=%s", name);
}

typedef struct Study {
    const Arguments *arguments;
    Endpoint reference;
    List steps, methods, models;
    const char *friction[MOST]; // elements that change their model
    int friction_count;
    FILE *csv;
} Study;

// Of one model, method and step; NaN if that does not run.
static int measure(const Study *study, const char *model, const char *method, const char *step,
                   double *error, double *seconds)
{
    const char *changes[MOST + 3] = {NULL};
    int count = 0;
    Endpoint end;
    changes[count++] = method_change(method);
    changes[count++] = text_new("step=%s", step);
    for (int i = 0; model[0] != '\0' && i < study->friction_count; ++i)
        changes[count++] = text_new("%s.model=%s", study->friction[i], model);
    const int code = endpoint_reach(study->arguments, changes, &end);
    *error = code == CODE_GOOD ? endpoint_distance(&end, &study->reference) : NAN;
    *seconds = end.seconds;
    endpoint_release(&end);
    for (int i = 0; i < count; ++i) free((char *)changes[i]);
    return code;
}

static void show(const Study *study, const char *model, const char *method, const char *step,
                 double error, double order, double seconds)
{
    const char *name = model[0] != '\0' ? model : "as it stands";
    char text[16] = "";
    if (isfinite(order)) snprintf(text, sizeof text, "%.2f", order);
    if (!study->arguments->quiet)
        printf("  %-22s %-18s %10s %12.3g %7s %10.3g\n", name, method, step, error, text, seconds);
    if (study->csv != NULL)
        fprintf(study->csv, "%s,\"%s\",%s,%.17g,%.17g,%.17g\n", name, method, step, error, order,
                seconds);
}

static int follow_method(const Study *study, const char *model, const char *method)
{
    double before = NAN, step_before = NAN;
    for (int i = 0; i < study->steps.count; ++i) {
        double error, seconds;
        const int code = measure(study, model, method, study->steps.items[i], &error, &seconds);
        if (code == CODE_INTERRUPTED || code == CODE_BAD_INPUT) return code;
        const double step = strtod(study->steps.items[i], NULL);
        show(study, model, method, study->steps.items[i], error,
             log(before / error) / log(step_before / step), seconds);
        before = error;
        step_before = step;
    }
    return CODE_GOOD;
}

// Error against CPU time, one line for each method and model.
static void write_plot(const Study *study, const char *path)
{
    char *name = text_new("%s.gp", path);
    FILE *file = fopen(name, "w");
    free(name);
    if (file == NULL) return;
    fprintf(file,
            "set terminal svg size 800,600\nset output '%s.svg'\nset datafile separator ','\n"
            "set logscale xy\nset format '10^{%%L}'\nset xlabel 'CPU time, s'\n"
            "set ylabel 'error at the stop'\nset key outside\nplot \\\n",
            path);
    for (int m = 0; m < study->models.count; ++m)
        for (int i = 0; i < study->methods.count; ++i) {
            const char *model = study->models.items[m];
            model = model[0] != '\0' ? model : "as it stands";
            fprintf(file,
                    "  '%s' using ((strcol(1) eq '%s' && strcol(2) eq '%s') ? $6 : NaN):4 "
                    "with linespoints title '%s, %s', \\\n",
                    path, model, study->methods.items[i], model, study->methods.items[i]);
        }
    fprintf(file, "  NaN notitle\n");
    fclose(file);
}

static int find_friction(Study *study)
{
    const Arguments *arguments = study->arguments;
    const StiSceneOptions options = {.sets = arguments->sets,
                                     .set_count = arguments->set_count,
                                     .variant = arguments->variant};
    StiScene *scene = NULL;
    const int code = load_without_expectations(arguments->words[0], &options, true, &scene);
    if (code != CODE_GOOD) return code;
    for (int i = 0; i < scene->friction_count && i < MOST; ++i)
        study->friction[study->friction_count++] = text_new("%s", scene->friction[i]);
    sti_scene_destroy(scene);
    return CODE_GOOD;
}

static int study_all(Study *study)
{
    double doubt;
    int code = find_friction(study);
    if (code == CODE_GOOD) code = endpoint_refer(study->arguments, &study->reference, &doubt);
    if (code != CODE_GOOD) return code;
    if (!study->arguments->quiet)
        printf("  %d channels at the stop; a second method differs from the reference by %.2g\n\n"
               "  %-22s %-18s %10s %12s %7s %10s\n",
               study->reference.count, doubt, "model", "method", "step, s", "error", "order",
               "CPU, s");
    if (study->csv != NULL) fprintf(study->csv, "model,method,step,error,order,seconds\n");
    for (int m = 0; m < study->models.count; ++m)
        for (int i = 0; i < study->methods.count && code == CODE_GOOD; ++i)
            code = follow_method(study, study->models.items[m], study->methods.items[i]);
    return code;
}

static int run(const Arguments *arguments)
{
    Study study = {.arguments = arguments};
    if (arguments->steps == NULL) {
        terminal_error("converge needs --steps 1e-2,1e-3,...");
        return CODE_BAD_INPUT;
    }
    study.steps = split(arguments->steps);
    study.methods = split(arguments->methods != NULL ? arguments->methods : "euler,rk4,cut");
    study.models =
        arguments->models != NULL ? split(arguments->models) : (List){.items = {""}, .count = 1};
    if (arguments->output != NULL) study.csv = fopen(arguments->output, "w");
    if (arguments->output != NULL && study.csv == NULL) {
        terminal_error("cannot write %s", arguments->output);
        return CODE_FILE;
    }
    const int code = study_all(&study);
    if (study.csv != NULL) fclose(study.csv);
    if (study.csv != NULL && code == CODE_GOOD) write_plot(&study, arguments->output);
    endpoint_release(&study.reference);
    for (int i = 0; i < study.friction_count; ++i) free((char *)study.friction[i]);
    free(study.steps.copy), free(study.methods.copy), free(study.models.copy);
    return code;
}

const Command command_converge = {
    .name = "converge",
    .summary = "errors of steps and methods against a reference, and their order",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text =
        "Computes a reference with events and tight tolerances, checks it with a second method, "
        "and runs the scene with each step and method, with fixed steps or adaptive, and "
        "friction model. The error is the "
        "Euclidean distance of the recorded channels in m, rad, m/s and rad/s at the stop time. "
        "With -o FILE.csv the table goes to a file, and FILE.csv.gp beside it draws error "
        "against CPU time by gnuplot.",
    .options = {OPTION_STEPS, OPTION_METHODS, OPTION_MODELS, OPTION_OUTPUT, OPTION_SET, OPTION_STOP,
                OPTION_VARIANT, OPTION_QUIET},
    .run = run,
};
