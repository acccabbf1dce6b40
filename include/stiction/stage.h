// One evaluation inside a step, and the motion that an element feels there.
#ifndef STICTION_STAGE_H
#define STICTION_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

typedef struct StiStage {
    double t;          // s, time of this evaluation
    double tau;        // s, the step this evaluation will be carried over; 0: continuous time
    double step;       // s, the whole step T
    int64_t k;         // number of the step
    StiVec3 gravity;   // m/s^2
    bool ahead;        // t and all sources are those of the end of the step, the motion that of its start
    double *workspace; // as much as the component asked for; its content is not kept
} StiStage;

// xhat of [modular]: what a wire senses, side a relative to side b.
typedef struct StiMotion {
    const double *x;       // displacement, as many as the wire's positions
    const double *v;       // velocity, as many as the wire's velocities
    const double *signals; // the element's signal inputs, in the kind's order
} StiMotion;

// Modes of friction, kept in s by methods that cut a step where sticking or slipping ends. A mode
// takes 1 + dim numbers of s: STI_STICK or STI_SLIP, then the direction of slip that is kept. Slip in
// a plane or in space that has just begun is STI_DEPART: it keeps its direction until it is fast
// enough to have one of its own.
enum { STI_STICK = 0, STI_SLIP = 1, STI_DEPART = 2 };

// How far a mode is from its end: g >= 0 while it may last.
typedef struct StiMargin {
    double g;
    double rate;  // of g per second; NAN where only g itself is known
    double scale; // what g is compared with: the level, or a speed
    double left;  // s: from g = 0 to the end of the mode itself. Speed in a plane comes to zero
                  // without a change of sign, so g = 0 is a moment before
} StiMargin;

// Name and unit of something that can be recorded.
typedef struct StiChannelInfo {
    const char *name;
    const char *unit;
} StiChannelInfo;

#endif
