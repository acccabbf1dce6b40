// Private: what friction models share about laws.
#ifndef STICTION_SRC_LAW_SLIP_H
#define STICTION_SRC_LAW_SLIP_H

#include "stiction/law.h"

// gsat with a law: out = in if |in| <= level at rest (returns true), else along in with the level at the
// slip speed w that solves w + g level(w) = g |in|. A constant law needs no iteration.
bool sti_law_saturate(const StiLaw *law, int dim, double g, const double *signals, const double *in,
                      double *out);

// The finding for a dimension outside 1..3, and for a directional law in more than one dimension.
void sti_check_friction(const StiCheck *check, int dim, const StiLaw *law);

#endif
