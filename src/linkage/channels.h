// Private: the names of what can be recorded of a linkage, and the loads as numbers.
#ifndef STICTION_SRC_LINKAGE_CHANNELS_H
#define STICTION_SRC_LINKAGE_CHANNELS_H

#include "linkage/linkage.h"

// Loads: of each pair what its type offers, the first of them what friction listens to; then effort
// and power of each driver; last the loss in all pairs and the power of all drivers.
void sti_linkage_write_loads(const StiLinkage *linkage, const StiPairLoad *loads,
                             const double *efforts, const StiDriven *driven, double *values);
// Of a slider's load: the places of n1 and n2; returns 2. Else 0.
int sti_linkage_corner_loads(const StiLinkage *linkage, int load, int corners[2]);
// Channels: x, y, angle, vx, vy, rate of each body; q, qd of each pair that has a coordinate.
void sti_linkage_observe(const StiLinkage *linkage, const double *q, const double *v,
                         double *values);

#endif
