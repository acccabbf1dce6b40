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

double *sti_state_positions(StiState *state, const StiNetwork *network, StiAdmittanceId id)
{
    return state->values + network->admittances[network->admittance_places[id.index]].q;
}

double *sti_state_velocities(StiState *state, const StiNetwork *network, StiAdmittanceId id)
{
    return state->values + network->admittances[network->admittance_places[id.index]].v;
}

double *sti_state_memory(StiState *state, const StiNetwork *network, StiElementId id)
{
    const Place place = network->element_places[id.index];
    return place.role == STI_IMPEDANCE
               ? state->values + state->y + network->impedances[place.index].y
               : NULL;
}

double *sti_state_discrete(StiState *state, const StiNetwork *network, StiElementId id)
{
    const Place place = network->element_places[id.index];
    const int s = place.role == STI_REACTION  ? network->reactions[place.index].s
                  : place.role == STI_CONTACT ? network->contacts[place.index].s
                                              : network->impedances[place.index].s;
    return state->values + state->s + s;
}
