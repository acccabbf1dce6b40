// stiction run SCENE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "grid.h"
#include "load.h"
#include "session.h"
#include "summary.h"
#include "terminal.h"
#include "text.h"
#include "verdict.h"

// A changed scene need not do what the scene as it stands is expected to do.
static int judge(const StiScene *scene, const Arguments *arguments, const double *measured)
{
    Verdicts sums = {0};
    if (scene->expectation_count == 0) return CODE_GOOD;
    const bool changed = arguments->set_count > 0;
    if (arguments->quiet) {
        for (int i = 0; i < scene->expectation_count; ++i)
            sums.failed += !measure_holds(&scene->expectations[i], measured[i]);
    } else {
        printf("\n");
        verdict_header();
        verdict_rows(scene, measured, changed ? SHOW_UNJUDGED : SHOW_ALL, &sums);
        if (changed) printf("  the scene was changed (--set, --step, --stop): nothing is judged\n");
    }
    if (sums.failed > 0 && !changed && arguments->quiet)
        terminal_error("%s: %d of %d expectations failed", scene->path, sums.failed,
                       scene->expectation_count);
    return sums.failed > 0 && !changed ? CODE_FAILED : CODE_GOOD;
}

static void print_output(const char *output, int64_t rows, int columns)
{
    if (output == NULL) return;
    printf("\n  wrote %s: %lld row%s of %d columns\n", output, (long long)rows,
           rows == 1 ? "" : "s", columns);
}

static int run_once(const StiScene *scene, const Arguments *arguments, double *measured)
{
    Session *session = session_create(scene);
    if (session == NULL) return CODE_BAD_INPUT;
    const int code = session_simulate(session, arguments->output, scene->title, arguments->quiet);
    session_measured(session, measured);
    if (code == CODE_GOOD && !arguments->quiet) {
        summary_title(scene, arguments->variant);
        summary_print(session);
        print_output(arguments->output, session->rows, 1 + scene->record_count);
    }
    session_destroy(session);
    return code;
}

static int run_grid(const StiScene *scene, const StiSceneOptions *options,
                    const Arguments *arguments, double *measured)
{
    const double began = clock_now();
    const int code = grid_simulate(scene, options, arguments->output, arguments->quiet, measured);
    if (code != CODE_GOOD || arguments->quiet) return code;
    summary_title(scene, arguments->variant);
    printf("  %lld runs of %lld step%s in %.3g s\n", (long long)grid_runs(scene),
           (long long)scene->steps, scene->steps == 1 ? "" : "s", clock_now() - began);
    for (int i = 0; i < scene->grid_count; ++i)
        printf("    %-24s %g to %g, %d values\n", scene->grid[i].path, scene->grid[i].from,
               scene->grid[i].to, scene->grid[i].count);
    print_output(arguments->output, grid_runs(scene), scene->grid_count + scene->record_count);
    return code;
}

static int run(const Arguments *arguments)
{
    const StiSceneOptions options = {.sets = arguments->sets,
                                     .set_count = arguments->set_count,
                                     .variant = arguments->variant};
    StiScene *scene;
    int code = load_scene(arguments->words[0], &options, arguments->quiet, &scene);
    if (code != CODE_GOOD) return code;
    double *measured = take((size_t)scene->expectation_count, sizeof *measured);
    code = scene->grid_count > 0 ? run_grid(scene, &options, arguments, measured)
                                 : run_once(scene, arguments, measured);
    if (code == CODE_GOOD) code = judge(scene, arguments, measured);
    free(measured);
    sti_scene_destroy(scene);
    return code;
}

const Command command_run = {
    .name = "run",
    .summary = "run a scene, record its channels, judge its expectations",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text = "Runs the scene and prints a summary: steps, stick/slip changes, energy, and the "
            "scene's expectations. With -o the recorded channels go to a CSV file: the column t, "
            "then the channels' names. While the run lasts the file is called FILE.csv.partial; "
            "after Ctrl-C or a failure the rows so far stay there. A scene with a grid is run once "
            "for each combination and gives one row for each run. A folder stands for the "
            "scene.yaml in it.\n\n"
            "Expectations that fail make the exit code 1, unless --set, --step or --stop changed "
            "the scene.",
    .options = {OPTION_OUTPUT, OPTION_SET, OPTION_STEP, OPTION_STOP, OPTION_VARIANT, OPTION_QUIET},
    .run = run,
};
