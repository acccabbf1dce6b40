// Private: parts of the evaluation in continuous time.
#ifndef STICTION_SRC_CONTINUOUS_CONTINUOUS_H
#define STICTION_SRC_CONTINUOUS_CONTINUOUS_H

#include <math.h>

#include "evaluate/modes.h"
#include "stiction/continuous.h"

typedef struct ContinuousData {
    StiMargin *margins; // of all modes
    bool *over;         // modes that are
    bool *forced;       // by reaction: slips in any case
} ContinuousData;
ContinuousData *sti_continuous_take(StiArena *arena, const StiNetwork *network);

static const StiSmoothInterval STI_ALL_TIME = {-INFINITY, INFINITY};

void sti_continuous_limit_to(StiScratch *scratch, StiSmoothInterval piece);
// Velocity change per force of all reactions, at the positions of the stage.
StiStatus sti_continuous_know_inertia(const StiNetwork *network, StiScratch *scratch);
// Modes of a state that comes from elsewhere, and after an event (ended: by mode, then two for each
// place of contact). The first stage holds the moment, evaluated under s, with the inertia of the
// reactions known; x: its positions and velocities, which an impact changes. On return the stage is
// evaluated under the new modes.
StiStatus sti_events_start(const StiNetwork *network, const double *inputs, double *x, double *s,
                           StiScratch *scratch);
StiStatus sti_events_turn(const StiNetwork *network, const double *inputs, const bool *ended,
                          double *x, double *s, StiScratch *scratch, bool *changed);
// Resistances where recorders look for them.
void sti_continuous_take_answers(const StiNetwork *network, const double *s, StiScratch *scratch);

#endif
