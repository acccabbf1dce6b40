// One sweep: study, rows on disk and in memory, progress. Who computes the runs is the caller's matter: threads
// (command/sweep.c) or processes (mpi/).
#ifndef STICTION_CLI_SWEEP_H
#define STICTION_CLI_SWEEP_H

#include "command/options.h"
#include "study/sweep_file.h"
#include "study/sweep_summary.h"
#include "terminal/progress.h"

typedef struct Sweep {
    const StiStudy *study;
    Shard shard;
    int64_t next, runs; // places in the order of this part's runs: the next to be done, and how many
    int64_t done;       // now, without those that were there already
    SweepRows rows;
    SweepFile *file; // or NULL
    Progress progress;
    char label[64];
    bool written;
} Sweep;

// NULL after messages, unless they are not wanted.
StiStudy *sweep_load(const Arguments *arguments, bool silent);
// "3/40": the third of forty parts; NULL: all. False after a message.
bool sweep_read_shard(const char *text, Shard *shard);
int64_t sweep_runs_of(int64_t runs, Shard shard); // of a study with so many runs

// Does all that belongs to it; execute: has the runs from next on computed, and hands their rows over in order.
// Returns an exit code.
int sweep_run(const Arguments *arguments, StiStatus (*execute)(Sweep *sweep, int jobs));
bool sweep_take_row(Sweep *sweep, const StiStudyRow *row); // false: it cannot be written

#endif
