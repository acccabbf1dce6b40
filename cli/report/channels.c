#include "report/channels.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/text.h"

Channels channels_of(const StiNetwork *network)
{
    Channels all = {0};
    StiChannel channel;
    while (sti_network_channel(network, all.count, &channel)) ++all.count;
    all.channels = take((size_t)all.count, sizeof *all.channels);
    all.names = take((size_t)all.count, sizeof *all.names);
    for (int i = 0; i < all.count; ++i) {
        sti_network_channel(network, i, &all.channels[i]);
        all.names[i] = all.channels[i].name;
    }
    return all;
}

void channels_release(Channels *channels)
{
    free(channels->channels);
    free(channels->names);
}

int channels_find(const Channels *channels, const char *name)
{
    for (int i = 0; i < channels->count; ++i)
        if (strcmp(channels->names[i], name) == 0) return i;
    return -1;
}

bool channels_is_stick(const char *name, int *component_length)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL || strcmp(dot, ".stick") != 0) return false;
    *component_length = (int)(dot - name);
    return true;
}
