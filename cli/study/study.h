// Errors of methods against a reference: what is measured, one row for each run.
#ifndef STICTION_CLI_STUDY_H
#define STICTION_CLI_STUDY_H

#include "study/exact.h"

typedef struct Result {
    const char *model; // "as it stands", or the friction model put in its place
    const char *method;
    bool adaptive;
    double size; // the step, s; of an adaptive method its rtol, NaN where the method sets it
    Distance error;
    double order;   // from the row before it; NaN: none
    double seconds; // of CPU time, steps alone
} Result;

typedef struct Results {
    Result *rows;
    int count;
    double scale; // of velocities, 1/s: errors are hypot(positions, velocities/scale)
} Results;

// One run. changes: of the scene, NULL after the last; patient: repeats what is too short for the
// clock. Exit codes, after messages; a run that fails on its way is no error but NaN.
int study_measure(const Arguments *arguments, const char *const *changes, const Exact *exact,
                  double scale, bool patient, Result *result);

void results_add(Results *results, const Result *result);
void results_order(Results *results); // of the last row, if the one before it is of its line
void results_release(Results *results);

bool results_begin_line(const Results *results, int row); // another method or model than before

void results_print_head(const Results *results);
void results_print_row(const Result *result);
int results_write(const Results *results, const char *path); // CSV; an exit code

// Error against step, or against CPU time (with adaptive methods): .svg, .png or .pdf.
int results_draw(const Results *results, const char *title, const char *path, bool over_time);

#endif
