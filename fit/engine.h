// Private: residuals of all segments and how they change with the parameters, on threads.
#ifndef STICTION_FIT_ENGINE_H
#define STICTION_FIT_ENGINE_H

#include <omp.h>

#include "sensor.h"
#include "simulate.h"

enum { MOST_REASONS = 12 };

typedef struct Reason {
    char text[FIT_TEXT];
    int64_t count;
} Reason;

typedef struct Engine {
    const Problem *problem;
    const StiFitTask *task;
    int threads;
    Simulator **simulators; // of each thread
    double **rooms;         // a trajectory of each thread
    double **bases;         // the trajectory of each segment at the point that was evaluated last
    double *base_residuals;
    int fold, folds; // rows of this part are left out; folds 0: none
    omp_lock_t lock; // of all that follows
    int64_t simulations;
    double seconds; // that they took
    bool interrupted;
    Reason reasons[MOST_REASONS];
    int reason_count;
} Engine;

bool engine_open(Engine *engine, const Problem *problem, const StiFitTask *task);
void engine_close(Engine *engine);
int64_t engine_rows(const Engine *engine); // residuals, with those of priors

// Residuals at these values. STI_OK, STI_INTERRUPTED, or the status of a simulation that failed.
StiStatus engine_residuals(Engine *engine, const double *values, double *residuals);
// The same of one thread's simulator, without keeping trajectories: for many points at once.
double engine_misfit(Engine *engine, int thread, const double *values);

// A column: residuals with one parameter at two values, their difference over distance. Needs engine_residuals at
// `values` before. which: count numbers of parameters; columns: rows x count, column after column.
typedef struct Difference {
    int parameter;
    double plus, minus; // minus NaN: the point itself
    double distance;
} Difference;
StiStatus engine_columns(Engine *engine, const double *values, const Difference *differences,
                         int count, double *columns);

// Whether a row belongs to the part that is left out.
bool engine_leaves_out(const Engine *engine, int segment, int row);

#endif
