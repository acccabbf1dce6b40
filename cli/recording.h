// Recordings read back, from CSV or HDF5, thinned for display.
#ifndef STICTION_CLI_RECORDING_H
#define STICTION_CLI_RECORDING_H

#include "report_rows.h"

typedef struct Recording {
    const char *path;
    int count; // columns
    char **names;
    char **units; // "" where none is known
    Rows rows;
} Recording;

// At most this many rows, without losing peaks. Returns an exit code, after messages.
int recording_read(const char *path, int64_t most, Recording *recording);
void recording_release(Recording *recording);

#endif
