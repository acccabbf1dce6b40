// Private: what the description of an FMU says about co-simulation.
#ifndef STICTION_SCENE_FMU_DESCRIPTION_H
#define STICTION_SCENE_FMU_DESCRIPTION_H

#include "foreign/archive.h"
#include "stiction/scene.h"
#include "xml/xml.h"

typedef struct FmuVariable {
    const char *name, *causality, *unit;
    const char *type; // as the description has it: "Real", "Float64", "String"
    uint32_t reference;
    bool array;
    double start; // of an output; 0: none is given
} FmuVariable;

typedef struct FmuDescription {
    int version;            // of FMI: 2 or 3
    const char *token;      // guid, instantiationToken
    const char *identifier; // the binary's name; NULL: no co-simulation
    bool needs_tool;        // only a wrapper of another program
    FmuVariable *variables;
    int variable_count;
} FmuDescription;

// False after a message at the mark.
bool fmu_describe(const Archive *archive, const char *file, Mark mark, StiArena *arena,
                  StiMessages *messages, FmuDescription *description);

// The member that holds the binary for the platform of this program, or would.
void fmu_binary_name(const FmuDescription *description, char *name, size_t size);

#endif
