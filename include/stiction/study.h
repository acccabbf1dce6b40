// Studies: many runs of one scene with varied parameters (its section `study`), what is measured in each, and
// what all of them say together. A library of its own (stiction_study), on top of scenes.
//
// The parameters of a run are a pure function of its number. So rows do not depend on the number of threads or
// processes, nor on what was computed before.
#ifndef STICTION_STUDY_H
#define STICTION_STUDY_H

#include "measure.h"

#ifdef __cplusplus
extern "C" {
#endif

// Immutable once loaded; threads may share it.
typedef struct StiStudy StiStudy;
// NULL where the scene has errors or no section `study`; messages (required) then say why.
STI_API StiStudy *sti_study_load(const char *path, const StiSceneOptions *options,
                                 StiMessages *messages);
// The same from text (NULL: from the file), which is copied; path is used in messages, and as the folder of files that the scene names.
STI_API StiStudy *sti_study_read(const char *text, size_t length, const char *path,
                                 const StiSceneOptions *options, StiMessages *messages);
STI_API void sti_study_destroy(StiStudy *study);
STI_API const StiScene *sti_study_scene(const StiStudy *study);   // as long as the study
STI_API const StiDesign *sti_study_design(const StiStudy *study); // of that scene
STI_API int64_t sti_study_runs(const StiStudy *study);
// Of scene, files that it names, step, method, design and version: rows of equal studies can be mixed.
STI_API uint64_t sti_study_fingerprint(const StiStudy *study);
// The values of the varied parameters in a run, from 0 on.
STI_API void sti_study_values(const StiStudy *study, int64_t run, double *values);
// Whether runs set parameters of a compiled scene; else the scene is read again for each run.
STI_API bool sti_study_is_direct(const StiStudy *study);

// How many runs go side by side (lanes.h): as many as a worker should be given at once. 1: one by one.
STI_API int sti_study_together(const StiStudy *study);

enum { STI_REASON_SIZE = 200 };
typedef struct StiStudyRow {
    int64_t run;
    StiStatus status;             // STI_OK, or why the run failed
    const double *values;         // of the varied parameters
    const double *measures;       // NaN where the run failed, or nothing was measured
    char reason[STI_REASON_SIZE]; // of a failure, in words; else empty
} StiStudyRow;

// Does one run after the other; each thread has its own.
typedef struct StiStudyWorker StiStudyWorker;
STI_API StiStudyWorker *sti_study_worker_create(const StiStudy *study); // NULL without memory
STI_API void sti_study_worker_destroy(StiStudyWorker *worker);
// Asked between steps; true ends a run with STI_INTERRUPTED, which is no result of the study.
STI_API void sti_study_worker_watch(StiStudyWorker *worker, bool (*stop)(void *context),
                                    void *context);
// The row belongs to the worker, until the next run.
STI_API const StiStudyRow *sti_study_worker_run(StiStudyWorker *worker, int64_t run);
// At most sti_study_together runs, side by side where they go together: as many rows, which belong to the worker, until
// the next runs. Each row is the one that the run would have alone.
STI_API const StiStudyRow *sti_study_worker_run_together(StiStudyWorker *worker,
                                                         const int64_t *runs, int count);

typedef struct StiStudyTask {
    int threads;                    // 0: as many as there are processors
    int64_t (*next)(void *context); // the next run to be done, growing; -1: no more
    // Rows in the order of next, from one thread at a time. False ends the task.
    bool (*row)(void *context, const StiStudyRow *row);
    bool (*stop)(void *context); // from any thread, often; NULL: never
    void *context;
} StiStudyTask;
// STI_OK: all that next gave. STI_INTERRUPTED: ended by stop or row. STI_OUT_OF_MEMORY.
STI_API StiStatus sti_study_execute(const StiStudy *study, const StiStudyTask *task);

// A coordinate of a point of Sobol's sequence, scrambled by the seed: from 0 to 1, both excluded. dimension: from 0,
// below 64.
STI_API double sti_sobol_point(uint64_t seed, uint32_t point, int dimension);

// ---- what the runs say ---------------------------------------------------------------------------------------
// Of numbers of which some may be NaN (runs that failed, events that did not come): those are left out.

typedef struct StiSummary {
    int64_t count; // that are numbers
    double mean, deviation;
    double half;                                    // the mean lies within +-half at 95 %
    double least, q05, q25, median, q75, q95, most; // quantiles, linear between neighbours
} StiSummary;
// False without memory.
STI_API bool sti_summarise(const double *values, int64_t count, StiSummary *summary);

// Spearman's rank correlation of pairs, equal values at their mean rank; NaN where one does not vary.
STI_API double sti_rank_correlation(const double *x, const double *y, int64_t count);

typedef struct StiInterval {
    double value, low, high; // 95 %
} StiInterval;
// The probability behind `hits` of `count` (Wilson's interval).
STI_API StiInterval sti_proportion(int64_t hits, int64_t count);

// Sobol's indices of one measure over the runs of a saltelli sample, in order. first: what a parameter explains
// alone; total: with all its interactions (both by Jansen's estimators, intervals by 200 bootstrap samples).
// Points of which a run is missing are left out; false where fewer than two are left, or without memory.
STI_API bool sti_sobol_indices(const double *values, int64_t runs, int parameters,
                               StiInterval *first, StiInterval *total);

// Which rows no other row beats in all goals. goals: -1 the less the better, 1 the more, 0 not looked at.
// measures: rows x columns. Rows with NaN in a goal are not on the front. False without memory.
STI_API bool sti_pareto_front(const double *measures, int64_t rows, int columns, const int *goals,
                              bool *front);

#ifdef __cplusplus
}
#endif
#endif
