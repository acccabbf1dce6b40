// Private: forces that hold rows of one axis each, also where there are more rows than freedoms.
#ifndef STICTION_SRC_ROWS_LEAST_NORM_H
#define STICTION_SRC_ROWS_LEAST_NORM_H

#include "scratch/scratch.h"

// Nothing is taken where the network's reactions are of another sort, or too many.
void sti_least_norm_take(StiArena *arena, const StiNetwork *network, LimitData *data);
// W of all rows, after the blocks are known.
void sti_least_norm_inertia(const StiNetwork *network, StiScratch *scratch);

// The row at this place among the held ones, with the force at which it would slip. n: all rows.
void sti_shares_choose(const LimitData *data, int n, int place, int row, double limit);
// W of the chosen rows, of which count were chosen. Returns its rank, -1 where it has no factor.
int sti_shares_factor(const LimitData *data, int n, int count);
// Adds to r what takes these rates (of all rows, times scale) away from the chosen rows.
void sti_shares_add(const LimitData *data, int count, int rank, const double *rate, double scale,
                    double *r);

// Resistances of the stuck rows that no body holds, under the limits of now: into lambda, from the
// accelerations in rate, both by place among the chosen rows. False where this does not apply.
bool sti_shares_hold(const StiNetwork *network, StiScratch *scratch, const StageData *now, int count,
                     const double *rate, double *lambda);

#endif
