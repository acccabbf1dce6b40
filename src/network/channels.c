#include "network/channels.h"

#include <stdio.h>
#include <string.h>

#include "network/units.h"

// Goes through all channels twice: first to count them, then to write them down.
typedef struct Listing {
    StiNetwork *network;
    NetworkChannel *channels; // NULL: only count
    int count;
} Listing;

static void offer(Listing *listing, const char *component, const char *name, const char *unit,
                  ChannelPlace place)
{
    const int number = listing->count++;
    if (listing->channels == NULL) return;
    char whole[sizeof(((StiChannel *)0)->name)];
    const bool apart = component[0] != '\0' && name[0] != '\0' && name[0] != '.';
    snprintf(whole, sizeof whole, "%s%s%s", component, apart ? "." : "", name);
    StiNetwork *network = listing->network;
    const char *kept = sti_arena_text(&network->arena, whole);
    listing->channels[number] = (NetworkChannel){kept, unit, place};
    if (kept != NULL) sti_names_put(&network->channel_names, &network->arena, kept, number);
}

// The body's name, or none where its channels have whole names.
static const char *prefix_of(const Admittance *a, const char *name)
{
    return a->kind->whole_names && name[0] != '.' ? "" : a->name;
}

static void offer_body(Listing *listing, const Admittance *a, int component)
{
    const StiChannelInfo *names = NULL;
    const int count = a->kind->channels != NULL ? a->kind->channels(a->parameters, &names) : 0;
    for (int i = 0; i < count; ++i)
        offer(listing, prefix_of(a, names[i].name), names[i].name, names[i].unit,
              (ChannelPlace){CHANNEL_BODY, STI_BODY, component, i});
    const StiChannelInfo *loads =
        a->kind->load_channels != NULL ? a->kind->load_channels(a->parameters) : NULL;
    for (int i = 0; i < a->size.loads; ++i) {
        char name[32];
        const ChannelPlace place = {CHANNEL_LOAD, STI_BODY, component, i};
        if (loads != NULL) {
            offer(listing, prefix_of(a, loads[i].name), loads[i].name, loads[i].unit, place);
            continue;
        }
        snprintf(name, sizeof name, a->size.loads == 1 ? "load" : "load%d", i);
        offer(listing, a->name, name, "N", place);
    }
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

// What a channel of a wire is measured in, along a line and about an axis.
typedef struct Units {
    const char *line, *turn;
} Units;
static const Units force_units = {"N", "N m"}, velocity_units = {"m/s", "rad/s"},
                   position_units = {"m", "rad"};

// Is this velocity of the wire a rotation? Wires of coordinates leave that to the body.
static bool is_angular(const StiNetwork *network, const StiWire *wire, int axis)
{
    if (wire->kind == NULL || !wire->kind->coordinates)
        return wire->kind != NULL && wire->kind->is_angular && axis >= wire->kind->translations;
    const StiEnd *end = wire->a.admittance >= 0 ? &wire->a : &wire->b;
    const Admittance *a = &network->admittances[end->admittance];
    return a->kind->is_angular != NULL && a->kind->is_angular(a->parameters, end->place + axis);
}

static void offer_axes(Listing *listing, const char *component, const char *alone, const char *stem,
                       const StiWire *wire, Units units, int count, ChannelPlace place)
{
    for (place.index = 0; place.index < count; ++place.index) {
        char name[32];
        axis_name(name, alone, stem, place.index, count);
        const bool turn = wire != NULL && is_angular(listing->network, wire, place.index);
        offer(listing, component, name, turn ? units.turn : units.line, place);
    }
}

static void offer_wire(Listing *listing, const char *name, const Wire *wire, StiRole role, int i)
{
    const StiWireSize *size = &wire->size;
    // Positions that are not as many as velocities (quaternions) are no angles.
    const StiWire *alike = size->positions == size->velocities ? &wire->wire : NULL;
    offer_axes(listing, name, "force", "f", &wire->wire, force_units, size->velocities,
               (ChannelPlace){CHANNEL_FORCE, role, i, 0});
    if (size->velocities > 1 && size->velocities <= 3)
        offer(listing, name, "force", is_angular(listing->network, &wire->wire, 0) ? "N m" : "N",
              (ChannelPlace){CHANNEL_FORCE_NORM, role, i, 0});
    offer_axes(listing, name, "v", "v", &wire->wire, velocity_units, size->velocities,
               (ChannelPlace){CHANNEL_VELOCITY, role, i, 0});
    offer_axes(listing, name, "x", "", alike, position_units, size->positions,
               (ChannelPlace){CHANNEL_DISPLACEMENT, role, i, 0});
}

// An element on one of several places, "arm.joint0.friction": its force also goes by its name
// alone.
static void offer_alone(Listing *listing, const char *name, const Wire *wire, StiRole role, int i)
{
    if (wire->size.velocities == 1 && strchr(name, '.') != NULL)
        offer(listing, name, "", is_angular(listing->network, &wire->wire, 0) ? "N m" : "N",
              (ChannelPlace){CHANNEL_FORCE, role, i, 0});
}

// Friction on one of several places, "arm.joint0.friction": whether the joint sticks also goes by the
// joint's name, "arm.joint0.stick".
static void offer_stick_alone(Listing *listing, const Reaction *e, int component)
{
    char place[sizeof(((StiChannel *)0)->name)];
    const char *last = strrchr(e->name, '.');
    if (e->wire.size.velocities != 1 || last == NULL || strcmp(last, ".friction") != 0) return;
    snprintf(place, sizeof place, "%.*s", (int)(last - e->name), e->name);
    offer(listing, place, "stick", "1", (ChannelPlace){CHANNEL_STICK, STI_REACTION, component, 0});
}

// What a controller gives is no force: its unit is that of what it drives.
static void offer_output(Listing *listing, const Impedance *e, int component)
{
    const ChannelPlace output = {CHANNEL_FORCE, STI_IMPEDANCE, component, 0};
    offer_axes(listing, e->name, "output", "output", NULL, (Units){"", ""}, e->wire.size.velocities,
               output);
    for (int i = 0; i < e->kind->channel_count; ++i)
        offer(listing, e->name, e->kind->channels[i].name, e->kind->channels[i].unit,
              (ChannelPlace){CHANNEL_OWN, STI_IMPEDANCE, component, i});
}

static void offer_impedance(Listing *listing, const Impedance *e, int component)
{
    if (e->kind->only_senses) {
        offer_output(listing, e, component);
        return;
    }
    offer_wire(listing, e->name, &e->wire, STI_IMPEDANCE, component);
    const bool turns = e->wire.size.velocities == 1 && is_angular(listing->network, &e->wire.wire, 0);
    for (int i = 0; i < e->kind->channel_count; ++i)
        offer(listing, e->name, e->kind->channels[i].name,
              turns ? sti_unit_about_axis(e->kind->channels[i].unit) : e->kind->channels[i].unit,
              (ChannelPlace){CHANNEL_OWN, STI_IMPEDANCE, component, i});
    for (int i = 0; i < e->size.memory; ++i) {
        char name[32];
        snprintf(name, sizeof name, "memory%d", i);
        offer(listing, e->name, name, "",
              (ChannelPlace){CHANNEL_MEMORY, STI_IMPEDANCE, component, i});
    }
    offer(listing, e->name, "dissipated", "J",
          (ChannelPlace){CHANNEL_DISSIPATED, STI_IMPEDANCE, component, 0});
    offer_alone(listing, e->name, &e->wire, STI_IMPEDANCE, component);
}

static void offer_reaction(Listing *listing, const Reaction *e, int component)
{
    offer_wire(listing, e->name, &e->wire, STI_REACTION, component);
    offer(listing, e->name, "stick", "1",
          (ChannelPlace){CHANNEL_STICK, STI_REACTION, component, 0});
    offer(listing, e->name, "dissipated", "J",
          (ChannelPlace){CHANNEL_DISSIPATED, STI_REACTION, component, 0});
    offer_alone(listing, e->name, &e->wire, STI_REACTION, component);
    offer_stick_alone(listing, e, component);
}

static void offer_contact(Listing *listing, const Contact *e, int component)
{
    static const StiChannelInfo readings[] = {{"fn", "N"},    {"ft", "N"},     {"depth", "m"},
                                              {"stick", "1"}, {"vx", "m/s"},   {"vy", "m/s"},
                                              {"vz", "m/s"},  {"points", "1"}, {"impulse", "N s"},
                                              {"px", "m"},    {"py", "m"},     {"pz", "m"},
                                              {"fx", "N"},    {"fy", "N"},     {"fz", "N"}};
    for (int i = 0; i < (int)(sizeof readings / sizeof readings[0]); ++i)
        offer(listing, e->name, readings[i].name, readings[i].unit,
              (ChannelPlace){CHANNEL_CONTACT, STI_CONTACT, component, i});
    offer(listing, e->name, "dissipated", "J",
          (ChannelPlace){CHANNEL_DISSIPATED, STI_CONTACT, component, 0});
}

// A function that belongs to a motion or force shows there; only those with a name of their own
// here.
static void offer_source(Listing *listing, const Source *source, int component)
{
    for (int i = 0; source->own_name && i < source->count; ++i) {
        char name[32] = "";
        if (source->count > 1) snprintf(name, sizeof name, "%d", i);
        offer(listing, source->name, name, source->unit,
              (ChannelPlace){CHANNEL_SOURCE, STI_BODY, component, i});
    }
}

static void offer_energy(Listing *listing)
{
    static const char *const names[] = {"work",       "stored",    "stored_start",
                                        "dissipated", "numerical", "residual"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); ++i)
        offer(listing, "energy", names[i], "J", (ChannelPlace){CHANNEL_ENERGY, STI_BODY, 0, i});
}

static void offer_integrator(Listing *listing)
{
    static const char *const names[] = {"steps", "failures", "evaluations", "events"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); ++i)
        offer(listing, "integrator", names[i], "1",
              (ChannelPlace){CHANNEL_INTEGRATOR, false, 0, i});
}

static void list_all(Listing *listing)
{
    const StiNetwork *network = listing->network;
    listing->count = 0;
    for (int i = 0; i < network->admittance_count; ++i)
        offer_body(listing, &network->admittances[i], i);
    for (int i = 0; i < network->impedance_count; ++i)
        offer_impedance(listing, &network->impedances[i], i);
    for (int i = 0; i < network->reaction_count; ++i)
        offer_reaction(listing, &network->reactions[i], i);
    for (int i = 0; i < network->contact_count; ++i)
        offer_contact(listing, &network->contacts[i], i);
    for (int i = 0; i < network->source_count; ++i) offer_source(listing, &network->sources[i], i);
    offer_energy(listing);
    if (network->method->continuous) offer_integrator(listing);
}

int sti_network_largest_observation(const StiNetwork *network)
{
    int most = 1;
    for (int i = 0; i < network->admittance_count; ++i) {
        const StiChannelInfo *names;
        const Admittance *a = &network->admittances[i];
        const int count = a->kind->channels != NULL ? a->kind->channels(a->parameters, &names) : 0;
        if (count > most) most = count;
    }
    for (int i = 0; i < network->impedance_count; ++i)
        if (network->impedances[i].kind->channel_count > most)
            most = network->impedances[i].kind->channel_count;
    return most;
}

void sti_network_name_channels(StiNetwork *network)
{
    Listing listing = {.network = network};
    list_all(&listing);
    listing.channels =
        sti_arena_take(&network->arena, (size_t)listing.count, sizeof *listing.channels);
    if (listing.channels == NULL) return;
    list_all(&listing);
    network->channels = listing.channels;
    network->channel_count = listing.count;
}

bool sti_network_channel(const StiNetwork *network, int number, StiChannel *channel)
{
    if (number < 0 || number >= network->channel_count) return false;
    const NetworkChannel *from = &network->channels[number];
    snprintf(channel->name, sizeof channel->name, "%s", from->name);
    snprintf(channel->unit, sizeof channel->unit, "%s", from->unit);
    return true;
}

int sti_network_channel_find(const StiNetwork *network, const char *name)
{
    return sti_names_find(&network->channel_names, name);
}
