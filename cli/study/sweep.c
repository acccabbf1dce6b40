#include "study/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/load.h"
#include "command/long_job.h"
#include "report/report_study.h"
#include "study/sweep_options.h"
#include "terminal/interrupt.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

int64_t sweep_runs_of(int64_t runs, Shard shard)
{
    return (runs - shard.number + shard.count - 1) / shard.count;
}

static bool keep_row(void *context, const StiStudyRow *row)
{
    Sweep *sweep = context;
    sweep_rows_add(&sweep->rows, row);
    return true;
}

// "sweep, 1234 runs/s, 2 failed"
static void label(Sweep *sweep, double now)
{
    const double seconds = now - sweep->progress.began;
    const double rate = seconds > 0.0 ? (double)sweep->done / seconds : 0.0;
    if (sweep->rows.failures > 0)
        snprintf(sweep->label, sizeof sweep->label, "%.3g runs/s, %lld failed", rate,
                 (long long)sweep->rows.failures);
    else
        snprintf(sweep->label, sizeof sweep->label, "%.3g runs/s", rate);
}

bool sweep_take_row(Sweep *sweep, const StiStudyRow *row)
{
    const double now = clock_now();
    keep_row(sweep, row);
    ++sweep->done;
    label(sweep, now);
    progress_show(&sweep->progress, sweep->done, now);
    if (sweep->file != NULL)
        sweep->written = sweep_file_row(sweep->file, row) && sweep_file_look_after(sweep->file, now);
    return sweep->written;
}

bool sweep_read_shard(const char *text, Shard *shard)
{
    long long number = 1, count = 1;
    char rest;
    if (text != NULL && (sscanf(text, "%lld/%lld%c", &number, &count, &rest) != 2 || number < 1 ||
                         number > count || count > 1000000)) {
        terminal_error("--shard takes a part and how many there are: 3/40, not '%s'", text);
        return false;
    }
    *shard = (Shard){number - 1, count};
    return true;
}

static void *load_study(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    return sti_study_load(path, options, messages);
}

StiStudy *sweep_load(const Arguments *arguments, bool silent)
{
    SweepSets sets;
    StiStudy *study = NULL;
    if (sweep_sets(arguments, &sets))
        study = job_load(arguments, sets.sets, sets.count, load_study, silent);
    sweep_sets_release(&sets);
    return study;
}

static void print_head(const Sweep *sweep, const Arguments *arguments)
{
    const StiScene *scene = sti_study_scene(sweep->study);
    const StiDesign *design = sti_study_design(sweep->study);
    printf("%s%s%s\n", terminal_ink(stdout, INK_BOLD), scene->title,
           terminal_ink(stdout, INK_PLAIN));
    printf("  %lld runs of %lld steps, %d parameter%s varied, %d measure%s", (long long)sweep->runs,
           (long long)scene->steps, design->varied_count, design->varied_count == 1 ? "" : "s",
           design->measure_count, design->measure_count == 1 ? "" : "s");
    if (arguments->shard != NULL) printf(", part %s", arguments->shard);
    putchar('\n');
    if (!sti_study_is_direct(sweep->study))
        printf("  The scene is read again for each run: not all that is varied are parameters of "
               "its components.\n");
    else if (sti_study_together(sweep->study) > 1)
        printf("  Runs go %d side by side.\n", sti_study_together(sweep->study));
}

static int code_of(const Sweep *sweep, StiStatus status, bool interrupted)
{
    if (status == STI_OK) return CODE_GOOD;
    if (interrupted) {
        terminal_error("interrupted after %lld of %lld runs", (long long)sweep->rows.count,
                       (long long)sweep->runs);
        return CODE_INTERRUPTED;
    }
    if (!sweep->written) {
        terminal_error("the rows cannot be written");
        return CODE_FILE;
    }
    terminal_error("%s", sti_status_text(status));
    return CODE_FAILED;
}

static int compute(Sweep *sweep, int jobs, StiStatus (*execute)(Sweep *sweep, int jobs))
{
    sweep->written = true;
    interrupt_watch();
    const StiStatus status = execute(sweep, jobs);
    progress_end(&sweep->progress);
    const bool interrupted = interrupt_came();
    interrupt_unwatch();
    return code_of(sweep, status, interrupted);
}

static int sweep_all(Sweep *sweep, const Arguments *arguments, int jobs,
                     StiStatus (*execute)(Sweep *sweep, int jobs))
{
    int64_t before = 0;
    int code = CODE_GOOD;
    if (arguments->output != NULL)
        code = sweep_file_open(arguments->output, sweep->study, sweep->shard, arguments->resume,
                               keep_row, sweep, &sweep->file, &before);
    if (code != CODE_GOOD) return code;
    sweep->next = before;
    if (!arguments->quiet) print_head(sweep, arguments);
    if (before > 0 && !arguments->quiet)
        printf("  %lld runs were there already\n", (long long)before);
    sweep->progress = progress_begin(sweep->label, sweep->runs - before, arguments->quiet);
    code = compute(sweep, jobs, execute);
    const double seconds = clock_now() - sweep->progress.began;
    if (sweep->file != NULL) {
        const int closed = sweep_file_close(sweep->file, code == CODE_GOOD);
        if (code == CODE_GOOD) code = closed;
    }
    if (!arguments->quiet && code == CODE_GOOD) {
        printf("  %lld runs in %.3g s (%.4g runs per second)\n", (long long)sweep->done, seconds,
               (double)sweep->done / seconds);
        sweep_summary(&sweep->rows);
    }
    if (code == CODE_GOOD && arguments->report != NULL) {
        const StiSceneOptions options = load_options(arguments);
        code = report_study(sweep->study, &sweep->rows, sweep->shard.number, sweep->shard.count,
                            &options, arguments->report);
    }
    return code == CODE_GOOD && sweep->rows.failures > 0 ? CODE_FAILED : code;
}

int sweep_run(const Arguments *arguments, StiStatus (*execute)(Sweep *sweep, int jobs))
{
    Sweep sweep = {0};
    int jobs;
    if (!sweep_read_shard(arguments->shard, &sweep.shard)) return CODE_BAD_INPUT;
    const int begun = job_begin(arguments, &jobs);
    if (begun != CODE_GOOD) return begun;
    StiStudy *study = sweep_load(arguments, false);
    if (study == NULL) return CODE_BAD_INPUT;
    sweep.study = study;
    sweep.runs = sweep_runs_of(sti_study_runs(study), sweep.shard);
    sweep.rows = sweep_rows_create(sti_study_design(study));
    const int code = sweep_all(&sweep, arguments, jobs, execute);
    sweep_rows_release(&sweep.rows);
    sti_study_destroy(study);
    return code;
}
