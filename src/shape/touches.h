// Private: candidates for touches of one pair, and the choice among them.
#ifndef STICTION_SRC_SHAPE_TOUCHES_H
#define STICTION_SRC_SHAPE_TOUCHES_H

#include "shape/placed.h"

// In the number of a feature: two faces lie on each other, and the normal is that of b's.
enum { STI_FACE_OF_B = 1 << 17 };

// Clipping a polygon by another one: no more corners than both have.
enum { STI_CANDIDATES = 2 * STI_PATCH_CORNERS };

typedef struct StiCandidates {
    double margin; // m: those with a larger gap are not taken
    bool polygon;  // corners of one, in their order
    int count;
    StiTouch at[STI_CANDIDATES];
} StiCandidates;

// Where the cores of two shapes are nearest, or overlap least.
typedef struct StiGap {
    StiVec3 normal;           // unit, from b to a
    double gap;               // m, between cores
    StiVec3 point_a, point_b; // of the cores
    uint32_t feature;
} StiGap;

// Touches and bounds of shapes that are placed already: see shape.h.
int sti_placed_touch(const StiPlaced *a, const StiPlaced *b, double margin, int max,
                     StiTouch *touches);
StiBounds sti_placed_bounds(const StiPlaced *placed);

static inline void sti_candidates_add(StiCandidates *candidates, const StiTouch *touch)
{
    if (!(touch->gap <= candidates->margin) || candidates->count == STI_CANDIDATES) return;
    candidates->at[candidates->count++] = *touch;
}
void sti_candidates_add_gap(StiCandidates *candidates, const StiPlaced *a, const StiPlaced *b,
                            const StiGap *gap);
// The same seen from the other side.
void sti_candidates_swap(StiCandidates *candidates);
int sti_candidates_choose(StiCandidates *candidates, int max, StiTouch *touches);

// One file per way to find touches; each adds what it finds.
void sti_touch_plane(const StiPlaced *a, const StiPlaced *plane, StiCandidates *candidates);
// The same for a sphere or a point, which has one touch at most; returns how many.
int sti_touch_ball_plane(const StiPlaced *ball, const StiPlaced *plane, double margin,
                         StiTouch *touch);
void sti_touch_segments(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates);
void sti_touch_nearest(const StiPlaced *point, const StiPlaced *b, StiCandidates *candidates);
void sti_touch_boxes(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates);
void sti_touch_convex(const StiPlaced *a, const StiPlaced *b, StiCandidates *candidates);
// The same, for a caller that knows that no face decides, and a good normal.
void sti_touch_beside_faces(const StiPlaced *a, const StiPlaced *b, StiVec3 normal,
                            StiCandidates *candidates);

#endif
