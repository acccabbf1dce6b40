// Private: W of some of the reactions as a Cholesky factor within its envelope. Reactions are
// ordered so that neighbours are close: a pile or a chain costs as much as it is long.
#ifndef STICTION_SRC_ROWS_ENVELOPE_H
#define STICTION_SRC_ROWS_ENVELOPE_H

#include "rows/reactions.h"

// Rows of the reactions that are chosen, into data->rows; returns how many.
int sti_envelope_choose(const StiNetwork *network, const ReactionData *data);
// Factors W over those rows; own: blocks to take in place of a reaction's own block of W, laid out
// STI_REACTION_DIM_MAX numbers per row, or NULL. A set that has no unique solution gets a small diagonal: the change then
// has nearly the smallest norm. False if nothing can be solved.
bool sti_envelope_factor(const StiNetwork *network, const ReactionData *data, int count,
                         const double *own);
// W plus this part of its diagonal, for callers that refine the result; false if that is singular.
bool sti_envelope_factor_shifted(const StiNetwork *network, const ReactionData *data, int count,
                                 double part);
// x := the solution, in the order of data->rows.
void sti_envelope_solve(const ReactionData *data, int count, double *x);

#endif
