// Private: slipping against an inertia that differs between directions (EQUATIONS 2.10).
#ifndef STICTION_SRC_REACTION_SLIDE_H
#define STICTION_SRC_REACTION_SLIDE_H

#include "reaction/inertia.h"

typedef struct StiSlide {
    double r[3];  // resistance; the velocity ends along it
    double speed; // |v| at the end of the step
    bool several; // there is another solution: this slip is the fastest
} StiSlide;

// Where sticking would need more than the law's level at rest.
StiSlide sti_slide(const StiInertia *inertia, const StiLaw *law, const double *signals,
                   const double *vbar);

// Where sticking is possible: is there a slip that is consistent too?
bool sti_slide_exists(const StiInertia *inertia, const StiLaw *law, const double *signals,
                      const double *vbar);

#endif
