// A CSV file of any columns. As with recordings, it has the name PATH.partial until it is complete.
#ifndef STICTION_CLI_TABLE_FILE_H
#define STICTION_CLI_TABLE_FILE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct TableFile TableFile;

// NULL after a message. An earlier file of this name stays until the new one is complete.
TableFile *table_file_open(const char *path, const char *const *columns, int count);
// False if it cannot be written. Rows reach the disk at least once a second.
bool table_file_row(TableFile *table, const double *values);
int64_t table_file_rows(const TableFile *table);
// Complete, or not: false after a message. The rows of an incomplete table stay in PATH.partial, and
// a message says so.
bool table_file_close(TableFile *table, bool complete);

#endif
