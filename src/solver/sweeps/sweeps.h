// Private: the parts of the step that resolve reactions.
#ifndef STICTION_SRC_SOLVER_SWEEPS_SWEEPS_H
#define STICTION_SRC_SOLVER_SWEEPS_SWEEPS_H

#include "evaluate/evaluate.h"
#include "rows/reactions.h"
#include "solver/sweeps/affine.h"

typedef struct SweepData {
    AffineData affine;
    double *own;        // blocks of linearised reactions, STI_REACTION_DIM_MAX numbers per row
    double *correction; // of the chosen rows
    StiReactionAnswer *saved_answers; // to return to, where a leap did not help
    double *saved_rate;
} SweepData;
static inline SweepData *sti_sweeps(const StiScratch *scratch) { return scratch->solver; }

// x, v, y of the step's start; inputs and sources at its end; tau = T. Answers of the reactions are
// cleared, their discrete memory is copied.
StiStatus sti_smooth_start(const StiNetwork *network, const double *inputs, const StiState *state,
                           StiScratch *scratch);
// And the wires.
StiStatus sti_smooth_motion(const StiNetwork *network, const double *inputs, const StiState *state,
                            StiScratch *scratch);

// The local problem of one reaction at the present resistances of the others; vbar: dim numbers to
// fill.
StiReactionProblem sti_local_problem(const StiNetwork *network, const StiScratch *scratch,
                                     int reaction, double *vbar);
// All reactions together, with their modes fixed: block Gauss-Seidel from the present resistances,
// then the direct solve on the stuck set.
StiStatus sti_resolve(const StiNetwork *network, StiScratch *scratch);
// Once everything has settled: among the elements that stick beyond their static level, the one
// furthest beyond is released. False if there is none.                    [regularization] (19b)
bool sti_release_worst(const StiNetwork *network, StiScratch *scratch);

// Resistances that bring the velocities of all stuck rows to zero, directly, as far as the limits
// of sticking allow: this never leads away from the solution.
void sti_solve_stuck(const StiNetwork *network, StiScratch *scratch);
// One step of Newton's method for all reactions; false if none can be taken.
bool sti_solve_linearised(const StiNetwork *network, StiScratch *scratch);
// Adds the first count numbers of the correction to the resistances of the chosen rows.
void sti_apply_correction(const StiNetwork *network, StiScratch *scratch, int count);
// Changes a resistance and the velocities of all rows that feel it.
void sti_change_resistance(const StiNetwork *network, StiScratch *scratch, int reaction,
                           const double *change);

#endif
