// Private: a few points whose hull is nearly that of many.
#ifndef STICTION_SCENE_QUICKHULL_H
#define STICTION_SCENE_QUICKHULL_H

#include <stdbool.h>

#include "stiction/shape.h"

// Up to `most` (4 to STI_HULL_VERTICES) of the points, and how far the others are outside of their
// hull at most. Each step adds the point that is furthest outside, so the first ones matter most.
// False: fewer than four points, not finite, all in one plane, or out of memory.
bool quickhull(const StiVec3 *points, int count, int most, StiVec3 *chosen, int *chosen_count,
               double *outside);

#endif
