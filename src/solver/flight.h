// Private: bodies in free flight within a step of one evaluation.
#ifndef STICTION_SRC_SOLVER_FLIGHT_H
#define STICTION_SRC_SOLVER_FLIGHT_H

#include "scratch/scratch.h"

typedef struct FlightData {
    bool *touched;   // by admittance: friction or contact acts on it in this step
    double *numbers; // of one body
} FlightData;
FlightData *sti_flight_take(StiArena *arena, const StiNetwork *network);

// Do springs, motors or other smooth forces act on it, beside gravity?
bool sti_is_pushed(const Admittance *a, const StageData *now);

// Moves anew, from the state, the bodies on which nothing but gravity acts in this step. For the end
// of a step, when forces and the next state are known.
StiStatus sti_fly(const StiNetwork *network, const StiState *state, StiScratch *scratch);

#endif
