// Private: the books of a step in pieces; only accepted pieces are entered.
#ifndef STICTION_SRC_STEP_ACCOUNT_H
#define STICTION_SRC_STEP_ACCOUNT_H

#include "step/scratch.h"

void sti_account_open(const StiNetwork *network, StiScratch *scratch);
// The forces of the first stage, for row 0.
void sti_account_first(const StiNetwork *network, StiScratch *scratch);
// One stage over the time h (length of the piece times b).
void sti_account_stage(const StiNetwork *network, StiScratch *scratch, const StageData *stage,
                       double h);

// A finish of length h: the forces are in stage 0, the velocities at its end are the point's.
void sti_account_finish(const StiNetwork *network, StiScratch *scratch, double h);

#endif
