// Reactions: set-valued friction, resolved once per step with the inertia behind it. A reaction
// sees a local problem and answers with a resistance r: the step ends with v = vbar - T W r.
#ifndef STICTION_REACTION_H
#define STICTION_REACTION_H

#include "law.h"
#include "stage.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STI_REACTION_DIM_MAX = 3 };

typedef struct StiReactionProblem {
    int dim;               // 1, 2, 3
    double T;              // s
    const double *W;       // dim x dim, symmetric: velocity change per force and time, 1/kg
    const double *v;       // velocity at the start of the step
    const double *vbar;    // velocity at its end without this reaction
    const double *signals; // the element's signal inputs
} StiReactionProblem;

typedef struct StiReactionAnswer {
    double r[STI_REACTION_DIM_MAX]; // resistance
    bool stuck;                     // the velocity ends at exactly zero
    double ratio; // force that sticking would need, over the limit of sticking (> 1: cannot stick)
    bool several; // the law has more than one solution here (16b)
} StiReactionAnswer;

// Friction as solvers of cones see it.
typedef struct StiReactionLevel {
    double sticking; // what sticking may carry, >= slipping at rest
    double slipping; // at this speed
    double slope;    // d slipping/d speed
    bool constant;   // the same at any speed in any direction
    bool fixed;      // and in every step: it depends on parameters alone
} StiReactionLevel;

typedef struct StiReactionSize {
    int dim;
    int discrete; // s
    int signals;
} StiReactionSize;

// The levels of a reaction whose modes a method keeps fixed between two changes; s is then a mode
// (stage.h). Both pure.
typedef struct StiReactionModes {
    size_t table_size; // sizeof(StiReactionModes): another one is refused
    // Of slip; speeds below 0 continue it smoothly, for trials that run past the end of a mode.
    double (*level)(const void *parameters, double speed, double direction, const double *signals);
    // What sticking may carry.
    double (*limit)(const void *parameters, double direction, const double *signals);
} StiReactionModes;

typedef struct StiReactionKind {
    size_t table_size; // sizeof(StiReactionKind): another one is refused
    StiInfo info;
    bool holds; // claims that what is stuck does not move
    StiReactionSize (*size)(const void *parameters);
    // Pure; modes in s stay as they are.
    StiStatus (*resolve)(const void *parameters, const StiReactionProblem *problem, const double *s,
                         StiReactionAnswer *answer);
    // May this element, sticking under its static level, be released now? Then STICK -> SLIP in s. NULL: never.
    bool (*release)(const void *parameters, const StiReactionAnswer *answer, double *s);
    // Slip whose sign would change within the step comes to rest in between, where the static level holds it: SLIP ->
    // STICK in s. v_start, v_end: along its rows. NULL: never.
    bool (*arrest)(const void *parameters, const double *v_start, const double *v_end, double *s);
    // NULL where the resistance is not a level against the motion: then only `sweeps` can resolve it.
    // speed >= 0; direction: +1 or -1 along one axis, 0 in the plane and in space.
    StiReactionLevel (*level)(const void *parameters, const double *signals, const double *s,
                              double speed, double direction);
    // When the step is accepted.                                        [regularization] (19b)
    void (*settle)(const void *parameters, const StiReactionProblem *problem,
                   const StiReactionAnswer *answer, double *s);
    const StiReactionModes *modes; // NULL: for fixed steps with one evaluation only
} StiReactionKind;

// The finite-time rule: with inertia W the friction that brings the velocity to zero within the
// step, if its limit allows. [fixed-step] (13)-(18), [regularization] (18)(19), EQUATIONS 2.10
typedef struct StiFiniteTime {
    int dim; // 1, 2, 3
    StiLaw law;
    double level_static; // F_S (or mu_S with a coefficient law); 0: the law's own level at rest
    bool approximate;    // (18) in place of the implicit (16b)
    bool literal;        // (19) word by word: slip may change its sign below the static level
} StiFiniteTime;

// limit: what sticking may carry; slipping follows the law. Any symmetric W >= 0.
STI_API StiStatus sti_finite_time(const StiLaw *law, double limit, bool approximate,
                                  const StiReactionProblem *problem, StiReactionAnswer *answer);

// For one mass and a constant level, as a controller would call it: resistance from
// vbar = v + T h/M; *v is the new velocity.                                   [fixed-step] (14)
STI_API double sti_finite_time_mass(double level, double M, double T, double vbar, double *v);

// Karnopp: balance the other forces while |v| <= eps.                          [fixed-step] (5)
typedef struct StiKarnopp {
    int dim;
    StiLaw law;
    double level_static; // 0: the law's level at rest
    double eps;          // m/s
} StiKarnopp;
// Quinn: a steep ramp around the velocity that the other forces ask for.       [fixed-step] (7)
typedef struct StiQuinn {
    int dim;
    StiLaw law; // constant levels only
    double eps; // m/s
} StiQuinn;
// h: sum of the other forces on the mass.
STI_API void sti_karnopp(const StiKarnopp *p, const double *signals, const double *v,
                         const double *h, double *r);
STI_API void sti_quinn(const StiQuinn *p, const double *signals, const double *v, const double *h,
                       double *r);

// The usual values where there are such, zeros elsewhere, and one dimension: what is then set by name
// is all that has to be known.
STI_API StiFiniteTime sti_default_finite_time(void);
STI_API StiKarnopp sti_default_karnopp(void);
STI_API StiQuinn sti_default_quinn(void);

// For sti_plan_add_reaction, with the structures above; coulomb takes a StiFiniteTime, too.
STI_API extern const StiReactionKind sti_kind_coulomb, sti_kind_finite_time, sti_kind_karnopp,
    sti_kind_quinn;

#ifdef __cplusplus
}
#endif
#endif
