// Private: what admittances that are a point in 1, 2 or 3 dimensions share.
#ifndef STICTION_SRC_ADMITTANCE_POINT_H
#define STICTION_SRC_ADMITTANCE_POINT_H

#include "stiction/admittance.h"

// x[dim], v[dim] as a frame that does not turn; missing axes read 0.
StiFrame sti_point_frame(int dim, const double *x, const double *v);

// x, v; or x, y, vx, vy; or x, y, z, vx, vy, vz.
int sti_point_channels(int dim, const StiChannelInfo **names);
void sti_point_observe(int dim, const double *x, const double *v, double *values);

// The finding for a dimension outside 1..3.
void sti_check_point(const StiCheck *check, int dim);

#endif
