// Private: forces that hold rows of one axis each, also where there are more rows than freedoms.
#ifndef STICTION_SRC_ROWS_LEAST_NORM_H
#define STICTION_SRC_ROWS_LEAST_NORM_H

#include "rows/reactions.h"

// Few rows of one axis each under constant limits (solver/sweeps/box_friction.c). W NULL: the network has none such.
typedef struct LimitData {
    double *W;         // of all rows
    double *limit, *r; // by row
    double *from;      // r before a round
    int *mode;
    int *stuck;   // the stuck rows, and of each ...
    double *unit; // ... the force that counts as one
    double *left; // ... what the pivots so far leave of its diagonal
    double *G;    // stuck rows x rank: the root of their W
    int *pivot;
    double *square, *c; // G^T G factored; of one solve
} LimitData;

// W is NULL where the network's reactions are of another sort, or too many.
LimitData *sti_least_norm_take(StiArena *arena, const StiNetwork *network);
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
bool sti_shares_hold(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     int count, const double *rate, double *lambda);

#endif
