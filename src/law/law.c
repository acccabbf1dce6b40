// Levels and slopes of any law.
#include <math.h>

#include "stiction/law.h"

static StiSlip slip_at(const StiLaw *law, double speed, double direction, const double *signals)
{
    return (StiSlip){.speed = speed,
                     .direction = direction,
                     .load = law->times_load ? fabs(signals[0]) : 1.0,
                     .signals = law->kind->signals == 0 ? NULL
                                : law->times_load       ? signals + 1
                                                        : signals};
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

int sti_law_signals(const StiLaw *law) { return law->kind->signals + (law->times_load ? 1 : 0); }

StiLaw sti_law_own(const StiLawKind *kind, const void *user)
{
    return (StiLaw){.kind = kind, .user = user};
}

StiLaw sti_law_times_load(StiLaw law)
{
    law.times_load = true;
    return law;
}
