// Private: what is known about the shape of laws: where they fall, and so where (16b) of
// [fixed-step] may have more than one solution.
#ifndef STICTION_SRC_LAW_SHAPE_H
#define STICTION_SRC_LAW_SHAPE_H

#include "stiction/law.h"

// Does the slope only fall up to one speed and only rise from there on? Then that speed: the level
// falls most steeply there, if it falls at all. False for tables and users' own laws.
bool sti_law_one_valley(const StiLaw *law, double *speed);

// Is u + g level(u) certain to rise with u everywhere? Then (16b) has one solution. False where
// nothing is known.
bool sti_law_rises(const StiLaw *law, double g, double direction, const double *signals);

double sti_stribeck_steepest(const StiLaw *law);

// The finding for a static level below the kinetic one.
void sti_check_static(const StiCheck *check, double level_static, double level);

#endif
