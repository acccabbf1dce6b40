// Private: parts of the evaluation in continuous time.
#ifndef STICTION_SRC_STEP_CONTINUOUS_H
#define STICTION_SRC_STEP_CONTINUOUS_H

#include <math.h>

#include "step/modes.h"
#include "stiction/continuous.h"

static const StiPiece STI_ALL_TIME = {-INFINITY, INFINITY};

// The first stage takes the numbers of a moment; loads are the state's.
void sti_continuous_stage(const StiNetwork *network, const StiState *state, double t,
                          const double *values, StiScratch *scratch);
void sti_continuous_look_within(StiScratch *scratch, StiPiece piece);
// Velocity change per force of all reactions, at the positions of the stage.
StiStatus sti_continuous_know_inertia(const StiNetwork *network, StiScratch *scratch);
// Resistances where recorders look for them.
void sti_continuous_take_answers(const StiNetwork *network, const double *s, StiScratch *scratch);

#endif
