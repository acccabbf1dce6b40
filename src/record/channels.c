#include "record/channels.h"

#include <stdio.h>
#include <string.h>

// Counts down to the channel that is wanted.
typedef struct Search {
    int number;
    StiChannel *channel;
    ChannelPlace *place;
} Search;

static bool offer(Search *search, const char *component, const char *name, const char *unit,
                  ChannelPlace place)
{
    if (search->number-- > 0) return false;
    snprintf(search->channel->name, sizeof search->channel->name, "%s%s%s", component,
             name[0] != '\0' ? "." : "", name);
    snprintf(search->channel->unit, sizeof search->channel->unit, "%s", unit);
    *search->place = place;
    return true;
}

static bool offer_body(Search *search, const Admittance *a, int component)
{
    const StiChannelInfo *names = NULL;
    const int count = a->kind->channels != NULL ? a->kind->channels(a->parameters, &names) : 0;
    for (int i = 0; i < count; ++i)
        if (offer(search, a->name, names[i].name, names[i].unit,
                  (ChannelPlace){CHANNEL_BODY, false, component, i}))
            return true;
    for (int i = 0; i < a->size.loads; ++i) {
        char name[32];
        snprintf(name, sizeof name, a->size.loads == 1 ? "load" : "load%d", i);
        if (offer(search, a->name, name, "N", (ChannelPlace){CHANNEL_LOAD, false, component, i}))
            return true;
    }
    return false;
}

// One axis: "force"; two or three: "fx", "fy", "fz"; more: "f0", "f1", ...
static void axis_name(char name[32], const char *alone, const char *stem, int axis, int count)
{
    static const char *const axes[] = {"x", "y", "z"};
    if (count == 1)
        snprintf(name, 32, "%s", alone);
    else if (count <= 3)
        snprintf(name, 32, "%s%s", stem, axes[axis]);
    else
        snprintf(name, 32, "%s%d", stem[0] != '\0' ? stem : "x", axis);
}

static bool offer_axes(Search *search, const char *component, const char *alone, const char *stem,
                       const char *unit, int count, ChannelPlace place)
{
    for (place.index = 0; place.index < count; ++place.index) {
        char name[32];
        axis_name(name, alone, stem, place.index, count);
        if (offer(search, component, name, unit, place)) return true;
    }
    return false;
}

static bool offer_wire(Search *search, const char *name, const StiWireSize *size, bool reaction,
                       int i)
{
    if (offer_axes(search, name, "force", "f", "N", size->velocities,
                   (ChannelPlace){CHANNEL_FORCE, reaction, i, 0}))
        return true;
    if (size->velocities > 1 && size->velocities <= 3 &&
        offer(search, name, "force", "N", (ChannelPlace){CHANNEL_FORCE_NORM, reaction, i, 0}))
        return true;
    return offer_axes(search, name, "v", "v", "m/s", size->velocities,
                      (ChannelPlace){CHANNEL_VELOCITY, reaction, i, 0}) ||
           offer_axes(search, name, "x", "", "m", size->positions,
                      (ChannelPlace){CHANNEL_DISPLACEMENT, reaction, i, 0});
}

// An element on one of several places, "arm.joint0.friction": its force also goes by its name
// alone.
static bool offer_alone(Search *search, const char *name, const StiWireSize *size, bool reaction,
                        int i)
{
    return size->velocities == 1 && strchr(name, '.') != NULL &&
           offer(search, name, "", "N", (ChannelPlace){CHANNEL_FORCE, reaction, i, 0});
}

// What a controller gives is no force: its unit is that of what it drives.
static bool offer_output(Search *search, const Impedance *e, int component)
{
    const ChannelPlace output = {CHANNEL_FORCE, false, component, 0};
    if (offer_axes(search, e->name, "output", "output", "", e->wire.size.velocities, output))
        return true;
    for (int i = 0; i < e->kind->channel_count; ++i)
        if (offer(search, e->name, e->kind->channels[i].name, e->kind->channels[i].unit,
                  (ChannelPlace){CHANNEL_OWN, false, component, i}))
            return true;
    return false;
}

static bool offer_impedance(Search *search, const Impedance *e, int component)
{
    if (e->kind->only_senses) return offer_output(search, e, component);
    if (offer_wire(search, e->name, &e->wire.size, false, component)) return true;
    for (int i = 0; i < e->kind->channel_count; ++i)
        if (offer(search, e->name, e->kind->channels[i].name, e->kind->channels[i].unit,
                  (ChannelPlace){CHANNEL_OWN, false, component, i}))
            return true;
    for (int i = 0; i < e->size.memory; ++i) {
        char name[32];
        snprintf(name, sizeof name, "memory%d", i);
        if (offer(search, e->name, name, "", (ChannelPlace){CHANNEL_MEMORY, false, component, i}))
            return true;
    }
    return offer(search, e->name, "dissipated", "J",
                 (ChannelPlace){CHANNEL_DISSIPATED, false, component, 0}) ||
           offer_alone(search, e->name, &e->wire.size, false, component);
}

static bool offer_reaction(Search *search, const Reaction *e, int component)
{
    return offer_wire(search, e->name, &e->wire.size, true, component) ||
           offer(search, e->name, "stick", "1",
                 (ChannelPlace){CHANNEL_STICK, true, component, 0}) ||
           offer(search, e->name, "dissipated", "J",
                 (ChannelPlace){CHANNEL_DISSIPATED, true, component, 0}) ||
           offer_alone(search, e->name, &e->wire.size, true, component);
}

// A function that belongs to a motion or force shows there; only those with a name of their own
// here.
static bool offer_source(Search *search, const Source *source, int component)
{
    for (int i = 0; source->own_name && i < source->count; ++i) {
        char name[32] = "";
        if (source->count > 1) snprintf(name, sizeof name, "%d", i);
        if (offer(search, source->name, name, "",
                  (ChannelPlace){CHANNEL_SOURCE, false, component, i}))
            return true;
    }
    return false;
}

static bool offer_energy(Search *search)
{
    static const char *const names[] = {"work",       "stored",    "stored_start",
                                        "dissipated", "numerical", "residual"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); ++i)
        if (offer(search, "energy", names[i], "J", (ChannelPlace){CHANNEL_ENERGY, false, 0, i}))
            return true;
    return false;
}

bool sti_channel_at(const StiNetwork *network, int number, StiChannel *channel, ChannelPlace *place)
{
    Search search = {.number = number, .channel = channel, .place = place};
    if (number < 0) return false;
    for (int i = 0; i < network->admittance_count; ++i)
        if (offer_body(&search, &network->admittances[i], i)) return true;
    for (int i = 0; i < network->impedance_count; ++i)
        if (offer_impedance(&search, &network->impedances[i], i)) return true;
    for (int i = 0; i < network->reaction_count; ++i)
        if (offer_reaction(&search, &network->reactions[i], i)) return true;
    for (int i = 0; i < network->source_count; ++i)
        if (offer_source(&search, &network->sources[i], i)) return true;
    return offer_energy(&search);
}

bool sti_network_channel(const StiNetwork *network, int number, StiChannel *channel)
{
    ChannelPlace place;
    return sti_channel_at(network, number, channel, &place);
}

int sti_network_channel_find(const StiNetwork *network, const char *name)
{
    StiChannel channel;
    for (int i = 0; sti_network_channel(network, i, &channel); ++i)
        if (strcmp(channel.name, name) == 0) return i;
    return -1;
}
