#include "network/couplings.h"

#include <limits.h>
#include <stdint.h>

#include "algebra/neighbours.h"
#include "network/response.h"

typedef struct Couplings {
    StiNetwork *network;
    Memberships pushes;        // which reactions push on which bodies
    const Neighbour **on_body; // lists of those that push on one body only
    int *members;              // of one list
    int64_t W_count, envelope_count;
} Couplings;

static bool take(StiArena *arena, StiNetwork *n, Couplings *c)
{
    *c = (Couplings){.network = n,
                     .members = sti_arena_take(arena, (size_t)n->reaction_count + 1, sizeof(int)),
                     .on_body = sti_arena_take(arena, (size_t)n->admittance_count + 1,
                                               sizeof *c->on_body)};
    return sti_memberships_take(arena, n->reaction_count, n->admittance_count, &c->pushes);
}

static void find_bodies(Couplings *c)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        int *bodies = c->pushes.of[i];
        const int count = sti_wire_bodies(c->network, &c->network->reactions[i].wire.wire, bodies);
        for (int k = count; k < 2; ++k) bodies[k] = -1;
    }
    sti_memberships_list(&c->pushes);
}

static const Neighbour *write_list(const Couplings *c, int count)
{
    Neighbour *list = sti_arena_take(&c->network->arena, (size_t)count, sizeof *list);
    for (int k = 0, before = 0; list != NULL && k < count; ++k) {
        list[k] = (Neighbour){c->members[k], before};
        before += c->network->reactions[c->members[k]].size.dim;
    }
    return list;
}

// Those on the same bodies as the reaction before have its list.
static const Neighbour *list_of(const Couplings *c, int i, int *count)
{
    const Memberships *pushes = &c->pushes;
    const int *bodies = pushes->of[i], *last = i > 0 ? pushes->of[i - 1] : NULL;
    const bool on_one = bodies[0] >= 0 && bodies[1] < 0;
    const Reaction *before = &c->network->reactions[i > 0 ? i - 1 : 0];
    *count = before->neighbour_count;
    if (last != NULL && bodies[0] >= 0 && bodies[0] == last[0] && bodies[1] == last[1])
        return before->neighbours;
    *count = on_one ? pushes->first[bodies[0] + 1] - pushes->first[bodies[0]] : 0;
    if (on_one && c->on_body[bodies[0]] != NULL) return c->on_body[bodies[0]];
    *count = sti_members_of(pushes, bodies, c->members);
    if (*count == 0) c->members[(*count)++] = i; // no body that it could move
    const Neighbour *list = write_list(c, *count);
    if (on_one) c->on_body[bodies[0]] = list;
    return list;
}

static int place_in(const Neighbour *list, int count, int reaction)
{
    int from = 0, to = count - 1;
    while (from < to) {
        const int middle = (from + to) / 2;
        if (list[middle].reaction < reaction)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void couple(Couplings *c, int i)
{
    StiNetwork *n = c->network;
    Reaction *e = &n->reactions[i];
    e->neighbours = list_of(c, i, &e->neighbour_count);
    if (e->neighbours == NULL) return;
    const Neighbour *last = &e->neighbours[e->neighbour_count - 1];
    const int dim = e->size.dim, rows = last->before + n->reactions[last->reaction].size.dim;
    e->own = place_in(e->neighbours, e->neighbour_count, i);
    e->block = (int)c->W_count;
    c->W_count += (int64_t)dim * rows;
    c->envelope_count +=
        (int64_t)dim * (e->row + dim - n->reactions[e->neighbours[0].reaction].row);
    n->coupled = n->coupled || e->neighbour_count > 1;
}

void sti_network_couple(StiNetwork *n)
{
    StiArena arena = {0};
    Couplings c;
    if (take(&arena, n, &c)) find_bodies(&c);
    for (int i = 0; !arena.failed && !n->arena.failed && i < n->reaction_count; ++i) {
        couple(&c, i);
        // no machine has so much memory
        if (c.W_count > INT_MAX || c.envelope_count > INT_MAX) n->arena.failed = 1;
    }
    if (arena.failed) n->arena.failed = 1;
    n->W_count = (int)c.W_count;
    n->envelope_count = (int)c.envelope_count;
    sti_arena_release(&arena);
}
