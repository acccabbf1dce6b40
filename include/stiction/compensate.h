// Friction in controllers: what to add to a command so that friction is balanced, and what friction seems to be.
// Plain functions of one axis, without plan and network, allocation and hidden state. Forces of friction are
// resistances (along the velocity): add them to the command.
#ifndef STICTION_COMPENSATE_H
#define STICTION_COMPENSATE_H

#include "impedance.h"
#include "law.h"
#include "reaction.h"

#ifdef __cplusplus
extern "C" {
#endif

// Feed-forward by a law: its level at the wanted velocity. At velocity 0 the wanted acceleration says where it
// will go; with both 0 it is 0. Jumps at reversal, as the law does. signals as of sti_law_level.
STI_API double sti_compensate_law(const StiLaw *law, double velocity, double acceleration,
                                  const double *signals);

// Feed-forward by the finite-time rule: the friction of a mass M that moves with `velocity` under `force` in the next
// step T. Continuous in both, never more than the level: no chatter around zero, also with a measured velocity.
// [fixed-step] (14)
STI_API double sti_compensate_finite_time(const StiLaw *law, double M, double T, double velocity,
                                          double force, const double *signals);

// Feed-forward by any model with memory (lugre, elastic-coulomb, maxwell-slip, ...) of one axis: its force along the
// wanted velocity; its memory y and s go on by T. y and s: as many numbers as kind->size says, zeros at the start.
// STI_BAD_ARGUMENT: a model that needs more than one velocity, or a position.
STI_API StiStatus sti_compensate_model(const StiImpedanceKind *kind, const void *parameters,
                                       double T, double velocity, const double *signals, double *y,
                                       double *s, double *force);

// A disturbance observer: M dv/dt = u - f, with f unknown. f is followed with the time constant 1/bandwidth, without
// differences of v, and bounded by `most` (0: unbounded), as friction is.
typedef struct StiFrictionObserver {
    double M, T;      // kg, s
    double bandwidth; // 1/s
    double most;      // N
} StiFrictionObserver;
// Where its state begins for a velocity, with friction 0.
STI_API double sti_observer_start(const StiFrictionObserver *observer, double velocity);
// After each sample: the velocity measured now and the command u since the last one. state: in and out. The friction
// seen, to be added to the command.
STI_API double sti_compensate_observer(const StiFrictionObserver *observer, double velocity,
                                       double u, double *state);

#ifdef __cplusplus
}
#endif
#endif
