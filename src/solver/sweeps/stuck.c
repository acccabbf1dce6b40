// The stuck set: its resistances by direct solves, its velocities to exactly zero.
#include <math.h>
#include <string.h>

#include "rows/envelope.h"
#include "rows/reactions.h"

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
    const double own = data->W[network->reactions[i].neighbours[0].block + d * dim + d];
    const double size =
        fabs(data->free_rate[row]) + network->step * own * fabs(data->answers[i].r[d]);
    return network->constrains && fabs(data->rate[row]) <= 1e-14 * size;
}

// The change of resistances that takes the velocities of all chosen rows to zero, into
// data->correction.
static void correct(const StiNetwork *network, const ReactionData *data, int count)
{
    for (int p = 0; p < count; ++p)
        data->correction[p] =
            is_rounding(network, data, p) ? 0.0 : data->rate[data->rows[p]] / network->step;
    sti_envelope_solve(data, count, data->correction);
}

void sti_apply_correction(const StiNetwork *network, StiScratch *scratch, int count)
{
    ReactionData *data = &scratch->reactions;
    for (int p = 0; p < count;) {
        const int reaction = data->owner[p], dim = network->reactions[reaction].size.dim;
        for (int d = 0; d < dim; ++d) data->answers[reaction].r[d] += data->correction[p + d];
        sti_change_resistance(network, scratch, reaction, data->correction + p);
        p += dim;
    }
}

// How far along a change a resistance stays within its limit: 1 if all the way. The reaction itself
// is asked, by the motion that the changed resistance would just stop.
static double share_within_limit(const StiNetwork *network, const StiScratch *scratch, int i,
                                 const double *change)
{
    const Reaction *e = &network->reactions[i];
    const double *r = scratch->reactions.answers[i].r,
                 *W = scratch->reactions.W + e->neighbours[0].block;
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
    const double *s = scratch->reactions.s + e->s;
    if (e->kind->resolve(e->parameters, &problem, s, &answer) != STI_OK) return 0.0;
    if (answer.stuck || !(answer.ratio > 1.0)) return 1.0;
    const double room = there / (answer.ratio * answer.ratio) - here; // limit^2 - |r|^2
    return room > 0.0 ? fmin((sqrt(along * along + way * room) - along) / way, 1.0) : 0.0;
}

// The nearest limit along the correction; returns the share of it that may be taken.
static double nearest_limit(const StiNetwork *network, const StiScratch *scratch, int count,
                            int *blocking)
{
    const ReactionData *data = &scratch->reactions;
    double least = 1.0;
    *blocking = -1;
    for (int p = 0; p < count; p += network->reactions[data->owner[p]].size.dim) {
        const double share =
            share_within_limit(network, scratch, data->owner[p], data->correction + p);
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
    const ReactionData *data = &scratch->reactions;
    choose_stuck(network, data);
    for (int i = 0, free = 0; i < SOLVES && free < REFINEMENTS; ++i) {
        const int count = sti_envelope_choose(network, data);
        if (count == 0 || (free == 0 && !sti_envelope_factor(network, data, count, NULL))) return;
        int blocking;
        correct(network, data, count);
        const double share = nearest_limit(network, scratch, count, &blocking);
        for (int p = 0; p < count; ++p) data->correction[p] *= share;
        sti_apply_correction(network, scratch, count);
        free = blocking < 0 ? free + 1 : 0;
        if (blocking >= 0) data->chosen[blocking] = false;
    }
}

// One end of a stuck coordinate row.
typedef struct Coordinate {
    bool fixed; // ground or motion source: its velocity is given
    double given;
    bool *known;      // else: is it assigned yet, and
    double *velocity; //       where
} Coordinate;

// Where velocities are read and assigned.
typedef struct Motion {
    const double *ports;
    double *x;
} Motion;

static Coordinate coordinate_at(const StiNetwork *network, StiScratch *scratch,
                                const Motion *motion, const StiEnd *end, int d)
{
    if (end->admittance < 0) return (Coordinate){.fixed = true};
    const Admittance *a = &network->admittances[end->admittance];
    if (a->kind->prescribed)
        return (Coordinate){.fixed = true,
                            .given = motion->ports[a->port + a->dim + end->place + d]};
    return (Coordinate){.known = &scratch->reactions.known[a->generalized + end->place + d],
                        .velocity = &motion->x[a->v + end->place + d]};
}

// Copies a known velocity to the other end; true if something new is known now.
static bool spread(Coordinate *a, Coordinate *b)
{
    const bool a_known = a->fixed || *a->known, b_known = b->fixed || *b->known;
    if (a_known == b_known) return false;
    const Coordinate *from = a_known ? a : b;
    Coordinate *to = a_known ? b : a;
    *to->velocity = from->fixed ? from->given : *from->velocity;
    *to->known = true;
    return true;
}

static bool spread_all(const StiNetwork *network, StiScratch *scratch, const Motion *motion,
                       bool seed)
{
    bool changed = false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!scratch->reactions.answers[i].stuck || !e->wire.wire.kind->coordinates) continue;
        for (int d = 0; d < e->size.dim; ++d) {
            Coordinate a = coordinate_at(network, scratch, motion, &e->wire.wire.a, d);
            Coordinate b = coordinate_at(network, scratch, motion, &e->wire.wire.b, d);
            const bool none = !a.fixed && !b.fixed && !*a.known && !*b.known;
            if (none && seed && !changed) *b.known = true; // a group that floats freely: keep one
            changed = spread(&a, &b) || changed;
        }
    }
    return changed;
}

// Known velocities (ground, motion sources) spread along stuck rows; then freely floating groups.
void sti_assign_stuck(const StiNetwork *network, StiScratch *scratch, const double *ports,
                      double *x)
{
    const Motion motion = {ports, x};
    memset(scratch->reactions.known, 0,
           (size_t)network->generalized_count * sizeof *scratch->reactions.known);
    do {
        while (spread_all(network, scratch, &motion, false)) {}
    } while (spread_all(network, scratch, &motion, true));
}
