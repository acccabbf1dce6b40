// Private: bodies in free flight within a step of one evaluation.
#ifndef STICTION_SRC_SOLVER_FLIGHT_H
#define STICTION_SRC_SOLVER_FLIGHT_H

#include "scratch/scratch.h"

// Numbers of scratch->flight.
int sti_flight_room(const StiNetwork *network);

// Moves anew, from the state, the bodies on which nothing but gravity acts in this step. For the end
// of a step, when forces and the next state are known.
StiStatus sti_fly(const StiNetwork *network, const StiState *state, StiScratch *scratch);

#endif
