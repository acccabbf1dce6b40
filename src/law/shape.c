// Where laws fall.
#include "law/shape.h"

double sti_law_steepest_at_rest(const StiLaw *law)
{
    (void)law;
    return 0.0;
}

static bool rises_at(const StiLaw *law, double g, double speed, double direction,
                     const double *signals)
{
    return 1.0 + g * sti_law_slope(law, speed, direction, signals) > 0.0;
}

bool sti_law_rises(const StiLaw *law, double g, double direction, const double *signals)
{
    if (law->kind->constant || g == 0.0) return true;
    if (law->kind->steepest != NULL)
        return rises_at(law, g, law->kind->steepest(law), direction, signals);
    for (int i = 0; i < law->table_points; ++i)
        if (!rises_at(law, g, law->table[i], direction, signals)) return false;
    return law->table_points > 0;
}

void sti_check_static(const StiCheck *check, double level_static, double level)
{
    if (level_static < level)
        sti_check_unphysical(check, "static", level_static,
                             "static %g is below level %g: static friction is at least the kinetic "
                             "level",
                             level_static, level);
}
