// Private: what a pair of two bodies asks of their coordinates.
#ifndef STICTION_SRC_LINKAGE_PAIR_H
#define STICTION_SRC_LINKAGE_PAIR_H

#include "stiction/linkage.h"

enum { PAIR_ROWS_MAX = 3 };

// Where a body is and how it moves.
typedef struct Posture {
    StiVec2 p, v;
    double angle, rate;
    double c, s; // of the angle
} Posture;

static inline Posture posture_at_angle(StiVec2 p, double angle)
{
    Posture at = {.p = p, .angle = angle};
    sti_sincos(angle, &at.s, &at.c);
    return at;
}

// Psi, its rows over (body, other), and gamma = -(d/dt Psi_q) v.
typedef struct PairRow {
    double J[6];
    double C;
    double gamma;
} PairRow;

typedef struct PairKind {
    const char *name;
    int rows;
    bool slides;                       // has a coordinate
    const char *labels[PAIR_ROWS_MAX]; // of the rows, for messages
    const char *units[PAIR_ROWS_MAX];
    // rows, then the coordinate (its C is the value) where there is one; reference: angle, or path,
    // that the pair keeps.
    void (*measure)(const StiPlanarPair *pair, double reference, const Posture *body,
                    const Posture *other, PairRow *rows, PairRow *coordinate);
} PairKind;

extern const PairKind sti_pair_revolute, sti_pair_prismatic, sti_pair_fixed, sti_pair_slot,
    sti_pair_disc, sti_pair_rolling, sti_pair_rod, sti_pair_gear;

const PairKind *sti_pair_kind(StiPlanarPairType type);

static inline StiVec2 vec2_add(StiVec2 a, StiVec2 b) { return (StiVec2){a.x + b.x, a.y + b.y}; }
static inline StiVec2 vec2_sub(StiVec2 a, StiVec2 b) { return (StiVec2){a.x - b.x, a.y - b.y}; }
static inline StiVec2 vec2_scale(double k, StiVec2 a) { return (StiVec2){k * a.x, k * a.y}; }
static inline double vec2_dot(StiVec2 a, StiVec2 b) { return a.x * b.x + a.y * b.y; }
// A quarter turn to the left: what a unit rate about z does.
static inline StiVec2 vec2_turn(StiVec2 a) { return (StiVec2){-a.y, a.x}; }
// [A] of [dahl]: body axes to world axes.
static inline StiVec2 posture_rotate(const Posture *at, StiVec2 a)
{
    return (StiVec2){at->c * a.x - at->s * a.y, at->s * a.x + at->c * a.y};
}

// Points of both bodies and what happens between them.
typedef struct Arms {
    StiVec2 body, other; // from the centres of mass, world axes
    StiVec2 d;           // from other's point to body's
    StiVec2 rate;        // of d
    StiVec2 centripetal; // what of the acceleration of d does not depend on vdot, with a minus
} Arms;
Arms sti_pair_arms(const StiPlanarPair *pair, const Posture *body, const Posture *other);

// A row of Psi for the motion of two points along a direction.
void sti_pair_row(StiVec2 along, StiVec2 arm_body, StiVec2 arm_other, PairRow *row);

#endif
