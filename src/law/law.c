// Levels and slopes of any law.
#include <math.h>
#include <string.h>

#include "law/slip.h"

static double not_below_zero(double scale) { return scale < 0.0 ? 0.0 : scale; }

static StiSlip slip_at(const StiLaw *law, double speed, double direction, const double *signals)
{
    const int scale = law->times_load, viscous = scale + law->scales_level,
              own = viscous + law->scales_viscous;
    return (StiSlip){.speed = speed,
                     .direction = direction,
                     .load = sti_law_dry(law, signals),
                     .signals = law->kind->signals == 0 ? NULL : signals + own,
                     .viscosity = law->scales_viscous ? not_below_zero(signals[viscous]) : 1.0};
}

// A level below zero would push: no parameters, and no user's own law, may do that. NaN passes on.
double sti_law_level(const StiLaw *law, double speed, double direction, const double *signals)
{
    const StiSlip slip = slip_at(law, speed, direction, signals);
    const double level = law->kind->level(law, &slip);
    return level < 0.0 ? 0.0 : level;
}

// Differences of second order. The step suits laws that change over 1e-5 m/s or more.
static double measured_slope(const StiLaw *law, double speed, double direction,
                             const double *signals)
{
    const double d = 1e-5 * (speed + 1e-3);
    const double next = sti_law_level(law, speed + d, direction, signals);
    if (speed > d) return (next - sti_law_level(law, speed - d, direction, signals)) / (2.0 * d);
    return (4.0 * next - 3.0 * sti_law_level(law, speed, direction, signals) -
            sti_law_level(law, speed + 2.0 * d, direction, signals)) /
           (2.0 * d);
}

double sti_law_slope(const StiLaw *law, double speed, double direction, const double *signals)
{
    if (law->kind->slope == NULL) return measured_slope(law, speed, direction, signals);
    const StiSlip slip = slip_at(law, speed, direction, signals);
    return law->kind->slope(law, &slip);
}

int sti_law_signals(const StiLaw *law)
{
    return law->kind->signals + law->times_load + law->scales_level + law->scales_viscous;
}

StiLaw sti_law_own(const StiLawKind *kind, const void *user)
{
    return (StiLaw){.kind = kind, .user = user};
}

StiLaw sti_law_times_load(StiLaw law)
{
    law.times_load = true;
    return law;
}

StiLaw sti_law_scaled(StiLaw law, bool level, bool viscous)
{
    law.scales_level = level;
    law.scales_viscous = viscous;
    return law;
}

bool sti_law_set(StiLaw *law, const char *field, double value)
{
    for (int i = 0; i < law->kind->field_count; ++i) {
        if (strcmp(law->kind->fields[i].name, field) != 0) continue;
        law->p[law->kind->fields[i].offset] = value;
        return true;
    }
    return false;
}
