// A file of rows, in the format that its ending names. It has the name PATH.partial until it is
// complete.
#ifndef STICTION_CLI_TABLE_FILE_H
#define STICTION_CLI_TABLE_FILE_H

#include <stdint.h>

#include <stiction/sink.h>

typedef struct TableFile TableFile;

// NULL after a message. An earlier file of this name stays until the new one is complete.
TableFile *table_file_open(const char *path, const StiTable *table);
// False if it cannot be written.
bool table_file_row(TableFile *table, const double *values);
// Rows reach the disk at least once a second if this is called as often; now: of clock_now.
bool table_file_look_after(TableFile *table, double now);
int64_t table_file_rows(const TableFile *table);
// Complete, or not: false after a message. The rows of an incomplete table stay in PATH.partial, and
// a message says so, with how far they go (", up to t = 3 s").
bool table_file_close(TableFile *table, bool complete, const char *extent);

#endif
