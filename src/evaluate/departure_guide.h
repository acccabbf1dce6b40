// Private: directions of friction in planes and in space while bodies depart from rest. They turn with time, and
// whoever takes the first piece finds how: a quadratic through that at rest and two more.
#ifndef STICTION_SRC_EVALUATE_DEPARTURE_GUIDE_H
#define STICTION_SRC_EVALUATE_DEPARTURE_GUIDE_H

#include "scratch/scratch.h"

typedef struct DepartureGuide {
    double from, length;  // s; length 0: directions stay as they are
    double *middle, *end; // by row of the reactions: unit vectors
} DepartureGuide;

DepartureGuide *sti_departure_guide_take(StiArena *arena, const StiNetwork *network);

// The direction of a departure at this time; kept: that at rest.
void sti_departure_direction(const DepartureGuide *guide, const Reaction *e, const double *kept,
                             double t, double *direction);

#endif
