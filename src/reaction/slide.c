// (T W + s I) r = vbar with |r| = level(s |r|) and s > 0: then v = s r. In principal axes
// r_k = c_k/(g_k + s), so that |r| falls and the speed s |r| rises with s.
#include <float.h>
#include <math.h>

#include "law/norm.h"
#include "law/shape.h"
#include "reaction/slide.h"

typedef struct Search {
    const StiInertia *inertia;
    const StiLaw *law;
    const double *signals;
    double c[3]; // vbar in principal axes
    double size; // |vbar|
} Search;

static Search search_for(const StiInertia *inertia, const StiLaw *law, const double *signals,
                         const double *vbar)
{
    Search search = {.inertia = inertia, .law = law, .signals = signals};
    sti_inertia_resolve(inertia, vbar, search.c);
    search.size = sti_norm(inertia->dim, search.c);
    return search;
}

static double level(const Search *search, double speed)
{
    return sti_law_level(search->law, speed, 0.0, search->signals);
}

typedef struct Point {
    double r, speed; // |r|, s |r|
    double excess;   // level/|r| - 1: nearly linear in s, negative where r is too large
    double slope;    // d excess/d s
} Point;

static Point point_at(const Search *search, double s)
{
    double square = 0.0, cube = 0.0;
    for (int k = 0; k < search->inertia->dim; ++k) {
        const double d = search->inertia->g[k] + s, r = search->c[k] / d;
        square += r * r;
        cube += r * r / d;
    }
    const double n = sqrt(square), dn = -cube / n, F = level(search, s * n);
    const double dF = sti_law_slope(search->law, s * n, 0.0, search->signals) * (n + s * dn);
    return (Point){.r = n, .speed = s * n, .excess = F / n - 1.0, .slope = (dF - F * dn / n) / n};
}

// An s at which |r| is below the level. The level at |vbar| must not be 0.
static double slow_enough(const Search *search)
{
    double s = search->size / level(search, search->size);
    for (int i = 0; i < 100 && point_at(search, s).excess < 0.0; ++i) s *= 2.0;
    return s;
}

// Newton kept inside excess(low) < 0 <= excess(high), as in the scalar case; it ends at rounding.
static double root(const Search *search, double low, double high)
{
    const double F = level(search, search->size);
    double s = fmin(fmax(low, search->size / F - search->inertia->largest), high);
    double last = high - low;
    if (!(s > low)) s = low + 0.5 * (high - low);
    for (int i = 0; i < 200; ++i) {
        const Point here = point_at(search, s);
        if (fabs(here.excess) <= 2.0 * DBL_EPSILON) return s;
        if (here.excess < 0.0) low = s;
        else high = s;
        const double newton = s - here.excess / here.slope;
        if (newton == s) return s;
        const bool good =
            newton > low && newton < high && fabs(2.0 * here.excess) <= fabs(last * here.slope);
        const double next = good ? newton : low + 0.5 * (high - low);
        if (next == low || next == high) return high;
        last = next - s;
        s = next;
    }
    return s;
}

typedef struct Slips {
    int count;
    double low, high; // around the fastest
} Slips;

// Places dense towards rest, where laws fall; with equal g the speed is x^3 |vbar|.
enum { PLACES = 64 };
static double place(const Search *search, int i)
{
    const double x = (double)i / PLACES, cube = x * x * x;
    return search->inertia->largest * cube / (1.0 - cube);
}

// Changes of sign from place to place; pairs of slips between two of them stay unseen. free: vbar
// itself is a slip (s infinite). sticks: r is small enough at s = 0.
static Slips slips_of(const Search *search, double high, bool free, bool sticks)
{
    Slips slips = {.count = free ? 1 : 0, .high = high};
    double above = high;
    bool above_negative = free;
    for (int i = PLACES - 1; i >= 0; --i) {
        const double s = place(search, i);
        if (s >= above) continue;
        const bool negative = i == 0 ? !sticks : point_at(search, s).excess < 0.0;
        if (negative != above_negative && slips.count++ == 0) slips.low = s, slips.high = above;
        above = s;
        above_negative = negative;
    }
    return slips;
}

static StiSlide slide_with(const Search *search, double s, bool several)
{
    StiSlide slide = {.several = several};
    double along[3];
    for (int k = 0; k < search->inertia->dim; ++k)
        along[k] = search->c[k] / (search->inertia->g[k] + s);
    sti_inertia_compose(search->inertia, along, slide.r);
    slide.speed = s * sti_norm(search->inertia->dim, along);
    return slide;
}

StiSlide sti_slide(const StiInertia *inertia, const StiLaw *law, const double *signals,
                   const double *vbar)
{
    const Search search = search_for(inertia, law, signals, vbar);
    const bool one = sti_law_rises(law, inertia->largest, 0.0, signals);
    if (level(&search, search.size) == 0.0) { // nothing resists at the speed of vbar
        const bool several = !one && slips_of(&search, INFINITY, true, false).count > 1;
        return (StiSlide){.speed = search.size, .several = several};
    }
    const double high = slow_enough(&search);
    const Slips slips =
        one ? (Slips){.count = 1, .high = high} : slips_of(&search, high, false, false);
    return slide_with(&search, root(&search, slips.low, slips.high), slips.count > 1);
}

bool sti_slide_exists(const StiInertia *inertia, const StiLaw *law, const double *signals,
                      const double *vbar)
{
    if (sti_law_rises(law, inertia->largest, 0.0, signals)) return false;
    const Search search = search_for(inertia, law, signals, vbar);
    if (search.size == 0.0) return false;
    if (level(&search, search.size) == 0.0) return true;
    return slips_of(&search, slow_enough(&search), false, true).count > 0;
}
