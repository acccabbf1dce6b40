#include "study/study.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "files/output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static const double long_enough = 0.05; // s of CPU time, for a clock of 1e-6 s in a busy machine

int study_measure(const Arguments *arguments, const char *const *changes, const Exact *exact,
                  double scale, bool patient, Result *result)
{
    double total = 0.0, least = HUGE_VAL;
    int code = CODE_GOOD;
    for (int runs = 0; runs == 0 || (patient && runs < 20 && total < long_enough); ++runs) {
        Trajectory trajectory;
        code = trajectory_run(arguments, changes, &exact->trajectory, &trajectory);
        result->error = code == CODE_GOOD
                            ? trajectory_distance(&trajectory, &exact->trajectory, scale)
                            : (Distance){NAN, NAN};
        total += trajectory.seconds;
        least = fmin(least, trajectory.seconds);
        trajectory_release(&trajectory);
        if (code != CODE_GOOD) break;
    }
    result->seconds = least;
    return code == CODE_FAILED ? CODE_GOOD : code;
}

void results_add(Results *results, const Result *result)
{
    Result *rows = realloc(results->rows, (size_t)(results->count + 1) * sizeof *rows);
    if (rows == NULL) {
        terminal_error("out of memory");
        exit(CODE_FAILED);
    }
    results->rows = rows;
    rows[results->count++] = *result;
}

bool results_begin_line(const Results *results, int row)
{
    const Result *now = &results->rows[row], *before = now - 1;
    return row == 0 || strcmp(now->model, before->model) != 0 ||
           strcmp(now->method, before->method) != 0;
}

// Tolerances have no order.
void results_order(Results *results)
{
    Result *now = &results->rows[results->count - 1];
    const Result *before = now - 1;
    now->order = NAN;
    if (results_begin_line(results, results->count - 1) || now->adaptive) return;
    now->order = log(before->error.end / now->error.end) / log(before->size / now->size);
}

void results_release(Results *results)
{
    free(results->rows);
    *results = (Results){0};
}

// ---- as a table ---------------------------------------------------------------------------------

void results_print_head(const Results *results)
{
    printf("  error = hypot(positions, velocities/%g), m or rad\n\n"
           "  %s%-13s %-15s %-11s %9s %9s %6s %9s%s\n",
           results->scale, terminal_ink(stdout, INK_BOLD), "model", "method", "step, s", "at end",
           "at most", "order", "CPU, s", terminal_ink(stdout, INK_PLAIN));
}

void results_print_row(const Result *result)
{
    char order[16] = "", size[24] = "";
    if (isfinite(result->order)) snprintf(order, sizeof order, "%.2f", result->order);
    if (isfinite(result->size))
        snprintf(size, sizeof size, "%s%g", result->adaptive ? "rtol " : "", result->size);
    printf("  %-13s %-15s %-11s %9.2e %9.2e %6s %9.2e\n", result->model, result->method, size,
           result->error.end, result->error.greatest, order, result->seconds);
    fflush(stdout);
}

// Empty where there is none.
static void print_number(FILE *file, double value)
{
    if (isfinite(value))
        fprintf(file, ",%.9g", value);
    else
        fputc(',', file);
}

int results_write(const Results *results, const char *path)
{
    Output output;
    if (!output_open(&output, path)) return CODE_FILE;
    FILE *file = output.file;
    fprintf(file,
            "# error = hypot(positions, velocities/%g)\n"
            "model,method,step,rtol,error,greatest_error,order,seconds\n",
            results->scale);
    for (int i = 0; i < results->count; ++i) {
        const Result *row = &results->rows[i];
        fprintf(file, "%s,\"%s\"", row->model, row->method);
        print_number(file, row->adaptive ? NAN : row->size);
        print_number(file, row->adaptive ? row->size : NAN);
        print_number(file, row->error.end);
        print_number(file, row->error.greatest);
        print_number(file, row->order);
        print_number(file, row->seconds);
        fputc('\n', file);
    }
    return output_close(&output, true);
}
