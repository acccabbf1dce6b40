// One run of a report: its signals, what a replay needs, its parameters and what came out.
#ifndef STICTION_CLI_REPORT_RUN_H
#define STICTION_CLI_REPORT_RUN_H

#include "report/report_columns.h"
#include "report/report_drawing.h"
#include "report/report_rows.h"

typedef struct ReportRun {
    const StiScene *scene;
    ReportColumns columns;
    Rows rows;
    double *row;
    bool replay;
    Drawing drawing;
} ReportRun;

// What is to be left out of a run; more: the whole of it.
typedef struct ReportExtent {
    int64_t values; // at most so many numbers are shown
    bool figures;   // only what the scene's figures show: no replay, no parameters
    bool full;      // all rows
} ReportExtent;

// Follows the session by its watch; the session must outlive it.
ReportRun *report_run_create(Session *session, const ReportExtent *extent);
void report_run_destroy(ReportRun *run);
// After the session's end. judged: what does not hold is a failure.
void report_run_json(ReportRun *run, const Session *session, const ReportExtent *extent,
                     const char *name, bool judged, FILE *file);

#endif
