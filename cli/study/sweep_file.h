// The rows of a sweep on disk. While it grows it is text (PATH.partial), flushed now and then, so that what was
// written survives whatever ends the program; a sweep can be resumed from it. When all rows are there it becomes
// a .csv or .h5 file.
#ifndef STICTION_CLI_SWEEP_FILE_H
#define STICTION_CLI_SWEEP_FILE_H

#include <stiction/study.h>

// Every shards-th run from `shard` (0 to shards - 1) on; 0 of 1: all.
typedef struct Shard {
    int64_t number, count;
} Shard;

typedef struct SweepFile SweepFile;

// Rows that are there already go to `row` (in their order; false ends it). resume: go on with an unfinished file,
// where there is one. *done: how many rows there were. Returns an exit code, after a message.
int sweep_file_open(const char *path, const StiStudy *study, Shard shard, bool resume,
                    bool (*row)(void *context, const StiStudyRow *row), void *context,
                    SweepFile **file, int64_t *done);
bool sweep_file_row(SweepFile *file, const StiStudyRow *row);
// Rows reach the disk at least once a second if this is called as often.
bool sweep_file_look_after(SweepFile *file, double now);
// complete: takes its final name and format; else PATH.partial stays, and a message says so. An exit code.
int sweep_file_close(SweepFile *file, bool complete);


#endif
