// Recordings read back, from CSV or HDF5.
#ifndef STICTION_CLI_RECORDING_H
#define STICTION_CLI_RECORDING_H

#include "report/report_rows.h"

typedef struct Recording {
    const char *path;
    int count; // columns
    char **names;
    char **units; // "" where none is known
    Rows rows;
} Recording;

// All rows if full, else those of a long one in which no peak is lost. Returns an exit code, after
// messages.
int recording_read(const char *path, bool full, Recording *recording);
void recording_release(Recording *recording);

// A new text: the file's name without folders and endings.
char *recording_name(const char *path);

#endif
