// A fit from the beginning to the end.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "suspect.h"
#include "validate.h"

// Each channel's deviation from its own residuals, where it is not given: by how much the one that changed most has
// changed.
static StiStatus find_deviations(Search *search, Problem *problem, double *change)
{
    const StiFitDesign *design = problem->design;
    double *residuals = calloc((size_t)engine_rows(search->engine), sizeof *residuals);
    if (residuals == NULL) return STI_OUT_OF_MEMORY;
    const StiStatus status = engine_residuals(search->engine, search->best, residuals);
    *change = 0.0;
    for (int c = 0; status == STI_OK && c < design->channel_count; ++c) {
        double sum = 0.0, rows = 0.0;
        if (design->channels[c].deviation > 0.0) continue;
        for (int s = 0; s < problem->segment_count; ++s) {
            const Segment *of = &problem->segments[s];
            const double *r = residuals + of->at + (int64_t)c * of->rows,
                         weight = segment_weight(problem, s, c);
            for (int k = 0; k < of->rows; ++k) sum += r[k] * r[k] / (weight * weight);
            rows += of->rows;
        }
        if (!(sum > 0.0)) continue;
        const double before = problem->deviations[c];
        problem->deviations[c] = sqrt(sum / rows);
        *change = fmax(*change, fabs(problem->deviations[c] / before - 1.0));
    }
    free(residuals);
    return status;
}

// Residuals of several channels, and priors, are weighed by the channels' noise, which follows from the residuals, so
// that both are found by turns.
static StiStatus weigh(Search *search, Problem *problem)
{
    enum { MOST_TURNS = 20 };
    static const double enough = 0.01;
    double change = INFINITY;
    StiStatus status = STI_OK;
    if (problem->design->channel_count < 2 && problem->prior_count == 0) return STI_OK;
    for (int i = 0; status == STI_OK && i < MOST_TURNS && change > enough; ++i) {
        status = find_deviations(search, problem, &change);
        if (status != STI_OK || change == 0.0) break;
        search->misfit = NAN;
        status = search_improve(search, NULL, i == 0 || change <= enough);
    }
    return status;
}

static StiStatus look_for(Search *search, Problem *problem, const StiFitTask *task)
{
    if (task->evaluate_only)
        for (int i = 0; i < problem->count; ++i) search->best[i] = problem->parameters[i].start;
    if (task->evaluate_only) return search_evaluate(search);
    StiStatus status = search_all(search);
    if (status == STI_OK && isnan(search->misfit)) return STI_NO_SOLUTION;
    if (status == STI_OK) status = weigh(search, problem);
    return status;
}

static StiStatus assess(Made *made, Search *search, Problem *problem, StiFitted *parameters)
{
    Uncertainty uncertainty;
    search->phase = "uncertainty";
    search_tell(search, 0.85);
    StiStatus status = uncertainty_find(search, &uncertainty);
    if (status == STI_OK) {
        result_keep_uncertainty(made, problem, parameters, &uncertainty);
        result_keep_criteria(made, problem, search->engine->task->effective_rows);
        if (problem->design->profile) status = profile_all(search, &uncertainty, parameters);
    }
    if (status == STI_OK && problem->design->folds > 1)
        status = cross_validate(search, (StiFitError *)(uintptr_t)made->result.errors);
    uncertainty_release(&uncertainty);
    return status;
}

static void keep_all(Made *made, Search *search, Problem *problem)
{
    StiFitResult *result = &made->result;
    StiFitted *parameters = result_keep_parameters(made, search);
    if (parameters == NULL || isnan(search->misfit)) return;
    double *residuals = result_take(made, (size_t)engine_rows(search->engine), sizeof *residuals);
    const StiFitTask *task = search->engine->task, quiet = {.threads = task->threads};
    // Also after an interruption: the best is shown.
    search->engine->task = &quiet;
    const bool good =
        residuals != NULL && engine_residuals(search->engine, search->best, residuals) == STI_OK;
    search->engine->task = task;
    if (!good) return;
    result->misfit = search->misfit;
    result->rows = problem->rows;
    result_keep_series(made, search->engine, search->best);
    result_keep_errors(made, search->engine);
    if (result->status == STI_OK) result_keep_curves(made, search->engine, search->best);
    result_keep_sets(made, problem, search->best);
    if (result->status == STI_OK && !made->failed)
        result->status = assess(made, search, problem, parameters);
}

static void explain(Made *made, const Engine *engine)
{
    StiFitResult *result = &made->result;
    if (result->status == STI_OK || result->status == STI_INTERRUPTED) return;
    if (engine->reason_count > 0)
        result->reason =
            result_say(made, "no simulation succeeded; most often: %s", engine->reasons[0].text);
    else
        result->reason = sti_status_text(result->status);
}

// The scene as it stands, before anything is searched, must not be off by a factor between units.
static void suspect_units(Made *made, const Search *search)
{
    Engine *engine = search->engine;
    const Problem *problem = engine->problem;
    const int channels = problem->design->channel_count;
    double *residuals = result_take(made, (size_t)engine_rows(engine), sizeof *residuals);
    const char **notes = result_take(made, (size_t)channels, sizeof *notes);
    if (residuals == NULL || notes == NULL ||
        engine_residuals(engine, search->best, residuals) != STI_OK)
        return;
    made->result.notes = notes;
    for (int c = 0; c < channels; ++c) {
        const double factor = suspect_factor(engine, c, search->best);
        if (factor == 0.0) continue;
        notes[made->result.note_count++] = result_say(
            made,
            "%s was measured about %.4g times %s than the scene as it stands simulates it: is "
            "column '%s', or a column that drives the scene, in another unit?",
            problem->design->channels[c].channel, factor > 1.0 ? factor : 1.0 / factor,
            factor > 1.0 ? "larger" : "smaller", problem->design->channels[c].column);
    }
}

static void fit_problem(Made *made, Problem *problem, const StiFitTask *task)
{
    Engine engine = {0};
    Search search = {0};
    problem->direct = simulator_may_set(problem);
    made->result.status = STI_OUT_OF_MEMORY;
    if (engine_open(&engine, problem, task) && search_open(&search, &engine)) {
        suspect_units(made, &search);
        made->result.status = look_for(&search, problem, task);
        keep_all(made, &search, problem);
        result_keep_figures(made, &engine);
    }
    explain(made, &engine);
    search_close(&search);
    engine_close(&engine);
}

StiFitResult *sti_fit_run(const StiFit *fit, const StiFitTask *task)
{
    Made *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    Problem problem;
    made->result.reason = "";
    made->result.model = result_say(made, "%s", sti_fit_model_name(fit, task->model));
    if (problem_create(&problem, fit, task->model)) {
        fit_problem(made, &problem, task);
    } else {
        made->result.status = STI_BAD_PLAN;
        made->result.reason = result_say(made, "%s", problem.reason);
    }
    problem_release(&problem);
    if (!made->failed) return &made->result;
    sti_fit_result_destroy(&made->result);
    return NULL;
}
