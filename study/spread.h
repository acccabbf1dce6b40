// Private: how a varied parameter is spread: from a share of 0 to 1 to its value.
#ifndef STICTION_STUDY_SPREAD_H
#define STICTION_STUDY_SPREAD_H

#include "stiction/scene.h"

// Below which value the share lies. Grows with the share.
double study_spread_value(const StiVaried *varied, double share);

// The normal distribution: the value below which the share lies, to 1e-15; and the share below x.
double study_normal_quantile(double share);
double study_normal_share(double x);

#endif
