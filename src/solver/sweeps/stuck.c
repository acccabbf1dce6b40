// The stuck set: its resistances by direct solves.
#include <math.h>

#include "rows/envelope.h"
#include "solver/sweeps/sweeps.h"

enum { REFINEMENTS = 2, SOLVES = 64 };

static void choose_stuck(const StiNetwork *network, const ReactionData *data)
{
    for (int i = 0; i < network->reaction_count; ++i) data->chosen[i] = data->answers[i].stuck;
}

// A velocity that is only the rounding of what was added up: where W is singular, correcting it would
// let the resistances wander without end. Where bodies return to constraints when the step ends, they
// remove that rounding themselves.
static bool is_rounding(const StiNetwork *network, const ReactionData *data, int p)
{
    const int i = data->owner[p], row = data->rows[p], d = row - network->reactions[i].row;
    const int dim = network->reactions[i].size.dim;
    const double own = data->W[sti_neighbour_block(&network->reactions[i], 0) + d * dim + d];
    const double size =
        fabs(data->free_rate[row]) + network->step * own * fabs(data->answers[i].r[d]);
    return network->constrains && fabs(data->rate[row]) <= 1e-14 * size;
}

// The change of resistances that takes the velocities of all chosen rows to zero, into
// the correction.
static void correct(const StiNetwork *network, const StiScratch *scratch, int count)
{
    const ReactionData *data = scratch->reactions;
    for (int p = 0; p < count; ++p)
        sti_sweeps(scratch)->correction[p] =
            is_rounding(network, data, p) ? 0.0 : data->rate[data->rows[p]] / network->step;
    sti_envelope_solve(data, count, sti_sweeps(scratch)->correction);
}

void sti_apply_correction(const StiNetwork *network, StiScratch *scratch, int count)
{
    ReactionData *data = scratch->reactions;
    for (int p = 0; p < count;) {
        const int reaction = data->owner[p], dim = network->reactions[reaction].size.dim;
        for (int d = 0; d < dim; ++d)
            data->answers[reaction].r[d] += sti_sweeps(scratch)->correction[p + d];
        sti_change_resistance(network, scratch, reaction, sti_sweeps(scratch)->correction + p);
        p += dim;
    }
}

// How far along a change a resistance stays within its limit: 1 if all the way. The reaction itself
// is asked, by the motion that the changed resistance would just stop.
static double share_within_limit(const StiNetwork *network, const StiScratch *scratch, int i,
                                 const double *change)
{
    const Reaction *e = &network->reactions[i];
    const double *r = scratch->reactions->answers[i].r,
                 *W = scratch->reactions->W + sti_neighbour_block(e, 0);
    const int dim = e->size.dim;
    double vbar[STI_REACTION_DIM_MAX] = {0.0}, there = 0.0, here = 0.0, along = 0.0, way = 0.0;
    StiReactionProblem problem = sti_local_problem(network, scratch, i, vbar);
    for (int d = 0; d < dim; ++d) {
        vbar[d] = 0.0;
        for (int k = 0; k < dim; ++k) vbar[d] += problem.T * W[d * dim + k] * (r[k] + change[k]);
        there += (r[d] + change[d]) * (r[d] + change[d]);
        here += r[d] * r[d];
        along += r[d] * change[d];
        way += change[d] * change[d];
    }
    StiReactionAnswer answer = {.r = {0.0}};
    const double *s = scratch->reactions->s + e->s;
    if (e->kind->resolve(e->parameters, &problem, s, &answer) != STI_OK) return 0.0;
    if (answer.stuck || !(answer.ratio > 1.0)) return 1.0;
    const double room = there / (answer.ratio * answer.ratio) - here; // limit^2 - |r|^2
    return room > 0.0 ? fmin((sqrt(along * along + way * room) - along) / way, 1.0) : 0.0;
}

// The nearest limit along the correction; returns the share of it that may be taken.
static double nearest_limit(const StiNetwork *network, const StiScratch *scratch, int count,
                            int *blocking)
{
    const ReactionData *data = scratch->reactions;
    double least = 1.0;
    *blocking = -1;
    for (int p = 0; p < count; p += network->reactions[data->owner[p]].size.dim) {
        const double share = share_within_limit(network, scratch, data->owner[p],
                                                sti_sweeps(scratch)->correction + p);
        if (!(share < least)) continue;
        least = share;
        *blocking = data->owner[p];
    }
    return least;
}

// What reaches its limit on the way stays there, and the rest goes on without it. A last pass
// removes what a singular set left over.
void sti_solve_stuck(const StiNetwork *network, StiScratch *scratch)
{
    const ReactionData *data = scratch->reactions;
    choose_stuck(network, data);
    for (int i = 0, free = 0; i < SOLVES && free < REFINEMENTS; ++i) {
        const int count = sti_envelope_choose(network, data);
        if (count == 0 || (free == 0 && !sti_envelope_factor(network, data, count, NULL))) return;
        int blocking;
        correct(network, scratch, count);
        const double share = nearest_limit(network, scratch, count, &blocking);
        for (int p = 0; p < count; ++p) sti_sweeps(scratch)->correction[p] *= share;
        sti_apply_correction(network, scratch, count);
        free = blocking < 0 ? free + 1 : 0;
        if (blocking >= 0) data->chosen[blocking] = false;
    }
}
