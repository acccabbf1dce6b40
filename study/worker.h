// Private: what the runs of a worker share, one by one or side by side.
#ifndef STICTION_STUDY_WORKER_H
#define STICTION_STUDY_WORKER_H

#include "stiction/lanes.h"
#include "study.h"

struct StiStudyWorker {
    const StiStudy *study;
    StiScene *scene;           // of this worker, whose plan is set; NULL: it is read for each run
    double *values, *measures; // of all rows
    StiStudyRow rows[STI_LANES];
    bool (*stop)(void *context);
    void *context;
};

// A place for a row: parameters of the run, nothing measured yet.
StiStudyRow *study_row_begin(StiStudyWorker *worker, int place, int64_t run);
double *study_row_measures(StiStudyWorker *worker, int place);
// A failure without a reason gets the status in words.
void study_row_end(StiStudyRow *row, StiStatus status);

// The network with the row's parameters, set directly; the row says why not.
StiStatus study_compile(StiStudyWorker *worker, StiStudyRow *row, StiNetwork **network);
// The whole run of a network by itself.
StiStatus study_simulate(StiStudyWorker *worker, int place, const StiScene *scene,
                         const StiNetwork *network);
void study_explain(const StiFault *fault, StiStatus status, char *reason);
// Steps without an answer, of which more than one in a thousand spoil a run; where says who had none first.
bool study_is_solved(const StiScene *scene, int64_t unsolved, const char *where, char *reason);

// Networks side by side, each with the place of its row; statuses go to the rows. False: they do not go together.
bool study_simulate_together(StiStudyWorker *worker, StiNetwork *const *networks, const int *places,
                             int count);

#endif
