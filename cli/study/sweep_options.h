// --vary, --measure, --runs, --sample, --seed: the section `study` from the command line.
#ifndef STICTION_CLI_SWEEP_OPTIONS_H
#define STICTION_CLI_SWEEP_OPTIONS_H

#include <stiction/scene.h>

#include "command/options.h"

// The sets of the arguments, and those that these options stand for; *owned: to be freed, with what is in it.
// False after a message.
typedef struct SweepSets {
    const char **sets;
    int count;
    char *owned[5];
    int owned_count;
} SweepSets;
bool sweep_sets(const Arguments *arguments, SweepSets *sets);
void sweep_sets_release(SweepSets *sets);

#endif
