// Levels beyond the end of slipping: trials of a method with fixed modes may run past it.
#include "law/slip.h"

double sti_law_level_through(const StiLaw *law, double speed, double direction,
                             const double *signals)
{
    if (speed >= 0.0 || law->kind->constant)
        return sti_law_level_at(law, speed, direction, signals);
    return sti_law_level(law, 0.0, direction, signals) +
           speed * sti_law_slope(law, 0.0, direction, signals);
}
