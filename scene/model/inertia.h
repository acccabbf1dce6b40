// Private: mass, centre and moments of inertia as model files give them: joined, judged, made physical.
#ifndef STICTION_SCENE_INERTIA_H
#define STICTION_SCENE_INERTIA_H

#include <stdbool.h>

#include "stiction/vector.h"

// tensor: about the centre, xx, yy, zz, xy, xz, yz.
typedef struct Inertia {
    double mass;
    StiVec3 centre;
    double tensor[6];
} Inertia;

// A tensor in axes that are turned by q: in the outer axes.
void inertia_turn(StiQuat q, const double inner[6], double outer[6]);
// The same body seen from axes in which its own are placed by `placement`.
Inertia inertia_placed(const Inertia *body, StiFrame placement);
Inertia inertia_joined(const Inertia *a, const Inertia *b);

// No principal moment below 0 or above the sum of the others, but for six digits of rounding.
bool inertia_is_physical(const double tensor[6]);
// The nearest tensor (sum of the squares of all nine entries) that some body can have; how far it is
// away, as a part of the given one's size.
double inertia_make_physical(double tensor[6]);

#endif
