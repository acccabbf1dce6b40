// The channels of a network, by number and name.
#ifndef STICTION_CLI_CHANNELS_H
#define STICTION_CLI_CHANNELS_H

#include <stiction/record.h>

typedef struct Channels {
    int count;
    StiChannel *channels;
    const char **names; // of the channels, for expressions
} Channels;

Channels channels_of(const StiNetwork *network);
void channels_release(Channels *channels);
int channels_find(const Channels *channels, const char *name); // -1 if there is none

// "COMPONENT.stick": true for such a channel, with the length of the component's name.
bool channels_is_stick(const char *name, int *component_length);

#endif
