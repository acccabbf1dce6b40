// Private: what the rows of one node say, without what is only rounding.
#ifndef STICTION_SRC_CONE_ROWS_H
#define STICTION_SRC_CONE_ROWS_H

#include <math.h>

#include "cone/island.h"

static const double STI_NOTHING_OF_C = 1e-14; // of its terms: rounding (COUPLED 2.4)
static const double STI_NOTHING_OF_W = 1e-24;

// c without what is only rounding, of a node with d rows. Returns the largest |c|.
static inline double sti_gather_c(int d, int normal, const double *restrict given,
                                  const double *restrict size, double *restrict c)
{
    double most = 0.0;
    for (int k = 0; k < d; ++k) {
        const double least = size != NULL ? STI_NOTHING_OF_C * size[k] : 0.0;
        const double clean = fabs(given[k]) < least ? 0.0 : given[k];
        c[k == normal ? NORMAL : k] = clean;
        most = sti_larger(fabs(clean), most);
    }
    return most;
}

// W_t and W_n from its own square of W; terms: what W_n is the sum of.
static inline void sti_gather_W(const IslandNode *node, const double *W, int stride, double terms,
                                BlockLocal *local)
{
    double W_t = 0.0, W_n = 0.0;
    for (int k = 0; k < node->tangents; ++k) W_t = sti_larger(W[k * (stride + 1)], W_t);
    if (node->contact && W[2 * (stride + 1)] > STI_NOTHING_OF_W * terms) W_n = W[2 * (stride + 1)];
    local->W_n = W_n;
    local->W_t = W_t > 0.0 ? W_t : W_n;
    local->give = 1.0 / local->W_t;
}

#endif
