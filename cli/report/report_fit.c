#include "report/report_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/version.h>

#include "command/command.h"
#include "report/json.h"
#include "report/page.h"
#include "terminal/text.h"

enum { MOST_ROWS = 4000 }; // of a series, for display

static void put_text(FILE *file, const char *key, const char *text, bool first)
{
    json_key(file, key, first);
    json_text(file, text);
}

static void put_number(FILE *file, const char *key, double value)
{
    json_key(file, key, false);
    json_number(file, value);
}

// Every n-th value, as bytes.
static void put_values(FILE *file, const char *key, const double *values, int count)
{
    const int every =
        (count + MOST_ROWS - 1) / MOST_ROWS > 1 ? (count + MOST_ROWS - 1) / MOST_ROWS : 1;
    const int shown = (count + every - 1) / every;
    double *kept = take((size_t)shown + 1, sizeof *kept);
    for (int i = 0; i < shown; ++i) kept[i] = values[i * every];
    json_key(file, key, false);
    json_bytes(file, kept, (size_t)shown * sizeof *kept);
    free(kept);
}

static void put_parameters(FILE *file, const StiFitResult *result)
{
    json_key(file, "parameters", false);
    fputc('[', file);
    for (int i = 0; i < result->count; ++i) {
        const StiFitted *of = &result->parameters[i];
        fputs(i > 0 ? ",{" : "{", file);
        put_text(file, "name", of->name, true);
        put_text(file, "unit", of->unit, false);
        put_number(file, "value", of->value);
        put_number(file, "low", of->low);
        put_number(file, "high", of->high);
        put_number(file, "profileLow", of->profile_low);
        put_number(file, "profileHigh", of->profile_high);
        json_key(file, "determined", false);
        fputs(of->determined ? "true}" : "false}", file);
    }
    fputc(']', file);
    json_key(file, "correlations", false);
    if (result->correlations != NULL && result->count <= 40)
        json_numbers(file, result->correlations, result->count * result->count);
    else
        fputs("[]", file);
}

static void put_errors(FILE *file, const StiFitResult *result)
{
    json_key(file, "errors", false);
    fputc('[', file);
    for (int i = 0; i < result->error_count; ++i) {
        const StiFitError *error = &result->errors[i];
        fputs(i > 0 ? ",{" : "{", file);
        put_text(file, "channel", error->channel, true);
        put_text(file, "unit", error->unit, false);
        put_number(file, "rms", error->rms);
        put_number(file, "mean", error->mean_absolute);
        put_number(file, "largest", error->largest);
        put_number(file, "left", error->cross_validated);
        fputc('}', file);
    }
    fputc(']', file);
}

static void put_series(FILE *file, const StiFitResult *result)
{
    json_key(file, "series", false);
    fputc('[', file);
    for (int i = 0; i < result->series_count; ++i) {
        const StiFitSeries *series = &result->series[i];
        const char *slash = strrchr(series->log, '/');
        fputs(i > 0 ? ",{" : "{", file);
        put_text(file, "channel", series->channel, true);
        put_text(file, "unit", series->unit, false);
        put_text(file, "log", slash != NULL ? slash + 1 : series->log, false);
        put_values(file, "t", series->t, series->count);
        put_values(file, "measured", series->measured, series->count);
        put_values(file, "simulated", series->simulated, series->count);
        fputc('}', file);
    }
    fputc(']', file);
}

static void put_curves(FILE *file, const StiFitResult *result)
{
    json_key(file, "curves", false);
    fputc('[', file);
    for (int i = 0; i < result->curve_count; ++i) {
        const StiFitCurve *curve = &result->curves[i];
        fputs(i > 0 ? ",{" : "{", file);
        put_text(file, "element", curve->element, true);
        put_text(file, "velocityUnit", curve->velocity_unit, false);
        put_text(file, "forceUnit", curve->force_unit, false);
        put_text(file, "loadUnit", curve->load_unit, false);
        put_values(file, "velocity", curve->velocity, curve->count);
        put_values(file, "force", curve->force, curve->count);
        if (curve->load != NULL) put_values(file, "load", curve->load, curve->count);
        fputc('}', file);
    }
    fputc(']', file);
}

static void put_texts(FILE *file, const char *key, const char *const *texts, int count)
{
    json_key(file, key, false);
    fputc('[', file);
    for (int i = 0; i < count; ++i) {
        if (i > 0) fputc(',', file);
        json_text(file, texts[i]);
    }
    fputc(']', file);
}

static void put_result(FILE *file, const StiFitResult *result)
{
    fputc('{', file);
    put_text(file, "model", result->model, true);
    put_text(file, "reason", result->reason, false);
    put_number(file, "aic", result->aic);
    put_number(file, "bic", result->bic);
    put_number(file, "rows", (double)result->rows);
    put_number(file, "effectiveRows", result->effective_rows);
    put_number(file, "simulations", (double)result->simulations);
    put_parameters(file, result);
    put_errors(file, result);
    put_texts(file, "undetermined", result->undetermined, result->undetermined_count);
    put_series(file, result);
    put_curves(file, result);
    fputc('}', file);
}

int report_fit(const StiFit *fit, const StiFitResult *const *results, int count, const char *path)
{
    const StiScene *scene = sti_fit_scene(fit);
    char *json = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&json, &length);
    if (file == NULL) end_out_of_memory();
    fputc('{', file);
    put_text(file, "kind", "fit", true);
    put_text(file, "title", scene->title, false);
    put_text(file, "description", scene->description, false);
    put_text(file, "version", STI_VERSION, false);
    json_key(file, "fits", false);
    fputc('[', file);
    for (int i = 0, shown = 0; i < count; ++i) {
        if (results[i] == NULL) continue;
        if (shown++ > 0) fputc(',', file);
        put_result(file, results[i]);
    }
    fputs("]}", file);
    const bool good = fclose(file) == 0;
    const int code = good ? page_write(path, json, length) : CODE_FILE;
    free(json);
    return code;
}
