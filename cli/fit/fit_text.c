#include "fit/fit_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

const char *fit_quantity(char buffer[QUANTITY_SIZE], double value, const char *unit)
{
    static const struct {
        double size;
        const char *name;
    } prefixes[] = {{1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
    enum { PREFIXES = sizeof prefixes / sizeof prefixes[0] };
    // Only plain units take a prefix: "m/s" does, "1/s" or none do not.
    const bool plain = unit[0] != '\0' && unit[0] != '1';
    int i = plain ? 0 : 1;
    while (plain && i + 1 < PREFIXES && fabs(value) < prefixes[i].size) ++i;
    if (!isfinite(value))
        snprintf(buffer, QUANTITY_SIZE, "-");
    else if (value == 0.0)
        snprintf(buffer, QUANTITY_SIZE, "0 %s", unit);
    else
        snprintf(buffer, QUANTITY_SIZE, "%.*f %s%s",
                 fabs(value) / prefixes[i].size >= 100.0  ? 0
                 : fabs(value) / prefixes[i].size >= 10.0 ? 1
                                                          : 2,
                 value / prefixes[i].size, prefixes[i].name, unit);
    if (!plain && isfinite(value) && value != 0.0) snprintf(buffer, QUANTITY_SIZE, "%.3g", value);
    return buffer;
}

void fit_print_head(const StiFit *fit)
{
    const StiScene *scene = sti_fit_scene(fit);
    const StiFitDesign *design = sti_fit_design(fit);
    printf("%s%s%s\n", terminal_ink(stdout, INK_BOLD), scene->title,
           terminal_ink(stdout, INK_PLAIN));
    printf("  %d log%s, %d channel%s measured", design->log_count,
           design->log_count == 1 ? "" : "s", design->channel_count,
           design->channel_count == 1 ? "" : "s");
    if (design->window > 0.0)
        printf(", multiple shooting in windows of %.4g s\n", design->window);
    else
        printf(", open loop\n");
}

static void print_errors(const StiFitResult *result)
{
    for (int i = 0; i < result->error_count; ++i) {
        const StiFitError *error = &result->errors[i];
        char rms[QUANTITY_SIZE], mean[QUANTITY_SIZE], most[QUANTITY_SIZE], left[QUANTITY_SIZE];
        printf("  %s  rms %s, mean of the absolute %s, largest %s", error->channel,
               fit_quantity(rms, error->rms, error->unit),
               fit_quantity(mean, error->mean_absolute, error->unit),
               fit_quantity(most, error->largest, error->unit));
        if (!isnan(error->cross_validated))
            printf(", cross-validated %s", fit_quantity(left, error->cross_validated, error->unit));
        putchar('\n');
    }
}

static int name_width(const StiFitResult *result)
{
    int width = 10;
    for (int i = 0; i < result->count; ++i) {
        const int length = (int)strlen(result->parameters[i].name);
        width = length > width ? length : width;
    }
    return width < 44 ? width : 44;
}

static void print_interval(double low, double high)
{
    if (isnan(low) && isnan(high))
        printf("  %-27s", "-");
    else
        printf("  %12.6g .. %-11.6g", low, high);
}

static void print_parameters(const StiFitResult *result)
{
    enum { MOST_STARTS = 8 }; // of windows there may be very many
    const int width = name_width(result);
    bool profiles = false;
    int starts = 0;
    for (int i = 0; i < result->count; ++i)
        profiles = profiles || !isnan(result->parameters[i].profile_low);
    printf("\n  %-*s %14s  %-27s%s\n", width, "parameter", "value", "95 % interval",
           profiles ? "  by profile" : "");
    for (int i = 0; i < result->count; ++i) {
        const StiFitted *of = &result->parameters[i];
        if (of->part == STI_FIT_START && starts++ >= MOST_STARTS) continue;
        printf("  %-*s %14.8g", width, of->name, of->value);
        print_interval(of->low, of->high);
        if (profiles) print_interval(of->profile_low, of->profile_high);
        printf("  %s%s\n", of->unit,
               of->determined        ? ""
               : of->unit[0] != '\0' ? ", not determined"
                                     : "not determined");
    }
    if (starts > MOST_STARTS) printf("  and %d further starts of windows\n", starts - MOST_STARTS);
}

static void print_correlations(const StiFitResult *result)
{
    static const double strong = 0.9;
    enum { MOST = 6 };
    int count = 0;
    for (int i = 0; result->correlations != NULL && i < result->count; ++i)
        for (int j = i + 1; j < result->count; ++j) {
            const double value = result->correlations[i * result->count + j];
            if (!(fabs(value) > strong) || result->parameters[j].part == STI_FIT_START) continue;
            if (count == 0) printf("\n  strongly correlated\n");
            if (count++ < MOST)
                printf("    %s, %s  %.3f\n", result->parameters[i].name, result->parameters[j].name,
                       value);
        }
    if (count > MOST) printf("    and %d further pairs\n", count - MOST);
}

static void print_sentences(const char *title, const char *const *texts, int count)
{
    if (count > 0) printf("\n  %s\n", title);
    for (int i = 0; i < count; ++i) {
        printf("    ");
        text_wrap(stdout, 4, texts[i]);
    }
}

void fit_print_result(const StiFitResult *result, double seconds)
{
    if (result->model[0] != '\0')
        printf("\n%s%s%s\n", terminal_ink(stdout, INK_BOLD), result->model,
               terminal_ink(stdout, INK_PLAIN));
    print_errors(result);
    print_parameters(result);
    print_sentences("not determined", result->undetermined, result->undetermined_count);
    print_sentences("notes", result->notes, result->note_count);
    print_correlations(result);
    printf(
        "\n  %lld residuals, worth %.0f independent ones; %lld simulations of %.3g ms in %.3g s\n",
        (long long)result->rows, result->effective_rows, (long long)result->simulations,
        1e3 * result->seconds_per_simulation, seconds);
    for (int i = 0; i < result->rejected_count; ++i)
        printf("  %lld rejected: %s\n", (long long)result->rejected[i].count,
               result->rejected[i].text);
}

void fit_print_models(const StiFitResult *const *results, int count)
{
    printf("\n  %-20s %3s %14s %14s %14s %10s %10s\n", "model", "k", "rms", "mean absolute",
           "left out", "AIC", "BIC");
    for (int i = 0; i < count; ++i) {
        const StiFitResult *result = results[i];
        if (result == NULL || result->error_count == 0) {
            printf("  %-20s  %s\n", result != NULL ? result->model : "?",
                   result != NULL ? result->reason : "");
            continue;
        }
        for (int c = 0; c < result->error_count; ++c) {
            const StiFitError *error = &result->errors[c];
            char rms[QUANTITY_SIZE], mean[QUANTITY_SIZE], left[QUANTITY_SIZE];
            printf("  %-20s %3d %14s %14s %14s", c == 0 ? result->model : error->channel,
                   result->count, fit_quantity(rms, error->rms, error->unit),
                   fit_quantity(mean, error->mean_absolute, error->unit),
                   fit_quantity(left, error->cross_validated, error->unit));
            if (c == 0) printf(" %10.1f %10.1f", result->aic, result->bic);
            putchar('\n');
        }
    }
}
