// Equations between coordinates (couplings) and between links (loops). Bodies that are joined by them
// move as one; the equations hold exactly, and their forces are loads that friction can listen to.
#ifndef STICTION_CONSTRAINT_H
#define STICTION_CONSTRAINT_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

// A coupling or a loop of a plan. Zero is nothing.
typedef struct StiConstraintId {
    int number;
} StiConstraintId;

// factor times one coordinate of a body.
typedef struct StiCouplingTerm {
    StiAdmittanceId body;
    int position, velocity; // the coordinate among those of the body, in q and in v
    double factor;
} StiCouplingTerm;

// sum of the terms = offset + value. A gear q1 = r q2 + o has terms 1 and -r and the offset o. The
// force is what acts on a coordinate per unit of its factor.
typedef struct StiCoupling {
    const StiCouplingTerm *terms;
    int count;
    double offset;
    bool from_start; // the offset is what the terms add up to at the start
    bool driven; // value(t), its rate and its acceleration come from signals (sti_plan_drive_coupling)
} StiCoupling;

// What a loop keeps together, frame a on one link and frame b on another (or in the world):
typedef enum StiLoopType {
    STI_LOOP_POINT,       // both origins
    STI_LOOP_HINGE,       // both origins and both z axes
    STI_LOOP_UNIVERSAL,   // both origins; z of a stays perpendicular to z of b
    STI_LOOP_FIXED,       // everything
    STI_LOOP_SLIDER,      // attitudes; the origin of a stays on the z axis of b
    STI_LOOP_CYLINDRICAL, // z axes stay on one line
    STI_LOOP_LINE,        // the origin of a stays on the z axis of b
    STI_LOOP_PLANE,       // the origin of a stays in the x-y plane of b
    STI_LOOP_ROD          // the distance of the origins
} StiLoopType;

typedef struct StiLoopEnd {
    StiAdmittanceId body; // STI_GROUND: the world
    int link;
    StiFrame frame; // p and q (all zero: no rotation) in that link
} StiLoopEnd;

typedef struct StiLoop {
    StiLoopType type;
    StiLoopEnd a, b;
    double length; // of a rod, m; 0: as far apart as the origins are at the start
} StiLoop;

// How many equations a loop has; the word by which a scene names it.
STI_API int sti_loop_rows(StiLoopType type);
STI_API const char *sti_loop_name(StiLoopType type);

// Names are unique among all components. What is pointed to is copied.
STI_API StiConstraintId sti_plan_add_coupling(StiPlan *plan, const char *name,
                                              const StiCoupling *coupling);
STI_API StiConstraintId sti_plan_add_loop(StiPlan *plan, const char *name, const StiLoop *loop);
// input 0: value, 1: its rate, 2: its acceleration.
STI_API void sti_plan_drive_coupling(StiPlan *plan, StiSignal signal, StiConstraintId coupling,
                                     int input);
// Force of an equation's row; behind the last row (1 of a coupling, sti_loop_rows(type) of a loop): the
// size of the force, for friction.
STI_API StiSignal sti_signal_constraint(StiConstraintId constraint, int index);

#ifdef __cplusplus
}
#endif
#endif
