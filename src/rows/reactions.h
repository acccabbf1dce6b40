// Private: W of the reactions, and what of it sticks.
#ifndef STICTION_SRC_ROWS_REACTIONS_H
#define STICTION_SRC_ROWS_REACTIONS_H

#include "scratch/scratch.h"

// Factors the inertias of all bodies for the response, locked as in sti_response_prepare; the fault
// names the body whose inertia has no factor.
StiStatus sti_bodies_prepare(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                             const bool *locked);

// Factors the inertias and fills the blocks of W. Row d of a block belongs to direction d of the
// reaction, column e to direction e of the neighbour.
StiStatus sti_reaction_inertia(const StiNetwork *network, StiScratch *scratch);
// The blocks alone, where the inertias are factored; chosen: of these reactions only (NULL: all).
void sti_reaction_blocks(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                         const bool *chosen);

// Stuck rows that are differences of coordinates get a velocity of exactly zero, in x; ports: the
// signals of motion sources.
void sti_assign_stuck(const StiNetwork *network, StiScratch *scratch, const double *ports,
                      double *x);

#endif
