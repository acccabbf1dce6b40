// Private: is every number finite? x - x is 0 for finite numbers and NaN for all others.
#ifndef STICTION_SRC_BASE_FINITE_H
#define STICTION_SRC_BASE_FINITE_H

#include <stdbool.h>

// Four sums: one would make every number wait for the one before.
static inline bool sti_all_finite(const double *x, int count)
{
    double sums[4] = {0.0};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; ++k) sums[k] += x[i + k] - x[i + k];
    for (; i < count; ++i) sums[0] += x[i] - x[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0.0;
}

#endif
