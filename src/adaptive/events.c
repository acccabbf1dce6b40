// Stick and slip as events: where a margin runs out the integrator is brought to that moment, the
// modes are decided anew, and it begins again.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/follow.h"

enum { REFINEMENTS = 5, EVENT_COST = 10, EVENTS_OF_ROW = 10000 };
static const double accumulation = 1e-7; // of the run: time that hardly moves on
static const double look_ahead = 1e-7;   // of the run, for rates that only differences give
static const double together = 1e-9;     // of a limit: loads so close to it reach it together
static const double still = 1e-4;        // change of a margin per run: less is noise
static const double noise = 1e-15;       // of the scale of a margin; what is moved by a function of
static const double most_noise = 1e-9;   // time whose rate is known by differences has more of it

bool follow_events_take(StiAdaptive *a)
{
    const size_t modes = (size_t)a->modes + 1, n = (size_t)a->ode.count + 1;
    a->margins = calloc(modes, sizeof *a->margins);
    a->later = calloc(modes, sizeof *a->later);
    a->rates = calloc(n, sizeof *a->rates);
    a->ahead = calloc(n, sizeof *a->ahead);
    a->mark = calloc(n, sizeof *a->mark);
    a->lifts = calloc(modes, sizeof *a->lifts);
    a->doubts = calloc(modes, sizeof *a->doubts);
    a->directions = calloc(2 * modes, sizeof *a->directions);
    a->watched = calloc(2 * modes, sizeof *a->watched);
    a->ended = calloc(modes, sizeof *a->ended);
    a->wrong = calloc(modes, sizeof *a->wrong);
    a->modes_before = sti_state_create(a->network);
    for (int i = 0; a->watched != NULL && i < 2 * a->modes; ++i)
        a->watched[i] = i < a->modes ? -1 : 1;
    return a->margins != NULL && a->later != NULL && a->rates != NULL && a->ahead != NULL &&
           a->mark != NULL && a->directions != NULL && a->ended != NULL && a->lifts != NULL &&
           a->doubts != NULL && a->watched != NULL && a->wrong != NULL && a->modes_before != NULL;
}

void follow_events_release(StiAdaptive *a)
{
    free(a->margins), free(a->later), free(a->rates), free(a->ahead);
    free(a->mark), free(a->directions), free(a->ended), free(a->wrong);
    free(a->lifts), free(a->doubts), free(a->watched);
    sti_state_destroy(a->modes_before);
}

static StiStatus margins_at(StiAdaptive *a, double t, const double *y, double *rates,
                            StiMargin *margins)
{
    ++a->solver->counts.evaluations;
    return sti_continuous_margins(a->network, a->inputs, a->now, t, a->piece, y, a->scratch, rates,
                                  margins);
}

// Of what sticks, rates are known only from a moment later (or earlier, at the end of a piece).
static StiStatus look_at_margins(StiAdaptive *a, double t, const double *y)
{
    StiStatus status = margins_at(a, t, y, a->rates, a->margins);
    bool missing = false;
    for (int i = 0; i < a->modes; ++i) missing = missing || isnan(a->margins[i].rate);
    if (status != STI_OK || !missing) return status;
    const double length = look_ahead * a->span, dt = t + length < a->piece.to ? length : -length;
    const int count = sti_continuous_count(a->network);
    for (int i = 0; i < count; ++i) a->ahead[i] = y[i] + dt * a->rates[i];
    status = margins_at(a, t + dt, a->ahead, NULL, a->later);
    for (int i = 0; i < a->modes; ++i)
        if (isnan(a->margins[i].rate)) a->margins[i].rate = (a->later[i].g - a->margins[i].g) / dt;
    return status;
}

// Where a margin is least its rate passes zero upwards: that shows a margin that ran out and came
// back within one step of the integrator.
void follow_roots(void *context, double t, const double *y, double *g)
{
    StiAdaptive *a = context;
    const bool good = !a->blind && look_at_margins(a, t, y) == STI_OK; // if not, rates fail as well
    for (int i = 0; i < a->modes; ++i) {
        const StiMargin *margin = &a->margins[i];
        g[i] = good ? margin->g + a->lifts[i] : 1.0;
        g[a->modes + i] = good ? margin->rate - still * margin->scale / a->span : 1.0;
    }
}

bool follow_is_close(double from, double to)
{
    return isfinite(to) && to - from <= 16.0 * DBL_EPSILON * fmax(fabs(from), fabs(to));
}

void follow_lift(StiAdaptive *a, double t)
{
    const bool good = a->modes > 0 && margins_at(a, t, a->values, NULL, a->margins) == STI_OK;
    for (int i = 0; i < a->modes; ++i)
        a->lifts[i] = good ? fmax(0.0, a->doubts[i] * a->margins[i].scale - a->margins[i].g) : 0.0;
}

// Events cost most; what more elements do at the same time is no accumulation.
bool follow_stands_still(StiAdaptive *a, double t, int cost)
{
    if (t > a->still_from + accumulation * a->span) {
        a->still_from = t;
        a->turns = 0;
        for (int i = 0; i < a->modes; ++i) a->doubts[i] = noise;
    }
    a->turns += cost;
    return a->turns > EVENT_COST * (32L + 4L * a->modes);
}

void follow_mark(StiAdaptive *a, double t)
{
    memcpy(a->mark, a->values, (size_t)a->ode.count * sizeof *a->mark);
    a->marked = t;
}

// From the mark to t by steps of its own: what dense output said was less exact.
static StiStatus repeat(StiAdaptive *a, double t)
{
    double reached = t;
    a->solver->method->begin(a->solver, a->marked, a->mark);
    memcpy(a->values, a->mark, (size_t)a->ode.count * sizeof *a->values);
    if (follow_is_close(a->marked, t)) return a->solver->status;
    const OdeOutcome outcome = a->solver->method->advance(a->solver, t, t, &reached, a->values);
    return outcome == ODE_FAILED ? a->solver->status : STI_OK;
}

// Newton's method for the moment at which the margin of this mode is zero. Not beside a stop in a
// plane, where directions turn at once: steps lead up to it by halves, and the rest is taken as one.
static StiStatus refine(StiAdaptive *a, int mode, double *t)
{
    StiStatus status = STI_OK;
    a->blind = true;
    for (int i = 0; i < REFINEMENTS && status == STI_OK; ++i) {
        status = repeat(a, *t);
        if (status == STI_OK) status = look_at_margins(a, *t, a->values);
        const StiMargin *margin = &a->margins[mode];
        const double dt = -margin->g / margin->rate, there = *t + dt;
        if (status != STI_OK || !(margin->rate < 0.0) || margin->left > 0.0) break;
        if (i + 1 == REFINEMENTS) break;
        if (fabs(dt) <= DBL_EPSILON * fmax(fabs(*t), a->span) ||
            there > fmin(a->piece.to, a->row_end) || there < a->marked ||
            fabs(dt) > 0.5 * fmax(*t - a->marked, look_ahead * a->span))
            break;
        *t = there;
    }
    a->blind = false;
    return status;
}

static double negligible(const StiAdaptive *a, int mode)
{
    return fmax(a->rtol * a->margins[mode].scale, a->atol);
}

// Dense output may have zeros that the solution has not, or not yet: after steps of its own the margin
// is there and lasts for a while, or is hardly below zero and grows. The integrator goes on from here.
static bool did_not_end(const StiAdaptive *a)
{
    for (int i = 0; i < a->modes; ++i) {
        const StiMargin *margin = &a->margins[i];
        const bool is_there = margin->g > 0.0 && margin->g > -margin->rate * look_ahead * a->span;
        const bool comes = margin->rate > 0.0 && margin->g > -negligible(a, i);
        if (a->ended[i] && !is_there && !comes) return false;
    }
    return true;
}

// Events end modes; the first of them is returned, -1 if there is none. A margin that is below zero
// where it is least: *missed.
static int find_ended(StiAdaptive *a, double t, int *missed)
{
    int first = -1;
    *missed = -1;
    a->solver->method->found(a->solver, a->directions);
    memset(a->ended, 0, (size_t)a->modes * sizeof *a->ended);
    for (int i = 0; i < a->modes; ++i) {
        a->ended[i] = a->directions[i] < 0;
        if (a->ended[i] && first < 0) first = i;
    }
    bool least = false;
    for (int i = 0; i < a->modes; ++i) least = least || a->directions[a->modes + i] > 0;
    if (first >= 0 || !least || look_at_margins(a, t, a->values) != STI_OK) return first;
    for (int i = 0; i < a->modes && *missed < 0; ++i)
        if (a->directions[a->modes + i] > 0 && a->margins[i].g < -negligible(a, i)) *missed = i;
    return -1;
}

static StiStatus fail(StiAdaptive *a, int mode, double t)
{
    return sti_continuous_fail(a->scratch, STI_EVENTS_ACCUMULATE,
                               sti_continuous_mode_element(a->network, mode), "", t,
                               sti_state_k(a->now));
}

static bool accumulate(StiAdaptive *a, double t)
{
    for (int i = 0; i < a->modes; ++i)
        if (a->ended[i]) a->doubts[i] = fmin(10.0 * a->doubts[i], most_noise);
    return follow_stands_still(a, t, EVENT_COST) || ++a->events_of_row > EVENTS_OF_ROW;
}

// What sticks and reaches its limit at the same moment ends with the others: an integrator that
// begins with a margin of zero does not see it pass zero.
static StiStatus join_ended(StiAdaptive *a, double t)
{
    const StiStatus status = look_at_margins(a, t, a->values);
    for (int i = 0; i < a->modes && status == STI_OK; ++i) {
        const StiMargin *margin = &a->margins[i];
        if (sti_continuous_mode(a->network, a->now, i) == STI_STICK && margin->rate < 0.0 &&
            margin->g < together * margin->scale)
            a->ended[i] = true;
    }
    return status;
}

// Where several reach their limits together nothing is accelerated yet, and only a moment later
// shows which was let go the wrong way: it would slip against its own direction. wrong: those of the
// ones that ended. False if there are none.
static bool find_wrong_ways(StiAdaptive *a, double t, bool *wrong)
{
    const double dt = look_ahead * a->span;
    bool any = false;
    if (!(t + dt < a->piece.to) || margins_at(a, t, a->values, a->rates, a->margins) != STI_OK)
        return false;
    for (int i = 0; i < a->ode.count; ++i) a->ahead[i] = a->values[i] + dt * a->rates[i];
    if (margins_at(a, t + dt, a->ahead, NULL, a->later) != STI_OK) return false;
    for (int i = 0; i < a->modes; ++i) {
        const double against = -a->later[i].rate;
        wrong[i] = a->ended[i] && sti_continuous_mode(a->network, a->now, i) == STI_SLIP &&
                   against > 0.0 && fabs(a->margins[i].g) <= against * dt &&
                   a->margins[i].rate < against;
        any = any || wrong[i];
    }
    return any;
}

static StiStatus turn_ended(StiAdaptive *a, double t, bool *changed)
{
    return sti_continuous_turn(a->network, a->inputs, t, a->piece, a->ended, a->values, a->now,
                               a->scratch, changed);
}

// Again from where it was, without those; what goes the wrong way even then is held. Where that does
// not fit either, it was right at first.
static StiStatus turn_without_wrong(StiAdaptive *a, double t)
{
    bool changed;
    sti_state_copy(a->now, a->modes_before);
    for (int i = 0; i < a->modes; ++i) a->ended[i] = a->ended[i] && !a->wrong[i];
    StiStatus status = turn_ended(a, t, &changed);
    for (int i = 0; i < a->modes; ++i) a->ended[i] = a->ended[i] || a->wrong[i];
    if (status != STI_OK) {
        sti_state_copy(a->now, a->modes_before);
        return turn_ended(a, t, &changed);
    }
    if (find_wrong_ways(a, t, a->wrong))
        for (int i = 0; i < a->modes; ++i)
            if (a->wrong[i]) sti_continuous_hold(a->network, a->now, i);
    return status;
}

static bool several_ended(const StiAdaptive *a)
{
    int count = 0;
    for (int i = 0; i < a->modes; ++i) count += a->ended[i];
    return count > 1;
}

static StiStatus turn(StiAdaptive *a, double t, double told)
{
    bool changed = false;
    StiStatus status = join_ended(a, t);
    const bool several = several_ended(a);
    sti_state_copy(a->modes_before, a->now);
    if (status == STI_OK) status = turn_ended(a, t, &changed);
    if (status == STI_OK && changed && several && find_wrong_ways(a, t, a->wrong))
        status = turn_without_wrong(a, t);
    if (status != STI_OK || !changed) return status;
    ++a->events;
    if (a->at_event != NULL) a->at_event(a->context, told, a->now, a->scratch);
    return STI_OK;
}

// Where values are moved to the end of a mode or over it, nothing is seen to pass zero any more.
StiStatus follow_overdue(StiAdaptive *a, double t)
{
    StiStatus status = look_at_margins(a, t, a->values);
    bool any = false;
    for (int i = 0; i < a->modes && status == STI_OK; ++i) {
        a->ended[i] = !(a->margins[i].g > 0.0) && a->margins[i].rate < 0.0;
        any = any || a->ended[i];
    }
    return status == STI_OK && any ? turn(a, t, t) : status;
}

double follow_time_to_stop(StiAdaptive *a, double t, int *mode)
{
    double least = INFINITY;
    if (margins_at(a, t, a->values, NULL, a->margins) != STI_OK) return least; // rates fail as well
    for (int i = 0; i < a->modes; ++i) {
        if (!(a->margins[i].left > 0.0 && a->margins[i].left < least)) continue;
        least = a->margins[i].left;
        *mode = i;
    }
    return least;
}

// The last moment of slip in a plane: constant accelerations, to the stop itself (*stop). Not over
// the end of the row or a jump of inputs.
static StiStatus go_to_stop(StiAdaptive *a, int mode, double *t, double end, double *stop)
{
    StiStatus status = look_at_margins(a, *t, a->values);
    *stop = *t;
    if (status != STI_OK || !(a->margins[mode].left > 0.0)) return status;
    *stop = *t + a->margins[mode].left;
    const double there = fmin(*stop, fmin(end, a->piece.to));
    status = a->ode.rate(a, *t, a->values, a->rates);
    for (int i = 0; status == STI_OK && i < a->ode.count; ++i)
        a->values[i] += (there - *t) * a->rates[i];
    *t = there;
    return status;
}

StiStatus follow_stop(StiAdaptive *a, int mode, double *t, double end)
{
    double told;
    memset(a->ended, 0, (size_t)a->modes * sizeof *a->ended);
    a->ended[mode] = true;
    const StiStatus status = go_to_stop(a, mode, t, end, &told);
    if (status != STI_OK) return status;
    return accumulate(a, *t) ? fail(a, mode, *t) : turn(a, *t, told);
}

StiStatus follow_zero(StiAdaptive *a, double *t, double end, bool *handled)
{
    int missed;
    int mode = find_ended(a, *t, &missed);
    *handled = false;
    if (mode < 0 && missed < 0) return STI_OK;
    if (mode < 0 &&
        *t > a->went_back + accumulation * a->span) { // again, to end a step here and see it
        a->went_back = *t;
        memcpy(a->values, a->mark, (size_t)a->ode.count * sizeof *a->values);
        a->solver->method->begin(a->solver, a->marked, a->mark);
        *t = a->marked;
        return STI_OK;
    }
    StiStatus status = STI_OK;
    double told = *t;
    if (mode >= 0) {
        status = refine(a, mode, t);
        if (status == STI_OK) status = go_to_stop(a, mode, t, end, &told);
    } else {
        mode = missed;
        a->ended[mode] = true;
    }
    *handled = true;
    if (status != STI_OK) return status;
    if (accumulate(a, *t)) return fail(a, mode, *t);
    if (missed < 0 && did_not_end(a)) return STI_OK;
    return turn(a, *t, told);
}
