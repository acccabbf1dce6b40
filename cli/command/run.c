// stiction run SCENE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/drive.h"
#include "files/format.h"
#include "command/grid.h"
#include "command/load.h"
#include "report/page.h"
#include "report/report_document.h"
#include "terminal/session.h"
#include "plot/sketch.h"
#include "terminal/summary.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "terminal/verdict.h"

// A changed scene need not do what the scene as it stands is expected to do.
static int judge(const StiScene *scene, const Arguments *arguments, const double *measured)
{
    Verdicts sums = {0};
    if (scene->expectation_count == 0) return CODE_GOOD;
    const bool changed = arguments->set_count > 0;
    if (arguments->quiet) {
        for (int i = 0; i < scene->expectation_count; ++i)
            sums.failed += !sti_expectation_holds(&scene->expectations[i], measured[i]);
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

static bool is_changed(const Arguments *arguments) { return arguments->set_count > 0; }

static void print_report(const Arguments *arguments)
{
    if (!arguments->quiet && arguments->report != NULL)
        printf("%s  wrote %s: open it in a browser\n", arguments->output == NULL ? "\n" : "",
               arguments->report);
}

static const int64_t display_values = 300000; // 2.4 MB, a third more as text

static int write_report(const Arguments *arguments, ReportRun *run, const Session *session,
                        const ReportExtent *extent)
{
    const StiScene *scene = session->scene;
    Report *report = report_create("run", scene->title);
    if (report == NULL) return CODE_FILE;
    report_simulation(report, scene, scene->path);
    report_add_run(report, run, session, extent,
                   arguments->variant != NULL ? arguments->variant : "scene",
                   !is_changed(arguments));
    const int code = report_write(report, arguments->report);
    report_destroy(report);
    return code;
}

static int run_once(const StiScene *scene, const StiSceneOptions *options,
                    const Arguments *arguments, double *measured)
{
    Session *session = session_create(scene);
    if (session == NULL) return CODE_BAD_INPUT;
    session->options = options;
    Drive *drive = scene->fmu_count > 0 ? drive_create(session) : NULL;
    if (drive == NULL && scene->fmu_count > 0) {
        session_destroy(session);
        return CODE_FAILED;
    }
    if (arguments->output == NULL && !arguments->quiet && !arguments->no_plot)
        session->sketch = sketch_create(session);
    const ReportExtent extent = {.values = display_values, .full = arguments->full};
    ReportRun *page = arguments->report != NULL ? report_run_create(session, &extent) : NULL;
    int code = session_simulate(session, arguments->output, scene->title, arguments->quiet);
    session_measured(session, measured);
    if (code == CODE_GOOD && page != NULL) code = write_report(arguments, page, session, &extent);
    if (code == CODE_GOOD && !arguments->quiet) {
        summary_title(scene, arguments->variant);
        summary_print(session);
        sketch_print(session->sketch, session);
        print_output(arguments->output, session->rows, 1 + scene->record_count);
        print_report(arguments);
    }
    if (code == CODE_GOOD) code = session_judge_steps(session);
    report_run_destroy(page);
    drive_destroy(drive);
    sketch_destroy(session->sketch);
    session_destroy(session);
    return code;
}

static int write_grid_report(const StiScene *scene, const Arguments *arguments, Rows *rows,
                             const double *measured)
{
    Report *report = report_create("run", scene->title);
    if (report == NULL) return CODE_FILE;
    report_simulation(report, scene, scene->path);
    report_add_grid(report, scene, rows, measured,
                    arguments->variant != NULL ? arguments->variant : "scene",
                    !is_changed(arguments));
    const int code = report_write(report, arguments->report);
    report_destroy(report);
    return code;
}

static void print_grid(const StiScene *scene, const Arguments *arguments, double seconds)
{
    summary_title(scene, arguments->variant);
    printf("  %lld runs of %lld step%s in %.3g s\n", (long long)grid_runs(scene),
           (long long)scene->steps, scene->steps == 1 ? "" : "s", seconds);
    for (int i = 0; i < scene->grid_count; ++i)
        printf("    %-24s %g to %g, %d values\n", scene->grid[i].path, scene->grid[i].from,
               scene->grid[i].to, scene->grid[i].count);
    print_output(arguments->output, grid_runs(scene), scene->grid_count + scene->record_count);
    print_report(arguments);
}

static int run_grid(const StiScene *scene, const StiSceneOptions *options,
                    const Arguments *arguments, double *measured)
{
    const double began = clock_now();
    Rows rows = rows_create(1 + scene->grid_count + scene->record_count, true);
    int code = grid_simulate(scene, options, arguments->output, arguments->quiet, measured, &rows);
    if (code == CODE_GOOD && arguments->report != NULL)
        code = write_grid_report(scene, arguments, &rows, measured);
    if (code == CODE_GOOD && !arguments->quiet) print_grid(scene, arguments, clock_now() - began);
    rows_release(&rows);
    return code;
}

static int run(const Arguments *arguments)
{
    StiSceneOptions options = load_options(arguments);
    StiScene *scene;
    options.fmus = true;
    if (!format_is_good(arguments->output, true)) return CODE_BAD_INPUT;
    if (arguments->report != NULL && !page_is_there()) return CODE_FILE;
    int code = load_scene(arguments->words[0], &options, arguments->quiet, &scene);
    if (code != CODE_GOOD) return code;
    if (scene->grid_count > 0 && scene->fmu_count > 0) {
        terminal_error("%s: a scene with an FMU ('%s') cannot be run over a grid", scene->path,
                       scene->fmus[0].name);
        sti_scene_destroy(scene);
        return CODE_BAD_INPUT;
    }
    double *measured = take((size_t)scene->expectation_count, sizeof *measured);
    code = scene->grid_count > 0 ? run_grid(scene, &options, arguments, measured)
                                 : run_once(scene, &options, arguments, measured);
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
    .text =
        "Runs the scene and prints a summary: steps, stick/slip changes, energy, and the "
        "scene's expectations. With -o the recorded channels go to a file whose ending names "
        "its format: .csv (the column t, then the channels' names), .h5 (HDF5, compressed, "
        "with units), .mcap (for Foxglove, PlotJuggler and rerun). While the run lasts the "
        "file is called FILE.partial; after Ctrl-C or a failure the rows so far stay there. "
        "A scene with a grid is run once for each combination and gives one row for each run. "
        "A folder stands for the scene.yaml in it.\n\n"
        "Without -o a terminal shows small plots of up to six recorded channels, and bars of who "
        "sticks when; --no-plot leaves them out.\n\n"
        "With --report the run becomes a page that needs nothing but a browser: plots, a "
        "replay, parameters, expectations. It shows a selection of the rows in which no peak is "
        "lost; --full takes all of them.\n\n"
        "Expectations that fail make the exit code 1, unless --set, --step or --stop changed "
        "the scene.",
    .options = {OPTION_OUTPUT, OPTION_REPORT, OPTION_FULL, OPTION_SET, OPTION_STEP, OPTION_STOP,
                OPTION_VARIANT, OPTION_NO_PLOT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
