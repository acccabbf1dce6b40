// A fit from the beginning to the end, and its result.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"
#include "stiction/elementary.h"
#include "suspect.h"
#include "uncertainty.h"
#include "validate.h"

// ---- results own what they show ----------------------------------------------------------------------------------

typedef struct Made {
    StiFitResult result; // first: a result is one of these
    void **owned;
    int owned_count, owned_capacity;
    bool failed;
} Made;

static void *own(Made *made, void *memory)
{
    if (memory == NULL) {
        made->failed = true;
        return NULL;
    }
    if (made->owned_count == made->owned_capacity) {
        const int capacity = 2 * made->owned_capacity + 16;
        void **longer = realloc(made->owned, (size_t)capacity * sizeof *longer);
        if (longer == NULL) {
            free(memory);
            made->failed = true;
            return NULL;
        }
        made->owned = longer;
        made->owned_capacity = capacity;
    }
    return made->owned[made->owned_count++] = memory;
}

static void *take(Made *made, size_t count, size_t size)
{
    return own(made, calloc(count + 1, size));
}

static const char *say(Made *made, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *say(Made *made, const char *format, ...)
{
    char text[2 * FIT_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = own(made, strdup(text));
    return kept != NULL ? kept : "";
}

void sti_fit_result_destroy(StiFitResult *result)
{
    if (result == NULL) return;
    Made *made = (Made *)result;
    for (int i = 0; i < made->owned_count; ++i) free(made->owned[i]);
    free(made->owned);
    free(made);
}

// ---- channels ------------------------------------------------------------------------------------------------------

static void describe_channel(Made *made, const StiFit *fit, const char *name, const char **unit)
{
    StiChannel about;
    const int number = sti_network_channel_find(fit->scene->network, name);
    *unit = number >= 0 && sti_network_channel(fit->scene->network, number, &about)
                ? say(made, "%s", about.unit)
                : "";
}

// Needs engine_residuals at these values before.
static void keep_series(Made *made, const Engine *engine, const double *values)
{
    const Problem *problem = engine->problem;
    const StiFitDesign *design = problem->design;
    StiFitSeries *series =
        take(made, (size_t)(problem->segment_count * design->channel_count), sizeof *series);
    if (series == NULL) return;
    made->result.series = series;
    for (int s = 0; s < problem->segment_count; ++s)
        for (int c = 0; c < design->channel_count; ++c) {
            const Segment *of = &problem->segments[s];
            const Measured *measured = &problem->fit->logs[of->log];
            double *numbers = take(made, 3 * (size_t)of->rows, sizeof *numbers);
            if (numbers == NULL) return;
            double *t = numbers, *seen = numbers + of->rows, *simulated = seen + of->rows;
            memcpy(t, measured->log.t + of->first, (size_t)of->rows * sizeof *t);
            memcpy(seen, measured->channels[c] + of->first, (size_t)of->rows * sizeof *seen);
            segment_predicted(problem, s, c, values, engine->bases[s], simulated);
            StiFitSeries *to = &series[made->result.series_count++];
            *to = (StiFitSeries){.channel = say(made, "%s", design->channels[c].channel),
                                 .log = say(made, "%s", measured->log.file),
                                 .count = of->rows,
                                 .t = t,
                                 .measured = seen,
                                 .simulated = simulated};
            describe_channel(made, problem->fit, to->channel, &to->unit);
        }
}

static void keep_curves(Made *made, Engine *engine, const double *values)
{
    int count;
    Curve *found = curves_find(engine, values, &count);
    StiFitCurve *curves = take(made, (size_t)count, sizeof *curves);
    for (int i = 0; curves != NULL && i < count; ++i) {
        const Curve *of = &found[i];
        const size_t size = (size_t)of->count * sizeof(double);
        double *numbers = take(made, 3 * (size_t)of->count, sizeof *numbers);
        if (numbers == NULL) break;
        memcpy(numbers, of->velocity, size);
        memcpy(numbers + of->count, of->force, size);
        if (of->load != NULL) memcpy(numbers + 2 * of->count, of->load, size);
        curves[made->result.curve_count++] =
            (StiFitCurve){.element = say(made, "%s", of->element),
                          .count = of->count,
                          .velocity = numbers,
                          .force = numbers + of->count,
                          .load = of->load != NULL ? numbers + 2 * of->count : NULL,
                          .velocity_unit = say(made, "%s", of->velocity_channel.unit),
                          .force_unit = say(made, "%s", of->force_channel.unit),
                          .load_unit = say(made, "%s", of->load_channel.unit)};
    }
    made->result.curves = curves;
    curves_release(found, count);
}

static void keep_errors(Made *made, const Engine *engine)
{
    const StiFitDesign *design = engine->problem->design;
    StiFitError *errors = take(made, (size_t)design->channel_count, sizeof *errors);
    if (errors == NULL) return;
    made->result.errors = errors;
    made->result.error_count = design->channel_count;
    for (int c = 0; c < design->channel_count; ++c) {
        double squares = 0.0, sum = 0.0, most = 0.0, rows = 0.0;
        errors[c].channel = say(made, "%s", design->channels[c].channel);
        errors[c].cross_validated = NAN;
        describe_channel(made, engine->problem->fit, errors[c].channel, &errors[c].unit);
        for (int i = c; i < made->result.series_count; i += design->channel_count) {
            const StiFitSeries *series = &made->result.series[i];
            for (int k = 0; k < series->count; ++k) {
                const double e = series->measured[k] - series->simulated[k];
                squares += e * e;
                sum += fabs(e);
                most = fmax(most, fabs(e));
            }
            rows += series->count;
        }
        errors[c].rms = sqrt(squares / rows);
        errors[c].mean_absolute = sum / rows;
        errors[c].largest = most;
    }
}

// ---- parameters --------------------------------------------------------------------------------------------------

static StiFitted *keep_parameters(Made *made, const Search *search)
{
    const Problem *problem = search->engine->problem;
    StiFitted *parameters = take(made, (size_t)problem->count, sizeof *parameters);
    if (parameters == NULL) return NULL;
    made->result.parameters = parameters;
    made->result.count = problem->count;
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *of = &problem->parameters[i];
        parameters[i] = (StiFitted){.name = say(made, "%s", of->name),
                                    .unit = say(made, "%s", of->unit),
                                    .part = of->part,
                                    .value = search->best[i],
                                    .deviation = NAN,
                                    .low = NAN,
                                    .high = NAN,
                                    .profile_low = NAN,
                                    .profile_high = NAN,
                                    .least = of->transform.least,
                                    .most = of->transform.most,
                                    .determined = true};
    }
    return parameters;
}

static const char *join_names(Made *made, const Problem *problem, const double *direction)
{
    static const double counts = 0.3; // of a direction of length 1
    char text[FIT_TEXT] = "";
    int named = 0;
    for (int i = 0; i < problem->count; ++i) {
        if (fabs(direction[i]) < counts) continue;
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", named++ > 0 ? " and " : "",
                 problem->parameters[i].name);
    }
    return say(made,
               named > 1 ? "%s: only a combination of them can be determined from these logs"
                         : "%s cannot be determined from these logs",
               text);
}

static bool is_named(const StiFitResult *result, const char *name)
{
    for (int i = 0; i < result->undetermined_count; ++i)
        if (strstr(result->undetermined[i], name) != NULL) return true;
    return false;
}

static void keep_undetermined(Made *made, const Problem *problem, const Uncertainty *uncertainty)
{
    const int n = problem->count;
    const char **texts = take(made, 2 * (size_t)n, sizeof *texts);
    if (texts == NULL) return;
    made->result.undetermined = texts;
    for (int i = 0; i < n; ++i) {
        const char *name = problem->parameters[i].name;
        if (uncertainty->no_influence[i])
            texts[made->result.undetermined_count++] = say(
                made,
                "%s has no influence on what is measured: it cannot be determined from these logs",
                name);
        else if (uncertainty->at_bound[i])
            texts[made->result.undetermined_count++] =
                say(made, "%s lies on its bound, %.6g: the logs do not tell it within its bounds",
                    name, made->result.parameters[i].value);
    }
    for (int k = 0; k < uncertainty->direction_count; ++k)
        texts[made->result.undetermined_count++] =
            join_names(made, problem, uncertainty->directions + k * n);
    for (int i = 0; i < n; ++i)
        if (!uncertainty->determined[i] && !is_named(&made->result, problem->parameters[i].name))
            texts[made->result.undetermined_count++] =
                say(made, "%s cannot be determined from these logs", problem->parameters[i].name);
}

static void keep_uncertainty(Made *made, const Problem *problem, StiFitted *parameters,
                             const Uncertainty *from)
{
    const int n = problem->count;
    double *correlations = take(made, (size_t)n * (size_t)n, sizeof *correlations);
    made->result.correlations = correlations;
    made->result.effective_rows = from->effective_rows;
    for (int i = 0; correlations != NULL && i < n; ++i) {
        const double variance = from->covariance[i * n + i];
        for (int j = 0; j < n; ++j) {
            const double scale = sqrt(variance * from->covariance[j * n + j]);
            correlations[i * n + j] = i == j        ? 1.0
                                      : scale > 0.0 ? from->covariance[i * n + j] / scale
                                                    : 0.0;
        }
        parameters[i].determined = from->determined[i];
        parameters[i].at_bound = from->at_bound[i];
        if (from->no_influence[i] || from->at_bound[i]) continue;
        parameters[i].deviation = sqrt(variance);
        parameters[i].low =
            fmax(parameters[i].value - from->factor * parameters[i].deviation, parameters[i].least);
        parameters[i].high =
            fmin(parameters[i].value + from->factor * parameters[i].deviation, parameters[i].most);
    }
    keep_undetermined(made, problem, from);
}

// ---- what the fitted scene is -----------------------------------------------------------------------------------

static void keep_sets(Made *made, const Problem *problem, const double *values)
{
    static const char *const sensors[] = {"offset", "gain", "delay"};
    const char **sets =
        take(made, (size_t)(problem->plan.set_count + problem->count), sizeof *sets);
    if (sets == NULL) return;
    int count = 0;
    for (int i = 0; i < problem->plan.set_count; ++i)
        sets[count++] = say(made, "%s", problem->plan.sets[i]);
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *of = &problem->parameters[i];
        if (of->part == STI_FIT_PARAMETER)
            sets[count++] = say(made, "%s=%.17g", of->path, values[i]);
        else if (of->part == STI_FIT_SENSOR)
            sets[count++] =
                say(made, "fit.map.%s.%s=%.17g", problem->design->channels[of->channel].channel,
                    sensors[of->sensor], values[i]);
        else if (problem->segment_count == 1)
            sets[count++] = say(made, "fit.start.%s=%.17g",
                                problem->beginnings[of->channel].channel, values[i]);
    }
    made->result.sets = sets;
    made->result.set_count = count;
}

static void keep_criteria(Made *made, const Problem *problem, double effective_rows)
{
    StiFitResult *result = &made->result;
    const double rows = (double)problem->rows / problem->design->channel_count;
    const double worth =
        (effective_rows > 0.0 ? effective_rows : result->effective_rows) / (double)problem->rows;
    double deviance = 0.0;
    for (int c = 0; c < result->error_count; ++c)
        deviance += 2.0 * rows * sti_log(result->errors[c].rms);
    if (!(worth > 0.0)) return;
    result->aic = worth * deviance + 2.0 * problem->count;
    result->bic =
        worth * deviance + problem->count * sti_log(fmax(worth * (double)problem->rows, 2.0));
}

static void keep_figures(Made *made, const Engine *engine)
{
    StiFitReason *rejected = take(made, (size_t)engine->reason_count, sizeof *rejected);
    for (int i = 0; rejected != NULL && i < engine->reason_count; ++i)
        rejected[i] =
            (StiFitReason){say(made, "%s", engine->reasons[i].text), engine->reasons[i].count};
    made->result.rejected = rejected;
    made->result.rejected_count = rejected != NULL ? engine->reason_count : 0;
    made->result.simulations = engine->simulations;
    if (engine->simulations > 0)
        made->result.seconds_per_simulation = engine->seconds / (double)engine->simulations;
}

// ---- the course of a fit -------------------------------------------------------------------------------------------

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
        keep_uncertainty(made, problem, parameters, &uncertainty);
        keep_criteria(made, problem, search->engine->task->effective_rows);
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
    StiFitted *parameters = keep_parameters(made, search);
    if (parameters == NULL || isnan(search->misfit)) return;
    double *residuals = take(made, (size_t)engine_rows(search->engine), sizeof *residuals);
    const StiFitTask *task = search->engine->task, quiet = {.threads = task->threads};
    // Also after an interruption: the best is shown.
    search->engine->task = &quiet;
    const bool good =
        residuals != NULL && engine_residuals(search->engine, search->best, residuals) == STI_OK;
    search->engine->task = task;
    if (!good) return;
    result->misfit = search->misfit;
    result->rows = problem->rows;
    keep_series(made, search->engine, search->best);
    keep_errors(made, search->engine);
    if (result->status == STI_OK) keep_curves(made, search->engine, search->best);
    keep_sets(made, problem, search->best);
    if (result->status == STI_OK && !made->failed)
        result->status = assess(made, search, problem, parameters);
}

static void explain(Made *made, const Engine *engine)
{
    StiFitResult *result = &made->result;
    if (result->status == STI_OK || result->status == STI_INTERRUPTED) return;
    if (engine->reason_count > 0)
        result->reason =
            say(made, "no simulation succeeded; most often: %s", engine->reasons[0].text);
    else
        result->reason = sti_status_text(result->status);
}

// The scene as it stands, before anything is searched, must not be off by a factor between units.
static void suspect_units(Made *made, const Search *search)
{
    Engine *engine = search->engine;
    const Problem *problem = engine->problem;
    const int channels = problem->design->channel_count;
    double *residuals = take(made, (size_t)engine_rows(engine), sizeof *residuals);
    const char **notes = take(made, (size_t)channels, sizeof *notes);
    if (residuals == NULL || notes == NULL ||
        engine_residuals(engine, search->best, residuals) != STI_OK)
        return;
    made->result.notes = notes;
    for (int c = 0; c < channels; ++c) {
        const double factor = suspect_factor(engine, c, search->best);
        if (factor == 0.0) continue;
        notes[made->result.note_count++] =
            say(made,
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
        keep_figures(made, &engine);
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
    made->result.model = say(made, "%s", sti_fit_model_name(fit, task->model));
    if (problem_create(&problem, fit, task->model)) {
        fit_problem(made, &problem, task);
    } else {
        made->result.status = STI_BAD_PLAN;
        made->result.reason = say(made, "%s", problem.reason);
    }
    problem_release(&problem);
    if (!made->failed) return &made->result;
    sti_fit_result_destroy(&made->result);
    return NULL;
}

// Of each channel, so that units and weights do not matter.
static double nearness(const StiFitResult *result)
{
    double sum = 0.0;
    for (int i = 0; i < result->error_count; ++i) sum += sti_log(result->errors[i].rms);
    return sum;
}

const StiFitResult *sti_fit_better(const StiFitResult *a, const StiFitResult *b)
{
    if (b == NULL || b->status != STI_OK || b->error_count == 0) return a;
    if (a == NULL || a->status != STI_OK || a->error_count == 0) return b;
    return nearness(b) < nearness(a) ? b : a;
}
