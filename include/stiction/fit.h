// Fits: parameters of a scene from measured logs (its section `fit`), how well they are known, and what the logs
// cannot tell. A library of its own (stiction_fit), on top of scenes.
//
// Measured channels are compared with simulated ones (output error). Bounds are kept by transformations, the search
// is that of Levenberg and Marquardt; the same bits for any number of threads.
#ifndef STICTION_FIT_H
#define STICTION_FIT_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A scene with its logs. Immutable once loaded.
typedef struct StiFit StiFit;
// NULL where the scene has errors, no section `fit`, or logs that cannot be used; messages (required) then say why.
// Else they may have warnings: units that look wrong, times that are not even.
STI_API StiFit *sti_fit_load(const char *path, const StiSceneOptions *options,
                             StiMessages *messages);
STI_API void sti_fit_destroy(StiFit *fit);
STI_API const StiScene *sti_fit_scene(const StiFit *fit);      // as long as the fit
STI_API const StiFitDesign *sti_fit_design(const StiFit *fit); // of that scene
STI_API int sti_fit_models(const StiFit *fit);                 // at least 1: the scene as it stands
STI_API const char *sti_fit_model_name(const StiFit *fit,
                                       int model); // "" where the scene names none
// Of scene, logs and design: results of equal fits can be gone on with.
STI_API uint64_t sti_fit_fingerprint(const StiFit *fit);

typedef struct StiFitProgress {
    const char *model; // "" where there is one only
    const char *phase; // "search", "uncertainty", ...
    double misfit; // of the best so far: root mean square of the weighted residuals; NaN: none yet
    int64_t simulations;
    double share;         // of the whole that is done, an estimate
    const double *values; // the best so far, sti_fit_count of them; NULL: none yet
    int count;
} StiFitProgress;

typedef struct StiFitResult StiFitResult;

typedef struct StiFitTask {
    int threads;          // 0: as many as there are processors
    int model;            // which
    bool evaluate_only;   // no search: the values as they stand
    // Where several models are compared: the rows of AIC and BIC (0: those of this fit), and the result of an
    // earlier one, whose values are one more start (NULL: none). A model that contains it can then only be better.
    double effective_rows;
    const StiFitResult *earlier;
    // To go on with a search that was interrupted: what keep was given then, entries one after the other, each after
    // its length. The result is that of a search without interruption. Else NULL.
    const double *done;
    int64_t done_count; // numbers, lengths included
    // After each descent, from the calling thread; may be NULL.
    void (*keep)(void *context, const double *entry, int count);
    bool (*stop)(void *context); // from any thread, often; NULL: never
    void (*progress)(void *context,
                     const StiFitProgress *progress); // from the calling thread; may be NULL
    void *context;
} StiFitTask;

typedef enum StiFitPart {
    STI_FIT_PARAMETER, // of the scene
    STI_FIT_SENSOR,    // offset, gain or delay of a channel
    STI_FIT_START      // a number of the state at the start of a log or window
} StiFitPart;

// What was looked for. Intervals are of 95 %, corrected for residuals that depend on each other.
typedef struct StiFitted {
    const char *name; // the path; "block.x.delay"; "block.v at 3 s"
    const char *unit;
    StiFitPart part;
    double value, deviation; // deviation NaN: nothing can be said
    double low, high;
    double profile_low, profile_high; // NaN where not asked for
    double least, most;               // its bounds, infinite: none
    bool determined;                  // false: the logs do not tell it
    bool at_bound;
} StiFitted;

typedef struct StiFitSeries {
    const char *channel, *unit, *log; // the file
    int count;
    const double *t, *measured, *simulated;
} StiFitSeries;

typedef struct StiFitError {
    const char *channel, *unit;
    double rms, mean_absolute, largest; // of measured minus simulated, over all logs
    double cross_validated; // rms on parts that were left out of the fit; NaN: not asked for
} StiFitError;

// Friction in the fitted scene, step by step: a resistance against a velocity, and its load.
typedef struct StiFitCurve {
    const char *element;
    int count;
    const double *velocity, *force;
    const double *load; // NULL: it has none
    const char *velocity_unit, *force_unit, *load_unit; // "N m"; "": none
} StiFitCurve;

typedef struct StiFitReason {
    const char *text;
    int64_t count;
} StiFitReason;

struct StiFitResult {
    StiStatus
        status; // STI_OK; STI_INTERRUPTED: the best so far; else nothing was found, and reason says why
    const char *reason;
    const char *model;
    const StiFitted *parameters;
    int count;
    const double *correlations; // count x count
    const StiFitError *errors;  // of each channel
    int error_count;
    const StiFitSeries *series; // of each log or window, and channel
    int series_count;
    const StiFitCurve *curves; // of friction elements
    int curve_count;
    double misfit;                   // root mean square of the weighted residuals
    int64_t rows;                    // residuals
    double effective_rows;           // what they are worth, as they depend on each other
    double aic, bic;                 // by the effective rows
    const char *const *undetermined; // sentences: directions that the logs do not tell
    int undetermined_count;
    const char *const *notes; // sentences
    int note_count;
    int64_t simulations;
    const StiFitReason *rejected; // simulations inside the search that failed, by reason
    int rejected_count;
    const char *const *sets; // "friction.level=12.5", to the last bit: the fitted scene
    int set_count;
    double seconds_per_simulation;
};

// Searches; never NULL but without memory. The result belongs to the caller.
STI_API StiFitResult *sti_fit_run(const StiFit *fit, const StiFitTask *task);
STI_API void sti_fit_result_destroy(StiFitResult *result);
// The result of two models whose channels are nearer to the logs. One that failed, or is NULL, is the worse one.
STI_API const StiFitResult *sti_fit_better(const StiFitResult *a, const StiFitResult *b);

#ifdef __cplusplus
}
#endif
#endif
