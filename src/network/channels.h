// Private: all that can be recorded of a network, in a fixed order.
#ifndef STICTION_SRC_NETWORK_CHANNELS_H
#define STICTION_SRC_NETWORK_CHANNELS_H

#include "network/network.h"
#include "stiction/record.h"

typedef enum ChannelType {
    CHANNEL_BODY, // value number index of the admittance's observe
    CHANNEL_LOAD,
    CHANNEL_SOURCE, // named time functions and inputs
    CHANNEL_FORCE,  // component index of u or r
    CHANNEL_FORCE_NORM,
    CHANNEL_VELOCITY,     // of the wire
    CHANNEL_DISPLACEMENT, // of the wire
    CHANNEL_OWN,          // value number index of the impedance's observe
    CHANNEL_MEMORY,
    CHANNEL_STICK,      // of a reaction
    CHANNEL_CONTACT,    // number of a reading of a contact
    CHANNEL_DISSIPATED, // by one element
    CHANNEL_ENERGY,     // number of a member of StiEnergy
    CHANNEL_INTEGRATOR  // number of a member of StiIntegratorFigures
} ChannelType;

typedef struct ChannelPlace {
    ChannelType type;
    StiRole role;
    int component;
    int index;
} ChannelPlace;

typedef struct NetworkChannel {
    const char *name, *unit;
    ChannelPlace place;
} NetworkChannel;

// Most values that the observe of one component writes.
int sti_network_largest_observation(const StiNetwork *network);

// Names all channels, when the network is otherwise complete.
void sti_network_name_channels(StiNetwork *network);

#endif
