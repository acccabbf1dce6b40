#include "fit/fit_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/fit.h>

#include "command/command.h"
#include "command/load.h"
#include "command/long_job.h"
#include "fit/fit_done.h"
#include "fit/fit_files.h"
#include "fit/fit_options.h"
#include "fit/fit_text.h"
#include "report/report_fit.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

typedef struct Fitting {
    const Arguments *arguments;
    StiFit *fit;
    StiFitResult **results;
    int count, model;
    Progress progress;
    char label[64];
    FitDone done; // what an interrupted fit had found
    FILE *found;  // what this one finds; NULL: it writes no file
} Fitting;

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupt_came();
}

static void show_progress(void *context, const StiFitProgress *progress)
{
    enum { THOUSAND = 1000 };
    Fitting *fitting = context;
    const double share = (fitting->model + progress->share) / fitting->count;
    snprintf(fitting->label, sizeof fitting->label, "%.14s misfit %.4g",
             progress->model[0] != '\0' ? progress->model : progress->phase, progress->misfit);
    progress_show(&fitting->progress, (int64_t)(share * THOUSAND), clock_now());
}

static void keep_found(void *context, const double *entry, int count)
{
    const Fitting *fitting = context;
    if (fitting->found != NULL) fit_done_add(fitting->found, fitting->model, entry, count);
}

static void *load_fit(const char *path, const StiSceneOptions *options, StiMessages *messages)
{
    return sti_fit_load(path, options, messages);
}

static StiFit *load(const Arguments *arguments)
{
    FitSets sets;
    StiFit *fit = NULL;
    if (fit_sets(arguments, &sets))
        fit = job_load(arguments, sets.sets, sets.count, load_fit, false);
    fit_sets_release(&sets);
    return fit;
}

// One model after the other. Each has the rows of the first for its AIC and BIC: else they could not be compared.
static int fit_models(Fitting *fitting, int jobs)
{
    int code = CODE_GOOD;
    double worth = 0.0;
    const StiFitResult *earlier = NULL;
    for (int i = 0; i < fitting->count && code != CODE_INTERRUPTED; ++i) {
        const FitDone *done = &fitting->done;
        const StiFitTask task = {.threads = jobs,
                                 .model = i,
                                 .evaluate_only = fitting->arguments->evaluate,
                                 .effective_rows = worth,
                                 .earlier = earlier,
                                 .done = done->models != NULL ? done->models[i].numbers : NULL,
                                 .done_count = done->models != NULL ? done->models[i].count : 0,
                                 .keep = keep_found,
                                 .stop = is_interrupted,
                                 .progress = show_progress,
                                 .context = fitting};
        const double began = clock_now();
        fitting->model = i;
        StiFitResult *result = fitting->results[i] = sti_fit_run(fitting->fit, &task);
        progress_end(&fitting->progress);
        if (result == NULL) end_out_of_memory();
        if (worth == 0.0) worth = result->effective_rows;
        earlier = sti_fit_better(earlier, result);
        if (result->status == STI_INTERRUPTED) {
            code = CODE_INTERRUPTED;
        } else if (result->status != STI_OK) {
            terminal_error("%s%s%s", result->model, result->model[0] != '\0' ? ": " : "",
                           result->reason);
            code = result->status == STI_BAD_PLAN ? CODE_BAD_INPUT : CODE_FAILED;
            continue;
        }
        if (!fitting->arguments->quiet && result->error_count > 0)
            fit_print_result(result, clock_now() - began);
    }
    return code;
}

// The model whose prediction of what was left out is best; without that, the least AIC.
static const StiFitResult *best_of(const Fitting *fitting)
{
    const StiFitResult *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < fitting->count; ++i) {
        const StiFitResult *result = fitting->results[i];
        if (result == NULL || result->status != STI_OK || result->error_count == 0) continue;
        const double left_out = result->errors[0].cross_validated;
        const double measure = isnan(left_out) ? result->aic : left_out;
        if (best != NULL && !(measure < least)) continue;
        best = result;
        least = measure;
    }
    return best;
}

static int write_files(const Fitting *fitting)
{
    const Arguments *arguments = fitting->arguments;
    const StiFitResult *best = best_of(fitting);
    int code = CODE_GOOD;
    if (arguments->output != NULL) {
        code = fit_write_table(arguments->output, (const StiFitResult *const *)fitting->results,
                               fitting->count);
        if (code == CODE_GOOD) fit_done_forget(arguments->output);
    }
    if (code == CODE_GOOD && arguments->report != NULL)
        code = report_fit(fitting->fit, (const StiFitResult *const *)fitting->results,
                          fitting->count, arguments->report);
    if (code == CODE_GOOD && arguments->write_back != NULL && best != NULL) {
        const StiSceneOptions options = load_options(arguments);
        code = fit_write_back(arguments->words[0], arguments->write_back, best, &options,
                              arguments->map_count + arguments->start_count == 0);
        if (code == CODE_GOOD && fitting->count > 1 && !arguments->quiet)
            printf("\n  written back: %s\n", best->model);
    }
    return code;
}

static int fit_all(Fitting *fitting, int jobs)
{
    const Arguments *arguments = fitting->arguments;
    fitting->count = sti_fit_models(fitting->fit);
    fitting->results = take((size_t)fitting->count, sizeof *fitting->results);
    if (!arguments->quiet) fit_print_head(fitting->fit);
    fitting->progress = progress_begin(fitting->label, 1000, arguments->quiet);
    int code = CODE_GOOD;
    if (arguments->output != NULL && !arguments->evaluate)
        code = fit_done_open(arguments->output, sti_fit_fingerprint(fitting->fit), fitting->count,
                             arguments->resume, &fitting->done, &fitting->found);
    if (code != CODE_GOOD) return code;
    interrupt_watch();
    code = fit_models(fitting, jobs);
    interrupt_unwatch();
    if (fitting->count > 1 && !arguments->quiet && code != CODE_INTERRUPTED)
        fit_print_models((const StiFitResult *const *)fitting->results, fitting->count);
    if (code == CODE_INTERRUPTED) terminal_error("interrupted; the best so far is shown");
    if (code == CODE_INTERRUPTED && fitting->found != NULL)
        fprintf(stderr, "what was found is in %s.progress; --resume goes on with it\n",
                arguments->output);
    if (code == CODE_GOOD) code = write_files(fitting);
    // A fit that failed would fail again: there is nothing to go on with.
    if (fitting->found != NULL && (code == CODE_BAD_INPUT || code == CODE_FAILED))
        fit_done_forget(arguments->output);
    return code;
}

int fit_run(const Arguments *arguments)
{
    Fitting fitting = {.arguments = arguments};
    int jobs;
    const int begun = job_begin(arguments, &jobs);
    if (begun != CODE_GOOD) return begun;
    fitting.fit = load(arguments);
    if (fitting.fit == NULL) return CODE_BAD_INPUT;
    const int code = fit_all(&fitting, jobs);
    for (int i = 0; i < fitting.count; ++i) sti_fit_result_destroy(fitting.results[i]);
    free(fitting.results);
    if (fitting.found != NULL) fclose(fitting.found);
    fit_done_release(&fitting.done);
    sti_fit_destroy(fitting.fit);
    return code;
}
