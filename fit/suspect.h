// Private: units that look wrong.
#ifndef STICTION_FIT_SUSPECT_H
#define STICTION_FIT_SUSPECT_H

#include "engine.h"

// By what is measured alone: a joint that turns by hundreds of radians, a slide that moves by hundreds of metres.
void suspect_columns(const StiFit *fit, StiMessages *messages);

// By what the scene does with its own values: how many times larger a channel is measured than simulated, where that is
// near a factor between units and both move alike. 0: nothing is suspected. Needs engine_residuals before.
double suspect_factor(const Engine *engine, int channel, const double *values);

#endif
