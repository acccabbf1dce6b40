// Private: what the files of FMI 3.0 share.
#ifndef STICTION_FMI_INSTANCE3_H
#define STICTION_FMI_INSTANCE3_H

#include "fmi3/fmi3.h"
#include "fmu/instance.h"

typedef struct Instance3 {
    Instance instance; // first
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update; // NULL: not wanted
    fmi3InstanceEnvironment environment;
    bool event_mode;   // of co-simulation, too
    bool early_return; // from a step is allowed
} Instance3;

// Phases in which functions of several kinds are allowed, as the standard has them.
enum {
    FMI3_ALIVE =
        PHASE_INSTANTIATED | PHASE_INITIALIZATION | PHASE_RUNS | PHASE_TERMINATED | PHASE_ERROR,
    FMI3_READABLE =
        PHASE_INITIALIZATION | PHASE_RUNS | PHASE_TERMINATED | PHASE_ERROR | PHASE_INTERMEDIATE,
    FMI3_WRITABLE = PHASE_INSTANTIATED | PHASE_INITIALIZATION | PHASE_RUNS,
};

#endif
