// An importer of FMUs for tests: unpacks the archive, reads what it needs of the description with plain searches, and
// loads the binary. It shares no code with the export, but for the declarations of the interface.
#ifndef STICTION_TESTS_FMI_IMPORTER_H
#define STICTION_TESTS_FMI_IMPORTER_H

#include <stdbool.h>

#include "fmi2/fmi2.h"

// The functions of FMI 2.0: F(name).
#define FMI2_FUNCTIONS(F) \
    F(fmi2GetTypesPlatform) \
    F(fmi2GetVersion) \
    F(fmi2SetDebugLogging) F(fmi2Instantiate) F(fmi2FreeInstance) F(fmi2SetupExperiment) F( \
        fmi2EnterInitializationMode) F(fmi2ExitInitializationMode) F(fmi2Terminate) F(fmi2Reset) \
        F(fmi2GetReal) F(fmi2GetInteger) F(fmi2GetBoolean) F(fmi2GetString) F(fmi2SetReal) F( \
            fmi2SetInteger) F(fmi2SetBoolean) F(fmi2SetString) F(fmi2GetFMUstate) \
            F(fmi2SetFMUstate) F(fmi2FreeFMUstate) F(fmi2SerializedFMUstateSize) F( \
                fmi2SerializeFMUstate) F(fmi2DeSerializeFMUstate) F(fmi2GetDirectionalDerivative) \
                F(fmi2EnterEventMode) F(fmi2NewDiscreteStates) F(fmi2EnterContinuousTimeMode) \
                    F(fmi2CompletedIntegratorStep) F(fmi2SetTime) F(fmi2SetContinuousStates) \
                        F(fmi2GetDerivatives) F(fmi2GetEventIndicators) F(fmi2GetContinuousStates) \
                            F(fmi2GetNominalsOfContinuousStates) F(fmi2SetRealInputDerivatives) \
                                F(fmi2GetRealOutputDerivatives) F(fmi2DoStep) F(fmi2CancelStep) \
                                    F(fmi2GetStatus) F(fmi2GetRealStatus) F(fmi2GetIntegerStatus) \
                                        F(fmi2GetBooleanStatus) F(fmi2GetStringStatus)

typedef struct Fmu2 {
    void *library;
    char folder[512], resources[600], guid[64];
    char *xml;
    int states, indicators;
#define DECLARE(name) __typeof__(&name) name;
    FMI2_FUNCTIONS(DECLARE)
#undef DECLARE
} Fmu2;

// Writes the members of a stored archive below a folder, which is emptied before. False: damaged.
bool unpack(const char *archive, const char *folder);
char *read_text(const char *path);

// Unpacks and loads; false after a message.
bool fmu2_open(Fmu2 *fmu, const char *archive, const char *folder);
void fmu2_close(Fmu2 *fmu);
// Messages of instances go here: the last one is kept.
extern _Thread_local char last_message[1024];
extern _Thread_local int message_count;
fmi2Component fmu2_instantiate(const Fmu2 *fmu, const char *name, fmi2Type type);
// Value reference of a variable; -1: there is none.
int fmu_reference(const char *xml, const char *name);
double fmu2_get(const Fmu2 *fmu, fmi2Component c, const char *name);
fmi2Status fmu2_set(const Fmu2 *fmu, fmi2Component c, const char *name, double value);
// From instantiated to the first step.
bool fmu2_begin(const Fmu2 *fmu, fmi2Component c, double start);

#endif
