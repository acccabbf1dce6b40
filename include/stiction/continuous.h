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

// A stretch of time within which no input jumps or has a kink; at its ends inputs take the values
// they have inside.
typedef struct StiSmoothInterval {
    double from, to; // s
} StiSmoothInterval;
// The piece that begins at t, or holds it.
STI_API StiSmoothInterval sti_continuous_smooth_interval(const StiNetwork *network, double t);

// Rates at time t. Discrete memory with the modes of friction, and the loads to start from, are the
// state's. The scratch then holds the forces.
STI_API StiStatus sti_continuous_rates(const StiNetwork *network, const double *inputs,
                                       const StiState *state, double t, StiSmoothInterval piece,
                                       const double *values, StiScratch *scratch, double *rates);
// Bodies with constraints (linkages with drift: projection) put their numbers back on them, as they
// are at t; joints that stick stay where they are. An integrator does this after each step that it
// accepts, and with what it reports at times between.
STI_API bool sti_continuous_constrained(const StiNetwork *network); // are there such bodies?
STI_API StiStatus sti_continuous_constrain(const StiNetwork *network, const double *inputs,
                                           const StiState *state, double t, StiSmoothInterval piece,
                                           double *values, StiScratch *scratch);
// What the rows of all reactions resisted with at the last evaluation, N. An integrator that controls errors
// controls their sums over time as well: numbers that stand still say nothing of the load on them.
STI_API int sti_continuous_row_count(const StiNetwork *network);
STI_API void sti_continuous_resistances(const StiNetwork *network, const StiScratch *scratch,
                                        double *resistances);

// How exactly the numbers are known: relative and absolute tolerance of the integrator. A speed in a
// plane below a hundred times that has no direction, and counts as none. moment, s: a bounce that
// lasts less is over at once.
STI_API void sti_continuous_resolve(StiScratch *scratch, double relative, double absolute,
                                    double moment);

// ---- stick and slip: modes, which stay as they are between two events ---------------------------

// How many modes there are, and the name of the element that one belongs to (the network's own).
STI_API int sti_continuous_mode_count(const StiNetwork *network);
STI_API const char *sti_continuous_mode_element(const StiNetwork *network, int mode);
// STI_STICK or STI_SLIP of a reaction's mode, and STI_STICK in its place; -1 for elements with memory.
STI_API int sti_continuous_mode(const StiNetwork *network, const StiState *state, int mode);
STI_API void sti_continuous_hold(const StiNetwork *network, StiState *state, int mode);
// Does something slip in a plane or in space? Its direction is lost where it stops: no step should
// reach beyond that (margin.left is how long it takes).
STI_API bool sti_continuous_has_planar_slip(const StiNetwork *network, const StiState *state);
// How far all modes are from their ends, after an evaluation there; rates as well (may be NULL).
STI_API StiStatus sti_continuous_margins(const StiNetwork *network, const double *inputs,
                                         const StiState *state, double t, StiSmoothInterval piece,
                                         const double *values, StiScratch *scratch, double *rates,
                                         StiMargin *margins);
// Modes at the start of a run, or after a jump of inputs: from velocities, and where there are none
// from accelerations. values, in and out, become the state's.
STI_API StiStatus sti_continuous_start(const StiNetwork *network, const double *inputs, double t,
                                       StiSmoothInterval piece, double *values, StiState *state,
                                       StiScratch *scratch);
// Modes after an event: those of ended (all modes, in order) are over. Accelerations decide what comes to
// rest, what goes on and what else follows (Filippov's condition). Stuck rows stand still then.
// *changed: some mode is another one now.
STI_API StiStatus sti_continuous_turn(const StiNetwork *network, const double *inputs, double t,
                                      StiSmoothInterval piece, const bool *ended, double *values,
                                      StiState *state, StiScratch *scratch, bool *changed);

// Power that each impedance takes up, then each reaction, then power on each body, then power that
// drivers inside each body supply, then power that each contact takes up, at the last evaluation, W.
// Integrated together with the rates, they become the energy ledger of a recorder.
STI_API int sti_continuous_power_count(const StiNetwork *network);
STI_API void sti_continuous_powers(const StiNetwork *network, const StiScratch *scratch,
                                   double *powers);

// The state takes these numbers as those of its next time t(k+1), quaternions made unit; discrete
// memory settles there (samples are taken): *settled says whether it changed, so that what follows
// does not continue smoothly. works: the powers integrated since t_k, J; NULL: not known. The scratch
// then holds the forces at that time.
STI_API StiStatus sti_continuous_accept(const StiNetwork *network, const double *inputs,
                                        const double *values, const double *works, StiState *state,
                                        StiScratch *scratch, bool *settled);
// What the integrator has done so far, for the channels integrator.*. After accept.
STI_API void sti_continuous_set_figures(StiScratch *scratch, StiIntegratorFigures figures);
// Lets an integrator say where and why it gave up: the scratch's fault. Returns the status.
STI_API StiStatus sti_continuous_fail(StiScratch *scratch, StiStatus status, const char *component,
                                      const char *what, double t, int64_t k);

#ifdef __cplusplus
}
#endif
#endif
