// Private: modes at rest by the cone solver.
#ifndef STICTION_SRC_EVENTS_REST_CONES_H
#define STICTION_SRC_EVENTS_REST_CONES_H

#include "evaluate/modes.h"

// NULL: the network has too many rows, or none that could need it.
struct RestCones *sti_rest_cones_take(StiArena *arena, const StiNetwork *network);

// now is evaluated with s. Lets go in s what no resistances within limits can hold, along its direction, and
// notes it in scratch->released. forced (may be NULL): what has reached its limit. False: no answer
// was found, and s is as before. scratch->rest->cones must be there.
bool sti_rest_ask_cones(const StiNetwork *network, const bool *forced, double *s,
                        StiScratch *scratch, const StageData *now);

// The mode of a reaction that lets go: against its force f, or where no level holds at rest (tanh) along its acceleration a.
void sti_rest_let_slip(int dim, const double *f, const double *a, double *mode);

#endif
