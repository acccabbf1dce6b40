// Private: where the numbers of an island's linear equations lie, dense or within an envelope.
#ifndef STICTION_SRC_CONE_EQUATIONS_H
#define STICTION_SRC_CONE_EQUATIONS_H

#include "cone/elimination.h"
#include "cone/island.h"

static inline Envelope sti_envelope_of(const Island *island)
{
    const int rows = island->rows, last = rows - 1;
    const int size = island->factor_start[last] + last - island->factor_first[last];
    return (Envelope){.rows = rows,
                      .first = island->factor_first,
                      .start = island->factor_start,
                      .lower = island->factor,
                      .upper = island->factor + size,
                      .diagonal = island->factor + 2 * size};
}

static inline double *sti_place(const Island *island, const Envelope *envelope, int p, int q)
{
    if (envelope == NULL) return &island->factor[p * island->rows + q];
    if (p == q) return &envelope->diagonal[p];
    if (q < p) return &envelope->lower[envelope->start[p] + q - envelope->first[p]];
    return &envelope->upper[envelope->start[q] + p - envelope->first[q]];
}

#endif
