// excess(u) = 0 for u in [0, a], where excess(a) >= 0. Where the law falls steeply there may be
// several solutions.
#include <float.h>
#include <math.h>

#include "law/balance.h"
#include "law/shape.h"

static double level(const StiBalance *b, double u)
{
    return sti_law_level(b->law, u, b->direction, b->signals);
}

// A mean of all u + g_k F, weighted with (c_k/a)^2; its slope with that of F.
typedef struct Mean {
    double value, slope;
} Mean;

static Mean mean_of(const StiBalance *b, double u, double F, double F_slope)
{
    double squares = 0.0, slopes = 0.0;
    for (int k = 0; k < b->axes; ++k) {
        const double d = u + b->g[k] * F, x = b->c[k] / b->a / d;
        squares += x * x;
        slopes += x * x * (1.0 + b->g[k] * F_slope) / d;
    }
    return (Mean){.value = 1.0 / sqrt(squares), .slope = slopes / (squares * sqrt(squares))};
}

static double excess(const StiBalance *b, double u)
{
    const double F = level(b, u);
    return b->axes == 1 ? u - b->a + b->g[0] * F : mean_of(b, u, F, 0.0).value - b->a;
}

static double excess_slope(const StiBalance *b, double u)
{
    const double slope = sti_law_slope(b->law, u, b->direction, b->signals);
    return b->axes == 1 ? 1.0 + b->g[0] * slope : mean_of(b, u, level(b, u), slope).slope;
}

// Newton from the right end, kept inside excess(low) < 0 <= excess(high); the bracket is halved if
// Newton leaves it or gains too little. It ends at rounding: there is nothing to tune.
static double root(const StiBalance *b, double low, double high)
{
    double u = high, last = high - low;
    for (int i = 0; i < 200; ++i) {
        const double f = excess(b, u);
        if (isnan(f)) return f;
        if (fabs(f) <= 2.0 * DBL_EPSILON * b->a) return u;
        if (f < 0.0)
            low = u;
        else
            high = u;
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

typedef struct Bracket {
    double low, high; // excess(low) < 0 <= excess(high), around the fastest slip
    bool several;     // solutions, sticking included
} Bracket;

// A place strictly between low and high where sign * excess is negative, or NAN. It must be convex
// there and not negative at both ends: its tangents then bound it from below.
static double dip(const StiBalance *b, double sign, double low, double high)
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
        if (s < 0.0)
            low = u, f_low = f, s_low = s;
        else
            high = u, f_high = f, s_high = s;
    }
    return NAN;
}

// One axis. The slope of excess falls up to the steepest speed and rises from there: concave, then
// convex.
static Bracket bracket_of_valley(const StiBalance *b, double steepest, bool stuck)
{
    const double bend = fmin(steepest, b->a);
    const bool low_there = excess(b, bend) < 0.0;
    if (!stuck && low_there) {
        const bool several = !isnan(dip(b, -1.0, 0.0, bend));
        return (Bracket){.several = several, .low = bend, .high = b->a};
    }
    const double low = low_there ? bend : dip(b, 1.0, bend, b->a);
    return isnan(low) ? (Bracket){.high = bend}
                      : (Bracket){.several = true, .low = low, .high = b->a};
}

// Elsewhere signs are counted at nodes: a table's own speeds, or else 64 places. Pairs of solutions
// between two nodes stay unseen.
enum { PLACES = 64 };
static double node(const StiBalance *b, int i)
{
    if (b->law->table_points > 0) return b->law->table[i];
    const double x = (double)i / PLACES;
    return b->a * x * x * x; // dense towards rest, where laws fall
}

static Bracket bracket_between_nodes(const StiBalance *b, bool stuck)
{
    const int nodes = b->law->table_points > 0 ? b->law->table_points : PLACES;
    int crossings = 0;
    double above = b->a;
    bool above_negative = false;
    Bracket bracket = {.high = b->a};
    for (int i = nodes - 1; i >= 0; --i) {
        const double u = node(b, i);
        if (u >= b->a) continue;
        const bool negative = i == 0 ? !stuck : excess(b, u) < 0.0;
        if (negative != above_negative && crossings++ == 0) bracket.low = u, bracket.high = above;
        above = u;
        above_negative = negative;
    }
    bracket.several = crossings > 1; // two with sticking, three without
    return bracket;
}

static Bracket bracket_of(const StiBalance *b, bool stuck)
{
    double g = b->g[0];
    for (int k = 1; k < b->axes; ++k) g = fmax(g, b->g[k]);
    if (sti_law_rises(b->law, g, b->direction, b->signals)) return (Bracket){.high = b->a};
    if (b->axes == 1 && b->law->kind->steepest != NULL)
        return bracket_of_valley(b, b->law->kind->steepest(b->law), stuck);
    return bracket_between_nodes(b, stuck);
}

StiBalanceSlip sti_balance_slip(const StiBalance *b, bool stuck)
{
    const Bracket bracket = bracket_of(b, stuck);
    return (StiBalanceSlip){.speed = stuck ? 0.0 : root(b, bracket.low, bracket.high),
                            .several = bracket.several};
}
