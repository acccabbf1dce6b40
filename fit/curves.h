// Private: what friction does in the fitted scene.
#ifndef STICTION_FIT_CURVES_H
#define STICTION_FIT_CURVES_H

#include "engine.h"

typedef struct Curve {
    char *element;
    int count;
    double *velocity, *force, *load; // load NULL: it has none
    StiChannel velocity_channel, force_channel, load_channel; // for their units
} Curve;

// Friction of each element against the velocity of the first measured coordinate, over all segments; a few thousand
// points. *count is 0 where there is no such velocity or force.
Curve *curves_find(Engine *engine, const double *values, int *count);
void curves_release(Curve *curves, int count);

#endif
