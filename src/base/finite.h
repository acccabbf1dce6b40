// Private: is every number finite? x - x is 0 for finite numbers and NaN for all others.
#ifndef STICTION_SRC_BASE_FINITE_H
#define STICTION_SRC_BASE_FINITE_H

#include <stdbool.h>

static inline bool sti_all_finite(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += x[i] - x[i];
    return sum == 0.0;
}

#endif
