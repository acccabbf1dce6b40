// Private: what friction models share about laws.
#ifndef STICTION_SRC_LAW_SLIP_H
#define STICTION_SRC_LAW_SLIP_H

#include <math.h>

#include "stiction/law.h"

// What dry parts are multiplied by: the load's size and the scale of the level.
static inline double sti_law_dry(const StiLaw *law, const double *signals)
{
    const double load = law->times_load ? fabs(signals[0]) : 1.0;
    if (!law->scales_level) return load;
    const double scale = signals[law->times_load];
    return scale < 0.0 ? 0.0 : load * scale;
}

// sti_law_level without a call where the level is constant.
static inline double sti_law_level_at(const StiLaw *law, double speed, double direction,
                                      const double *signals)
{
    if (!law->kind->constant) return sti_law_level(law, speed, direction, signals);
    if (law->scales_level) return law->p[0] * sti_law_dry(law, signals);
    return law->times_load ? law->p[0] * fabs(signals[0]) : law->p[0];
}

bool sti_law_saturate_any(const StiLaw *law, int dim, double Z, const double *signals,
                          const double *in, double *out);

// gsat with a law: out = in if |in| <= level at rest (returns true), else along in with the level
// at the slip speed w that solves Z w + level(w) = |in|. Along one axis a constant level needs no
// call and no division: this is the inner loop of controllers. NaN passes on.
static inline bool sti_law_saturate(const StiLaw *law, int dim, double Z, const double *signals,
                                    const double *in, double *out)
{
    if (dim != 1 || !law->kind->constant)
        return sti_law_saturate_any(law, dim, Z, signals, in, out);
    const double level = sti_law_level_at(law, 0.0, 0.0, signals);
    const bool stuck = fabs(in[0]) <= level;
    out[0] = stuck ? in[0] : in[0] > 0.0 ? level : in[0] < 0.0 ? -level : in[0];
    return stuck;
}

// The level, continued to speeds below 0 by reflection in its point at rest: with the same slope there, and as
// bounded as it is itself.
double sti_law_level_through(const StiLaw *law, double speed, double direction,
                             const double *signals);

// The finding for a dimension outside 1..3, and for a directional law in more than one dimension.
void sti_check_friction(const StiCheck *check, int dim, const StiLaw *law);

#endif
