// Private: what is known about the shape of laws: where they fall, and so where (16b) of
// [fixed-step] may have more than one solution.
#ifndef STICTION_SRC_LAW_SHAPE_H
#define STICTION_SRC_LAW_SHAPE_H

#include "stiction/law.h"

// For kinds that fall most steeply at rest, or never.
double sti_law_steepest_at_rest(const StiLaw *law);

// Is u + g level(u) certain to rise with u everywhere? Then (16b) has one solution. False where
// nothing is known.
bool sti_law_rises(const StiLaw *law, double g, double direction, const double *signals);

// The finding for a static level below the kinetic one.
void sti_check_static(const StiCheck *check, double level_static, double level);

#endif
