// The implicit equation (16b) of [fixed-step]: excess(u) = u + g level(u) - a = 0 for u in [0, a].
// Where the law falls steeply there may be several solutions. Between the nodes below excess is
// monotone (users' own laws: assumed), so its signs there tell how many, and where.
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

// Where the slope of excess changes its sign, between a speed of each sign.
static double turning(const Balance *b, double falling, double rising)
{
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (falling + rising);
        if (middle == falling || middle == rising) break;
        if (excess_slope(b, middle) < 0.0) falling = middle;
        else rising = middle;
    }
    return rising;
}

enum { OWN_NODES = 64 };
typedef struct Nodes {
    const Balance *balance;
    int count;
    double turning[3];   // one valley: 0 and up to two turning points
    const double *table; // table: its own speeds
} Nodes;

static Nodes nodes_of(const Balance *b)
{
    Nodes nodes = {.balance = b, .count = OWN_NODES};
    double steepest;
    if (b->law->kind == &sti_law_kind_table) {
        nodes.table = b->law->table;
        nodes.count = b->law->table_points;
    } else if (sti_law_one_valley(b->law, &steepest)) {
        nodes.count = 1;
        if (excess_slope(b, 0.0) > 0.0) nodes.turning[nodes.count++] = turning(b, steepest, 0.0);
        if (excess_slope(b, b->a) > 0.0 && steepest < b->a)
            nodes.turning[nodes.count++] = turning(b, steepest, b->a);
    }
    return nodes;
}

static double node(const Nodes *nodes, int i)
{
    if (nodes->table != NULL) return nodes->table[i];
    if (nodes->count < OWN_NODES) return nodes->turning[i];
    const double x = (double)i / OWN_NODES;
    return nodes->balance->a * x * x * x; // dense towards rest, where laws fall
}

typedef struct Crossings {
    int count;
    double low, high; // around the fastest
} Crossings;

static Crossings crossings_of(const Balance *b)
{
    const Nodes nodes = nodes_of(b);
    Crossings found = {.high = b->a};
    double above = b->a;
    bool above_negative = false; // excess(a) = g level(a) >= 0
    for (int i = nodes.count - 1; i >= 0; --i) {
        const double u = node(&nodes, i);
        if (u >= b->a) continue;
        const bool negative = excess(b, u) < 0.0;
        if (negative != above_negative && found.count++ == 0) found.low = u, found.high = above;
        above = u;
        above_negative = negative;
    }
    return found;
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
    const bool one = sti_law_rises(law, g, direction, signals);
    const Crossings found = one ? (Crossings){.count = stuck ? 0 : 1, .high = a} : crossings_of(&b);
    if (stuck) return stick(g, a, at_rest, found.count > 0);
    const double u = root(&b, found.low, found.high);
    return (StiSlipSolution){.speed = u, .level = level(&b, u), .several = found.count > 1};
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
