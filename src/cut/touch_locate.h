// Private: substeps of a network with contacts, and where the first margin runs out in them.
#ifndef STICTION_SRC_CUT_TOUCH_LOCATE_H
#define STICTION_SRC_CUT_TOUCH_LOCATE_H

#include "cut/progress.h"

static const double sti_touch_located = 1e-13; // of the substep: times of events

// Those of modes, then those of places.
int sti_touch_margin_count(const Progress *c);
// What is as good as 0.
double sti_touch_tolerance(const StiMargin *margin);

// Margins at the point, from where the next substep goes on, into data->before. again: they are there, but what is
// below 0 and comes apart may be another.
void sti_touch_margins_here(const Progress *c);
void sti_touch_margins_again(const Progress *c);

// A substep of length h, not accepted yet; margins at its end in data->after.
StiStatus sti_touch_try(Progress *c, double h);
// The first margin that runs out in it, -1 if none does; *x: where, as a share of h.
int sti_touch_first_to_end(const Progress *c, double h, double *x);
// Cuts the trial of length h where margin *m, or one that is gone before it, runs out: on return it
// ends at *x h, evaluated, with margins in data->there.
StiStatus sti_touch_refine(Progress *c, double h, int *m, double *x);

#endif
