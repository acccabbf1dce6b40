// Private: a step that is shorter than T, for hosts whose own steps do not fit.
#ifndef STICTION_SRC_RECORD_STEP_PART_H
#define STICTION_SRC_RECORD_STEP_PART_H

#include "stiction/record.h"

// Takes the part of step k that begins `from` seconds after t_k and lasts `length`, as one step of that length.
// Samplers sample at whole steps only: ends says that the part ends with step k, and k then becomes k + 1. The
// network is the caller's alone: its step is another one for as long as this takes. A recorder (NULL: none)
// follows. before: room for a state. As sti_step on failure.
StiStatus sti_step_part(StiNetwork *network, const double *inputs, double from, double length,
                        bool ends, StiState *state, StiScratch *scratch, StiRecorder *recorder,
                        StiState *before);

#endif
