// Reactions together: sweeps of exact local solves, with the modes of static friction outside them.
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "step/reactions.h"

enum { SWEEPS = 5000, SWEEPS_BETWEEN_NEWTON_STEPS = 4, USELESS_NEWTON_STEPS = 50 };
static const double sweep_tolerance = 1e-13; // of the largest velocity in play

StiStatus sti_reaction_inertia(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const Response *response = &scratch->reactions.response;
    int culprit = 0;
    const StiStatus status = sti_response_prepare(network, now, response, &culprit);
    if (status != STI_OK)
        return sti_fault(scratch, status, network->admittances[culprit].name, "inertia", &now->stage);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        for (int d = 0; d < e->size.dim; ++d) {
            double unit[STI_REACTION_DIM_MAX] = {0.0};
            unit[d] = 1.0;
            sti_response_push(network, now, response, &e->wire, unit);
            for (int j = 0; j < e->neighbour_count; ++j) {
                const Reaction *other = &network->reactions[e->neighbours[j].reaction];
                double *row = scratch->reactions.W + e->neighbours[j].block + d * other->size.dim;
                double *position = scratch->end.position + other->wire.x; // not needed here
                sti_response_sense(network, now, response, &e->wire, &other->wire, position, row);
                for (int k = 0; k < other->size.dim; ++k) row[k] = -row[k];
            }
        }
    }
    return STI_OK;
}

void sti_change_resistance(const StiNetwork *network, StiScratch *scratch, int reaction,
                           const double *change)
{
    const Reaction *from = &network->reactions[reaction];
    const ReactionData *data = &scratch->reactions;
    for (int i = 0; i < from->neighbour_count; ++i) {
        const Reaction *to = &network->reactions[from->neighbours[i].reaction];
        const double *W = data->W + from->neighbours[i].block;
        for (int d = 0; d < to->size.dim; ++d) {
            double rate = 0.0;
            for (int e = 0; e < from->size.dim; ++e) rate += W[e * to->size.dim + d] * change[e];
            data->rate[to->row + d] -= network->step * rate;
        }
    }
}

StiReactionProblem sti_local_problem(const StiNetwork *network, const StiScratch *scratch, int reaction,
                                     double *vbar)
{
    const Reaction *e = &network->reactions[reaction];
    const ReactionData *data = &scratch->reactions;
    const double *W = data->W + e->neighbours[0].block;
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
    int changing;  // the reaction with it
    double scale;  // largest velocity in play
    StiStatus status;
} Sweep;

static void resolve_one(const StiNetwork *network, StiScratch *scratch, int i, Sweep *sweep)
{
    const Reaction *e = &network->reactions[i];
    ReactionData *data = &scratch->reactions;
    double vbar[STI_REACTION_DIM_MAX], change[STI_REACTION_DIM_MAX];
    const StiReactionProblem problem = sti_local_problem(network, scratch, i, vbar);
    StiReactionAnswer answer = {.r = {0.0}};
    if (e->reads_load && scratch->loads_unknown) return;
    StiStatus status = e->kind->resolve(e->parameters, &problem, data->s + e->s, &answer);
    if (status == STI_OK && !sti_all_finite(answer.r, e->size.dim)) status = STI_NOT_FINITE;
    if (status != STI_OK) {
        sweep->status = sti_fault(scratch, status, e->name, "reaction", &scratch->stages[0].stage);
        return;
    }
    for (int d = 0; d < e->size.dim; ++d) {
        const double g = network->step * problem.W[d * e->size.dim + d];
        change[d] = answer.r[d] - data->answers[i].r[d];
        if (g * fabs(change[d]) > sweep->change) sweep->changing = i;
        sweep->change = fmax(sweep->change, g * fabs(change[d]));
        sweep->scale = fmax(sweep->scale, fabs(vbar[d]) + g * fabs(answer.r[d]));
    }
    data->answers[i] = answer;
    sti_change_resistance(network, scratch, i, change);
}

static bool coupled(const StiNetwork *network)
{
    for (int i = 0; i < network->reaction_count; ++i)
        if (network->reactions[i].neighbour_count > 1) return true;
    return false;
}

// Sweeps with fixed modes until nothing changes. Each sweep lowers a convex function, but slowly where
// many reactions act on few bodies; so now and then all of them take a Newton step together. Where such
// steps do not help (they are not bound to), sweeps go on alone.
static StiStatus sweep_until_settled(const StiNetwork *network, StiScratch *scratch)
{
    const bool many = coupled(network);
    double last = INFINITY;
    int useless = 0;
    Sweep sweep = {.status = STI_OK};
    for (int sweeps = 1; sweeps <= SWEEPS; ++sweeps) {
        sweep = (Sweep){.status = STI_OK};
        for (int i = 0; i < network->reaction_count && sweep.status == STI_OK; ++i)
            resolve_one(network, scratch, i, &sweep);
        if (sweep.status != STI_OK) return sweep.status;
        ++scratch->figures.sweeps;
        scratch->figures.reaction_residual = many ? sweep.change : 0.0;
        if (!many || sweep.change <= sweep_tolerance * sweep.scale) return STI_OK;
        if (!isfinite(sweep.change)) break;
        if (sweeps % SWEEPS_BETWEEN_NEWTON_STEPS != 0 || useless == USELESS_NEWTON_STEPS) continue;
        if (sweep.change > last) ++useless;
        last = sweep.change;
        sti_solve_turning(network, scratch);
    }
    return sti_fault(scratch, STI_REACTIONS_UNSOLVED, network->reactions[sweep.changing].name, "reaction",
                     &scratch->stages[0].stage);
}

bool sti_release_worst(const StiNetwork *network, StiScratch *scratch)
{
    ReactionData *data = &scratch->reactions;
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
    ReactionData *data = &scratch->reactions;
    memcpy(data->rate, data->free_rate, (size_t)network->row_count * sizeof *data->rate);
    for (int i = 0; i < network->reaction_count; ++i)
        sti_change_resistance(network, scratch, i, data->answers[i].r);
    const StiStatus status = sweep_until_settled(network, scratch);
    if (status != STI_OK) return status;
    if (coupled(network)) sti_solve_stuck(network, scratch);
    scratch->figures.several = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        scratch->figures.several += data->answers[i].several;
    return STI_OK;
}
