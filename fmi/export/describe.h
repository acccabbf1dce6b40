// Private: modelDescription.xml of both versions, and what else describes an FMU.
#ifndef STICTION_FMI_DESCRIBE_H
#define STICTION_FMI_DESCRIBE_H

#include "export/text.h"
#include "fmu/variables.h"

typedef struct Exported {
    const StiScene *scene; // as the FMU will read it
    const Description *description;
    const Variables *variables;
    const char *identifier; // C's kind: name of the binary, and prefix of its sources
    const char *title, *about;
    bool exchange; // has a form in continuous time
    const char *const
        *sources; // files of C, from the folder of sources; NULL after the last, NULL: none
} Exported;

void describe_fmi2(FmuText *to, const Exported *exported);
void describe_fmi3(FmuText *to, const Exported *exported);
void describe_page(FmuText *to, const Exported *exported);      // documentation/index.html
void describe_terminals(FmuText *to, const Exported *exported); // of FMI 3: joints
void describe_build(FmuText *to, const Exported *exported); // of FMI 3: how sources are compiled

// ---- shared by both versions ----
void describe_attribute(FmuText *to, const char *name,
                        const char *value); // left out where the value is empty
void describe_units(FmuText *to, const Exported *exported);
void describe_experiment(FmuText *to, const Exported *exported);
void describe_log(FmuText *to);
// The value of a parameter, or of an input before it is set.
double describe_start(const Exported *exported, const Variable *variable);
const char *describe_causality(const Variable *variable);
const char *describe_variability(const Variable *variable);
const char *describe_initial(const Variable *variable); // NULL: has none
// dependencies="..." dependenciesKind="..." of an output or a derivative; numbers of variables plus first.
void describe_dependencies(FmuText *to, const Exported *exported, const Variable *variable,
                           int first);

#endif
