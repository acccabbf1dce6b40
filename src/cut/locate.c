// Where modes end: roots of margins, on the cubic between the ends of a piece or, where only values
// are known, on the motion between them.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "cut/substep.h"

enum { ITERATIONS = 60, REDOS = 8, ARRIVALS = 2 };
static const double nothing = 1e-12; // of the level
static const double a_moment = 1e-6; // of a piece: its square is nothing

static bool is_stuck(const SubstepData *data, int m)
{
    return data->s[data->modes[m].s] == STI_STICK;
}

static bool slips_in_plane(const SubstepData *data, int m)
{
    return data->modes[m].reaction && data->modes[m].dim > 1 && !is_stuck(data, m);
}

// Is sticking stronger than slipping? Then the force jumps, and its time must be known better.
static bool force_jumps(const StiNetwork *network, const StiScratch *scratch, int m)
{
    const SubstepData *data = scratch->substep;
    const ModePlace *place = &data->modes[m];
    if (!place->reaction) {
        const Impedance *e = &network->impedances[place->element];
        return e->kind->modes->jumps(e->parameters);
    }
    const Reaction *e = &network->reactions[place->element];
    const double *signals = scratch->stages[0].ports + e->port;
    const double direction = sti_direction(place->dim, scratch->stages[0].u + e->wire.v);
    return e->kind->modes->limit(e->parameters, direction, signals) >
           e->kind->modes->level(e->parameters, 0.0, direction, signals) * (1.0 + nothing);
}

double sti_located_to(const StiNetwork *network, const StiScratch *scratch, int m)
{
    return force_jumps(network, scratch, m) ? 1e-8 : 1e-5;
}

// ---- elastic elements, and reactions that slip along one axis ------------------------------------

static double root_of_margin(const SubstepData *data, int m, double h, bool dips)
{
    const double tolerance = data->modes[m].reaction ? 0.0 : nothing * data->before[m].scale;
    const double r0 = data->before[m].rate * h, g1 = data->after[m].g, r1 = data->after[m].rate * h;
    double g0 = data->before[m].g;
    if (data->fresh[m]) g0 = fmax(g0, 0.0);
    if (g0 < -tolerance) return 0.0;
    // The cubic lies above the lowest of these; most do not come near zero.
    const bool low = fmin(g0 + r0 / 3.0, g1 - r1 / 3.0) < -tolerance;
    const bool dip = low && dips && g0 > tolerance && sti_cubic_lowest(g0, r0, g1, r1) < -tolerance;
    if (!(g1 < -tolerance) && !dip) return 2.0;
    return sti_cubic_root(g0, r0, g1, r1, data->fresh[m]);
}

// ---- stuck reactions: lambda on the cubic motion between the ends ---------------------------------

static double margin_between(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                             double h, double x, int m, StiStatus *status)
{
    SubstepData *data = scratch->substep;
    const StageData *start = &scratch->stages[0], *close = &data->close;
    StageData *probe = &data->probe;
    probe->stage = start->stage;
    probe->stage.t = data->t + x * h;
    for (int i = 0; i < network->x_count; ++i)
        probe->x[i] =
            sti_cubic_between(start->x[i], start->xdot[i], close->x[i], close->xdot[i], h, x);
    for (int i = 0; i < network->y_count; ++i)
        probe->y[i] =
            sti_cubic_between(start->y[i], start->ydot[i], close->y[i], close->ydot[i], h, x);
    memcpy(probe->loads, start->loads, (size_t)network->load_count * sizeof *probe->loads);
    data->probed = true;
    *status = sti_modes_evaluate(network, inputs, data->s, scratch, probe);
    if (*status != STI_OK) return NAN;
    sti_modes_margins(network, data->s, scratch, probe, data->there);
    return data->there[m].g;
}

// What is left of the value at the other end when a place on this side replaced another.
static double less(double g, double replaced)
{
    const double part = 1.0 - g / replaced;
    return part > 0.0 ? part : 0.5;
}

// Illinois (Anderson and Bjorck's) between a place with a margin and one without: an end that stays counts less.
static double end_of_sticking(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                              double h, int m, double to, double g_to, StiStatus *status)
{
    const double close_enough = force_jumps(network, scratch, m) ? 1e-11 : 1e-6;
    double from = 0.0, g_from = scratch->substep->before[m].g, x = to;
    int side = 0; // of the last place
    if (!(g_from > 0.0)) return 0.0;
    for (int i = 0; i < ITERATIONS && to - from > close_enough; ++i) {
        const double last = x;
        x = from + (to - from) * g_from / (g_from - g_to);
        const double g = margin_between(network, inputs, scratch, h, x, m, status);
        if (*status != STI_OK) return 2.0;
        if (g > 0.0) {
            if (side > 0) g_to *= less(g, g_from);
            from = x;
            g_from = g;
        } else {
            if (side < 0) g_from *= less(g, g_to);
            to = x;
            g_to = g;
        }
        side = g > 0.0 ? 1 : -1;
        if (fabs(x - last) < close_enough || g == 0.0) break;
    }
    return x;
}

// The margin of a stuck reaction at a stage inside the piece.
static double margin_at_stage(const StiNetwork *network, const StiScratch *scratch, int m, int r)
{
    const Reaction *e = &network->reactions[scratch->substep->modes[m].element];
    const StageData *stage = &scratch->stages[r];
    const double *u = stage->u + e->wire.v;
    return e->kind->modes->limit(e->parameters, sti_direction(e->size.dim, u),
                                 stage->ports + e->port) -
           sti_norm(e->size.dim, u);
}

enum { INSIDE = 2 }; // the stage that is looked at between the ends

static double root_of_sticking(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                               double h, int m, StiStatus *status)
{
    const SubstepData *data = scratch->substep;
    const double inside = margin_at_stage(network, scratch, m, INSIDE), g1 = data->after[m].g;
    if (inside < 0.0) {
        const double c = network->pair->c[INSIDE];
        const double there = margin_between(network, inputs, scratch, h, c, m, status);
        if (*status != STI_OK) return 2.0;
        if (there < 0.0) return end_of_sticking(network, inputs, scratch, h, m, c, there, status);
    }
    return g1 < 0.0 ? end_of_sticking(network, inputs, scratch, h, m, 1.0, g1, status) : 2.0;
}

// How early a stuck reaction is likely to break loose, by a straight line; beyond 1: it does not seem to.
static double likely_end(const StiNetwork *network, const StiScratch *scratch, int m)
{
    const double g0 = scratch->substep->before[m].g, g1 = scratch->substep->after[m].g;
    if (margin_at_stage(network, scratch, m, INSIDE) < 0.0) return 0.0;
    return g1 < 0.0 ? fmax(g0, 0.0) / (fmax(g0, 0.0) - g1) : 2.0;
}

static int likeliest(const SubstepData *data)
{
    int first = -1;
    for (int m = 0; m < data->mode_count; ++m)
        if (data->likely[m] <= 1.0 && (first < 0 || data->likely[m] < data->likely[first]))
            first = m;
    return first;
}

// Stuck reactions that break loose, the likeliest first. A look at the first end so far, at all margins there,
// shows which of the others end before: in long chains many end in one step, and only the first counts.
static int locate_sticking(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                           double h, int first, StiStatus *status)
{
    SubstepData *data = scratch->substep;
    double looked = 2.0; // where
    for (int m; (m = likeliest(data)) >= 0 && *status == STI_OK;) {
        const bool straight = data->likely[m] > 0.0; // no dip inside
        const double by = first >= 0 ? fmin(data->theta[first] + sti_together, 1.0) : 1.0;
        data->likely[m] = 2.0;
        if (straight && by < 1.0) {
            if (looked != by) margin_between(network, inputs, scratch, h, by, m, status);
            looked = by;
            if (*status != STI_OK || !(data->there[m].g < 0.0)) continue;
            data->theta[m] =
                end_of_sticking(network, inputs, scratch, h, m, by, data->there[m].g, status);
        } else {
            data->theta[m] = root_of_sticking(network, inputs, scratch, h, m, status);
        }
        looked = 2.0;
        if (data->theta[m] <= 1.0 && (first < 0 || data->theta[m] < data->theta[first])) first = m;
    }
    return first;
}

int sti_locate_roughly(const StiNetwork *network, StiScratch *scratch, double h, bool dips)
{
    SubstepData *data = scratch->substep;
    int count = 0;
    for (int m = 0; m < data->mode_count; ++m) {
        const bool stuck = data->modes[m].reaction && is_stuck(data, m);
        data->theta[m] = data->likely[m] = 2.0;
        if (stuck)
            data->likely[m] = likely_end(network, scratch, m);
        else if (!slips_in_plane(data, m))
            data->theta[m] = root_of_margin(data, m, h, dips);
        count += data->theta[m] <= 1.0 || data->likely[m] <= 1.0;
    }
    return count;
}

int sti_locate(const StiNetwork *network, const double *inputs, StiScratch *scratch, double h,
               StiStatus *status)
{
    const SubstepData *data = scratch->substep;
    int first = -1;
    for (int m = 0; m < data->mode_count; ++m)
        if (data->theta[m] <= 1.0 && (first < 0 || data->theta[m] < data->theta[first])) first = m;
    return locate_sticking(network, inputs, scratch, h, first, status);
}

// ---- cutting there --------------------------------------------------------------------------------

static StiStatus redo(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                      double h)
{
    const StiStatus status = sti_substep(network, inputs, scratch, h);
    return status == STI_OK
               ? sti_substep_close(network, inputs, scratch, h, scratch->substep->there)
               : status;
}

typedef struct Bracket {
    double low, high, g_low, g_high;
    bool closed; // g_high is below zero
    int side;    // of the last place
} Bracket;

static double illinois(Bracket *b, double x, double g)
{
    if (g > 0.0) {
        if (b->side > 0) b->g_high *= 0.5;
        b->low = x;
        b->g_low = g;
    } else {
        if (b->side < 0) b->g_low *= 0.5;
        b->high = x;
        b->g_high = g;
        b->closed = true;
    }
    b->side = g > 0.0 ? 1 : -1;
    return b->closed ? b->low + (b->high - b->low) * b->g_low / (b->g_low - b->g_high)
                     : 0.5 * (b->low + b->high);
}

// Newton while it does well, else Illinois.
static bool refine_elastic(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                           double h, int m, double *x, StiStatus *status)
{
    const SubstepData *data = scratch->substep;
    const double close_enough = sti_located_to(network, scratch, m);
    Bracket b = {0.0, 1.0, fmax(data->before[m].g, 0.0), data->after[m].g, data->after[m].g < 0.0,
                 0};
    double last = fmax(fabs(data->before[m].g), fabs(data->after[m].g)), g = last;
    for (int i = 0; i < REDOS; ++i) {
        *status = redo(network, inputs, scratch, *x * h);
        if (*status != STI_OK) return false;
        g = data->there[m].g;
        const double newton = *x - g / (data->there[m].rate * h);
        double next = illinois(&b, *x, g);
        if (fabs(g) <= 0.25 * last && newton >= b.low && newton <= b.high) next = newton;
        last = fabs(g);
        if (fabs(next - *x) < close_enough || g == 0.0) return true;
        if (i + 1 < REDOS) *x = next;
    }
    return !(g > 1e-9 * data->there[m].scale);
}

// The end of the piece moves on by dh, at the accelerations there; it is evaluated when the modes are set.
static void shift_end(const StiNetwork *network, StiScratch *scratch, double dh)
{
    SubstepData *data = scratch->substep;
    StageData *close = &data->close;
    for (int i = 0; i < network->x_count; ++i) data->x_end[i] += dh * close->xdot[i];
    for (int i = 0; i < network->y_count; ++i) data->y_end[i] += dh * close->ydot[i];
    close->stage.t += dh;
}

static void refine_arrival(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                           double h, int m, double *x, StiStatus *status)
{
    const SubstepData *data = scratch->substep;
    *status = redo(network, inputs, scratch, *x * h);
    for (int i = 0; i < ARRIVALS && *status == STI_OK; ++i) {
        const double change = -data->there[m].g / (data->there[m].rate * h);
        if (!(fabs(change) > nothing) || !(fabs(change) < 0.5) || !(*x + change > 0.0)) return;
        *x += change;
        if (fabs(change) < a_moment) {
            shift_end(network, scratch, change * h);
            return;
        }
        *status = redo(network, inputs, scratch, *x * h);
    }
}

bool sti_refine(const StiNetwork *network, const double *inputs, StiScratch *scratch, double h,
                int m, double *x, StiStatus *status)
{
    const SubstepData *data = scratch->substep;
    if (!data->modes[m].reaction) return refine_elastic(network, inputs, scratch, h, m, x, status);
    if (is_stuck(data, m))
        *status = redo(network, inputs, scratch, *x * h);
    else
        refine_arrival(network, inputs, scratch, h, m, x, status);
    return *status == STI_OK;
}
