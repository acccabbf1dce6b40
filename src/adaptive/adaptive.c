// A network followed by an integrator with error control.
#include "stiction/adaptive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/follow.h"

static const double drift_allowed = 10.0; // of the tolerances

bool sti_adaptive_method(int number, StiAdaptiveMethod *method)
{
    const OdeMethod *m = number >= 0 ? ode_method_at(number) : NULL;
    if (m != NULL) *method = (StiAdaptiveMethod){m->name, m->summary, m->order, m->implicit, m->explanation};
    return m != NULL;
}

static StiStatus rate(void *context, double t, const double *y, double *rates)
{
    const StiAdaptive *a = context;
    const StiStatus status =
        sti_continuous_rates(a->network, a->inputs, a->now, t, a->piece, y, a->scratch, rates);
    if (status != STI_OK) return status;
    sti_continuous_resistances(a->network, a->scratch, rates + sti_continuous_count(a->network));
    sti_continuous_powers(a->network, a->scratch, rates + a->ode.controlled);
    return STI_OK;
}

static StiStatus project(void *context, double t, double *y)
{
    const StiAdaptive *a = context;
    return sti_continuous_constrain(a->network, a->inputs, a->now, t, a->piece, y, a->scratch);
}

static const OdeMethod *method_of(const StiAdaptiveOptions *options, StiReport *report)
{
    const char *name = options->method != NULL ? options->method : "dormand-prince";
    const OdeMethod *method = ode_method_find(name);
    if (method == NULL)
        sti_report_add(report, STI_ERROR, "", "method", NAN,
                       "there is no adaptive method '%s'; sti_adaptive_method lists them", name);
    return method;
}

static bool tolerance(double *value, double usual, const char *name, StiReport *report)
{
    if (*value == 0.0) *value = usual;
    if (*value > 0.0 && *value < 1.0) return true;
    sti_report_add(report, STI_ERROR, "", name, *value, "a tolerance is above 0 and below 1");
    return false;
}

// Rows of the network's pattern become rows of all numbers. Nothing depends on sums and works, and they
// depend on what is known before them: no iteration needs their rows, through which elimination would
// add rounding to what rests exactly.
static void spread_pattern(const StiAdaptive *a, size_t count, size_t n)
{
    bool *depends = a->depends;
    sti_continuous_pattern(a->network, depends);
    for (size_t i = count; i-- > 0;) {
        memmove(depends + i * n, depends + i * count, count * sizeof *depends);
        memset(depends + i * n + count, 0, (n - count) * sizeof *depends);
    }
    memset(depends + count * n, 0, (n - count) * n * sizeof *depends);
}

static bool take_memory(StiAdaptive *a, const OdeMethod *method, const OdeOptions *options)
{
    const size_t count = (size_t)sti_continuous_count(a->network);
    const size_t controlled = count + (size_t)sti_continuous_row_count(a->network);
    const size_t n = controlled + (size_t)sti_continuous_power_count(a->network);
    a->values = calloc(n + 1, sizeof *a->values);
    a->depends = calloc(n * n + 1, sizeof *a->depends);
    a->works = calloc(n + 1, sizeof *a->works);
    a->sums_before = calloc(n + 1, sizeof *a->sums_before);
    a->before = calloc(n + 1, sizeof *a->before);
    a->now = sti_state_create(a->network);
    if (a->values == NULL || a->depends == NULL || a->works == NULL || a->sums_before == NULL ||
        a->before == NULL || a->now == NULL)
        return false;
    spread_pattern(a, count, n);
    a->ode = (Ode){.count = (int)n,
                   .controlled = (int)controlled,
                   .context = a,
                   .rate = rate,
                   .root_count = 2 * a->modes,
                   .roots = follow_roots,
                   .project = sti_continuous_constrained(a->network) ? project : NULL,
                   .depends = a->depends};
    if (!follow_events_take(a)) return false;
    a->ode.root_directions = a->watched;
    a->solver = ode_create(method, &a->ode, options);
    return a->solver != NULL;
}

StiAdaptive *sti_adaptive_create(const StiNetwork *network, const StiAdaptiveOptions *options,
                                 StiReport *report)
{
    const OdeMethod *method = method_of(options, report);
    OdeOptions chosen = {.relative = options->rtol,
                         .absolute = options->atol,
                         .longest_step = options->longest_step,
                         .span = options->stop > 0.0 ? options->stop - sti_network_time(network, 0)
                                                     : 1000.0 * sti_network_step(network)};
    bool good = method != NULL && sti_continuous_check(network, report) == STI_OK;
    good = tolerance(&chosen.relative, 1e-8, "rtol", report) && good;
    good = tolerance(&chosen.absolute, 1e-10, "atol", report) && good;
    if (good && chosen.longest_step > 0.0 &&
        chosen.span > STI_MOST_ADAPTIVE_STEPS * chosen.longest_step) {
        sti_report_add(report, STI_ERROR, "", "longest_step", chosen.longest_step,
                       "would need %.0e steps and more", chosen.span / chosen.longest_step);
        good = false;
    }
    if (!good) return NULL;
    StiAdaptive *a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    a->network = network;
    a->k = -1;
    a->modes = sti_continuous_mode_count(network);
    a->stop = options->stop > 0.0 ? options->stop : INFINITY;
    a->span = chosen.span;
    a->rtol = chosen.relative;
    a->atol = chosen.absolute;
    a->at_event = options->at_event;
    a->context = options->context;
    if (take_memory(a, method, &chosen)) return a;
    sti_adaptive_destroy(a);
    return NULL;
}

void sti_adaptive_destroy(StiAdaptive *adaptive)
{
    if (adaptive == NULL) return;
    ode_destroy(adaptive->solver);
    follow_events_release(adaptive);
    sti_state_destroy(adaptive->now);
    free(adaptive->values);
    free(adaptive->depends);
    free(adaptive->works);
    free(adaptive->sums_before);
    free(adaptive->before);
    free(adaptive);
}

// Sums begin anew with each row; to the integrator that is a jump only where it begins anew, too.
static const double *works_of(StiAdaptive *a)
{
    const int n = a->ode.count - a->ode.controlled;
    const double *sums = a->values + a->ode.controlled;
    for (int i = 0; i < n; ++i) {
        a->works[i] = sums[i] - a->sums_before[i];
        a->sums_before[i] = sums[i];
    }
    return a->works;
}

static void begin(StiAdaptive *a, double t)
{
    a->piece = sti_continuous_smooth_interval(a->network, t);
    a->went_back = t;
    for (int i = sti_continuous_count(a->network); i < a->ode.controlled; ++i) a->values[i] = 0.0;
    follow_mark(a, t);
    follow_lift(a, t);
    a->solver->method->begin(a->solver, t, a->values);
}

// A start, or a jump: what was stuck until now stands still, and modes are looked at anew.
static StiStatus begin_anew(StiAdaptive *a, double t, bool jump)
{
    StiStatus status = STI_OK;
    if (a->modes > 0 && jump) {
        memset(a->ended, 0, (size_t)a->modes * sizeof *a->ended);
        bool changed;
        status = sti_continuous_turn(a->network, a->inputs, t, a->piece, a->ended, a->values,
                                     a->now, a->scratch, &changed);
    }
    if (a->modes > 0 && status == STI_OK)
        status = sti_continuous_start(a->network, a->inputs, t,
                                      sti_continuous_smooth_interval(a->network, t), a->values,
                                      a->now, a->scratch);
    if (status == STI_OK) begin(a, t);
    return status;
}

// A rate that failed has left its own fault; an integrator that failed has not.
static StiStatus fail(StiAdaptive *a, StiStatus status, double t)
{
    if (sti_scratch_fault(a->scratch)->status == status) return status;
    return sti_continuous_fail(a->scratch, status, "", a->solver->method->name, t,
                               sti_state_k(a->now));
}

// Part of the time to a stop in a plane that is gone at once.
static const double stop_share = 0.5;

// To the next zero of a margin, jump of inputs, or end.
static StiStatus advance(StiAdaptive *a, double *t, double end)
{
    double wanted = fmin(end, a->piece.to), limit = fmin(fmax(a->stop, end), a->piece.to);
    StiStatus status = STI_OK;
    if (*t < a->went_back) wanted = limit = fmin(wanted, a->went_back);
    if (sti_continuous_has_planar_slip(a->network, a->now)) {
        int mode = 0;
        const double stop = *t + stop_share * follow_time_to_stop(a, *t, &mode);
        if (follow_is_close(*t, stop) && !follow_is_close(*t, wanted)) {
            status = follow_stop(a, mode, t, end);
            if (status == STI_OK) begin(a, *t);
            return status == STI_OK ? status : fail(a, status, *t);
        }
        wanted = limit = fmin(wanted, stop);
    }
    if (follow_is_close(*t, wanted)) {
        *t = wanted;
        return STI_OK;
    }
    const OdeOutcome outcome = a->solver->method->advance(a->solver, wanted, limit, t, a->values);
    if (outcome == ODE_FAILED) return fail(a, a->solver->status, *t);
    if (outcome == ODE_REACHED && limit < end) follow_mark(a, *t); // a step ended here
    if (outcome == ODE_REACHED) return STI_OK;
    bool handled = false;
    status = follow_zero(a, t, end, &handled);
    if (status != STI_OK) return fail(a, status, *t);
    if (handled) begin(a, *t);
    return STI_OK;
}

// What dense output gives at the end of a row is put on the constraints. That moves nothing beyond the
// tolerances where the integrator projects its own steps; where it cannot (Adams), it begins anew there.
static StiStatus put_on_constraints(StiAdaptive *a, double t)
{
    if (a->ode.project == NULL) return STI_OK;
    double worst = 0.0;
    memcpy(a->before, a->values, (size_t)a->ode.count * sizeof *a->before);
    StiStatus status = project(a, t, a->values);
    for (int i = 0; i < a->ode.controlled; ++i)
        worst = fmax(worst,
                     fabs(a->values[i] - a->before[i]) / (a->rtol * fabs(a->values[i]) + a->atol));
    if (status != STI_OK || worst <= drift_allowed) return status;
    ++a->restarts;
    if (a->modes > 0) status = follow_overdue(a, t);
    if (status != STI_OK) return fail(a, status, t);
    begin(a, t);
    return STI_OK;
}

// To the end of the row, piece by piece.
static StiStatus integrate(StiAdaptive *a, double t, double end)
{
    StiStatus status = STI_OK;
    while (status == STI_OK && t < end) {
        status = advance(a, &t, end);
        if (status == STI_OK && follow_stands_still(a, t, 1))
            status = fail(a, STI_EVENTS_ACCUMULATE, t);
        if (status != STI_OK || t < a->piece.to) continue;
        ++a->restarts;
        status = begin_anew(a, t, true);
    }
    return status;
}

static StiStatus take_state(StiAdaptive *a, const StiState *state, double t)
{
    const StiStatus status = sti_state_copy(a->now, state);
    if (status != STI_OK) return status;
    memset(a->values, 0, (size_t)a->ode.count * sizeof *a->values);
    memset(a->sums_before, 0, (size_t)a->ode.count * sizeof *a->sums_before);
    sti_continuous_values(state, a->values);
    if (a->k >= 0) ++a->restarts;
    return begin_anew(a, t, false);
}

// What a sampler gave at the end of the last row acts from here on. Not before: until now the scratch
// kept the forces and works of that row for recorders.
static StiStatus take_samples(StiAdaptive *a, double t)
{
    ++a->restarts;
    return begin_anew(a, t, true);
}

static void set_figures(const StiAdaptive *a)
{
    const OdeCounts *counts = &a->solver->counts;
    sti_continuous_set_figures(a->scratch,
                               (StiIntegratorFigures){.steps = (double)counts->steps,
                                                      .failures = (double)counts->failures,
                                                      .evaluations = (double)counts->evaluations,
                                                      .events = (double)a->events});
}

static const double shortest_bounce = 1e-7; // of the run

StiStatus sti_adaptive_step(StiAdaptive *adaptive, const double *inputs, StiState *state,
                            StiScratch *scratch)
{
    StiAdaptive *a = adaptive;
    const int64_t k = sti_state_k(state);
    const double t = sti_network_time(a->network, k), end = sti_network_time(a->network, k + 1);
    a->inputs = inputs;
    a->scratch = scratch;
    a->row_end = end;
    a->events_of_row = 0;
    a->still_from = -INFINITY;
    sti_continuous_resolve(scratch, a->rtol, a->atol, shortest_bounce * a->span);
    StiStatus status = STI_OK;
    if (a->k != k || a->left != sti_state_hash(state))
        status = take_state(a, state, t);
    else if (a->sampled)
        status = take_samples(a, t);
    a->k = -1;
    if (status == STI_OK) status = a->solver->status;
    if (status == STI_OK) status = integrate(a, t, end);
    if (status == STI_OK) status = put_on_constraints(a, end);
    if (status == STI_OK)
        status = sti_continuous_accept(a->network, inputs, a->values, works_of(a), a->now, scratch,
                                       &a->sampled);
    if (status != STI_OK) return status;
    set_figures(a);
    sti_state_copy(state, a->now);
    a->k = k + 1;
    a->left = sti_state_hash(state);
    if (!a->sampled && end > a->marked) follow_mark(a, end);
    return STI_OK;
}

StiAdaptiveFigures sti_adaptive_figures(const StiAdaptive *adaptive)
{
    const OdeCounts *counts = &adaptive->solver->counts;
    return (StiAdaptiveFigures){.steps = counts->steps,
                                .failures = counts->failures,
                                .evaluations = counts->evaluations,
                                .jacobians = counts->jacobians,
                                .restarts = adaptive->restarts,
                                .events = adaptive->events};
}
