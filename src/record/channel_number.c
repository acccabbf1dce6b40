// Which number of a state a channel shows, if it shows one as it is.
#include <stdlib.h>

#include "network/channels.h"

// Numbers that no observation makes of others by chance; two rounds differ.
static double marked(int round, int i) { return round == 0 ? 0.3 + 0.01 * i : 0.7 - 0.007 * i; }

// Bodies say what their channels are by a function, not by a table: it is asked with marked numbers.
static int copied_from(const Admittance *a, int index, int round, double *numbers, double *observed)
{
    const int positions = a->size.positions, count = positions + a->size.velocities;
    for (int i = 0; i < count; ++i) numbers[i] = marked(round, i);
    a->kind->observe(a->parameters, numbers, numbers + positions, NULL, observed);
    for (int i = 0; i < count; ++i)
        if (observed[index] == numbers[i]) return i;
    return -1;
}

static double *number_of_body(StiState *state, const StiNetwork *network, const ChannelPlace *place)
{
    const Admittance *a = &network->admittances[place->component];
    const int count = a->size.positions + a->size.velocities;
    const int most = sti_network_largest_observation(network);
    if (a->size.signals > 0) return NULL; // its motion is given
    double *room = malloc((size_t)(count + most + 1) * sizeof *room);
    if (room == NULL) return NULL;
    const int found = copied_from(a, place->index, 0, room, room + count);
    const int again = copied_from(a, place->index, 1, room, room + count);
    free(room);
    if (found < 0 || found != again) return NULL;
    return found < a->size.positions ? &state->values[a->q + found]
                                     : &state->values[a->v + found - a->size.positions];
}

double *sti_state_edit_channel(StiState *state, const StiNetwork *network, int channel)
{
    if (channel < 0 || channel >= network->channel_count || state->layout != network->layout)
        return NULL;
    const ChannelPlace *place = &network->channels[channel].place;
    if (place->type == CHANNEL_BODY) return number_of_body(state, network, place);
    if (place->type == CHANNEL_MEMORY)
        return &state->values[state->y + network->impedances[place->component].y + place->index];
    return NULL;
}
