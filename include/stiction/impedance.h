// Impedances: motion in, force out, with memory. [u, ydot] = I(xhat, y; tau)      [modular] (22)
// u is a resistance: the wire applies -u to side a and +u to side b.
#ifndef STICTION_IMPEDANCE_H
#define STICTION_IMPEDANCE_H

#include "kind.h"
#include "stage.h"

typedef struct StiImpedanceSize {
    int positions;  // of the wire; 0 if the element does not look at them
    int velocities; // of the wire = number of forces u
    int memory;     // y, integrated
    int discrete;   // s, constant during a step
    int signals;    // signal inputs
} StiImpedanceSize;

// Required: size, eval. All functions are pure: they write only to their last arguments.
typedef struct StiImpedanceKind {
    StiInfo info;
    bool continuous;  // eval works at tau = 0
    bool looks_ahead; // its force is that of tau ahead: (B + tau K) v + K e
    bool holds;       // claims that what is stuck does not drift
    bool only_senses; // its u are values for signals: its wire senses and applies nothing
    bool gives_work;  // its force comes from outside: its work is an input
    StiImpedanceSize (*size)(const void *parameters);
    StiStatus (*eval)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot);
    // When a step is accepted: new discrete values from the new motion and memory. s: in and out.
    void (*settle)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s);
    // Recoverable energy, J.
    double (*stored)(const void *parameters, const StiMotion *xhat, const double *y);
    // Z = du/dv + tau du/dx (velocities x velocities, row major) at this motion and memory.
    void (*tangent)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z);
    // Names and values of further channels ("stick", "depth"): both or none.
    const StiChannelInfo *channels;
    int channel_count;
    void (*observe)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values);
} StiImpedanceKind;

// An impedance without a network: kind and parameters. Parts of a compound are such pairs.
typedef struct StiImpedance {
    const StiImpedanceKind *kind;
    const void *parameters;
} StiImpedance;

#endif
