// Options of fits, as settings of the scene's section fit.
#ifndef STICTION_CLI_FIT_OPTIONS_H
#define STICTION_CLI_FIT_OPTIONS_H

#include "command/options.h"

typedef struct FitSets {
    const char **sets; // all of the command line
    int count;
    char **owned;
    int owned_count;
} FitSets;

// False after a message; release in any case.
bool fit_sets(const Arguments *arguments, FitSets *sets);
void fit_sets_release(FitSets *sets);

#endif
