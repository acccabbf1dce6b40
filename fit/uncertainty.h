// Private: how well the parameters are known.
#ifndef STICTION_FIT_UNCERTAINTY_H
#define STICTION_FIT_UNCERTAINTY_H

#include "search.h"

typedef struct Uncertainty {
    int count;
    double *covariance; // count x count, of the parameters; infinite where nothing can be said
    double *plain; // of each parameter: its variance as if residuals did not depend on each other
    bool *at_bound, *no_influence, *determined;
    double effective_rows;
    double factor; // of deviations, for 95 %
    // Directions that are not told: count x direction_count, in units of the parameters' widths.
    double *directions;
    int direction_count;
} Uncertainty;

StiStatus uncertainty_find(Search *search, Uncertainty *uncertainty);
void uncertainty_release(Uncertainty *uncertainty);
// The quantile of Student's distribution for 95 %.
double student_factor(double freedom);

// Eigenvalues and eigenvectors (columns) of a symmetric matrix n x n, which is destroyed.
void symmetric_eigen(int n, double *matrix, double *values, double *vectors);

#endif
