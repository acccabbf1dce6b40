// Private: impacts one after the other (`restitution_model: sequential`).
//
// Points that touch at the same time have no common law of restitution: Newton's, asked of all of them
// together, sends the first of a row of balls back. Here the point that closes fastest strikes first, as
// if the others were a hair apart, then the next, until none closes any more. Points that close equally
// fast (the corners of a box) strike together, so that what is symmetric stays so.
#ifndef STICTION_SRC_CONTACT_IMPACT_SEQUENCE_H
#define STICTION_SRC_CONTACT_IMPACT_SEQUENCE_H

#include <stdbool.h>

#include "base/arena.h"
#include "network/network.h"

typedef struct Sequence {
    int count;    // points that take part; what follows is theirs
    int *points;  // where they come from: the caller's
    double *W;    // room x room, count numbers in a row: normal velocities per unit impulse
    double *e, *v, *f; // restitution; normal velocities, in and out; impulses, out
    double *slack; // speed at which it may still close: a gap over the step
    double *df;   // of one round
    int *group;
} Sequence;

// Does a contact of the network ask for it?
bool sti_sequence_wanted(const StiNetwork *network);
// Room for so many points.
void sti_sequence_take(StiArena *arena, int room, Sequence *sequence);
// False: no end came in sight; what still closes then stops without restitution.
bool sti_sequence_run(Sequence *sequence);

#endif
