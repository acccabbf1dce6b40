// Reactions together: sweeps of exact local solves, with the modes of static friction outside them.
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "solver/sweeps/box_friction.h"
#include "solver/sweeps/sweeps.h"

enum { SWEEPS = 1000, SWEEPS_BETWEEN_LEAPS = 4, NEWTON_STEPS = 6 };
static const double sweep_tolerance = 1e-13; // of the largest velocity in play
static const double last_tolerance = 1e-10;  // what is still accepted when the sweeps are used up

void sti_change_resistance(const StiNetwork *network, StiScratch *scratch, int reaction,
                           const double *change)
{
    const Reaction *from = &network->reactions[reaction];
    const ReactionData *data = scratch->reactions;
    for (int i = 0; i < from->neighbour_count; ++i) {
        const Reaction *to = &network->reactions[sti_neighbour(from, i)];
        const double *W = data->W + sti_neighbour_block(from, i);
        for (int d = 0; d < to->size.dim; ++d) {
            double rate = 0.0;
            for (int e = 0; e < from->size.dim; ++e) rate += W[e * to->size.dim + d] * change[e];
            data->rate[to->row + d] -= network->step * rate;
        }
    }
}

StiReactionProblem sti_local_problem(const StiNetwork *network, const StiScratch *scratch,
                                     int reaction, double *vbar)
{
    const Reaction *e = &network->reactions[reaction];
    const ReactionData *data = scratch->reactions;
    const double *W = data->W + sti_neighbour_block(e, 0);
    const int dim = e->size.dim;
    for (int i = 0; i < dim; ++i) {
        double own = 0.0;
        for (int j = 0; j < dim; ++j) own += W[i * dim + j] * data->answers[reaction].r[j];
        vbar[i] = data->rate[e->row + i] + network->step * own;
    }
    return (StiReactionProblem){.dim = dim,
                                .T = network->step,
                                .W = W,
                                .v = scratch->stages[0].velocity + e->wire.v,
                                .vbar = vbar,
                                .signals = scratch->stages[0].ports + e->port};
}

typedef struct Sweep {
    double change; // largest change of a row's velocity by its own resistance
    double scale;  // largest velocity in play
    StiStatus status;
    int culprit; // the reaction with the largest change, or with the status
} Sweep;

static void resolve_one(const StiNetwork *network, StiScratch *scratch, int i, Sweep *sweep)
{
    const Reaction *e = &network->reactions[i];
    ReactionData *data = scratch->reactions;
    double vbar[STI_REACTION_DIM_MAX], change[STI_REACTION_DIM_MAX];
    const StiReactionProblem problem = sti_local_problem(network, scratch, i, vbar);
    StiReactionAnswer answer = {.r = {0.0}};
    if (e->reads_load && scratch->loads_unknown) return;
    sweep->status = e->kind->resolve(e->parameters, &problem, data->s + e->s, &answer);
    if (sweep->status == STI_OK && !sti_all_finite(answer.r, e->size.dim))
        sweep->status = STI_NOT_FINITE;
    if (sweep->status != STI_OK) {
        sweep->culprit = i;
        return;
    }
    for (int d = 0; d < e->size.dim; ++d) {
        const double g = network->step * problem.W[d * e->size.dim + d];
        change[d] = answer.r[d] - data->answers[i].r[d];
        if (g * fabs(change[d]) > sweep->change) sweep->culprit = i;
        sweep->change = fmax(sweep->change, g * fabs(change[d]));
        sweep->scale = fmax(sweep->scale, fabs(vbar[d]) + g * fabs(answer.r[d]));
    }
    data->answers[i] = answer;
    sti_change_resistance(network, scratch, i, change);
}

static Sweep sweep_once(const StiNetwork *network, StiScratch *scratch)
{
    Sweep sweep = {.status = STI_OK};
    for (int i = 0; i < network->reaction_count && sweep.status == STI_OK; ++i)
        resolve_one(network, scratch, i, &sweep);
    ++scratch->figures.sweeps;
    scratch->figures.reaction_residual = sweep.change;
    return sweep;
}

static StiStatus fault_of(const StiNetwork *network, StiScratch *scratch, const Sweep *sweep)
{
    return sti_fault(scratch, sweep->status, network->reactions[sweep->culprit].name, "reaction",
                     &scratch->stages[0].stage);
}

// A few steps of Newton's method, each followed by a sweep. They are kept as soon as the change in
// that sweep is below half of the best so far: so they cannot go round in circles.
static bool leap(const StiNetwork *network, StiScratch *scratch, double *best, Sweep *sweep)
{
    ReactionData *data = scratch->reactions;
    const size_t answers = (size_t)network->reaction_count * sizeof *data->answers;
    const size_t rates = (size_t)network->row_count * sizeof *data->rate;
    memcpy(sti_sweeps(scratch)->saved_answers, data->answers, answers);
    memcpy(sti_sweeps(scratch)->saved_rate, data->rate, rates);
    for (int i = 0; i < NEWTON_STEPS && sti_solve_linearised(network, scratch); ++i) {
        *sweep = sweep_once(network, scratch);
        if (sweep->status != STI_OK) break;
        if (!(sweep->change < 0.5 * *best)) continue;
        *best = sweep->change;
        return true;
    }
    memcpy(data->answers, sti_sweeps(scratch)->saved_answers, answers);
    memcpy(data->rate, sti_sweeps(scratch)->saved_rate, rates);
    return false;
}

// Sweeps with fixed modes until nothing changes. Alone they would get there, but slowly: a pile
// that locks takes as many as it has members squared, and planar sliding that comes to rest takes
// more. So now and then there is a leap, or else a direct solve of the stuck set, which cannot lead
// astray.
static StiStatus sweep_until_settled(const StiNetwork *network, StiScratch *scratch)
{
    Sweep sweep = sweep_once(network, scratch);
    double best = 2.0 * sweep.change;
    for (int i = 2; sweep.status == STI_OK && i <= SWEEPS; ++i) {
        if (sweep.change <= sweep_tolerance * sweep.scale) return STI_OK;
        if (i % SWEEPS_BETWEEN_LEAPS == 0) {
            if (leap(network, scratch, &best, &sweep)) continue;
            sti_solve_stuck(network, scratch);
        }
        sweep = sweep_once(network, scratch);
    }
    if (sweep.status == STI_OK && sweep.change <= last_tolerance * sweep.scale) return STI_OK;
    if (sweep.status == STI_OK) sweep.status = STI_REACTIONS_UNSOLVED;
    return fault_of(network, scratch, &sweep);
}

// Reactions that do not feel each other: one sweep is exact.
static StiStatus resolve_each(const StiNetwork *network, StiScratch *scratch)
{
    const Sweep sweep = sweep_once(network, scratch);
    scratch->figures.reaction_residual = 0.0;
    return sweep.status == STI_OK ? STI_OK : fault_of(network, scratch, &sweep);
}

bool sti_release_worst(const StiNetwork *network, StiScratch *scratch)
{
    ReactionData *data = scratch->reactions;
    for (;;) {
        int worst = -1;
        for (int i = 0; i < network->reaction_count; ++i)
            if (network->reactions[i].kind->release != NULL && data->answers[i].ratio > 1.0 &&
                (worst < 0 || data->answers[i].ratio > data->answers[worst].ratio))
                worst = i;
        if (worst < 0) return false;
        const Reaction *e = &network->reactions[worst];
        if (e->kind->release(e->parameters, &data->answers[worst], data->s + e->s)) break;
        data->answers[worst].ratio = 1.0; // nothing to release: it slips by its law
    }
    ++scratch->figures.releases;
    return true;
}

StiStatus sti_resolve(const StiNetwork *network, StiScratch *scratch)
{
    ReactionData *data = scratch->reactions;
    if (sti_resolve_limits(network, scratch)) return STI_OK;
    memcpy(data->rate, data->free_rate, (size_t)network->row_count * sizeof *data->rate);
    for (int i = 0; i < network->reaction_count; ++i)
        sti_change_resistance(network, scratch, i, data->answers[i].r);
    const StiStatus status =
        network->coupled ? sweep_until_settled(network, scratch) : resolve_each(network, scratch);
    if (status != STI_OK) return status;
    if (network->coupled) sti_solve_stuck(network, scratch);
    scratch->figures.several = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        scratch->figures.several += data->answers[i].several;
    return STI_OK;
}
