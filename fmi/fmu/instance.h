// Private: an instance as both versions of FMI have it: its phase in the standard's state machine, its model, its
// log. Each version adds its own callbacks.
#ifndef STICTION_FMI_INSTANCE_H
#define STICTION_FMI_INSTANCE_H

#include "fmu/model.h"

// States of the standard's state machines. Each is a bit, so that a call can say in which it is allowed.
typedef enum Phase {
    PHASE_INSTANTIATED = 1,
    PHASE_INITIALIZATION = 2,
    PHASE_EVENT = 4,
    PHASE_CONTINUOUS = 8,
    PHASE_STEP = 16, // co-simulation, between two steps
    PHASE_TERMINATED = 32,
    PHASE_ERROR = 64,
    PHASE_INTERMEDIATE = 128, // within a step, FMI 3
    PHASE_RUNS = PHASE_EVENT | PHASE_CONTINUOUS | PHASE_STEP,
    PHASE_ALL = 255
} Phase;

// Statuses that both versions share, with their values.
typedef enum Outcome { OUTCOME_OK = 0, OUTCOME_DISCARD = 2, OUTCOME_ERROR = 3 } Outcome;

typedef struct Instance {
    char *name, *resources;
    bool exchange; // model exchange, else co-simulation
    bool logging;
    bool arrays; // variables of FMI 3: arrays and event indicators, too
    Phase phase;
    Model *model;
    double tolerance, start, stop; // what the importer said; stop NAN: nothing
    // How this version writes to the importer's log.
    void (*log)(const struct Instance *instance, Outcome outcome, const char *text);
} Instance;

// Everything but the callbacks, which are set before. NULL resources: looked for beside the binary. False after a
// message in the log.
bool instance_open(Instance *instance, const char *name, const char *token, const char *resources,
                   bool exchange);
void instance_close(Instance *instance);
Outcome instance_reset(Instance *instance);

// Writes to the log; returns the outcome.
Outcome instance_say(const Instance *instance, Outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// May this function be called now? False after a message; NULL instance: false.
bool instance_allows(const Instance *instance, const char *function, unsigned phases);
// What a model says about its failure; the instance is in error then.
Outcome instance_broken(Instance *instance, const char *function);

// Of value references; count: of values, which arrays have several of.
Outcome instance_get(Instance *instance, const char *function, const unsigned *references,
                     size_t count, double *values, size_t value_count);
Outcome instance_set(Instance *instance, const char *function, const unsigned *references,
                     size_t count, const double *values, size_t value_count);

Outcome instance_initialize(Instance *instance, const char *function);
Outcome instance_begin(Instance *instance, const char *function);
// From the time reached, which should be `from`, on. happened: as of model_advance.
Outcome instance_step(Instance *instance, const char *function, double from, double length,
                      bool *happened);
Outcome instance_set_time(Instance *instance, const char *function, double time);
// Numbers of a vector of the model.
typedef enum Vector {
    VECTOR_STATES,
    VECTOR_DERIVATIVES,
    VECTOR_INDICATORS,
    VECTOR_NOMINALS
} Vector;
Outcome instance_vector(Instance *instance, const char *function, Vector which, double *values,
                        size_t count);
Outcome instance_set_states(Instance *instance, const char *function, const double *values,
                            size_t count);
Outcome instance_event(Instance *instance, const char *function, bool *moved, double *next);
Outcome instance_completed(Instance *instance, const char *function, bool *event);
Outcome instance_derivative(Instance *instance, const char *function, const unsigned *unknowns,
                            size_t unknown_count, const unsigned *knowns, size_t known_count,
                            const double *seed, double *result);

// States of an FMU, kept by the importer: bytes with the phase in front.
typedef struct Kept {
    size_t size;
    unsigned char bytes[];
} Kept;
Outcome instance_keep(Instance *instance, const char *function, void **kept);
Outcome instance_take_back(Instance *instance, const char *function, const void *kept);
Outcome instance_kept_size(const Instance *instance, const char *function, const void *kept,
                           size_t *size);
Outcome instance_write(const Instance *instance, const char *function, const void *kept,
                       void *bytes, size_t size);
Outcome instance_read(const Instance *instance, const char *function, const void *bytes,
                      size_t size, void **kept);

#endif
