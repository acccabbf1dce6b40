// Private: reactions along one axis each under constant limits, without sweeps.
#ifndef STICTION_SRC_SOLVER_SWEEPS_BOX_FRICTION_H
#define STICTION_SRC_SOLVER_SWEEPS_BOX_FRICTION_H

#include "scratch/scratch.h"

// All answers and rates at the present limits; false where this does not apply or finds no modes.
bool sti_resolve_limits(const StiNetwork *network, StiScratch *scratch);

#endif
