#include "network/response.h"

#include <string.h>

void sti_response_take(StiArena *arena, const StiNetwork *network, Response *response)
{
    const size_t links = (size_t)network->link_count + 1;
    *response = (Response){
        .prepared = sti_arena_numbers(arena, network->prepared_count),
        .force = sti_arena_numbers(arena, network->generalized_count),
        .wrenches = sti_arena_take(arena, links, sizeof(StiWrench)),
        .dv = sti_arena_numbers(arena, network->generalized_count),
        .still = sti_arena_numbers(arena, network->generalized_count),
        .frames = sti_arena_take(arena, links, sizeof(StiFrame)),
    };
}

StiStatus sti_response_prepare(const StiNetwork *network, const StageData *now, const bool *locked,
                               const Response *response, int *culprit)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0) continue;
        const StiStatus status =
            a->kind->prepare(a->parameters, now->x + a->q,
                             locked != NULL && a->holds ? locked + a->generalized : NULL, NULL,
                             response->prepared + a->prepared);
        *culprit = i;
        if (status != STI_OK) return status;
    }
    return STI_OK;
}

void sti_response_of(const StiNetwork *network, const StageData *now, const Response *response,
                     int admittance)
{
    const Admittance *a = &network->admittances[admittance];
    const StiForce force = {response->force + a->generalized, response->wrenches + a->link};
    a->kind->respond(a->parameters, response->prepared + a->prepared, now->x + a->q, &force,
                     response->dv + a->generalized);
}

int sti_wire_bodies(const StiNetwork *network, const StiWire *wire, int bodies[2])
{
    const int ends[2] = {wire->a.admittance, wire->b.admittance};
    int count = 0;
    for (int i = 0; i < 2; ++i)
        if (ends[i] >= 0 && !network->admittances[ends[i]].kind->prescribed &&
            (count == 0 || bodies[0] != ends[i]))
            bodies[count++] = ends[i];
    return count;
}

static void clear_force(const StiNetwork *network, const Response *response, int admittance)
{
    if (admittance < 0) return;
    const Admittance *a = &network->admittances[admittance];
    memset(response->force + a->generalized, 0, (size_t)a->dim * sizeof *response->force);
    memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof *response->wrenches);
}

void sti_response_push(const StiNetwork *network, const StageData *now, const Response *response,
                       const Wire *wire, const double *unit)
{
    int bodies[2];
    const int count = sti_wire_bodies(network, &wire->wire, bodies);
    clear_force(network, response, wire->wire.a.admittance);
    clear_force(network, response, wire->wire.b.admittance);
    sti_wire_push(network, wire, now, unit, response->force, response->wrenches);
    for (int i = 0; i < count; ++i) {
        const Admittance *a = &network->admittances[bodies[i]];
        sti_response_of(network, now, response, bodies[i]);
        if (a->posed)
            a->kind->pose(a->parameters, now->x + a->q, response->dv + a->generalized,
                          now->ports + a->port, response->frames + a->link);
    }
}

// A side that moves with dv if its body was pushed (the push has posed it), else stands still.
static StiSide moving_side(const StiNetwork *network, const StageData *now,
                           const Response *response, const StiWire *wire, const StiEnd *end,
                           bool pushed)
{
    StiSide side = sti_side(network, wire, end, now);
    if (end->admittance < 0) return side;
    const Admittance *a = &network->admittances[end->admittance];
    side.v = (pushed ? response->dv : response->still) + a->generalized;
    if (!wire->kind->links) return side;
    StiFrame *frames = response->frames + a->link;
    if (a->kind->prescribed) {
        frames[end->place] = *side.link;
        frames[end->place].v = frames[end->place].w = (StiVec3){0.0, 0.0, 0.0};
    } else if (!pushed) {
        a->kind->pose(a->parameters, now->x + a->q, side.v, now->ports + a->port, frames);
    }
    side.link = &frames[end->place];
    return side;
}

void sti_response_sense(const StiNetwork *network, const StageData *now, const Response *response,
                        const Wire *pushed, const Wire *wire, double *position, double *rate)
{
    const StiEnd *ends[2] = {&wire->wire.a, &wire->wire.b};
    StiSide sides[2];
    int bodies[2];
    const int count = sti_wire_bodies(network, &pushed->wire, bodies);
    for (int i = 0; i < 2; ++i) {
        bool moves = false;
        for (int j = 0; j < count; ++j) moves = moves || bodies[j] == ends[i]->admittance;
        sides[i] = moving_side(network, now, response, &wire->wire, ends[i], moves);
    }
    wire->wire.kind->sense(&wire->wire, &sides[0], &sides[1], position, rate);
}
