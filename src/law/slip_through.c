// Levels beyond the end of slipping: trials of a method with fixed modes may run past it.
#include "law/slip.h"

double sti_law_level_through(const StiLaw *law, double speed, double direction,
                             const double *signals)
{
    if (speed >= 0.0 || law->kind->constant)
        return sti_law_level_at(law, speed, direction, signals);
    return 2.0 * sti_law_level(law, 0.0, direction, signals) -
           sti_law_level(law, -speed, direction, signals);
}
