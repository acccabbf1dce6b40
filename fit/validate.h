// Private: what is done on demand with a fit that was found.
#ifndef STICTION_FIT_VALIDATE_H
#define STICTION_FIT_VALIDATE_H

#include "uncertainty.h"

// Each part of the logs is left out once: how well the rest predicts it, as rms of each channel.
StiStatus cross_validate(Search *search, StiFitError *errors);
// Intervals from how the misfit grows where one parameter is held and the others follow.
StiStatus profile_all(Search *search, const Uncertainty *uncertainty, StiFitted *parameters);

#endif
