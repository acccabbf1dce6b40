// Reads a CSV file of numbers with a header row, as stiction itself and others write them. Lines that
// begin with # before that row are notes.
#ifndef STICTION_CLI_CSV_FILE_H
#define STICTION_CLI_CSV_FILE_H

#include "report/report_rows.h"

typedef struct CsvFile {
    int count;    // columns
    char **names; // without quotes and spaces around
    Rows rows;
} CsvFile;

// Returns an exit code, after a message with line and column. An empty field is no number (NaN).
int csv_file_read(const char *path, bool full, CsvFile *csv);
void csv_file_release(CsvFile *csv);

#endif
