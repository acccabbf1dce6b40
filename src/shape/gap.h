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

// One more normal to start from.
void sti_gap_try(StiStarts *starts, StiVec3 normal);

// False if the gap is larger than `most`.
bool sti_gap_measure(StiStarts *starts, double most, StiGap *gap);

// The gap along the normal of a face (only gap and normal are set). It is the gap of the cores where
// the parts that face each other there overlap. False: there is no face, or there may be better ways
// out.
bool sti_gap_by_face(const StiStarts *starts, StiGap *gap);

// ---- ways out that are equally good (gap_ways.c) -------------------------------------------------

// Where sharp edges or corners meet, several normals separate the shapes (nearly) equally well. Edges
// count as rounded by this much (m), a small part of the smaller shape.
double sti_gap_edge(const StiPlaced *a, const StiPlaced *b);

enum { STI_WAYS = 16 };

typedef struct StiWays {
    double edge;   // m: sti_gap_edge
    StiVec3 given; // the best normal at the start
    StiStart best; // of all normals
    double tie;    // m: how much less good another one may be, per distance of the normals
    int count;
    StiStart faces[STI_WAYS];
} StiWays;

void sti_ways_start(const StiPlaced *a, const StiPlaced *b, StiStart best, StiWays *ways);
// A face's normal (from b to a); left out where it is not nearly as good as the best. A better one
// than the best takes its place: a search may have ended at another way out of a corner.
void sti_ways_add(StiWays *ways, StiStart face);
// All faces that do not look away from the best normal, and the way between the shrunken shapes.
// points: of a and of b, where they are nearest.
void sti_ways_add_all(const StiPlaced *a, const StiPlaced *b, const StiVec3 *points, StiWays *ways);
// The mean of ways that are equally good: it goes over to the best one, continuously, where they are
// not. False: it is the one given at the start.
bool sti_ways_mean(const StiWays *ways, StiVec3 *normal);

// ---- ways_out.c
enum { STI_WAYS_OUT = 4 };
// Faces (from b to a, each direction once) along which shapes without rounding are apart, or overlap by
// less than `margin`; those that look away from `normal` are left out. Returns how many, 0 for round shapes.
int sti_placed_ways_out(const StiPlaced *a, const StiPlaced *b, StiVec3 normal, double margin,
                        StiStart *ways);

// Touches of what faces each other along a normal: faces, edges or corners.
void sti_touch_along(const StiPlaced *a, const StiPlaced *b, StiVec3 normal,
                     StiCandidates *candidates);
// The same if two parallel edges, or an edge and a parallel axis, face each other; else nothing.
bool sti_touch_parallel(const StiPlaced *a, const StiPlaced *b, StiVec3 normal,
                        StiCandidates *candidates);

// Clips the patch of b that faces a by the patch of a, seen along a unit normal out of a (own axes),
// up to a tolerance (m); touches are seen with a as side a. Returns the least gap of all clipped
// corners, or infinity where the patches are beside each other.
double sti_manifold_clip(const StiPlaced *a, const StiPatch *patch, StiVec3 out, const StiPlaced *b,
                         uint32_t label, double tolerance, StiCandidates *candidates);

#endif
