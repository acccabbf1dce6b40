// A network followed by an integrator with error control.
#include "stiction/adaptive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/ode.h"

struct StiAdaptive {
    const StiNetwork *network;
    Ode ode;
    OdeSolver *solver;
    bool *depends;
    double *values; // at the last time told: x, y and the works since the beginning
    double *works, *sums_before;
    double stop;
    double limit;  // of the present piece: where an input jumps, or the run ends
    int64_t k;     // of the state that was left, -1: none yet
    uint64_t left; // its hash
    long restarts;
    // for the evaluations of one call
    const double *inputs;
    const StiState *state;
    StiScratch *scratch;
};

bool sti_adaptive_method(int number, StiAdaptiveMethod *method)
{
    const OdeMethod *m = number >= 0 ? ode_method_at(number) : NULL;
    if (m != NULL) *method = (StiAdaptiveMethod){m->name, m->summary, m->order, m->implicit};
    return m != NULL;
}

static StiStatus rate(void *context, double t, const double *y, double *rates)
{
    const StiAdaptive *a = context;
    const StiStatus status =
        sti_continuous_rates(a->network, a->inputs, a->state, t, a->limit, y, a->scratch, rates);
    if (status == STI_OK) sti_continuous_powers(a->network, a->scratch, rates + a->ode.controlled);
    return status;
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

static bool take_memory(StiAdaptive *a, const OdeMethod *method, const OdeOptions *options)
{
    const size_t controlled = (size_t)sti_continuous_count(a->network);
    const size_t n = controlled + (size_t)sti_continuous_power_count(a->network);
    a->values = calloc(n + 1, sizeof *a->values);
    a->depends = calloc(n * n + 1, sizeof *a->depends);
    a->works = calloc(n + 1, sizeof *a->works);
    a->sums_before = calloc(n + 1, sizeof *a->sums_before);
    if (a->values == NULL || a->depends == NULL || a->works == NULL || a->sums_before == NULL)
        return false;
    sti_continuous_pattern(a->network, a->depends);
    for (size_t i = controlled; i-- > 0;) // rows of the pattern become rows of all numbers
        memmove(a->depends + i * n, a->depends + i * controlled, controlled * sizeof *a->depends);
    for (size_t i = 0; i < n; ++i) // and nothing depends on sums, whose own rows stay empty
        memset(a->depends + i * n + (i < controlled ? controlled : 0), 0,
               (i < controlled ? n - controlled : n) * sizeof *a->depends);
    a->ode = (Ode){.count = (int)n,
                   .controlled = (int)controlled,
                   .context = a,
                   .rate = rate,
                   .depends = a->depends};
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
    if (!good) return NULL;
    StiAdaptive *a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    a->network = network;
    a->k = -1;
    a->stop = options->stop > 0.0 ? options->stop : INFINITY;
    if (take_memory(a, method, &chosen)) return a;
    sti_adaptive_destroy(a);
    return NULL;
}

void sti_adaptive_destroy(StiAdaptive *adaptive)
{
    if (adaptive == NULL) return;
    ode_destroy(adaptive->solver);
    free(adaptive->values);
    free(adaptive->depends);
    free(adaptive->works);
    free(adaptive->sums_before);
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
    a->limit = sti_continuous_next_break(a->network, t);
    a->solver->method->begin(a->solver, t, a->values);
}

// A rate that failed has left its own fault; an integrator that failed has not.
static StiStatus give_up(StiAdaptive *a, double t)
{
    const StiStatus status = a->solver->status;
    if (sti_scratch_fault(a->scratch)->status == status) return status;
    return sti_continuous_give_up(a->scratch, status, a->solver->method->name, t,
                                  sti_state_k(a->state));
}

// To the end of the step, piece by piece.
static StiStatus integrate(StiAdaptive *a, double t, double end)
{
    while (t < end) {
        const double wanted = fmin(end, a->limit);
        const OdeOutcome outcome =
            a->solver->method->advance(a->solver, wanted, fmin(fmax(a->stop, end), a->limit), &t,
                                       a->values);
        if (outcome == ODE_FAILED) return give_up(a, t);
        if (t < a->limit) continue;
        ++a->restarts;
        begin(a, t);
    }
    return STI_OK;
}

StiStatus sti_adaptive_step(StiAdaptive *adaptive, const double *inputs, StiState *state,
                            StiScratch *scratch)
{
    StiAdaptive *a = adaptive;
    const int64_t k = sti_state_k(state);
    const double t = sti_network_time(a->network, k), end = sti_network_time(a->network, k + 1);
    a->inputs = inputs;
    a->state = state;
    a->scratch = scratch;
    if (a->k != k || a->left != sti_state_hash(state)) {
        sti_continuous_values(state, a->values);
        if (a->k >= 0) ++a->restarts;
        begin(a, t);
    }
    a->k = -1;
    StiStatus status = a->solver->status;
    if (status == STI_OK) status = integrate(a, t, end);
    bool sampled = false;
    if (status == STI_OK)
        status = sti_continuous_accept(a->network, inputs, a->values, works_of(a), state, scratch,
                                       &sampled);
    if (status != STI_OK) return status;
    const OdeCounts *counts = &a->solver->counts;
    sti_continuous_tell(scratch,
                        (StiIntegratorFigures){.steps = (double)counts->steps,
                                               .failures = (double)counts->failures,
                                               .evaluations = (double)counts->evaluations});
    a->k = k + 1;
    a->left = sti_state_hash(state);
    if (sampled) {
        ++a->restarts;
        begin(a, end);
    }
    return STI_OK;
}

StiAdaptiveFigures sti_adaptive_figures(const StiAdaptive *adaptive)
{
    const OdeCounts *counts = &adaptive->solver->counts;
    return (StiAdaptiveFigures){.steps = counts->steps,
                                .failures = counts->failures,
                                .evaluations = counts->evaluations,
                                .jacobians = counts->jacobians,
                                .restarts = adaptive->restarts};
}
