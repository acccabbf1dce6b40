// Private: a step in pieces. Within a piece all modes are fixed and everything is smooth; a step in
// which a mode ends is cut there. METHODS 3 and 4
#ifndef STICTION_SRC_CUT_SUBSTEP_H
#define STICTION_SRC_CUT_SUBSTEP_H

#include "cut/substep_data.h"

// One step of the methods that cut.
StiStatus sti_step_cut(const StiNetwork *network, const double *inputs, StiState *state,
                       StiScratch *scratch);

// The same with contacts (step_contacts.c).
StiStatus sti_step_contacts(const StiNetwork *network, const double *inputs, StiState *state,
                            StiScratch *scratch);

// Modes and forces at the start of a step, as after the events of that moment. The state takes the modes, the
// scratch holds the forces; positions and velocities stay. values: room for x and y.
StiStatus sti_step_cut_look(const StiNetwork *network, const double *inputs, double *values,
                            StiState *state, StiScratch *scratch);
StiStatus sti_step_contacts_look(const StiNetwork *network, const double *inputs, StiState *state,
                                 StiScratch *scratch);

// One trial of length h from the point of the pieces, whose evaluation is stage 0; x_end and y_end
// take the result.                                                                   METHODS 3.1
StiStatus sti_substep(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                      double h);
// The end of the trial, evaluated into close, with its margins (NULL: not wanted).
StiStatus sti_substep_close(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                            double h, StiMargin *margins);
// The trial becomes the point; what recorders want to know of it is added up.
void sti_substep_accept(const StiNetwork *network, StiScratch *scratch, double h);

// ---- kept.c
// Is the end of the last step, evaluated, the point where this one begins? Then not a bit of a new
// evaluation would differ.
bool sti_stage_cache_holds(const StiNetwork *n, const double *inputs, const StiState *state,
                           const StiScratch *scratch);
void sti_stage_cache_keep(const StiNetwork *n, const double *inputs, StiScratch *scratch);

// The implicit part: rows and their columns for this point, Z and factors for this tau, and the
// solution at a stage. vbar and P: laid out like generalized.
StiStatus sti_implicit_columns(const StiNetwork *network, StiScratch *scratch);
// Its part where contacts may be closed, for the rows that are chosen.
StiStatus sti_implicit_columns_in_contact(const StiNetwork *network, StiScratch *scratch);
// The same for all elastic rows and all reactions, nothing locked.
StiStatus sti_implicit_all_columns(const StiNetwork *network, StiScratch *scratch);
bool sti_implicit_factor(const StiNetwork *network, StiScratch *scratch, double tau);
// P of stage 0, from its forces.
void sti_implicit_start(const StiNetwork *network, StiScratch *scratch, double tau, double *P);
// P = H0^-1 times the implicit forces with v = vbar + tau P; now: the stage, y without its last tau.
StiStatus sti_implicit_stage(const StiNetwork *network, StiScratch *scratch, double tau,
                             const StageData *now, const double *vbar, double *P);
// v := S0^-1 H0 v
void sti_implicit_damp(const StiNetwork *network, StiScratch *scratch, double tau, double *v);

// The same for friction on coordinates of bodies that add (Admittance.adds): Z on the diagonal of H, so that
// S0^-1 is one recursion. P are forces here: what is implicit at stage 0, and at a stage with vbar + S0^-1
// (own_force - tau (Z vbar + k)), which becomes vbar.
StiStatus sti_diagonal_factor(const StiNetwork *network, StiScratch *scratch, double tau);
void sti_diagonal_start(const StiNetwork *network, StiScratch *scratch, double tau, double *P);
void sti_diagonal_stage(const StiNetwork *network, StiScratch *scratch, double tau,
                        const StageData *now, double *vbar, double *P);
void sti_diagonal_damp(const StiNetwork *network, StiScratch *scratch, double *v);

// The same, not densely, where elastic rows feel only their neighbours: says so in pieces.near.applies.
void sti_near_take(StiArena *arena, const StiNetwork *network, NearRows *near);
StiStatus sti_near_columns(const StiNetwork *network, StiScratch *scratch);
bool sti_near_factor(const StiNetwork *network, StiScratch *scratch, double tau);
void sti_near_start(const StiNetwork *network, StiScratch *scratch, double tau, double *P);
void sti_near_stage(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                    const double *vbar, double *P);
void sti_near_damp(const StiNetwork *network, StiScratch *scratch, double tau, double *v);

// Modes that end so close are taken as ending together, as a share of the trial.
static const double sti_together = 1e-9;
// Where modes end within the trial of length h: theta of those that slip along one axis or are elastic, and
// likely of stuck reactions. How many do. dips: also where a margin dips below zero and comes back.
int sti_locate_roughly(const StiNetwork *network, StiScratch *scratch, double h, bool dips);
// After that: the first of them, -1 if none does. Of stuck reactions those that end later may be left out.
int sti_locate(const StiNetwork *network, const double *inputs, StiScratch *scratch, double h,
               StiStatus *status);
// Cuts the trial of length h at the end of that mode: on return the trial ends at *x h, and is
// evaluated, with margins in there. False: that mode does not end after all.
bool sti_refine(const StiNetwork *network, const double *inputs, StiScratch *scratch, double h,
                int mode, double *x, StiStatus *status);
// How close to the end of its mode an element must be located, as a share of the trial.
double sti_located_to(const StiNetwork *network, const StiScratch *scratch, int mode);

// The rest of a step that is not cut further: one step of the papers' kind.           METHODS 3.3
StiStatus sti_substep_fallback(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                               double h);

// ---- joint_changes.c
// The trial of length h, in which many joints of robots change, becomes the point with all their changes.
// Where scratch->joints apply, and after sti_locate_roughly.
StiStatus sti_substep_take_together(const StiNetwork *network, StiScratch *scratch, double h);

// First root in [0, 1] of the cubic with the values g0, g1 and the rates r0, r1 (times the length)
// at its ends; above 1 if there is none. after_positive: not before the cubic has been positive.
double sti_cubic_root(double g0, double r0, double g1, double r1, bool after_positive);
// Its smallest value inside.
double sti_cubic_lowest(double g0, double r0, double g1, double r1);
// Cubic between values and rates at both ends of a piece of length h, at the share x of it.
double sti_cubic_between(double p0, double d0, double p1, double d1, double h, double x);

#endif
