// Private: the books of a step in pieces; only accepted pieces are entered. The last piece is entered when
// another one follows or when it is read: most steps have one, and most are never read.
#ifndef STICTION_SRC_CUT_ACCOUNT_H
#define STICTION_SRC_CUT_ACCOUNT_H

#include "cut/substep_data.h"

// What recorders want to know of a step that is cut: forces and loads on average, and work.
typedef struct Account {
    double *mean_u, *mean_loads;
    Works works;
} Account;

void sti_account_take(StiArena *arena, const StiNetwork *network, Account *account);

void sti_account_open(const StiNetwork *network, StiScratch *scratch);
// The forces of the first stage, for row 0.
void sti_account_first(const StiNetwork *network, StiScratch *scratch);
// A piece of length h was accepted: its first stage is in close, the others are in their places.
void sti_account_substep(StiScratch *scratch, double h);
// Enters that piece, before its stages are used again.
void sti_account_enter(const StiNetwork *network, StiScratch *scratch);
// One stage over the time h.
void sti_account_stage(const StiNetwork *network, StiScratch *scratch, const StageData *stage,
                       double h);

// A finish of length h: the forces are in stage 0, the velocities at its end are the point's.
void sti_account_fallback(const StiNetwork *network, StiScratch *scratch, double h);

// The whole step, into books of the reader's own.
void sti_account_read(const StiNetwork *network, const StiScratch *scratch, Account *own);

#endif
