// The implicit equation (16b) of [fixed-step] and its approximation (18).
#include <math.h>

#include "law/balance.h"

// g at_rest may be 0: nothing can move (g = 0), or nothing resists.
static StiSlipSolution stick(double g, double a, double at_rest, bool several)
{
    return (StiSlipSolution){.level = a > 0.0 ? fmin(a / g, at_rest) : 0.0,
                             .stuck = true,
                             .several = several};
}

StiSlipSolution sti_law_solve(const StiLaw *law, double g, double a, double direction,
                              const double *signals)
{
    const double at_rest = sti_law_level(law, 0.0, direction, signals);
    const bool stuck = a <= g * at_rest;
    if (law->kind->constant)
        return stuck ? stick(g, a, at_rest, false)
                     : (StiSlipSolution){.speed = a - g * at_rest, .level = at_rest};
    const StiBalance balance = {
        .law = law, .direction = direction, .signals = signals, .axes = 1, .g = {g}, .a = a};
    const StiBalanceSlip slip = sti_balance_slip(&balance, stuck);
    if (stuck) return stick(g, a, at_rest, slip.several);
    return (StiSlipSolution){.speed = slip.speed,
                             .level = sti_law_level(law, slip.speed, direction, signals),
                             .several = slip.several};
}

// speed is what follows from the level, a - g level: beyond g viscous = 1 it has the wrong sign.
StiSlipSolution sti_law_approximate(const StiLaw *law, double g, double a, double direction,
                                    const double *signals)
{
    const double at_rest = sti_law_level(law, 0.0, direction, signals);
    if (a <= g * at_rest) return stick(g, a, at_rest, false);
    const double level_ahead = sti_law_level(law, a - g * at_rest, direction, signals);
    return (StiSlipSolution){.speed = a - g * level_ahead, .level = level_ahead};
}
