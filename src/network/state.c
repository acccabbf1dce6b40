#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "network/wires.h"

// Angles at the start, where none has made a turn yet.
static bool start_turns(const StiNetwork *network, StiState *state)
{
    StiArena arena = {0};
    StageData start;
    sti_stage_take(&arena, network, &start);
    if (!arena.failed) {
        memcpy(start.x, state->values, (size_t)network->x_count * sizeof *start.x);
        sti_psi(network, &start);
        sti_turns_correct(network, &start, state->values + state->y);
    }
    const bool good = !arena.failed;
    sti_arena_release(&arena);
    return good;
}

StiState *sti_state_create(const StiNetwork *network)
{
    const int count = network->x_count + network->y_count + network->s_count + network->load_count;
    StiState *state = calloc(1, sizeof *state + (size_t)count * sizeof(double));
    if (state == NULL) return NULL;
    state->layout = network->layout;
    state->count = count;
    state->y = network->x_count;
    state->s = state->y + network->y_count;
    state->loads = state->s + network->s_count;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        a->kind->start(a->parameters, state->values + a->q, state->values + a->v);
    }
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *z = &network->impedances[i];
        if (z->kind->start != NULL) z->kind->start(z->parameters, state->values + state->y + z->y);
    }
    if (!network->counts_turns || start_turns(network, state)) return state;
    free(state);
    return NULL;
}

void sti_state_destroy(StiState *state) { free(state); }

StiStatus sti_state_copy(StiState *to, const StiState *from)
{
    if (to->layout != from->layout || to->count != from->count) return STI_LAYOUT_MISMATCH;
    to->k = from->k;
    memcpy(to->values, from->values, (size_t)from->count * sizeof *to->values);
    return STI_OK;
}

uint64_t sti_state_hash(const StiState *state)
{
    const uint64_t hash = sti_hash_bytes(STI_HASH_START, &state->k, sizeof state->k);
    return sti_hash_bytes(hash, state->values, (size_t)state->count * sizeof *state->values);
}

int64_t sti_state_k(const StiState *state) { return state->k; }

static const NetworkBody *body_of(const StiNetwork *network, StiAdmittanceId id)
{
    return id.number < 1 || id.number > network->body_count ? NULL : &network->bodies[id.number - 1];
}

static const Place *place_of(const StiNetwork *network, StiElementId id)
{
    if (id.number < 1 || id.number > network->element_count) return NULL;
    return &network->element_places[id.number - 1];
}

const double *sti_state_positions(const StiState *state, const StiNetwork *network,
                                  StiAdmittanceId id)
{
    const NetworkBody *body = body_of(network, id);
    if (body == NULL) return NULL;
    return state->values + network->admittances[body->admittance].q + body->position;
}

const double *sti_state_velocities(const StiState *state, const StiNetwork *network,
                                   StiAdmittanceId id)
{
    const NetworkBody *body = body_of(network, id);
    if (body == NULL) return NULL;
    return state->values + network->admittances[body->admittance].v + body->velocity;
}

const double *sti_state_memory(const StiState *state, const StiNetwork *network, StiElementId id)
{
    const Place *place = place_of(network, id);
    if (place == NULL || place->role != STI_IMPEDANCE) return NULL;
    return state->values + state->y + network->impedances[place->index].y;
}

const double *sti_state_discrete(const StiState *state, const StiNetwork *network, StiElementId id)
{
    const Place *place = place_of(network, id);
    if (place == NULL) return NULL;
    const int s = place->role == STI_REACTION  ? network->reactions[place->index].s
                  : place->role == STI_CONTACT ? network->contacts[place->index].s
                                               : network->impedances[place->index].s;
    return state->values + state->s + s;
}

double *sti_state_edit_positions(StiState *state, const StiNetwork *network, StiAdmittanceId id)
{
    return (double *)sti_state_positions(state, network, id);
}

double *sti_state_edit_velocities(StiState *state, const StiNetwork *network, StiAdmittanceId id)
{
    return (double *)sti_state_velocities(state, network, id);
}

double *sti_state_edit_memory(StiState *state, const StiNetwork *network, StiElementId id)
{
    return (double *)sti_state_memory(state, network, id);
}

double *sti_state_edit_discrete(StiState *state, const StiNetwork *network, StiElementId id)
{
    return (double *)sti_state_discrete(state, network, id);
}
