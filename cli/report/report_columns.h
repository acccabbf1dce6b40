// The columns of a report: what the scene records, what friction elements show, energies, figures.
#ifndef STICTION_CLI_REPORT_COLUMNS_H
#define STICTION_CLI_REPORT_COLUMNS_H

#include <stdio.h>

#include <stiction/measure.h>

#include "report/channels.h"

typedef enum ColumnRole { COLUMN_RECORD, COLUMN_FRICTION, COLUMN_ENERGY, COLUMN_FIGURE } ColumnRole;

typedef struct ReportColumn {
    const char *name;
    const char *unit;
    ColumnRole role;
    StiReading *reading;
} ReportColumn;

typedef struct ReportColumns {
    const StiNetwork *network;
    int count, capacity;
    ReportColumn *columns;
} ReportColumns;

// figures: only those that the figures name (and t).
ReportColumns report_columns_of(const StiScene *scene, const Channels *channels, bool figures);
void report_columns_release(ReportColumns *columns);
void report_columns_read(ReportColumns *columns, double t, const StiRecorder *recorder,
                         double *row);
void report_columns_json(const ReportColumns *columns, FILE *file);
// The friction elements: names, kinds, and the names of their columns.
void report_frictions_json(const StiNetwork *network, const ReportColumns *columns, FILE *file);

#endif
