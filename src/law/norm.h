// Private: lengths and directions of velocities and efforts with one to three components.
#ifndef STICTION_SRC_LAW_NORM_H
#define STICTION_SRC_LAW_NORM_H

#include <math.h>

static inline double sti_norm(int dim, const double *x)
{
    if (dim == 1) return fabs(x[0]);
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

// Direction as laws want it: the sign in one dimension, without meaning (0) in more.
static inline double sti_direction(int dim, const double *x)
{
    return dim > 1 ? 0.0 : (double)((x[0] > 0.0) - (x[0] < 0.0));
}

#endif
