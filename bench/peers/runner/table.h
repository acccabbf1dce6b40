// Tables of results: sorted, as markdown and CSV, with what stiction did not win said first.
#ifndef STICTION_PEERS_TABLE_H
#define STICTION_PEERS_TABLE_H

#include <stdio.h>

#include "measure.h"

enum { TABLE_COLUMNS = 12, TABLE_ROWS = ENTRANTS };

// Smaller is better in every column that is judged.
typedef struct Column {
    char name[48]; // with its unit
    double floor;  // what is below counts as zero, and zeros are equal
    bool judged;
} Column;

typedef struct Row {
    Entrant entrant;
    double values[TABLE_COLUMNS]; // NaN: not run
} Row;

typedef struct Table {
    const char *id; // file name of the CSV
    const char *title, *about;
    Column columns[TABLE_COLUMNS];
    int column_count, row_count;
    Row rows[TABLE_ROWS];
} Table;

// Where everything is written.
typedef struct Report {
    FILE *tables; // markdown
    FILE *losses; // one line for each column where another simulator is better
    const char *folder;
    const char *only; // runs whose id begins so; NULL: all
} Report;

bool report_wants(const Report *report, const char *id);
// What runs now, with the time of the wall since the start: a full run takes long. On stderr.
void report_progress(const char *format, ...);

// Sorted by the first judged column, then the last.
void table_write(Table *table, const Report *report);

#endif
