// The cubic through values and rates at both ends of a piece: where a margin ends.
#include <math.h>

#include "cut/substep.h"

typedef struct Cubic {
    double a, b, c, d; // a + b x + c x^2 + d x^3
} Cubic;

static Cubic cubic_of(double g0, double r0, double g1, double r1)
{
    return (Cubic){g0, r0, 3.0 * (g1 - g0) - 2.0 * r0 - r1, r0 + r1 - 2.0 * (g1 - g0)};
}

static double value(const Cubic *p, double x) { return p->a + x * (p->b + x * (p->c + x * p->d)); }

// Places where it is level, within (0, 1), rising; at most two.
static int level_places(const Cubic *p, double *places)
{
    int count = 0;
    const double A = 3.0 * p->d, B = 2.0 * p->c, C = p->b, under = B * B - 4.0 * A * C;
    if (!(under >= 0.0)) return 0;
    const double q = -0.5 * (B + copysign(sqrt(under), B));
    const double roots[2] = {A != 0.0 ? q / A : NAN, q != 0.0 ? C / q : NAN};
    const bool turned = roots[0] > roots[1];
    for (int i = 0; i < 2; ++i) {
        const double x = roots[turned ? 1 - i : i];
        if (x > 0.0 && x < 1.0) places[count++] = x;
    }
    return count;
}

double sti_cubic_lowest(double g0, double r0, double g1, double r1)
{
    const Cubic p = cubic_of(g0, r0, g1, r1);
    double places[2], lowest = INFINITY;
    const int count = level_places(&p, places);
    for (int i = 0; i < count; ++i) lowest = fmin(lowest, value(&p, places[i]));
    return lowest;
}

static double bisect(const Cubic *p, double from, double to)
{
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (from + to);
        if (value(p, middle) > 0.0)
            from = middle;
        else
            to = middle;
    }
    return 0.5 * (from + to);
}

double sti_cubic_root(double g0, double r0, double g1, double r1, bool after_positive)
{
    const Cubic p = cubic_of(g0, r0, g1, r1);
    double places[4] = {0.0};
    const int count = level_places(&p, places + 1);
    places[count + 1] = 1.0;
    if (!after_positive && !(g0 > 0.0)) return 0.0;
    for (int i = 0; i <= count; ++i) {
        const double from = places[i], to = places[i + 1];
        if (value(&p, from) > 0.0 && !(value(&p, to) > 0.0)) return bisect(&p, from, to);
    }
    return value(&p, 1.0) > 0.0 ? 2.0 : 0.0;
}

double sti_cubic_between(double p0, double d0, double p1, double d1, double h, double x)
{
    const double y = 1.0 - x;
    return y * y * (1.0 + 2.0 * x) * p0 + x * x * (3.0 - 2.0 * x) * p1 +
           h * x * y * (y * d0 - x * d1);
}
