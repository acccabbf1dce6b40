#include "study/sweep_summary.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

enum { MOST_REASONS = 5, NAME = 22 };

SweepRows sweep_rows_create(const StiDesign *design)
{
    SweepRows rows = {.design = design};
    rows.reasons = take(MOST_REASONS, sizeof *rows.reasons);
    return rows;
}

void sweep_rows_release(SweepRows *rows)
{
    free(rows->numbers);
    free(rows->reasons);
}

// The same words, whatever the numbers.
static bool alike(const char *a, const char *b)
{
    for (;; ++a, ++b) {
        while (isdigit((unsigned char)*a) || (*a != '\0' && strchr(".-+", *a) != NULL)) ++a;
        while (isdigit((unsigned char)*b) || (*b != '\0' && strchr(".-+", *b) != NULL)) ++b;
        if (*a != *b) return false;
        if (*a == '\0') return true;
    }
}

static void count_reason(SweepRows *rows, const char *reason)
{
    for (int i = 0; i < rows->reason_count; ++i)
        if (alike(rows->reasons[i].reason, reason)) {
            ++rows->reasons[i].count;
            return;
        }
    if (rows->reason_count == MOST_REASONS) return;
    snprintf(rows->reasons[rows->reason_count].reason, STI_REASON_SIZE, "%s", reason);
    rows->reasons[rows->reason_count++].count = 1;
}

void sweep_rows_add(SweepRows *rows, const StiStudyRow *row)
{
    const int varied = rows->design->varied_count, measures = rows->design->measure_count;
    const size_t width = (size_t)varied + (size_t)measures;
    if (rows->count == rows->capacity) {
        rows->capacity = rows->capacity > 0 ? 2 * rows->capacity : 256;
        rows->numbers =
            realloc(rows->numbers, (size_t)rows->capacity * width * sizeof *rows->numbers);
        if (rows->numbers == NULL) end_out_of_memory();
    }
    double *numbers = rows->numbers + (size_t)rows->count++ * width;
    memcpy(numbers, row->values, (size_t)varied * sizeof *numbers);
    memcpy(numbers + varied, row->measures, (size_t)measures * sizeof *numbers);
    if (row->status == STI_OK) return;
    ++rows->failures;
    count_reason(rows, row->reason);
}

double *sweep_rows_column(const SweepRows *rows, int column)
{
    const int width = rows->design->varied_count + rows->design->measure_count;
    double *values = take((size_t)rows->count, sizeof *values);
    for (int64_t i = 0; i < rows->count; ++i) values[i] = rows->numbers[i * width + column];
    return values;
}

// ---- tables -------------------------------------------------------------------------------------------------

static void print_cell(double value)
{
    char text[NUMBER_SIZE];
    printf(" %10s", text_number(text, value, 10));
}

static void print_name(const char *name) { printf("  %-*.*s", NAME, NAME, name); }

static void print_measures(const SweepRows *rows)
{
    const StiDesign *design = rows->design;
    printf("\n  %-*s %10s %10s %10s %10s %10s\n", NAME, "measure", "mean", "+- (95 %)", "5 %",
           "median", "95 %");
    for (int i = 0; i < design->measure_count; ++i) {
        StiSummary summary;
        double *values = sweep_rows_column(rows, design->varied_count + i);
        if (!sti_summarise(values, rows->count, &summary)) end_out_of_memory();
        print_name(design->measures[i].what);
        print_cell(summary.mean);
        print_cell(summary.half);
        print_cell(summary.q05);
        print_cell(summary.median);
        print_cell(summary.q95);
        if (summary.count < rows->count - rows->failures)
            printf("  of %lld runs", (long long)summary.count);
        putchar('\n');
        free(values);
    }
}

// How often expectations do not hold, among the runs that ended: what a failed run would have measured is unknown.
static void print_failures(const SweepRows *rows)
{
    const StiDesign *design = rows->design;
    for (int i = 0; i < design->measure_count; ++i) {
        const StiExpectation *measure = &design->measures[i];
        if (measure->relation == STI_UNJUDGED) continue;
        double *values = sweep_rows_column(rows, design->varied_count + i);
        int64_t broken = 0;
        for (int64_t k = 0; k < rows->count; ++k)
            broken += !sti_expectation_holds(measure, values[k]);
        broken -= rows->failures;
        const StiInterval share = sti_proportion(broken, rows->count - rows->failures);
        printf("  %s does not hold in %lld of %lld runs: probability %.3g (%.3g to %.3g)\n",
               measure->what, (long long)broken, (long long)(rows->count - rows->failures),
               share.value, share.low, share.high);
        free(values);
    }
}

// Names of measures above columns of ten characters.
static void print_heads(const SweepRows *rows, const char *what)
{
    printf("\n  %-*s", NAME, what);
    for (int i = 0; i < rows->design->measure_count; ++i)
        printf(" %10.10s", rows->design->measures[i].what);
    putchar('\n');
}

static void print_correlations(const SweepRows *rows)
{
    const StiDesign *design = rows->design;
    print_heads(rows, "rank correlation");
    for (int i = 0; i < design->varied_count; ++i) {
        double *x = sweep_rows_column(rows, i);
        print_name(design->varied[i].path);
        for (int k = 0; k < design->measure_count; ++k) {
            double *y = sweep_rows_column(rows, design->varied_count + k);
            const double r = sti_rank_correlation(x, y, rows->count);
            if (isnan(r))
                printf(" %10s", "-");
            else
                printf(" %10.2f", r);
            free(y);
        }
        putchar('\n');
        free(x);
    }
}

static void print_indices(const SweepRows *rows)
{
    const StiDesign *design = rows->design;
    const int n = design->varied_count;
    StiInterval *first = take((size_t)n, sizeof *first), *total = take((size_t)n, sizeof *total);
    for (int k = 0; k < design->measure_count; ++k) {
        double *values = sweep_rows_column(rows, n + k);
        printf("\n  Sobol's indices of %s (95 %% intervals)\n", design->measures[k].what);
        if (!sti_sobol_indices(values, rows->count, n, first, total))
            printf("  too few runs ended\n");
        else
            for (int i = 0; i < n; ++i) {
                print_name(design->varied[i].path);
                printf(" first %6.3f (%.3f to %.3f)   total %6.3f (%.3f to %.3f)\n",
                       first[i].value, first[i].low, first[i].high, total[i].value, total[i].low,
                       total[i].high);
            }
        free(values);
    }
    free(first);
    free(total);
}

static void print_front(const SweepRows *rows)
{
    const StiDesign *design = rows->design;
    const int n = design->varied_count, width = n + design->measure_count;
    int goals = 0;
    for (int i = 0; i < design->measure_count; ++i) goals += design->goals[i] != 0;
    if (goals < 2) return;
    double *measures =
        take((size_t)rows->count * (size_t)design->measure_count, sizeof *measures);
    bool *front = take((size_t)rows->count, sizeof *front);
    for (int64_t i = 0; i < rows->count; ++i)
        memcpy(measures + i * design->measure_count, rows->numbers + i * width + n,
               (size_t)design->measure_count * sizeof *measures);
    if (!sti_pareto_front(measures, rows->count, design->measure_count, design->goals, front))
        end_out_of_memory();
    int64_t count = 0;
    for (int64_t i = 0; i < rows->count; ++i) count += front[i];
    printf("\n  Pareto front: %lld runs that no other beats:", (long long)count);
    enum { SHOWN = 12 };
    int shown = 0;
    for (int64_t i = 0; i < rows->count && shown < SHOWN; ++i)
        if (front[i]) printf("%s %lld", shown++ > 0 ? "," : "", (long long)i);
    printf("%s\n", count > SHOWN ? ", ..." : "");
    free(measures);
    free(front);
}

void sweep_summary(const SweepRows *rows)
{
    if (rows->failures > 0) {
        printf("  %s%lld of %lld runs failed%s\n", terminal_ink(stdout, INK_BAD),
               (long long)rows->failures, (long long)rows->count,
               terminal_ink(stdout, INK_PLAIN));
        for (int i = 0; i < rows->reason_count; ++i)
            printf("    %lld: %s\n", (long long)rows->reasons[i].count, rows->reasons[i].reason);
    }
    if (rows->count == rows->failures) return;
    print_measures(rows);
    print_failures(rows);
    if (rows->design->sample == STI_SAMPLE_SALTELLI)
        print_indices(rows);
    else if (rows->count - rows->failures > 3)
        print_correlations(rows);
    print_front(rows);
}
