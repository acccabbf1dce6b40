// A network in continuous time, for integrators of one's own: rates of change at tau = 0, in place
// of a step. adaptive.h has integrators with error control on top of this.
#ifndef STICTION_CONTINUOUS_H
#define STICTION_CONTINUOUS_H

#include "step.h"

#ifdef __cplusplus
extern "C" {
#endif

// Is there a continuous-time form? The report names each component that has none, and the reason.
STI_API StiStatus sti_continuous_check(const StiNetwork *network, StiReport *report);

// The numbers that are integrated: x, then y.
STI_API int sti_continuous_count(const StiNetwork *network);
STI_API void sti_continuous_values(const StiState *state, double *values);
// count x count, row major: can rate i depend on number j?
STI_API void sti_continuous_pattern(const StiNetwork *network, bool *depends);

// The first jump or kink of an input after t; INFINITY if there is none.
STI_API double sti_continuous_next_break(const StiNetwork *network, double t);

// Rates at time t. Discrete memory, and the loads to start from, are the state's. The scratch then
// holds the forces. limit: the time of an input's jump at which this piece ends (INFINITY: none);
// at it, inputs take their values from before the jump.
STI_API StiStatus sti_continuous_rates(const StiNetwork *network, const double *inputs,
                                       const StiState *state, double t, double limit,
                                       const double *values, StiScratch *scratch, double *rates);
// Power that each impedance takes up, then power on each body, then power that drivers inside each
// body supply, at the last evaluation, W. Integrated
// by whoever integrates the rates, they become the energy ledger of a recorder.
STI_API int sti_continuous_power_count(const StiNetwork *network);
STI_API void sti_continuous_powers(const StiNetwork *network, const StiScratch *scratch,
                                   double *powers);

// The state takes these numbers as those of its next time t(k+1), quaternions made unit; discrete
// memory settles there (samples are taken): *settled tells whether it changed, so that what follows
// does not continue smoothly. works: the powers integrated since t_k, J; NULL: not known. The scratch
// then holds the forces at that time.
STI_API StiStatus sti_continuous_accept(const StiNetwork *network, const double *inputs,
                                        const double *values, const double *works, StiState *state,
                                        StiScratch *scratch, bool *settled);
// What the integrator has done so far, for the channels integrator.*. After accept.
STI_API void sti_continuous_tell(StiScratch *scratch, StiIntegratorFigures figures);
// Lets an integrator say where and why it gave up: the scratch's fault. Returns the status.
STI_API StiStatus sti_continuous_give_up(StiScratch *scratch, StiStatus status, const char *what,
                                         double t, int64_t k);

#ifdef __cplusplus
}
#endif
#endif
