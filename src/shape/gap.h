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

// Length to which rounding is small.
static inline double sti_gap_size(const StiPlaced *a, const StiPlaced *b)
{
    return a->shape->kind->reach(a->shape) + b->shape->kind->reach(b->shape);
}

enum { STI_STARTS = 6 };

typedef struct StiStart {
    StiVec3 normal;
    double gap; // along it, m
} StiStart;

// The best normals tried so far, the best one first.
typedef struct StiStarts {
    const StiPlaced *a, *b;
    double size; // m: length to which rounding is small
    int count;
    StiStart at[STI_STARTS];
    StiStart face; // out of b's face that looks at a, or into a's that looks at b; -INFINITY: none
} StiStarts;

// From centre to centre, and out of the faces that look that way.
void sti_gap_start(const StiPlaced *a, const StiPlaced *b, StiStarts *starts);

// False if the gap is larger than `most`.
bool sti_gap_measure(StiStarts *starts, double most, StiGap *gap);

// The gap along the normal of a face (only gap and normal are set). It is the gap of the cores where
// the parts that face each other there overlap. False: there is no face, or there may be better ways
// out.
bool sti_gap_by_face(const StiStarts *starts, StiGap *gap);

// Clips the patch of b that faces a by the patch of a along the outward normal of a's patch (own
// axes), up to a tolerance (m); touches are seen with a as side a. Returns the least gap of all clipped corners, or
// infinity where the patches are beside each other.
double sti_manifold_clip(const StiPlaced *a, const StiPatch *patch, const StiPlaced *b,
                         uint32_t label, double tolerance, StiCandidates *candidates);

#endif
