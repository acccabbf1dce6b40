// Private: what the parts of the library of fits share.
#ifndef STICTION_FIT_FIT_H
#define STICTION_FIT_FIT_H

#include "log.h"
#include "stiction/fit.h"
#include "stiction/record.h"
#include "transform.h"

enum { FIT_TEXT = 400 };

// A log as the scene sees it.
typedef struct Measured {
    Log log;
    double **channels; // of each channel of the design, one number per row
    double **drives;   // of each drive
    double *noise;     // the deviation of each channel's noise
} Measured;

struct StiFit {
    StiScene *scene; // as it stands, for the design
    char *path, *variant, *confine;
    char **sets;
    int set_count;
    char **drive_sets;   // what lets the logs drive the scene
    char **drive_inputs; // the input of each drive
    int drive_set_count;
    Measured *logs;
    uint64_t fingerprint;
};

// A piece of a log that is simulated at once.
typedef struct Segment {
    int log;
    int first, rows;
    int64_t steps;
    double *inputs; // steps x those of the network
    int64_t at;     // of its first residual
} Segment;

typedef struct Parameter {
    StiFitPart part;
    char *name;
    const char *unit;
    const char *path; // STI_FIT_PARAMETER
    int channel;      // STI_FIT_SENSOR: of the design; STI_FIT_START: of the beginnings
    int sensor;       // STI_FIT_SENSOR: 0 offset, 1 gain, 2 delay
    int segment;      // STI_FIT_START
    double start;
    double in_scene; // its number there; NaN: it has none
    Transform transform;
    double prior, prior_deviation;
    bool presliding; // moves only what happens before slip: looked for last
} Parameter;

// What a model of the list sets, and what is free in it beside the parameters of the fit.
typedef struct ModelPlan {
    char **sets;
    int set_count;
    StiFitFree *free;
    int free_count;
} ModelPlan;

// How a number of the state begins in a segment.
typedef struct Beginning {
    const char *channel;
    StiFitStartFrom from;
    StiFitNumber number;
    bool asked;   // by the scene; else it follows from what is measured
    int value_of; // the measured channel that shows it, or
    int slope_of; // the one whose slope it is; -1: none
} Beginning;

// One model with its logs, cut into segments, and all that is free.
typedef struct Problem {
    const StiFit *fit;
    const StiFitDesign *design;
    const char *model;
    ModelPlan plan; // what the model sets and frees
    bool direct;    // parameters are set in the plan; else the scene is read again
    double step;
    int input_count;
    Segment *segments;
    int segment_count;
    Parameter *parameters;
    int count;
    int64_t rows;       // residuals of the logs
    int prior_count;    // that follow them
    double *deviations; // of each channel: what its residuals are divided by
    char **kept_names;  // of rates, as the network calls them
    Beginning *beginnings;
    int beginning_count;
    char reason[FIT_TEXT]; // why it cannot be fitted
} Problem;

// The scene of a log, with values of the parameters (NULL: none) in place of those of the file; NULL after messages.
StiScene *problem_load(const Problem *problem, int log, const double *values,
                       StiMessages *messages);
// what: with one %s for name. False, and it becomes the problem's reason.
bool problem_fail(Problem *problem, const char *what, const char *name);
bool problem_cut_logs(Problem *problem, const StiNetwork *network); // false without memory
// False: reason says why.
bool problem_find_beginnings(Problem *problem, const StiNetwork *network);
bool problem_create(Problem *problem, const StiFit *fit, int model);
// Of a number of the state, at the first row of a segment; NaN: it is not measured.
double problem_measured_start(const Problem *problem, const Beginning *beginning,
                              const Segment *segment);
// Whether a log begins where the scene does, but for noise: then the scene's number is the better one.
bool problem_starts_as_scene(const Problem *problem, const Beginning *beginning,
                             const Segment *segment, double value);
// "block.v" of "block.x", "arm.elbow.qd" of "arm.elbow.q"; NULL if the channel has no rate. The caller frees it.
char *problem_rate_of(const char *channel);
void problem_release(Problem *problem);
// False: there is no such model, and reason says so.
bool model_plan(const StiFit *fit, const StiFitModel *model, ModelPlan *plan, char *reason,
                size_t size);
void model_plan_release(ModelPlan *plan);
bool is_presliding(const char *path);

#endif
