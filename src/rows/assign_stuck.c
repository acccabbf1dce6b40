// Velocities of stuck coordinates to exactly zero.
#include <string.h>

#include "rows/reactions.h"

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
    return (Coordinate){.known = &scratch->reactions->known[a->generalized + end->place + d],
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
        if (!scratch->reactions->answers[i].stuck || !e->wire.wire.kind->coordinates) continue;
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

// Coordinates that stand still wherever their row sticks.
static void stop_both(const StiNetwork *network, StiScratch *scratch, const Motion *motion)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (!scratch->reactions->answers[i].stuck || !wire->kind->stops_both) continue;
        const StiEnd *ends[2] = {&wire->a, &wire->b};
        for (int side = 0; side < 2; ++side) {
            Coordinate own = coordinate_at(network, scratch, motion, ends[side], 0);
            if (own.fixed) continue;
            *own.velocity = 0.0;
            *own.known = true;
        }
    }
}

// Known velocities (ground, motion sources) spread along stuck rows; then freely floating groups.
void sti_assign_stuck(const StiNetwork *network, StiScratch *scratch, const double *ports,
                      double *x)
{
    const Motion motion = {ports, x};
    memset(scratch->reactions->known, 0,
           (size_t)network->generalized_count * sizeof *scratch->reactions->known);
    stop_both(network, scratch, &motion);
    do {
        while (spread_all(network, scratch, &motion, false)) {}
    } while (spread_all(network, scratch, &motion, true));
}
