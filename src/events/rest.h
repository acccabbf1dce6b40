// Private: memory of the search for modes at rest (evaluate/modes.h: sti_modes_at_rest).
#ifndef STICTION_SRC_EVENTS_REST_H
#define STICTION_SRC_EVENTS_REST_H

#include "evaluate/modes.h"

enum { UNTOUCHED, RELEASED, FORCED, STUCK_AGAIN };

typedef struct RestData {
    int *released;           // by reaction: what the search did to it
    double *turned;          // s with the directions of departures as they are now
    struct RestCones *cones; // rest_cones.h; NULL: letting go one after the other will do
} RestData;
RestData *sti_rest_take(StiArena *arena, const StiNetwork *network);

#endif
