// PATH.progress: what a fit has found so far, descent after descent, so that one that was interrupted or killed goes on.
#ifndef STICTION_CLI_FIT_DONE_H
#define STICTION_CLI_FIT_DONE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct FitFound {
    double *numbers; // entries, each after its length, as StiFitTask takes them
    int64_t count;
} FitFound;

typedef struct FitDone {
    FitFound *models; // NULL: nothing was found before
    int count;
} FitDone;

// Reads what is there (resume), and opens the file for what follows. An exit code, after messages: what is there may
// be of another fit, or must not be lost.
int fit_done_open(const char *path, uint64_t fingerprint, int models, bool resume, FitDone *done,
                  FILE **file);
void fit_done_add(FILE *file, int model, const double *entry, int count);
void fit_done_release(FitDone *done);
void fit_done_forget(const char *path); // removes the file

#endif
