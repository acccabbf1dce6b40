// A result, and what it shows.
#include "result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curves.h"
#include "stiction/elementary.h"

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

void *result_take(Made *made, size_t count, size_t size)
{
    return own(made, calloc(count + 1, size));
}

const char *result_say(Made *made, const char *format, ...)
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
                ? result_say(made, "%s", about.unit)
                : "";
}

// Needs engine_residuals at these values before.
void result_keep_series(Made *made, const Engine *engine, const double *values)
{
    const Problem *problem = engine->problem;
    const StiFitDesign *design = problem->design;
    StiFitSeries *series =
        result_take(made, (size_t)(problem->segment_count * design->channel_count), sizeof *series);
    if (series == NULL) return;
    made->result.series = series;
    for (int s = 0; s < problem->segment_count; ++s)
        for (int c = 0; c < design->channel_count; ++c) {
            const Segment *of = &problem->segments[s];
            const Measured *measured = &problem->fit->logs[of->log];
            double *numbers = result_take(made, 3 * (size_t)of->rows, sizeof *numbers);
            if (numbers == NULL) return;
            double *t = numbers, *seen = numbers + of->rows, *simulated = seen + of->rows;
            memcpy(t, measured->log.t + of->first, (size_t)of->rows * sizeof *t);
            memcpy(seen, measured->channels[c] + of->first, (size_t)of->rows * sizeof *seen);
            segment_predicted(problem, s, c, values, engine->bases[s], simulated);
            StiFitSeries *to = &series[made->result.series_count++];
            *to = (StiFitSeries){.channel = result_say(made, "%s", design->channels[c].channel),
                                 .log = result_say(made, "%s", measured->log.file),
                                 .count = of->rows,
                                 .t = t,
                                 .measured = seen,
                                 .simulated = simulated};
            describe_channel(made, problem->fit, to->channel, &to->unit);
        }
}

void result_keep_curves(Made *made, Engine *engine, const double *values)
{
    int count;
    Curve *found = curves_find(engine, values, &count);
    StiFitCurve *curves = result_take(made, (size_t)count, sizeof *curves);
    for (int i = 0; curves != NULL && i < count; ++i) {
        const Curve *of = &found[i];
        const size_t size = (size_t)of->count * sizeof(double);
        double *numbers = result_take(made, 3 * (size_t)of->count, sizeof *numbers);
        if (numbers == NULL) break;
        memcpy(numbers, of->velocity, size);
        memcpy(numbers + of->count, of->force, size);
        if (of->load != NULL) memcpy(numbers + 2 * of->count, of->load, size);
        curves[made->result.curve_count++] =
            (StiFitCurve){.element = result_say(made, "%s", of->element),
                          .count = of->count,
                          .velocity = numbers,
                          .force = numbers + of->count,
                          .load = of->load != NULL ? numbers + 2 * of->count : NULL,
                          .velocity_unit = result_say(made, "%s", of->velocity_channel.unit),
                          .force_unit = result_say(made, "%s", of->force_channel.unit),
                          .load_unit = result_say(made, "%s", of->load_channel.unit)};
    }
    made->result.curves = curves;
    curves_release(found, count);
}

void result_keep_errors(Made *made, const Engine *engine)
{
    const StiFitDesign *design = engine->problem->design;
    StiFitError *errors = result_take(made, (size_t)design->channel_count, sizeof *errors);
    if (errors == NULL) return;
    made->result.errors = errors;
    made->result.error_count = design->channel_count;
    for (int c = 0; c < design->channel_count; ++c) {
        double squares = 0.0, sum = 0.0, most = 0.0, rows = 0.0;
        errors[c].channel = result_say(made, "%s", design->channels[c].channel);
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

StiFitted *result_keep_parameters(Made *made, const Search *search)
{
    const Problem *problem = search->engine->problem;
    StiFitted *parameters = result_take(made, (size_t)problem->count, sizeof *parameters);
    if (parameters == NULL) return NULL;
    made->result.parameters = parameters;
    made->result.count = problem->count;
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *of = &problem->parameters[i];
        parameters[i] = (StiFitted){.name = result_say(made, "%s", of->name),
                                    .unit = result_say(made, "%s", of->unit),
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
    return result_say(made,
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
    const char **texts = result_take(made, 2 * (size_t)n, sizeof *texts);
    if (texts == NULL) return;
    made->result.undetermined = texts;
    for (int i = 0; i < n; ++i) {
        const char *name = problem->parameters[i].name;
        if (uncertainty->no_influence[i])
            texts[made->result.undetermined_count++] = result_say(
                made,
                "%s has no influence on what is measured: it cannot be determined from these logs",
                name);
        else if (uncertainty->at_bound[i])
            texts[made->result.undetermined_count++] =
                result_say(made,
                           "%s lies on its bound, %.6g: the logs do not tell it within its bounds",
                           name, made->result.parameters[i].value);
    }
    for (int k = 0; k < uncertainty->direction_count; ++k)
        texts[made->result.undetermined_count++] =
            join_names(made, problem, uncertainty->directions + k * n);
    for (int i = 0; i < n; ++i)
        if (!uncertainty->determined[i] && !is_named(&made->result, problem->parameters[i].name))
            texts[made->result.undetermined_count++] =
                result_say(made, "%s cannot be determined from these logs",
                           problem->parameters[i].name);
}

void result_keep_uncertainty(Made *made, const Problem *problem, StiFitted *parameters,
                             const Uncertainty *from)
{
    const int n = problem->count;
    double *correlations = result_take(made, (size_t)n * (size_t)n, sizeof *correlations);
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

void result_keep_sets(Made *made, const Problem *problem, const double *values)
{
    static const char *const sensors[] = {"offset", "gain", "delay"};
    const char **sets =
        result_take(made, (size_t)(problem->plan.set_count + problem->count), sizeof *sets);
    if (sets == NULL) return;
    int count = 0;
    for (int i = 0; i < problem->plan.set_count; ++i)
        sets[count++] = result_say(made, "%s", problem->plan.sets[i]);
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *of = &problem->parameters[i];
        if (of->part == STI_FIT_PARAMETER)
            sets[count++] = result_say(made, "%s=%.17g", of->path, values[i]);
        else if (of->part == STI_FIT_SENSOR)
            sets[count++] = result_say(made, "fit.map.%s.%s=%.17g",
                                       problem->design->channels[of->channel].channel,
                                       sensors[of->sensor], values[i]);
        else if (problem->segment_count == 1)
            sets[count++] = result_say(made, "fit.start.%s=%.17g",
                                       problem->beginnings[of->channel].channel, values[i]);
    }
    made->result.sets = sets;
    made->result.set_count = count;
}

void result_keep_criteria(Made *made, const Problem *problem, double effective_rows)
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

void result_keep_figures(Made *made, const Engine *engine)
{
    StiFitReason *rejected = result_take(made, (size_t)engine->reason_count, sizeof *rejected);
    for (int i = 0; rejected != NULL && i < engine->reason_count; ++i)
        rejected[i] = (StiFitReason){result_say(made, "%s", engine->reasons[i].text),
                                     engine->reasons[i].count};
    made->result.rejected = rejected;
    made->result.rejected_count = rejected != NULL ? engine->reason_count : 0;
    made->result.simulations = engine->simulations;
    if (engine->simulations > 0)
        made->result.seconds_per_simulation = engine->seconds / (double)engine->simulations;
}

// ---- of two models ------------------------------------------------------------------------------------------------

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
