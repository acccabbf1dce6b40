// Rows of a recording for display. Where there are too many, those are kept in which some column is
// least or greatest for its part of the time: every number shown is one that was recorded, and no
// peak is lost.
#ifndef STICTION_CLI_REPORT_ROWS_H
#define STICTION_CLI_REPORT_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Rows {
    int columns;
    int64_t count, capacity;
    int64_t seen;   // rows that were added
    bool full;      // nothing is left out
    double *values; // row after row
} Rows;

Rows rows_create(int columns, bool full);
void rows_release(Rows *rows);
void rows_add(Rows *rows, const double *row);
// At most this many rows (or two for each column, if that is more); a full one stays as it is.
void rows_thin(Rows *rows, int64_t most);
// Base64 of all columns, one after the other.
void rows_json(const Rows *rows, FILE *file);

#endif
