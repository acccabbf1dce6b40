// Private: what both versions of FMI share.
#ifndef STICTION_FMI_FOREIGN_H
#define STICTION_FMI_FOREIGN_H

#include <stddef.h>

#include "import/import.h"

// One version of FMI. All but end: false after an error.
typedef struct ForeignCalls {
    bool (*load)(ForeignFmu *foreign);
    bool (*instantiate)(ForeignFmu *foreign);
    bool (*enter_initialization)(ForeignFmu *foreign, double t);
    bool (*exit_initialization)(ForeignFmu *foreign);
    bool (*set)(ForeignFmu *foreign, const StiFmuValue *variable, double value);
    bool (*get)(ForeignFmu *foreign, const StiFmuValue *variable, double *value);
    bool (*step)(ForeignFmu *foreign, double t, double period);
    void (*end)(ForeignFmu *foreign, bool terminate);
} ForeignCalls;
extern const ForeignCalls foreign_calls2, foreign_calls3;

struct ForeignFmu {
    const StiSceneFmu *fmu;
    const ForeignCalls *calls;
    char *folder; // that it was unpacked into; NULL: none
    void *library;
    void *functions; // of this version; to be freed
    void *instance;
    bool running; // between initialization and an error
    char logged[512];
    char error[1024]; // "": none
};

// Unpacks the archive into a new folder of its own; the reason if it fails, else NULL.
const char *foreign_unpack(const char *archive, char **folder);
void foreign_remove(char *folder);

// The status of a call, by number, which both versions share: 0 OK, 1 warning. False after keeping what failed.
bool foreign_judge(ForeignFmu *foreign, int status, const char *call, const char *detail);
void foreign_fail(ForeignFmu *foreign, const char *text, ...) __attribute__((format(printf, 2, 3)));
// A function of the binary, NULL after an error.
void *foreign_function(ForeignFmu *foreign, const char *name);

#endif
