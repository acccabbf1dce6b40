// Private: who of some reactions holds and who gives way, by the cone solver, at either level (rows.h).
#ifndef STICTION_SRC_ROWS_REACTION_CONES_H
#define STICTION_SRC_ROWS_REACTION_CONES_H

#include "cone/block.h"
#include "rows/reactions.h"

enum { STI_CONE_ROWS = 32 }; // beyond, sweeps cost less than dense factors

// By node (a reaction that was chosen) or by place among the chosen rows.
typedef struct ReactionCones {
    int room;      // rows; 0: the network has too many for dense factors
    double *limit; // N: set by the caller before it asks
    double *unit;  // N: forces in which all reactions count alike
    StiBlockNode *nodes;
    StiBlockMode *modes;
    double *W, *c, *f, *v;
    double *r; // resistances found, N
    StiBlockScratch memory;
} ReactionCones;

ReactionCones *sti_reaction_cones_take(StiArena *arena, const StiNetwork *network);

// Resistances r of the reactions that sti_envelope_choose chose (count rows), within their limits, and
// modes, so that rate - T W r is 0 where they hold and along r where they do not. W: of these rows in
// the blocks. Where r is not unique reactions take equal shares of their limits, as far as these
// reach. False: no room, or no answer.
bool sti_reaction_cones_ask(const StiNetwork *network, StiScratch *scratch, int count, double T,
                            const double *rate);

#endif
