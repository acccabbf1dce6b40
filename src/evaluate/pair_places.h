// Private: places of a pair of shapes that come and go while bodies move: corners on faces, edges across
// edges.
#ifndef STICTION_SRC_EVALUATE_PAIR_PLACES_H
#define STICTION_SRC_EVALUATE_PAIR_PLACES_H

#include "evaluate/touches.h"

// Looks for them at the poses of now, which was evaluated last. Closed places that have left their faces or
// edges are open then; the others keep what s says. ended: flags of the places' margins, which go with the places, or
// NULL. True in *changed: the network has to be evaluated again. Not STI_OK: shapes meet in a way that is
// no such place (edges that are parallel, corners).
StiStatus sti_touches_refresh(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                              double *s, bool *ended, bool *changed);

// How far a place is inside its face or edges, m; below 0 it is none.
double sti_place_inside(const StiNetwork *network, const ContactPlace *place,
                        const StiFrame *frames);

#endif
