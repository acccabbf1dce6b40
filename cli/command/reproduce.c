// stiction reproduce [KEY[/NAME]]: the papers' simulations and our own against what is expected.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/command.h"
#include "command/grid.h"
#include "terminal/interrupt.h"
#include "command/load.h"
#include "report/page.h"
#include "report/report_document.h"
#include "command/scenes.h"
#include "terminal/session.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "terminal/verdict.h"

typedef struct Reproduction {
    const Arguments *arguments;
    Verdicts sums;
    int simulations, runs, broken; // broken: could not be loaded, or failed on the way
    int code;                      // the worst so far
    Report *report;                // or NULL
} Reproduction;

// Of one run: about a hundred of them stay below 10 MB.
static const ReportExtent extent = {.values = 6000, .figures = true};

static void keep_worst(Reproduction *all, int code)
{
    if (code == CODE_GOOD) return;
    ++all->broken;
    if (code > all->code) all->code = code;
}

// DIR/KEY-NAME[-VARIANT].csv, NULL without --out.
static char *output_of(const Reproduction *all, const SceneFile *file, const char *variant)
{
    if (all->arguments->output == NULL) return NULL;
    char *name =
        text_new("%s%s%s", file->name, variant != NULL ? "-" : "", variant != NULL ? variant : "");
    for (char *c = name; *c != '\0'; ++c)
        if (*c == '/') *c = '-';
    char *path = text_new("%s/%s.csv", all->arguments->output, name);
    free(name);
    return path;
}

static const char *run_name(const char *variant) { return variant != NULL ? variant : "scene"; }

static int simulate_grid(const Reproduction *all, const StiScene *scene,
                         const StiSceneOptions *options, const char *output, double *measured)
{
    Rows rows = rows_create(1 + scene->grid_count + scene->record_count, true);
    const int code = grid_simulate(scene, options, output, all->arguments->quiet, measured, &rows);
    if (code == CODE_GOOD && all->report != NULL)
        report_add_grid(all->report, scene, &rows, measured, run_name(options->variant), true);
    rows_release(&rows);
    return code;
}

static int simulate(const Reproduction *all, const StiScene *scene, const StiSceneOptions *options,
                    const char *output, double *measured)
{
    if (scene->grid_count > 0) return simulate_grid(all, scene, options, output, measured);
    Session *session = session_create(scene);
    if (session == NULL) return CODE_BAD_INPUT;
    ReportRun *run = all->report != NULL ? report_run_create(session, &extent) : NULL;
    int code = session_simulate(session, output, scene->title, all->arguments->quiet);
    session_measured(session, measured);
    if (code == CODE_GOOD && run != NULL)
        report_add_run(all->report, run, session, &extent, run_name(options->variant), true);
    if (code == CODE_GOOD) code = session_judge_steps(session);
    report_run_destroy(run);
    session_destroy(session);
    return code;
}

static void print_name(const SceneFile *file, const char *variant)
{
    printf("%s%s%s", terminal_ink(stdout, INK_BOLD), file->name, terminal_ink(stdout, INK_PLAIN));
    if (variant != NULL) printf(" (%s)", variant);
    putchar('\n');
}

// With --quiet a run shows only where something fails.
static void print_verdicts(Reproduction *all, const SceneFile *file, const char *variant,
                           const StiScene *scene, const double *measured)
{
    const bool quiet = all->arguments->quiet;
    bool all_hold = true;
    for (int i = 0; i < scene->expectation_count; ++i)
        all_hold = all_hold && sti_expectation_holds(&scene->expectations[i], measured[i]);
    if (!quiet || !all_hold) print_name(file, variant);
    verdict_rows(scene, measured, quiet ? SHOW_FAILED : SHOW_ALL, &all->sums);
    fflush(stdout);
}

static void run_loaded(Reproduction *all, const SceneFile *file, const StiSceneOptions *options,
                       const StiScene *scene)
{
    double *measured = take((size_t)scene->expectation_count, sizeof *measured);
    char *output = output_of(all, file, options->variant);
    const int code = simulate(all, scene, options, output, measured);
    ++all->runs;
    if (code == CODE_GOOD)
        print_verdicts(all, file, options->variant, scene, measured);
    else
        fprintf(stderr, "  in %s%s%s\n", file->name, options->variant != NULL ? ", variant " : "",
                options->variant != NULL ? options->variant : "");
    keep_worst(all, code);
    free(output);
    free(measured);
}

static void run_variant(Reproduction *all, const SceneFile *file, const char *variant)
{
    const StiSceneOptions options = {.variant = variant};
    StiScene *scene;
    const int code = load_scene(file->path, &options, true, &scene);
    if (code == CODE_GOOD)
        run_loaded(all, file, &options, scene);
    else
        keep_worst(all, code);
    sti_scene_destroy(scene);
}

static void run_file(Reproduction *all, const SceneFile *file)
{
    const StiSceneOptions options = {0};
    StiScene *scene;
    const int code = load_scene(file->path, &options, true, &scene);
    ++all->simulations;
    keep_worst(all, code);
    if (code != CODE_GOOD) return;
    if (all->report != NULL) report_simulation(all->report, scene, file->name);
    if (scene->expectation_count > 0 || all->arguments->output != NULL || all->report != NULL)
        run_loaded(all, file, &options, scene);
    for (int i = 0; i < scene->variant_count && all->code != CODE_INTERRUPTED; ++i)
        run_variant(all, file, scene->variants[i].name);
    sti_scene_destroy(scene);
}

// KEY takes all simulations of a paper, KEY/NAME one.
static bool is_asked_for(const SceneFile *file, const char *what)
{
    if (what == NULL || strcmp(file->name, what) == 0) return true;
    size_t length = strlen(what);
    while (length > 0 && what[length - 1] == '/') --length;
    return strncmp(file->name, what, length) == 0 &&
           (file->name[length] == '/' || file->name[length] == '\0');
}

static int refuse(const SceneFiles *files, const char *what)
{
    const char **names = take(2 * (size_t)files->count, sizeof *names);
    char **keys = take((size_t)files->count, sizeof *keys);
    for (int i = 0; i < files->count; ++i) {
        keys[i] = text_new("%.*s", (int)strcspn(files->files[i].name, "/"), files->files[i].name);
        names[2 * i] = keys[i];
        names[2 * i + 1] = files->files[i].name;
    }
    const char *nearest = text_nearest(what, names, 2 * files->count);
    if (nearest != NULL)
        terminal_error("there is no simulation '%s'; did you mean %s?", what, nearest);
    else
        terminal_error("there is no simulation '%s'; see stiction list scenes", what);
    for (int i = 0; i < files->count; ++i) free(keys[i]);
    free(keys);
    free(names);
    return CODE_BAD_INPUT;
}

static void print_sums(const Reproduction *all, double seconds)
{
    const int total = all->sums.held + all->sums.failed;
    if (all->arguments->quiet && all->sums.failed == 0) return;
    printf("\n%d simulation%s, %d run%s in %.1f s: %s%d of %d expectations hold%s",
           all->simulations, all->simulations == 1 ? "" : "s", all->runs, all->runs == 1 ? "" : "s",
           seconds, terminal_ink(stdout, all->sums.failed > 0 ? INK_BAD : INK_GOOD), all->sums.held,
           total, terminal_ink(stdout, INK_PLAIN));
    if (all->sums.failed > 0) printf(", %d FAIL", all->sums.failed);
    if (all->broken > 0) printf("; %d could not be run to the end", all->broken);
    putchar('\n');
}

static void finish_report(Reproduction *all)
{
    if (all->report == NULL) return;
    const int code =
        all->code != CODE_INTERRUPTED ? report_write(all->report, all->arguments->report) : 0;
    if (code > all->code)
        all->code = code;
    else if (!all->arguments->quiet && all->code != CODE_INTERRUPTED)
        printf("wrote %s: open it in a browser\n", all->arguments->report);
    report_destroy(all->report);
}

static int run_files(const SceneFiles *files, const Arguments *arguments)
{
    const char *what = arguments->word_count > 0 ? arguments->words[0] : NULL;
    Reproduction all = {.arguments = arguments};
    int asked = 0;
    for (int i = 0; i < files->count; ++i) asked += is_asked_for(&files->files[i], what);
    if (asked == 0 && what != NULL) return refuse(files, what);
    if (arguments->report != NULL) {
        if (!page_is_there()) return CODE_FILE;
        all.report = report_create("reproduce", "The papers' simulations");
        if (all.report == NULL) return CODE_FILE;
    }
    if (!arguments->quiet) verdict_header();
    const double began = clock_now();
    for (int i = 0; i < files->count && all.code != CODE_INTERRUPTED; ++i)
        if (is_asked_for(&files->files[i], what)) run_file(&all, &files->files[i]);
    print_sums(&all, clock_now() - began);
    finish_report(&all);
    return all.code != CODE_GOOD ? all.code : all.sums.failed > 0 ? CODE_FAILED : CODE_GOOD;
}

static bool make_folder(const char *path)
{
    if (path == NULL || mkdir(path, 0777) == 0 || errno == EEXIST) return true;
    terminal_error("cannot make the folder %s: %s", path, strerror(errno));
    return false;
}

static int run(const Arguments *arguments)
{
    char *root = scenes_root(arguments->root);
    if (root == NULL || !make_folder(arguments->output)) {
        free(root);
        return CODE_FILE;
    }
    SceneFiles files = scenes_find(root);
    const int code = run_files(&files, arguments);
    scenes_release(&files);
    free(root);
    return code;
}

const Command command_reproduce = {
    .name = "reproduce",
    .summary = "run the papers' simulations and compare with what is expected",
    .words = "[KEY[/NAME]]",
    .fewest = 0,
    .most = 1,
    .text = "Runs the scenes papers/KEY/NAME/scene.yaml, each as it stands and in all its "
            "variants, and our own below scenes/ (KEY: scenes), and "
            "prints what is expected, from where (paper, exact, computed or chosen), what was "
            "measured, within which tolerance, and a verdict. With --out the recordings go to "
            "DIR/KEY-NAME[-VARIANT].csv; with --report all becomes one page with the papers' "
            "figures. With --quiet only what fails is printed.",
    .options = {OPTION_OUT, OPTION_REPORT, OPTION_ROOT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
