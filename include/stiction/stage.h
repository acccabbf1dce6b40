// One evaluation inside a step, and the motion that an element feels there.
#ifndef STICTION_STAGE_H
#define STICTION_STAGE_H

#include <stdint.h>

#include "vector.h"

typedef struct StiStage {
    double t;          // s, time of this evaluation
    double tau;        // s, the step this evaluation will be carried over; 0: continuous time
    double step;       // s, the whole step T
    int64_t k;         // number of the step
    StiVec3 gravity;   // m/s^2
    double *workspace; // as much as the component asked for; its content is not kept
} StiStage;

// xhat of [modular]: what a wire senses, side a relative to side b.
typedef struct StiMotion {
    const double *x;       // displacement, as many as the wire's positions
    const double *v;       // velocity, as many as the wire's velocities
    const double *signals; // the element's signal inputs, in the kind's order
} StiMotion;

// Name and unit of something that can be recorded.
typedef struct StiChannelInfo {
    const char *name;
    const char *unit;
} StiChannelInfo;

#endif
