// Private: one simulated scene behind the functions of FMI, whichever version: loading, variables, steps,
// the differential equation with its events, and copies of all of that.
#ifndef STICTION_FMI_MODEL_H
#define STICTION_FMI_MODEL_H

#include <stiction/continuous.h>
#include <stiction/record.h>
#include <stiction/scene.h>

#include "fmu/variables.h"

enum { MODEL_WHY = 640 };

typedef struct Model {
    char why[MODEL_WHY]; // the reason after a function returned false
    StiScene *scene;
    Description description;
    Variables variables;
    StiNetwork *network; // this model's alone; NULL after a parameter that does not compile
    StiState *state, *before;
    StiScratch *scratch;
    StiRecorder *recorder;
    double *inputs;
    double *outputs;    // of all channels that are outputs and no numbers of the state
    bool observes;      // there are such
    bool current;       // outputs are those of this moment
    bool begun;         // initialization is over: parameters that are changed do not move the state
    bool changed;       // parameters, since the network was compiled
    double start, time; // s; start: of the network
    double offset;      // s, from t_k, within a step
    // Model exchange: the numbers that an importer integrates, and what is known at this moment.
    bool exchange;
    double *values, *rates, *ahead;
    StiMargin *margins, *later;
    double *lifts, *before_step; // before_step: indicators at the last completed step
    bool *ended, *wrong;
    StiState *modes_before;
    StiSmoothInterval piece;
    bool evaluated; // rates and margins are those of this moment
    bool inputs_jumped;
    double relative, absolute, span; // tolerances; the length of the run
} Model;

// resources: the folder, with or without a slash at its end. NULL: why.
Model *model_create(const char *resources, char *why, size_t size);
void model_destroy(Model *model);

// Parameters that were changed take effect; done by all that needs it.
bool model_refresh(Model *model);

// Of one variable; those of an array one after the other. Values that are not finite are refused.
bool model_get(Model *model, int variable, double *values);
bool model_set(Model *model, int variable, const double *values);

// Outputs that are not part of the state: at the start by a trial step, as a recording has them.
bool model_observe(Model *model);
void model_keep_outputs(Model *model); // those of the recorder, as it is now

// Keeps as model->why what went wrong, and where; false.
bool model_failed(Model *model, StiStatus status);

// The start of a run, before initialization begins.
bool model_set_start(Model *model, double start);
void model_set_tolerances(Model *model, double relative, double stop);

// ---- a run (run.c) ----
// The end of initialization; exchange: modes are those of the moment.
bool model_begin(Model *model, bool exchange);

// Steps up to this time; the last is shorter where time does not fall on one. event: stop after a step in which
// friction began to stick or slip, or a contact opened or closed (*happened); NULL: do not.
bool model_advance(Model *model, double to, bool *happened);

// ---- model exchange (exchange.c) ----
bool model_exchange_take(Model *model);
void model_exchange_release(Model *model);
bool model_set_time(Model *model, double time);
bool model_set_states(Model *model, const double *values);
bool model_evaluate(Model *model);
void model_indicators(const Model *model, double *values);
// All that happens at this moment: modes that end, inputs that jump, samples. *moved: the states are others now.
bool model_event(Model *model, bool *moved);
// When the next event is due by itself; INFINITY: never.
double model_next_event(const Model *model);
// After a step of the integrator: is there something to do at once?
bool model_step_completed(Model *model, bool *event);
// The integrator goes on from here: indicators that are at zero are lifted above it.
bool model_continue(Model *model);
// Of unknowns (outputs and derivatives) along a direction of knowns (inputs and states), modes as they are.
bool model_derivative(Model *model, const int *unknowns, int unknown_count, const int *knowns,
                      int known_count, const double *seed, double *result);

// ---- copies (snapshot.c) ----
// All that a run needs to go on as it would have, as bytes; to be freed. NULL: no memory.
void *model_save(const Model *model, size_t *size);
// False: bytes of another model, or damaged; the model is then as it was.
bool model_restore(Model *model, const void *bytes, size_t size);

#endif
