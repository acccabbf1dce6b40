// How far a run is: a bar on a terminal, now and then a line elsewhere, nothing when quiet.
#ifndef STICTION_CLI_PROGRESS_H
#define STICTION_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    bool quiet, bar;
    bool drawn; // there is a bar to wipe off
    const char *label;
    int64_t total;     // steps, or runs
    double began, due; // s, of clock_now
} Progress;

double clock_now(void); // s, from an unknown beginning, never back

Progress progress_begin(const char *label, int64_t total, bool quiet);
// Cheap until something is due to be shown.
void progress_show(Progress *progress, int64_t done, double now);
void progress_end(Progress *progress);

#endif
