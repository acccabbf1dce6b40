// Is the step of the whole network stable? The largest factor by which small motions grow in one step: power
// iterations on differences of the step itself, with modes and samples as they are. Motions that grow by nature
// (a pole that falls) do so at a finer step, too, and are left out.
#include <math.h>
#include <string.h>

#include "network/network.h"
#include "network/plan.h"
#include "stiction/elementary.h"
#include "stiction/step.h"

enum { ITERATIONS = 48, SETTLING = 24, MOST_NUMBERS = 130, MOST_PLACES = 64, FINER = 16, REHEARSED = 200 };
enum { MOST_EFFORT = 4000, EFFORT_OF_EVENT = 20 }; // in evaluations; a start at rest needs 700 under `cut`
static const double small = 1e-6;   // m/s or rad/s; of positions and memory, per step
static const double brisk = 0.1;    // the same, of a start at which everything slides
static const double growing = 1.05; // per step
static const double differing =
    0.1; // answers to motions ten times smaller, where the step has kinks
static const double negligible = 1e-3; // of a motion: what is left of it does not grow
static const double abrupt = 100.0;    // of a motion in one step: perhaps a jump, not a growth
static const double explosive = 1e12;  // in a few steps, whatever kinks there are
static const double fast = 2.0;        // per step, by nature: steps of this length cannot follow

typedef struct Probe {
    const StiNetwork *network;
    StiArena arena;
    StiState *base, *after, *moved;
    StiScratch *scratch;
    double *unit;            // of each number of x and y: velocities as they are, the rest per step
    double *motion, *answer; // in these units
    int count;
    long effort; // so far, within steps that are cut
} Probe;

static bool open_probe(const StiNetwork *network, Probe *probe)
{
    const int count = network->x_count + network->y_count;
    *probe = (Probe){.network = network,
                     .base = sti_state_create(network),
                     .after = sti_state_create(network),
                     .moved = sti_state_create(network),
                     .scratch = sti_scratch_create(network),
                     .count = count};
    probe->unit = sti_arena_numbers(&probe->arena, count);
    probe->motion = sti_arena_numbers(&probe->arena, count);
    probe->answer = sti_arena_numbers(&probe->arena, count);
    if (probe->base == NULL || probe->after == NULL || probe->moved == NULL ||
        probe->scratch == NULL || probe->arena.failed)
        return false;
    for (int i = 0; i < count; ++i) probe->unit[i] = network->step;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d) probe->unit[a->v + d] = 1.0;
    }
    return true;
}

static void close_probe(Probe *probe)
{
    sti_arena_release(&probe->arena);
    sti_scratch_destroy(probe->scratch);
    sti_state_destroy(probe->moved);
    sti_state_destroy(probe->after);
    sti_state_destroy(probe->base);
}

// Numbers without a pattern, the same in every run.
static double scattered(int i)
{
    return sti_sin(12.9898 * (i + 1)) + 0.3 * sti_cos(78.233 * (i + 1));
}

static double size_of(const double *motion, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += motion[i] * motion[i];
    return sqrt(sum);
}

// One step from the base with the motion added, times size; what comes of it, per size.
static StiStatus respond(Probe *probe, double size)
{
    StiStatus status = sti_state_copy(probe->moved, probe->base);
    if (status != STI_OK) return status;
    for (int i = 0; i < probe->count; ++i)
        probe->moved->values[i] += size * probe->unit[i] * probe->motion[i];
    status = sti_step(probe->network, NULL, probe->moved, probe->scratch);
    if (status != STI_OK) return status;
    const StiStepFigures figures = sti_scratch_figures(probe->scratch);
    probe->effort += figures.evaluations + EFFORT_OF_EVENT * (long)figures.events;
    for (int i = 0; i < probe->count; ++i)
        probe->answer[i] =
            (probe->moved->values[i] - probe->after->values[i]) / (size * probe->unit[i]);
    return isfinite(size_of(probe->answer, probe->count)) ? STI_OK : STI_NOT_FINITE;
}

static StiStatus begin(Probe *probe, const StiState *base)
{
    StiStatus status = sti_state_copy(probe->base, base);
    if (status == STI_OK) status = sti_state_copy(probe->after, base);
    if (status == STI_OK) status = sti_step(probe->network, NULL, probe->after, probe->scratch);
    for (int i = 0; i < probe->count; ++i) probe->motion[i] = scattered(i);
    const double size = size_of(probe->motion, probe->count);
    for (int i = 0; i < probe->count; ++i) probe->motion[i] /= size;
    return status;
}

// Contacts that open and close within nearly every step: kinks everywhere, and each step is expensive.
static bool takes_too_long(const Probe *probe)
{
    return probe->effort > MOST_EFFORT;
}

// A step that cannot be taken says nothing here, unless it leaves the numbers.
static double growth_of_failure(StiStatus status)
{
    return status == STI_NOT_FINITE ? INFINITY : NAN;
}

// Is the answer to a motion ten times smaller ten times smaller, too, up to a share of it? The motion's own
// answer is kept.
static bool is_linear(Probe *probe, double size, double share)
{
    double tenth = NAN;
    if (respond(probe, 0.1 * small) == STI_OK) tenth = size_of(probe->answer, probe->count);
    return respond(probe, small) == STI_OK && fabs(tenth - size) <= share * size;
}

// The factor of one step, as a mean of many; 0 where nothing grows, NAN where the difference stumbles over kinks of
// the step. The motion that grows is left in probe->motion.
static double growth(Probe *probe, const StiState *base)
{
    double logarithm = 0.0, since_start = 0.0, last = 0.0;
    StiStatus status = begin(probe, base);
    if (status != STI_OK) return growth_of_failure(status);
    for (int k = 0; k < ITERATIONS; ++k) {
        status = respond(probe, small);
        if (status != STI_OK) return growth_of_failure(status);
        last = size_of(probe->answer, probe->count);
        if (!(last > negligible)) return 0.0;
        if (takes_too_long(probe) || (last > abrupt && !is_linear(probe, last, 0.9))) return NAN;
        since_start += sti_log(last);
        if (since_start > sti_log(explosive) && k < SETTLING) return sti_exp(since_start / (k + 1));
        if (k >= SETTLING) logarithm += sti_log(last);
        for (int i = 0; i < probe->count; ++i) probe->motion[i] = probe->answer[i] / last;
    }
    if (respond(probe, small) != STI_OK) return NAN;
    if (!is_linear(probe, size_of(probe->answer, probe->count), differing)) return NAN;
    return sti_exp(logarithm / (ITERATIONS - SETTLING));
}

// The same at a finer step, as a factor of one step of the network.
static double growth_by_nature(const StiPlan *plan, const StiNetwork *network, const StiState *base)
{
    StiPlan finer = *plan;
    StiNetwork *fine = NULL;
    StiReport *report = sti_report_create();
    double factor = NAN;
    finer.step = network->step / FINER;
    finer.method = network->method;
    finer.method_named = false;
    if (report != NULL && sti_plan_compile_under(&finer, report, &fine) == STI_OK) {
        Probe probe;
        if (open_probe(fine, &probe)) factor = sti_pow(growth(&probe, base), FINER);
        close_probe(&probe);
    }
    sti_network_destroy(fine);
    sti_report_destroy(report);
    return factor;
}

static const char *body_that_moves_most(const Probe *probe)
{
    const StiNetwork *n = probe->network;
    const char *name = "";
    double most = 0.0;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const double size = size_of(probe->motion + a->v, a->size.velocities);
        if (!(size > most)) continue;
        most = size;
        name = a->name;
    }
    return name;
}

// At one base; true after a warning.
static bool warn(const StiPlan *plan, Probe *probe, const StiState *base, StiReport *report)
{
    const double factor = growth(probe, base);
    if (!(factor > growing)) return false;
    const char *body = body_that_moves_most(probe);
    const double T = probe->network->step,
                 nature = growth_by_nature(plan, probe->network, base);
    if (isnan(nature) && isfinite(factor)) return false; // kinks, perhaps of both
    const bool by_nature = sti_log(fmax(nature, 1.0)) > 0.5 * sti_log(factor);
    if (by_nature && !(nature > fast)) return false;
    if (by_nature)
        sti_report_add(report, STI_WARNING, body, "", NAN,
                       "moves faster than the steps can follow: small motions grow by the factor "
                       "%.3g or more in %g s, by nature or because steps of %.3g s are too long, too",
                       nature, T, T / FINER);
    else if (isfinite(factor))
        sti_report_add(
            report, STI_WARNING, body, "", NAN,
            "the step of the network as a whole is not stable: small motions grow by the factor "
            "%.3g in one step of %g s, and do not with steps of %.3g s",
            factor, T, T / FINER);
    else
        sti_report_add(report, STI_WARNING, body, "", NAN,
                       "the step of the network as a whole is not stable: after small motions one "
                       "step of %g s leaves the numbers, and steps of %.3g s do not",
                       T, T / FINER);
    return true;
}

static void set_in_motion(const Probe *probe, StiState *base)
{
    const StiNetwork *n = probe->network;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d)
            base->values[a->v + d] += brisk * scattered(a->v + d);
    }
}

// The first steps of the run itself: what no small motion shows, as it grows from one kink to the next.
static bool rehearse(Probe *probe, const StiState *start, StiReport *report)
{
    const StiNetwork *n = probe->network;
    StiStatus status = sti_state_copy(probe->moved, start);
    for (int k = 0; k < REHEARSED && status == STI_OK; ++k)
        status = sti_step(n, NULL, probe->moved, probe->scratch);
    if (status != STI_NOT_FINITE && status != STI_CONSTRAINTS_UNMET) return false;
    const StiFault *fault = sti_scratch_fault(probe->scratch);
    sti_report_add(report, STI_WARNING, fault->component, "", NAN,
                   "the step of the network as a whole is not stable: the run stops at t = %.3g s (%s); "
                   "steps shorter than %g s are needed",
                   fault->t, sti_status_text(status), n->step);
    return true;
}

// Something is too stiff on its own: that has been said.
static bool is_warned(const StiReport *report)
{
    for (int i = 0; i < sti_report_count(report); ++i)
        if (sti_report_finding(report, i)->severity == STI_WARNING) return true;
    return false;
}

StiStatus sti_network_check_stability(const StiPlan *plan, const StiNetwork *network,
                                      StiReport *report)
{
    Probe probe;
    if (network->method->continuous || is_warned(report)) return STI_OK;
    if (network->x_count + network->y_count > MOST_NUMBERS || network->place_count > MOST_PLACES ||
        network->point_count > MOST_PLACES) {
        sti_report_add(report, STI_NOTE, "", "step", NAN,
                       "a large network: whether its step is stable as a whole was not looked at");
        return STI_OK;
    }
    StiState *start = sti_state_create(network);
    const bool good = start != NULL && open_probe(network, &probe);
    if (good && !warn(plan, &probe, start, report) && !rehearse(&probe, start, report)) {
        set_in_motion(&probe, start);
        warn(plan, &probe, start, report);
    }
    if (start != NULL) close_probe(&probe);
    sti_state_destroy(start);
    return good ? STI_OK : STI_OUT_OF_MEMORY;
}
