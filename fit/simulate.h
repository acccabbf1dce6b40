// Private: simulations of segments, each thread with a simulator of its own.
#ifndef STICTION_FIT_SIMULATE_H
#define STICTION_FIT_SIMULATE_H

#include "fit.h"

typedef struct Simulator Simulator;
// NULL without memory. stop may be NULL.
Simulator *simulator_create(const Problem *problem, bool (*stop)(void *context), void *context);
void simulator_destroy(Simulator *simulator);
// The channels of the design at the start and after each step: (steps + 1) x channels. Else the simulator's reason.
StiStatus simulate(Simulator *simulator, int segment, const double *values, double *trajectory);
const char *simulator_reason(const Simulator *simulator); // why the last one failed
// Whether setting parameters in the plan gives the same bits as reading the scene with them.
bool simulator_may_set(const Problem *problem);

#endif
