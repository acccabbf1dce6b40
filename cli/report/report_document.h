// A report while it is put together: simulations, each with runs; then one page.
#ifndef STICTION_CLI_REPORT_DOCUMENT_H
#define STICTION_CLI_REPORT_DOCUMENT_H

#include "report/report_run.h"

typedef struct Report {
    FILE *file; // writes to json
    char *json;
    size_t length;
    int simulations, runs; // runs of the present simulation
} Report;

// kind: "run", "files" or "reproduce".
Report *report_create(const char *kind, const char *title);
void report_destroy(Report *report);

void report_simulation(Report *report, const StiScene *scene, const char *name);
void report_add_run(Report *report, ReportRun *run, const Session *session,
                    const ReportExtent *extent, const char *name, bool judged);
// One run for each combination: rows of the run's number, the swept values, what is recorded.
void report_add_grid(Report *report, const StiScene *scene, Rows *rows, const double *measured,
                     const char *name, bool judged);
FILE *report_next_run(Report *report); // where a run of another kind writes its object

// The document is complete in json; false after a message.
bool report_finish(Report *report);
// Writes the page; nothing can be added any more. Returns an exit code.
int report_write(Report *report, const char *path);

#endif
