// What the rows of a sweep say together, on the terminal.
#ifndef STICTION_CLI_SWEEP_SUMMARY_H
#define STICTION_CLI_SWEEP_SUMMARY_H

#include <stiction/study.h>

// All rows by columns, as they come: for summaries and pages.
typedef struct SweepRows {
    const StiDesign *design;
    int64_t count, capacity;
    double *numbers;  // rows x (varied + measures)
    int64_t failures; // rows whose run failed
    struct {
        int64_t count;
        char reason[STI_REASON_SIZE];
    } *reasons; // the first few different ones; numbers in them do not make them different
    int reason_count;
} SweepRows;

SweepRows sweep_rows_create(const StiDesign *design);
void sweep_rows_add(SweepRows *rows, const StiStudyRow *row);
void sweep_rows_release(SweepRows *rows);
// A column, to be freed: parameters first, then measures.
double *sweep_rows_column(const SweepRows *rows, int column);

void sweep_summary(const SweepRows *rows);

#endif
