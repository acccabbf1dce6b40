// Where laws fall.
#include "law/shape.h"

static double at_rest(const StiLaw *law)
{
    (void)law;
    return 0.0;
}

typedef struct Valley {
    const StiLawKind *kind;
    double (*steepest)(const StiLaw *law);
} Valley;

// The slope of tanh falls for ever, but never below zero: its valley does not matter.
static const Valley valleys[] = {
    {&sti_law_kind_coulomb, at_rest},     {&sti_law_kind_viscous, at_rest},
    {&sti_law_kind_directional, at_rest}, {&sti_law_kind_tanh, at_rest},
    {&sti_law_kind_gear, at_rest},        {&sti_law_kind_stribeck, sti_stribeck_steepest},
};

bool sti_law_one_valley(const StiLaw *law, double *speed)
{
    for (size_t i = 0; i < sizeof valleys / sizeof valleys[0]; ++i) {
        if (law->kind != valleys[i].kind) continue;
        *speed = valleys[i].steepest(law);
        return true;
    }
    return false;
}

static bool rises_at(const StiLaw *law, double g, double speed, double direction,
                     const double *signals)
{
    return 1.0 + g * sti_law_slope(law, speed, direction, signals) > 0.0;
}

bool sti_law_rises(const StiLaw *law, double g, double direction, const double *signals)
{
    double steepest;
    if (law->kind->constant || g == 0.0) return true;
    if (sti_law_one_valley(law, &steepest)) return rises_at(law, g, steepest, direction, signals);
    for (int i = 0; i < law->table_points; ++i)
        if (!rises_at(law, g, law->table[i], direction, signals)) return false;
    return law->kind == &sti_law_kind_table;
}

void sti_check_static(const StiCheck *check, double level_static, double level)
{
    if (level_static < level)
        sti_check_unphysical(check, "static", level_static,
                             "static %g is below level %g: static friction is at least the kinetic "
                             "level",
                             level_static, level);
}
