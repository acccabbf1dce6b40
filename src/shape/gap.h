// Private: the signed gap between two convex cores.
#ifndef STICTION_SRC_SHAPE_GAP_H
#define STICTION_SRC_SHAPE_GAP_H

#include "shape/touches.h"

// Distance between a core moved by `shift` and another one; they must be apart (by more than
// rounding). The points are those of the moved core and of b. (Gilbert, Johnson, Keerthi)
StiGap sti_gap_apart(const StiPlaced *a, StiVec3 shift, const StiPlaced *b);

// How far the cores are apart along a unit normal: the gap is the largest of these over all
// normals, apart or not.
double sti_gap_along(const StiPlaced *a, const StiPlaced *b, StiVec3 normal);

// False if the gap is larger than `most`.
bool sti_gap_measure(const StiPlaced *a, const StiPlaced *b, double most, StiGap *gap);

// Length to which rounding is small.
static inline double sti_gap_size(const StiPlaced *a, const StiPlaced *b)
{
    return a->shape->kind->reach(a->shape) + b->shape->kind->reach(b->shape);
}

// Adds the touches of two shapes whose flat parts may lie on each other, or else the one of the gap.
void sti_manifold_add(const StiPlaced *a, const StiPlaced *b, const StiGap *gap,
                      StiCandidates *candidates);
// Clips the patch of b that faces a by the patch of a along the outward normal of a's patch (own
// axes); touches are seen with a as side a. Returns the least gap of all clipped corners, or
// infinity where the patches are beside each other.
double sti_manifold_clip(const StiPlaced *a, const StiPatch *patch, const StiPlaced *b,
                         uint32_t label, StiCandidates *candidates);

#endif
