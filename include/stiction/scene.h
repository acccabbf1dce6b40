// Scenes: text files that become a plan, inputs, a run and what to record. A library of its own
// (stiction_scene), on top of the core. The format: docs/scene-format.md.
#ifndef STICTION_SCENE_H
#define STICTION_SCENE_H

#include "network.h"

#ifdef __cplusplus
extern "C" {
#endif

// A message about a place in a scene file. line and column count from 1; 0 where there is none.
typedef struct StiMessage {
    StiSeverity severity;
    const char *file; // or "--set friction.level=..."
    int line, column;
    const char *text; // what is wrong, and what would be right
} StiMessage;

typedef struct StiMessages StiMessages;
// NULL without memory. Texts belong to the messages.
STI_API StiMessages *sti_messages_create(void);
STI_API void sti_messages_destroy(StiMessages *messages);
STI_API int sti_messages_count(const StiMessages *messages);
STI_API int sti_messages_error_count(const StiMessages *messages);
// A message about a whole file; texts are copied.
STI_API void sti_messages_add(StiMessages *messages, StiSeverity severity, const char *file,
                              const char *text);
// In the order of their places.
STI_API const StiMessage *sti_messages_at(const StiMessages *messages, int index);

// What to measure, and what it should be.
typedef enum StiMeasure {
    STI_MEASURE_AT,
    STI_MEASURE_MAX,
    STI_MEASURE_MIN,
    STI_MEASURE_MAXABS,
    STI_MEASURE_MEAN,
    STI_MEASURE_RANGE,
    STI_MEASURE_FIRST,
    STI_MEASURE_LAST,
    STI_MEASURE_LOOP,
    STI_MEASURE_PER, // change of channel over change of against
    STI_MEASURE_WHEN
} StiMeasure;
// STI_UNJUDGED: of a study, which measures without expecting anything.
typedef enum StiRelation { STI_NEAR, STI_UNDER, STI_OVER, STI_UNJUDGED } StiRelation;

typedef struct StiExpectation {
    const char *what;
    const char *from;    // "paper", "exact", "computed", "chosen"
    const char *channel; // or an expression of channels; the condition for STI_MEASURE_WHEN
    const char *against; // STI_MEASURE_LOOP, STI_MEASURE_PER
    StiMeasure measure;
    double t1, t2; // at, during, after (t1)
    StiRelation relation;
    double value, tolerance;
} StiExpectation;

typedef struct StiVariant {
    const char *name;
    const char *const *sets; // "friction.model=karnopp", ...
    int set_count;
} StiVariant;

typedef struct StiGridAxis {
    const char *path;
    double from, to;
    int count;
} StiGridAxis;

// ---- the section `study`: many runs with varied parameters (study.h) ----
typedef enum StiSample {
    STI_SAMPLE_GRID,   // all combinations of values
    STI_SAMPLE_LIST,   // the first values, the second values, ...
    STI_SAMPLE_RANDOM, // independent
    STI_SAMPLE_LATIN,  // a Latin hypercube: every parameter in equally likely strips, each strip once
    STI_SAMPLE_SOBOL,  // Sobol's sequence, scrambled
    STI_SAMPLE_SALTELLI // for Sobol's indices: `runs` points, each with (parameters + 2) runs
} StiSample;
typedef enum StiSpread {
    STI_SPREAD_VALUES,
    STI_SPREAD_UNIFORM,   // from a to b
    STI_SPREAD_LOG,       // its logarithm is uniform, from a to b
    STI_SPREAD_NORMAL,    // mean a, standard deviation b, cut off at least and most
    STI_SPREAD_TRIANGULAR // from a to c, most often b
} StiSpread;

typedef struct StiVaried {
    const char *path; // as --set takes it: "friction.level"
    StiSpread spread;
    double a, b, c;
    double least, most;
    const double *values;
    int count;
} StiVaried;

typedef struct StiCorrelation {
    int first, second; // numbers of varied parameters
    double value;      // between their normal scores, above -1 and below 1
} StiCorrelation;

typedef struct StiDesign {
    StiSample sample;
    int64_t runs; // of grids and lists 0: they have as many as their values make
    uint64_t seed;
    const StiVaried *varied;
    int varied_count;
    const StiCorrelation *correlations;
    int correlation_count;
    const StiExpectation *measures; // `what` is the name; those of `expect` where the study names none
    const int *goals;               // of each measure: -1 the less the better, 1 the more, 0 neither
    int measure_count;
} StiDesign;

// ---- the section `fit`: parameters from measured logs (fit.h) ----
// A number that is known, or looked for between least and most (infinite: without bound).
typedef struct StiFitNumber {
    bool free;
    double value; // known, or where the search starts; NaN: not given
    double least, most;
} StiFitNumber;

typedef struct StiFitLog {
    const char *file;        // a CSV file
    double weight;           // of its residuals
    const char *const *sets; // what is different in this log: "control.kp=100"
    int set_count;
} StiFitLog;

typedef struct StiFitChannel {
    const char *channel; // of the network
    const char *column;  // of the log, or an expression of its columns
    double weight;
    double deviation; // of the noise, in the channel's unit; 0: from the residuals
    StiFitNumber offset, gain, delay; // measured(t) = offset + gain * channel(t - delay)
} StiFitChannel;

typedef struct StiFitDrive {
    const char *path;   // an input of the scene, or a function of time: "motor.voltage"
    const char *column; // of the log, or an expression of its columns
} StiFitDrive;

typedef struct StiFitFree {
    const char *path; // as --set takes it: "friction.level"
    StiFitNumber number;
    double prior, prior_deviation; // what is known from elsewhere; deviation 0: nothing
} StiFitFree;

typedef enum StiFitStartFrom { STI_START_MEASURED, STI_START_FREE, STI_START_FIXED } StiFitStartFrom;
typedef struct StiFitStart {
    const char *channel; // that shows a number of the state
    StiFitStartFrom from;
    StiFitNumber number;
} StiFitStart;

typedef struct StiFitModel {
    const char *name;
    bool built_in; // a name alone: what is set and free follows from it
    const char *const *sets;
    int set_count;
    const StiFitFree *free; // beside those of the fit
    int free_count;
} StiFitModel;

typedef struct StiFitDesign {
    const StiFitLog *logs;
    int log_count;
    const char *time; // the column; NULL: the first
    const StiFitChannel *channels;
    int channel_count;
    const StiFitDrive *drives;
    int drive_count;
    const StiFitFree *free;
    int free_count;
    const StiFitStart *starts;
    int start_count;
    const StiFitModel *models; // none: the scene as it stands
    int model_count;
    double window;    // s: multiple shooting; 0: each log in one piece
    bool linear;      // drives are linear between samples; else they hold
    int searches;     // from how many points
    uint64_t seed;
    int folds;        // of cross validation; 0: none
    bool profile;     // intervals by profiles, too
} StiFitDesign;

// A name of the section `parameters`, and its number.
typedef struct StiSceneParameter {
    const char *name;
    double value;
} StiSceneParameter;

// A robot of the scene as the network has it, ready to be written as URDF: stiction/urdf.h. Friction
// is what its URDF said, where the scene has none of its own for the joint.
typedef struct StiSceneRobot {
    const char *name; // of the body
    const struct StiUrdf *urdf;
    const char *file; // of 'urdf: FILE'; NULL: the links stand in the scene
} StiSceneRobot;

// A picture that the scene asks for: y over x, of some of its runs.
typedef struct StiFigure {
    const char *title;
    const char *x;          // "t", a channel or an expression; of a grid: a swept name too
    const char *const *y;   // channels or expressions
    int y_count;
    const char *const *runs; // names of variants, "scene" for the scene itself
    int run_count;           // 0: all
} StiFigure;

// ---- elements of kind `fmu`: controllers of other tools; the program that runs the scene steps them ----
typedef enum StiFmuType { STI_FMU_REAL, STI_FMU_INTEGER, STI_FMU_BOOLEAN } StiFmuType;
typedef struct StiFmuValue {
    const char *variable; // of the FMU
    uint32_t reference;
    StiFmuType type;
    const char *from; // of an input: a channel, or an expression of channels and t
    const char *to;   // of an output: the input of the network, "control.tau"
    double value;     // of a parameter that is set
} StiFmuValue;
typedef struct StiSceneFmu {
    const char *name, *file;
    int version;                    // of FMI: 2 or 3
    const char *identifier, *token; // of the binary
    const char *binary;             // its path in the archive
    double period;                  // s; a whole number of steps
    const StiFmuValue *inputs, *outputs, *sets;
    int input_count, output_count, set_count;
} StiSceneFmu;

// Everything lives as long as the scene.
typedef struct StiScene {
    const char *path, *title, *description;
    StiPlan *plan;
    StiNetwork *network;
    double start, stop;
    int64_t steps;
    const struct StiAdaptiveOptions *adaptive; // adaptive.h; NULL: a fixed step
    const char *why_method; // the reason for the network's method; NULL: the scene names it
    int every;
    const char *const *record; // channel names, patterns resolved
    int record_count;
    const StiExpectation *expectations; // of this variant, or of the scene itself
    int expectation_count;
    const StiVariant *variants;
    int variant_count;
    const StiGridAxis *grid;
    int grid_count;
    const StiDesign *study; // NULL: none
    const StiFitDesign *fit; // NULL: none
    const StiFigure *figures;
    int figure_count;
    const char *const *friction; // names of the elements of kind friction, as the scene has them
    int friction_count;
    const StiSceneParameter *parameters; // in the order of the scene
    int parameter_count;
    const StiSceneRobot *robots; // in the order of the scene
    int robot_count;
    const StiSceneFmu *fmus; // of a scene that was loaded with options.fmus
    int fmu_count;
    const char *confine;      // as the options said
    const char *const *files; // that the scene reads beside itself: tables, robots, meshes
    int file_count;
    uint64_t fingerprint; // of the problem: not of step, stop, method, and what is recorded
} StiScene;

typedef struct StiSceneOptions {
    const char *const *sets; // "path=value", as --set takes them
    int set_count;
    const char *variant; // NULL: the scene itself
    const char *confine; // the scene may read files of this folder only; NULL: any
    // The caller steps the FMUs of the scene, which are machine code of others. False: a scene that has some is refused.
    bool fmus;
} StiSceneOptions;

// NULL if there are errors; messages (required) then holds all of them.
STI_API StiScene *sti_scene_load(const char *path, const StiSceneOptions *options,
                                 StiMessages *messages);
// The same from text; path is used in messages and as the folder of CSV files.
STI_API StiScene *sti_scene_read(const char *text, size_t length, const char *path,
                                 const StiSceneOptions *options, StiMessages *messages);
// The scene as it was read, variant and settings applied, as one text that is JSON and YAML: without
// comments, aliases, variants, expectations, studies, figures, and without error control, so that it runs
// with a fixed step. To be freed; NULL without memory.
STI_API char *sti_scene_plain(const StiScene *scene);
STI_API void sti_scene_destroy(StiScene *scene);
// The text of a scene with values at paths ("friction.level=12.5") in place of those that stand there, or added; all
// else, comments too, as it is. To be freed; NULL after messages (required).
STI_API char *sti_scene_rewrite(const char *text, size_t length, const char *path, const char *const *sets,
                                int set_count, StiMessages *messages);
// What a name stands for: as sti_network_find, then among the parameters of the plan
// ("friction.level"). False: nothing.
STI_API bool sti_scene_find(const StiScene *scene, const char *name, StiFound *found);
STI_API int sti_scene_friction_elements(const StiScene *scene, const char *const **names);

// The JSON Schema (draft-07) of the format, generated from the tables that the reader itself uses.
// Writes at most size bytes; returns the length needed, as snprintf does.
STI_API size_t sti_scene_schema(char *buffer, size_t size);

// What `kind` may be in bodies and in elements, and the keys of each: the tables that the reader uses.
// By number from 0 on; false past the last. Texts are constant.
typedef enum StiSection { STI_SECTION_BODIES, STI_SECTION_ELEMENTS } StiSection;
typedef struct StiSceneKind {
    const char *name, *summary;
    int key_count;
} StiSceneKind;
typedef struct StiSceneKey {
    const char *name, *meaning;
    bool required;
} StiSceneKey;
// A kind of a section, and a key of a kind.
STI_API bool sti_scene_kind(StiSection section, int number, StiSceneKind *kind);
STI_API bool sti_scene_kind_key(StiSection section, int kind, int number, StiSceneKey *key);

// Expressions of named variables, outside scenes: expectations and conditions use them.
typedef struct StiExpression StiExpression;
// NULL, and the reason in error, where the text is none of these names; texts are copied. An expression
// is of one thread at a time. values: as many as names, in their order; uses: by the number of a name.
STI_API StiExpression *sti_expression_create(const char *text, const char *const *names, int count,
                                             char *error, size_t error_size);
STI_API double sti_expression_value(StiExpression *expression, const double *values);
STI_API bool sti_expression_uses(const StiExpression *expression, int name);
STI_API void sti_expression_destroy(StiExpression *expression);

#ifdef __cplusplus
}
#endif
#endif
