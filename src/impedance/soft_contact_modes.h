// Private: a soft contact with its modes fixed.
#ifndef STICTION_SRC_IMPEDANCE_SOFT_CONTACT_MODES_H
#define STICTION_SRC_IMPEDANCE_SOFT_CONTACT_MODES_H

#include "stiction/spring.h"

// Modes of a point, each with room for a direction: is it below the plane, does it push there, does it stick?
enum {
    STI_SOFT_BELOW = 0,
    STI_SOFT_FORCE = 3,
    STI_SOFT_FRICTION = 6,
    STI_SOFT_DISCRETE = 9 // numbers of s
};
// One point: it pushes and sticks.
bool sti_soft_contact_holds(const double *s);
extern const StiImpedanceModes sti_soft_contact_modes;

#endif
