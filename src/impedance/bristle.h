// Private: what the models with one bristle (Dahl, LuGre, elastoplastic) share.
#ifndef STICTION_SRC_IMPEDANCE_BRISTLE_H
#define STICTION_SRC_IMPEDANCE_BRISTLE_H

#include <math.h>

#include "stiction/impedance.h"
#include "stiction/law.h"

// -1, 0 or +1: at rest there is no direction.
static inline double sti_sign(double v) { return (double)((v > 0.0) - (v < 0.0)); }

// One velocity in, one deflection as memory.
StiImpedanceSize sti_bristle_size(const StiLaw *law);

// The level F at the velocity v != 0. STI_LEVEL_VANISHED if it is 0.
StiStatus sti_bristle_level(const StiLaw *law, const double *signals, double v, double *F);

// A rate within tau: room is what is left to the value that it tends to, which is not passed. tau = 0: any.
static inline double sti_bristle_within(double tau, double room, double rate)
{
    return room * rate > 0.0 && tau * fabs(rate) > fabs(room) ? room / tau : rate;
}

// Where the level is 0 a bristle carries nothing: it is straight, or becomes so within tau, which is the limit of
// sti_bristle_within. With tau = 0 a bent one cannot: STI_LEVEL_VANISHED.
StiStatus sti_bristle_without_level(double tau, double z, double *zdot);

// zdot = (F v - K z|v|)/(F + tau K|v|), exactly 0 at rest; tau = 0 is the explicit form.
//                                                         [fixed-step] (8), EQUATIONS 2.13
StiStatus sti_bristle_rate(const StiLaw *law, double K, double tau, const double *signals, double v,
                           double z, double *zdot);

// The explicit form, but what it tends to is not passed within tau.
StiStatus sti_bristle_rate_within(const StiLaw *law, double K, double tau, const double *signals,
                                  double v, double z, double *zdot);

// A bristle has no moment at which it sticks. For recordings: 1 while it carries less than 99 % of
// the level at its speed, so that its motion is presliding.
double sti_bristle_sticks(const StiLaw *law, const double *signals, double v, double force);

// There is one form at a time.
void sti_check_bristle_form(const StiCheck *check, bool stiff, bool plain);

// Refuses a constant sigma1 that makes energy: it needs sigma2 >= sigma1 (highest - lowest)/lowest.
void sti_check_bristle_passive(const StiCheck *check, const StiLaw *law, double sigma1,
                               double sigma2);

#endif
