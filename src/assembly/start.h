// Private: where an assembly starts.
#ifndef STICTION_SRC_ASSEMBLY_START_H
#define STICTION_SRC_ASSEMBLY_START_H

#include "assembly/assembly.h"

// From the members' start values to the nearest configuration that fits the equations; signals: of the
// start. memory: as much as the kind's workspace. False after a finding: there is none nearby.
bool sti_assembly_start(Assembly *a, const double *signals, double *memory, StiReport *report);

#endif
