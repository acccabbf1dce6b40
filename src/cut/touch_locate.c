// Substeps of a network with contacts up to where the first of its margins runs out.
#include "cut/touch_locate.h"

#include <math.h>

#include "evaluate/modes.h"
#include "evaluate/touches.h"

enum { REDOS = 40 };
static const double released = 1e-9; // of the substep: times at which friction only begins to slip
static const double negligible = 1e-12; // of a margin's scale

int sti_touch_margin_count(const Progress *c)
{
    return c->data->mode_count + STI_PLACE_MARGINS * c->scratch->touches->count;
}

// Where the network was evaluated last.
static void take_margins(const Progress *c, const StageData *now, StiMargin *margins)
{
    sti_modes_margins(c->network, c->data->s, c->scratch, now, margins);
}

// True if one is another than before.
static bool note_sunk(const Progress *c)
{
    TouchData *data = c->scratch->touches;
    const StageData *now = &c->scratch->stages[0];
    bool changed = false;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const bool parts = touch->v[TOUCH_NORMAL] >= -sti_touch_least_speed(c->scratch, now, i);
        const double sunk = !data->places[i].vacant && parts ? fmin(touch->touch.gap, 0.0) : 0.0;
        changed = changed || data->sunk[i] != sunk;
        data->sunk[i] = sunk;
    }
    return changed;
}

void sti_touch_margins_here(const Progress *c)
{
    note_sunk(c);
    take_margins(c, &c->scratch->stages[0], c->data->before);
}

void sti_touch_margins_again(const Progress *c)
{
    if (note_sunk(c)) take_margins(c, &c->scratch->stages[0], c->data->before);
}

static StiStatus try_substep(Progress *c, double h, StiMargin *margins)
{
    StiStatus status = sti_substep(c->network, c->inputs, c->scratch, h);
    if (status == STI_OK) status = sti_substep_close(c->network, c->inputs, c->scratch, h, NULL);
    if (status == STI_OK) take_margins(c, &c->data->close, margins);
    return status;
}

StiStatus sti_touch_try(Progress *c, double h) { return try_substep(c, h, c->data->after); }

static bool knows_rate(const StiMargin *margin) { return !isnan(margin->rate); }

double sti_touch_tolerance(const StiMargin *margin) { return negligible * margin->scale; }

// Where margin m runs out in a substep of length h, as a share of it; beyond 1: it does not.
static double estimate_end(const Progress *c, int m, double h)
{
    const StiMargin *before = &c->data->before[m], *after = &c->data->after[m];
    const double g0 = fmax(before->g, 0.0), g1 = after->g;
    if (knows_rate(before) && knows_rate(after))
        return sti_cubic_root(g0, before->rate * h, g1, after->rate * h,
                              g0 <= sti_touch_tolerance(after));
    return g1 < -sti_touch_tolerance(after) ? g0 / (g0 - g1) : 2.0;
}

int sti_touch_first_to_end(const Progress *c, double h, double *x)
{
    int first = -1;
    *x = 2.0;
    for (int m = 0; m < sti_touch_margin_count(c); ++m) {
        const double end = estimate_end(c, m, h);
        if (!(end <= 1.0) || !(end < *x)) continue;
        *x = end;
        first = m;
    }
    return first;
}

typedef struct Bracket {
    double low, high, g_low, g_high;
    int side;   // of the last place
    bool jumps; // the margin says nothing about where it ends: halve
} Bracket;

// A margin other than m that is gone already at the trial's end.
static int gone_before(const Progress *c, int m)
{
    int worst = -1;
    double most = 0.0;
    for (int k = 0; k < sti_touch_margin_count(c); ++k) {
        const StiMargin *before = &c->data->before[k], *there = &c->data->there[k];
        if (k == m || !(there->g < -1e3 * sti_touch_tolerance(there)) || !(before->g > there->g))
            continue;
        const double share = -there->g / (before->g - there->g);
        if (share <= most) continue;
        most = share;
        worst = k;
    }
    return worst;
}

static double divide(const Bracket *b)
{
    const double span = b->g_low - b->g_high;
    return span > 0.0 && !b->jumps ? b->low + (b->high - b->low) * b->g_low / span
                                   : 0.5 * (b->low + b->high);
}

// Newton where rates are known and it stays inside, else Illinois.
static double next_place(Bracket *b, double x, double h, const StiMargin *there)
{
    const double g = there->g;
    if (g > 0.0) {
        b->jumps = b->jumps || (b->side == 0 && x <= released && g > 0.5 * b->g_low);
        if (b->side > 0) b->g_high *= 0.5;
        b->low = x;
        b->g_low = g;
    } else {
        if (b->side < 0) b->g_low *= 0.5;
        b->high = x;
        b->g_high = g;
    }
    b->side = g > 0.0 ? 1 : -1;
    const double newton = knows_rate(there) ? x - g / (there->rate * h) : NAN;
    return newton > b->low && newton < b->high ? newton : divide(b);
}

StiStatus sti_touch_refine(Progress *c, double h, int *m, double *x)
{
    const SubstepData *data = c->data;
    Bracket b = {0.0, 1.0, fmax(data->before[*m].g, 0.0), data->after[*m].g, 0, false};
    for (int i = 0; i < REDOS; ++i) {
        const StiStatus status = try_substep(c, *x * h, data->there);
        if (status != STI_OK) return status;
        const int other = gone_before(c, *m);
        if (other >= 0) {
            *m = other;
            b = (Bracket){b.jumps ? b.low : 0.0, *x, fmax(data->before[other].g, 0.0),
                          data->there[other].g,  0,  b.jumps};
            *x = divide(&b);
            if (*x <= sti_touch_located) return STI_OK;
            continue;
        }
        const StiMargin *there = &data->there[*m];
        const double enough = knows_rate(there) ? sti_touch_located : released;
        const double next = next_place(&b, *x, h, there);
        if (fabs(next - *x) <= enough || there->g == 0.0) return STI_OK;
        *x = next;
    }
    return try_substep(c, *x * h, data->there);
}
