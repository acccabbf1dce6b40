// Which way the friction of a body points, for the body to judge how many solutions its loads have.
#include <string.h>

#include "network/wires.h"
#include "evaluate/load_search.h"

static const double moment = 1e-9; // s N: the velocities that it gives turn nothing

static bool acts_on(const StiNetwork *network, const StiWire *wire, const Admittance *a)
{
    const int body = (int)(a - network->admittances);
    return wire->a.admittance == body || wire->b.admittance == body;
}

// All reactions of a body (NULL: of all bodies) stick; all slide.
static bool all_are(const StiNetwork *network, const StiScratch *scratch, const Admittance *a,
                    bool stuck)
{
    for (int i = 0; i < network->reaction_count; ++i)
        if ((a == NULL || acts_on(network, &network->reactions[i].wire.wire, a)) &&
            (scratch->evaluate->modes[network->reactions[i].s] == STI_STICK) != stuck)
            return false;
    return true;
}

bool sti_load_all_stick(const StiNetwork *network, const StiScratch *scratch, const Admittance *a)
{
    return scratch->evaluate->modes != NULL && !network->smooth_loads &&
           all_are(network, scratch, a, true);
}

// The velocities that a push on each of its rows, along the row's mode, gives a body.
static bool push_along(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                       const Admittance *a, double *v)
{
    const Response *response = &scratch->reactions->response;
    int culprit = 0;
    memset(response->force, 0, (size_t)network->generalized_count * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
    if (sti_response_prepare(network, now, NULL, response, &culprit) != STI_OK) return false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double back = -scratch->evaluate->modes[e->s + 1]; // a wire resists
        if (acts_on(network, &e->wire.wire, a))
            sti_wire_push(network, &e->wire, now, &back, response->force, response->wrenches);
    }
    sti_response_of(network, now, response, (int)(a - network->admittances));
    for (int d = 0; d < a->size.velocities; ++d) v[d] += moment * response->dv[a->generalized + d];
    return true;
}

// What has just been let go has no velocity yet: it goes the way of its mode. NULL where something
// sticks, which pushes as it must and not as a law says.
static const double *directions_of_modes(const StiNetwork *network, StiScratch *scratch,
                                         const StageData *now, const Admittance *a)
{
    StageData *beside = &scratch->beside;
    double *v = beside->x + a->v;
    if (!all_are(network, scratch, a, false)) return NULL;
    beside->stage = now->stage;
    memcpy(beside->x, now->x, (size_t)network->x_count * sizeof *now->x);
    memcpy(beside->ports, now->ports, (size_t)network->port_count * sizeof *now->ports);
    if (!push_along(network, scratch, now, a, v)) return NULL;
    sti_psi_reactions(network, beside);
    return v;
}

const double *sti_load_directions(const StiNetwork *network, StiScratch *scratch,
                                  const StageData *now, const Admittance *a)
{
    if (scratch->evaluate->modes != NULL) return directions_of_modes(network, scratch, now, a);
    const double *v = now->x + a->v;
    for (int d = 0; d < a->size.velocities; ++d)
        if (v[d] != 0.0) return v;
    return network->resolves ? scratch->next + a->v : v;
}
