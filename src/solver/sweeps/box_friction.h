// Private: reactions along one axis each under constant limits, without sweeps.
#ifndef STICTION_SRC_SOLVER_SWEEPS_BOX_FRICTION_H
#define STICTION_SRC_SOLVER_SWEEPS_BOX_FRICTION_H

#include "scratch/scratch.h"

enum { STI_LIMIT_ROWS_MOST = 32 }; // beyond, sweeps cost less than dense factors

// Nothing is taken where the network's reactions are of another sort.
void sti_limits_take(StiArena *arena, const StiNetwork *network, LimitData *data);
// W of all rows, after the blocks are known.
void sti_limits_inertia(const StiNetwork *network, StiScratch *scratch);
// All answers and rates at the present limits; false where this does not apply or finds no modes.
bool sti_resolve_limits(const StiNetwork *network, StiScratch *scratch);

#endif
