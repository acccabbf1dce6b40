// Private: the inertia behind a reaction, W T in its principal axes.
#ifndef STICTION_SRC_REACTION_INERTIA_H
#define STICTION_SRC_REACTION_INERTIA_H

#include "stiction/reaction.h"

typedef struct StiInertia {
    int dim;
    bool isotropic; // W is a multiple of the identity, exactly
    double g[3];    // velocity per force along each axis, >= 0; exactly 0 where nothing can move
    double largest; // of g
    double axis[3][3];
} StiInertia;

// STI_BAD_ARGUMENT for a dimension outside 1..3, a step that is not positive or a W that is not
// positive semi-definite; STI_NOT_FINITE for numbers that are not.
StiStatus sti_inertia_prepare(const StiReactionProblem *problem, StiInertia *inertia);

// Components along the principal axes, and back.
void sti_inertia_resolve(const StiInertia *inertia, const double *x, double *along);
void sti_inertia_compose(const StiInertia *inertia, const double *along, double *x);

// The smallest force that makes this change of velocity within the step. False if none does: then
// the force makes what part of it can be made.
bool sti_inertia_force(const StiInertia *inertia, const double *change, double *force);

// h, the sum of the other forces: what took the velocity from v to vbar. 0 where nothing can move.
StiStatus sti_other_forces(const StiReactionProblem *problem, double *h);

#endif
