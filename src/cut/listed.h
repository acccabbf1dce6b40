// Private: a trial of networks whose wires are coordinates of bodies and whose friction lies along single axes: most
// machines of a few axes. What substep.c asks of each component again in each evaluation stands in lists here. The same
// operations in the same order: the same bits.
#ifndef STICTION_SRC_CUT_LISTED_H
#define STICTION_SRC_CUT_LISTED_H

#include "cut/substep_data.h"

// Places in the numbers of a stage, which lie in one piece from x on; NOWHERE: the world's, 0.
enum { NOWHERE = -1 };

typedef struct Sensed {
    int to, a, b; // a - b
} Sensed;

typedef struct Pushed {
    int u, a, b; // taken from a, added to b
} Pushed;

typedef struct Listed {
    Sensed *sensed;
    Pushed *pushed; // impedances first
    int sensed_count, pushed_count;
    int u; // where forces begin
} Listed;

// Is the network, which cuts its steps, of this sort?
bool sti_listed_applies(const StiNetwork *network);
// NULL where it is not, or without memory.
Listed *sti_listed_take(StiArena *arena, const StiNetwork *network);

// The first evaluation of a step, where signals are known and modes adopted, and its margins. False as below.
bool sti_listed_start(const StiNetwork *network, StiScratch *scratch, StiMargin *margins);
// As sti_substep and sti_substep_close, from the point of the pieces. False: a component refused, or gave a number
// that is not finite: the others find out which.
bool sti_listed_substep(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                        double h, StiMargin *margins);

#endif
