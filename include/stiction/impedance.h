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

// Elements that stick and slip, with their modes fixed: between two changes of a mode everything is
// smooth. Methods that cut the step at such changes ask for these; all pure.
// The modes stand first in s, each 1 + dim numbers (stage.h).
typedef struct StiImpedanceModes {
    size_t table_size; // sizeof(StiImpedanceModes): another one is refused
    // Pushes and never pulls: it opens and closes, and is explicit where the step resolves its spring and damper.
    bool one_sided;
    // NULL, or what these parameters lack ("damping above 0").
    const char *(*unsupported_reason)(const void *parameters);
    int (*count)(const void *parameters);
    // Can sticking take more than slipping? Then the force jumps where it ends.
    bool (*jumps)(const void *parameters);
    // As eval of the kind, but neither clipped in stick nor saturated by itself in slip.
    StiStatus (*eval)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot);
    // Margins of all modes in continuous time; vdot: rate of xhat->v.
    void (*margin)(const void *parameters, const StiMotion *xhat, const double *vdot,
                   const double *y, const double *ydot, const double *s, StiMargin *margins);
    // u is about Z v + k, in stick exactly: Z (velocities x velocities) of this motion and tau, k of
    // a memory, and of a way of the wire since a moment whose force is known, that both lack their last tau.
    void (*tangent)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z);
    void (*carried)(const void *parameters, const double *y, const double *s, const double *moved,
                    double *k);
    // The other mode, with the direction that this motion and memory give.
    void (*turn)(const void *parameters, int mode, const StiMotion *xhat, const double *y,
                 double *s);
    // Memory of sliding elements after a time h, where that is known exactly; y: in (at the start)
    // and out. May be NULL.
    void (*relax)(const void *parameters, double h, const double *signals, const double *s,
                  const double *y_start, double *y);
} StiImpedanceModes;

// Required: size, eval. All functions are pure: they write only to their last arguments.
typedef struct StiImpedanceKind {
    size_t table_size; // sizeof(StiImpedanceKind): another one is refused
    StiInfo info;
    bool continuous;  // eval works at tau = 0
    bool looks_ahead; // its force is that of tau ahead: (B + tau K) v + K e
    bool holds;       // claims that what is stuck does not drift
    // Uses tau only to keep its memory from passing what it tends to: forces are those of the present.
    bool stays_within;
    // No kinks: methods of higher order keep theirs without modes. Where it begins to stick or slip,
    // to touch or to push, a force has kinks.
    bool smooth;
    bool samples;     // its memory carries a sample, constant between two of them
    bool only_senses; // its u are values for signals: its wire senses and applies nothing
    bool gives_work;  // its force comes from outside: its work is an input
    StiImpedanceSize (*size)(const void *parameters);
    void (*start)(const void *parameters, double *y); // memory at the start; NULL: zeros
    StiStatus (*eval)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot);
    // When a step is accepted: new discrete values from the new motion and memory. s: in and out.
    void (*settle)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s);
    // Of a spring and a damper along one axis, u = K (x - rest) + B v: numbers are K, rest, B. False (or NULL): it is
    // not one.
    bool (*linear)(const void *parameters, double numbers[3]);
    // Recoverable energy, J.
    double (*stored)(const void *parameters, const StiMotion *xhat, const double *y);
    // Z = du/dv + tau du/dx (velocities x velocities, row major) at this motion and memory.
    void (*tangent)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z);
    // Names and values of further channels ("stick", "depth"): both or none.
    const StiChannelInfo *channels;
    int channel_count;
    // Of an actuator: turns of its motor per turn of the joint. NULL: it has no gear.
    double (*gear_ratio)(const void *parameters);
    const StiImpedanceModes *modes; // NULL: none, the element is smooth or has kinks
    void (*observe)(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values);
} StiImpedanceKind;

// An impedance without a network: kind and parameters. Parts of a compound are such pairs.
typedef struct StiImpedance {
    const StiImpedanceKind *kind;
    const void *parameters;
} StiImpedance;

#endif
