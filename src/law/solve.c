// The implicit equation (16b) of [fixed-step]: excess(u) = u + g level(u) - a = 0 for u in [0, a].
// Where the law falls steeply there may be several solutions.
#include <float.h>
#include <math.h>

#include "law/shape.h"

typedef struct Balance {
    const StiLaw *law;
    double g, a, direction;
    const double *signals;
} Balance;

static double level(const Balance *b, double u)
{
    return sti_law_level(b->law, u, b->direction, b->signals);
}
static double excess(const Balance *b, double u) { return u - b->a + b->g * level(b, u); }
static double excess_slope(const Balance *b, double u)
{
    return 1.0 + b->g * sti_law_slope(b->law, u, b->direction, b->signals);
}

// Newton from the right end, kept inside excess(low) < 0 <= excess(high); the bracket is halved if
// Newton leaves it or gains too little. It ends at rounding: there is nothing to tune.
static double root(const Balance *b, double low, double high)
{
    double u = high, last = high - low;
    for (int i = 0; i < 200; ++i) {
        const double f = excess(b, u);
        if (isnan(f)) return f;
        if (fabs(f) <= 2.0 * DBL_EPSILON * b->a) return u;
        if (f < 0.0) low = u;
        else high = u;
        const double slope = excess_slope(b, u), newton = u - f / slope;
        if (newton == u) return u;
        const bool good = newton > low && newton < high && fabs(2.0 * f) <= fabs(last * slope);
        const double next = good ? newton : low + 0.5 * (high - low);
        if (next == low || next == high) return high;
        last = next - u;
        u = next;
    }
    return u;
}

// Where the fastest slip lies, with excess(low) < 0 <= excess(high), and whether there is another
// solution.
typedef struct Slips {
    bool exist, several;
    double low, high;
} Slips;

// A place strictly between low and high where sign * excess is negative, or NAN. It must be convex
// there and not negative at both ends: its tangents then bound it from below.
static double dip(const Balance *b, double sign, double low, double high)
{
    double f_low = sign * excess(b, low), f_high = sign * excess(b, high);
    double s_low = sign * excess_slope(b, low), s_high = sign * excess_slope(b, high);
    for (int i = 0; i < 100 && s_low < 0.0 && s_high > 0.0; ++i) {
        const double step = (f_low - f_high + s_high * (high - low)) / (s_high - s_low);
        if (f_low + s_low * step >= 0.0) return NAN;
        const bool inside = step > 0.0 && step < high - low; // not where s_low is infinite
        const double u = low + (inside ? step : 0.5 * (high - low));
        if (u == low || u == high) return NAN;
        const double f = sign * excess(b, u), s = sign * excess_slope(b, u);
        if (f < 0.0) return u;
        if (s < 0.0) low = u, f_low = f, s_low = s;
        else high = u, f_high = f, s_high = s;
    }
    return NAN;
}

// The slope of excess falls up to the steepest speed and rises from there: concave, then convex.
static Slips slips_of_valley(const Balance *b, double steepest, bool stuck)
{
    const double bend = fmin(steepest, b->a);
    const bool low_there = excess(b, bend) < 0.0;
    if (!stuck && low_there) {
        const bool several = !isnan(dip(b, -1.0, 0.0, bend));
        return (Slips){.exist = true, .several = several, .low = bend, .high = b->a};
    }
    const double low = low_there ? bend : dip(b, 1.0, bend, b->a);
    if (!isnan(low)) return (Slips){.exist = true, .several = true, .low = low, .high = b->a};
    return (Slips){.exist = !stuck, .high = bend};
}

// Elsewhere the signs at nodes are counted. Tables are monotone between theirs; own laws: assumed.
enum { OWN_NODES = 64 };
static double node(const Balance *b, int i)
{
    if (b->law->kind == &sti_law_kind_table) return b->law->table[i];
    const double x = (double)i / OWN_NODES;
    return b->a * x * x * x; // dense towards rest, where laws fall
}

static Slips slips_between_nodes(const Balance *b, bool stuck)
{
    const bool table = b->law->kind == &sti_law_kind_table;
    int crossings = 0;
    double above = b->a;
    bool above_negative = false; // excess(a) = g level(a) >= 0
    Slips slips = {.high = b->a};
    for (int i = (table ? b->law->table_points : OWN_NODES) - 1; i >= 0; --i) {
        const double u = node(b, i);
        if (u >= b->a) continue;
        const bool negative = excess(b, u) < 0.0;
        if (negative != above_negative && crossings++ == 0) slips.low = u, slips.high = above;
        above = u;
        above_negative = negative;
    }
    slips.exist = crossings > 0;
    slips.several = crossings > (stuck ? 0 : 1);
    return slips;
}

static Slips slips_of(const Balance *b, bool stuck)
{
    double steepest;
    if (sti_law_rises(b->law, b->g, b->direction, b->signals))
        return (Slips){.exist = !stuck, .high = b->a};
    if (sti_law_one_valley(b->law, &steepest)) return slips_of_valley(b, steepest, stuck);
    return slips_between_nodes(b, stuck);
}

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
    const Balance b = {.law = law, .g = g, .a = a, .direction = direction, .signals = signals};
    const double at_rest = level(&b, 0.0);
    const bool stuck = a <= g * at_rest;
    if (law->kind->constant)
        return stuck ? stick(g, a, at_rest, false)
                     : (StiSlipSolution){.speed = a - g * at_rest, .level = at_rest};
    const Slips slips = slips_of(&b, stuck);
    if (stuck) return stick(g, a, at_rest, slips.exist);
    const double u = root(&b, slips.low, slips.high);
    return (StiSlipSolution){.speed = u, .level = level(&b, u), .several = slips.several};
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
