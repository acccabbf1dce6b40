// Private: the linear part of an element's force that substeps take implicitly.
#ifndef STICTION_SRC_CUT_SLOPES_H
#define STICTION_SRC_CUT_SLOPES_H

#include "cut/substep_data.h"
#include "scratch/scratch.h"

// Z at the point of the substeps, velocities x velocities numbers.
void sti_slope_of_impedance(const StiScratch *scratch, const Impedance *e, double tau, double *Z);
// d level/d speed of one that slips along an axis, 0 where it sticks or falls.
double sti_slope_of_reaction(const StiScratch *scratch, int reaction, double tau);
// k, after Z of the same tau: of memory y, or of the way since the point.
void sti_carried_by_impedance(const StiScratch *scratch, const Impedance *e, const double *y,
                              double *k);

// The way of all wires since the point, without its last tau: at the point itself, and at a stage.
void sti_slopes_before(const StiNetwork *network, StiScratch *scratch, double tau);
void sti_slopes_at_stage(const StiNetwork *network, StiScratch *scratch, int stage, double h);

#endif
