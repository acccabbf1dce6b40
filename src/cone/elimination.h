// Private: systems of linear equations, factored in place and solved in place. Factors have the
// inverse of the diagonal; false at a pivot that is not above `least` of the diagonal before.
#ifndef STICTION_SRC_CONE_ELIMINATION_H
#define STICTION_SRC_CONE_ELIMINATION_H

#include <stdbool.h>

// n x n, row after row, symmetric and positive definite: half the work. Both triangles are given; before: n
// numbers to work in.
bool sti_factor_symmetric(double *A, int n, double least, double *before);
void sti_solve_symmetric(const double *A, int n, double *x);

// Within an envelope: row p of L and column p of U have numbers from first[p] on, at start[p].
typedef struct Envelope {
    int rows;
    const int *first, *start;
    double *lower, *upper, *diagonal;
} Envelope;

bool sti_factor_envelope(const Envelope *m, double least);
void sti_solve_envelope(const Envelope *m, double *x);

#endif
