// Private: what the models made of parallel springs share.
#ifndef STICTION_SRC_IMPEDANCE_SLIP_BANK_H
#define STICTION_SRC_IMPEDANCE_SLIP_BANK_H

#include <math.h>
#include <stddef.h>

#include "stiction/kind.h"

static inline double sti_bank_sum(int elements, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < elements; ++i) sum += values[i];
    return sum;
}

// Energy of the springs K at the deflections z, J.
static inline double sti_bank_energy(int elements, const double *K, const double *z)
{
    double sum = 0.0;
    for (int i = 0; i < elements; ++i) sum += K[i] * z[i] * z[i];
    return 0.5 * sum;
}

// The finding for a bank without elements or without numbers; true if it has both.
static inline bool sti_bank_check(const StiCheck *check, int elements, const double *K,
                                  const char *name, const double *values)
{
    if (elements < 1)
        sti_check_error(check, "stiffness", NAN, "a bank needs at least one element");
    else if (K == NULL)
        sti_check_error(check, "stiffness", NAN,
                        "one stiffness for each of the %d elements is missing", elements);
    else if (values == NULL)
        sti_check_error(check, name, NAN, "one %s for each of the %d elements is missing", name,
                        elements);
    return elements >= 1 && K != NULL && values != NULL;
}

#endif
