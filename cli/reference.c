// stiction reference SCENE: a solution to check others against, stored beside the scene.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "endpoint.h"
#include "load.h"
#include "session.h"
#include "terminal.h"
#include "text.h"

// Beside the scene, or where -o says.
static char *place_of(const Arguments *arguments, const StiScene *scene)
{
    if (arguments->output != NULL) return text_new("%s", arguments->output);
    const char *slash = strrchr(scene->path, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - scene->path) : 0;
    return text_new("%.*sreference.csv", folder, scene->path);
}

// FILE.txt: how it was made.
static bool explain(const char *path, const Session *session, double doubt)
{
    char *name = text_new("%s.txt", path);
    FILE *file = fopen(name, "w");
    free(name);
    if (file == NULL) return false;
    const StiAdaptiveFigures figures = sti_adaptive_figures(session->adaptive);
    fprintf(file,
            "scene:      %s\nmethod:     %s\n            %ld steps, %ld evaluations, %ld events\n"
            "checked by: %s\ndifference: %.3g (positions and velocities recorded, at the stop)\n",
            session->scene->path, endpoint_methods[0], figures.steps, figures.evaluations,
            figures.events, endpoint_methods[1], doubt);
    return fclose(file) == 0;
}

static int make(const Arguments *arguments, const StiScene *scene)
{
    Endpoint reference = {0};
    double doubt = NAN;
    int code = endpoint_refer(arguments, &reference, &doubt);
    endpoint_release(&reference);
    Session *session = code == CODE_GOOD ? session_create(scene) : NULL;
    if (session == NULL) return code == CODE_GOOD ? CODE_FAILED : code;
    char *path = place_of(arguments, scene);
    code = session_simulate(session, path, scene->title, arguments->quiet);
    if (code == CODE_GOOD && !explain(path, session, doubt)) {
        terminal_error("cannot write %s.txt", path);
        code = CODE_FILE;
    }
    if (code == CODE_GOOD && !arguments->quiet)
        printf("  wrote %s: %lld rows; a second method differs by %.2g at the stop\n", path,
               (long long)scene->steps + 1, doubt);
    free(path);
    session_destroy(session);
    return code;
}

static int run(const Arguments *arguments)
{
    char *method = text_new("method=%s", endpoint_methods[0]);
    const char **sets = take((size_t)arguments->set_count + 1, sizeof *sets);
    for (int i = 0; i < arguments->set_count; ++i) sets[i] = arguments->sets[i];
    sets[arguments->set_count] = method;
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = arguments->set_count + 1,
                                     .variant = arguments->variant};
    StiScene *scene = NULL;
    int code = load_without_expectations(arguments->words[0], &options, arguments->quiet, &scene);
    if (code == CODE_GOOD) code = make(arguments, scene);
    if (scene != NULL) sti_scene_destroy(scene);
    free(sets);
    free(method);
    return code;
}

const Command command_reference = {
    .name = "reference",
    .summary = "an event-exact solution, stored beside the scene",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text =
        "Runs the scene with events and tight tolerances (fehlberg, 1e-13), checks the end with "
        "a second method (verner, 1e-12), and writes reference.csv beside the scene (or FILE), "
        "with how it was made in reference.csv.txt. Friction models made for a fixed step are "
        "refused.",
    .options = {OPTION_OUTPUT, OPTION_SET, OPTION_STEP, OPTION_STOP, OPTION_VARIANT, OPTION_QUIET},
    .run = run,
};
