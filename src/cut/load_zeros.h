// Private: loads that pass zero within a substep. Friction follows their size, which bends there: the substep
// ends at that moment, so that the method keeps its order.
#ifndef STICTION_SRC_CUT_LOAD_ZEROS_H
#define STICTION_SRC_CUT_LOAD_ZEROS_H

#include "cut/progress.h"

// One number whose size friction follows.
typedef struct LoadZero {
    bool port; // among the signals of elements; else among the loads of bodies
    int index;
    bool sized; // never below zero: it comes down to zero and rises again
} LoadZero;

// All of a network, as many as there is room for (zeros NULL: only how many).
int sti_load_zeros_list(const StiNetwork *network, LoadZero *zeros);

typedef StiStatus TrySubstep(Progress *c, double h);

// The trial of length *h is done. Where a load passes zero in it, it is done again with the length up to there.
StiStatus sti_load_zeros_end(Progress *c, TrySubstep *try_substep, double *h);

#endif
