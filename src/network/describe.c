// A network described for people.
#include "network/contacts.h"

static const char *side_name(const StiNetwork *network, const StiEnd *end)
{
    return end->admittance < 0 ? "ground" : network->admittances[end->admittance].name;
}

static void describe_wire(const StiNetwork *network, const StiWire *wire, StiComponent *to)
{
    to->wire = wire->kind->info.name;
    to->side_a = side_name(network, &wire->a);
    to->side_b = side_name(network, &wire->b);
}

static void describe_body(const Admittance *a, StiComponent *to)
{
    *to = (StiComponent){.role = STI_BODY,
                         .name = a->name,
                         .kind = a->kind->info.name,
                         .positions = a->size.positions,
                         .velocities = a->size.velocities,
                         .links = a->size.links,
                         .signals = a->size.signals};
}

static void describe_impedance(const StiNetwork *network, const Impedance *e, StiComponent *to)
{
    *to = (StiComponent){.role = STI_IMPEDANCE,
                         .name = e->name,
                         .kind = e->kind->info.name,
                         .memory = e->size.memory,
                         .discrete = e->size.discrete,
                         .signals = e->size.signals};
    if (e->wired) describe_wire(network, &e->wire.wire, to);
}

static void describe_reaction(const StiNetwork *network, const Reaction *e, StiComponent *to)
{
    *to = (StiComponent){.role = STI_REACTION,
                         .name = e->name,
                         .kind = e->kind->info.name,
                         .discrete = e->size.discrete,
                         .signals = e->size.signals};
    describe_wire(network, &e->wire.wire, to);
}

// By the first shapes of its sides.
static void describe_contact(const StiNetwork *network, const Contact *e, StiComponent *to)
{
    const int other = e->a_count < e->shape_count ? e->a_count : e->shape_count - 1;
    const int bodies[2] = {e->shapes[0].admittance, e->shapes[other].admittance};
    *to = (StiComponent){.role = STI_CONTACT,
                         .name = e->name,
                         .kind = sti_info_contact.name,
                         .discrete = sti_contact_memory(e->capacity),
                         .side_a = bodies[0] < 0 ? "ground" : network->admittances[bodies[0]].name,
                         .side_b = bodies[1] < 0 ? "ground" : network->admittances[bodies[1]].name};
}

bool sti_network_component(const StiNetwork *network, int number, StiComponent *component)
{
    if (number < 0) return false;
    if (number < network->admittance_count) {
        describe_body(&network->admittances[number], component);
        return true;
    }
    number -= network->admittance_count;
    if (number < network->impedance_count) {
        describe_impedance(network, &network->impedances[number], component);
        return true;
    }
    number -= network->impedance_count;
    if (number < network->reaction_count) {
        describe_reaction(network, &network->reactions[number], component);
        return true;
    }
    number -= network->reaction_count;
    if (number >= network->contact_count) return false;
    describe_contact(network, &network->contacts[number], component);
    return true;
}

const void *sti_network_parameters(const StiNetwork *network, int number)
{
    if (number < 0) return NULL;
    if (number < network->admittance_count) return network->admittances[number].parameters;
    number -= network->admittance_count;
    if (number < network->impedance_count) return network->impedances[number].parameters;
    number -= network->impedance_count;
    if (number < network->reaction_count) return network->reactions[number].parameters;
    number -= network->reaction_count;
    return number < network->contact_count ? network->contacts[number].parameters : NULL;
}

bool sti_network_wire(const StiNetwork *network, int number, StiWire *wire)
{
    number -= network->admittance_count;
    if (number < 0) return false;
    if (number < network->impedance_count) {
        *wire = network->impedances[number].wire.wire;
        return network->impedances[number].wired;
    }
    number -= network->impedance_count;
    if (number >= network->reaction_count) return false;
    *wire = network->reactions[number].wire.wire;
    return true;
}

// Where a value comes from, and which one it is there.
static void describe_origin(const StiNetwork *network, const Connection *c, StiConnection *to)
{
    for (int i = 0; c->from == FROM_SOURCE && i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        if (c->index < source->first || c->index >= source->first + source->count) continue;
        to->from = source->name;
        to->value = "source";
        to->index = c->index - source->first;
    }
    for (int i = 0; c->from == FROM_LOAD && i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (c->index < a->load || c->index >= a->load + a->size.loads) continue;
        to->from = a->name;
        to->value = "load";
        to->index = c->index - a->load;
    }
    for (int i = 0; c->from == FROM_FORCE && i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (c->index < e->wire.v || c->index >= e->wire.v + e->wire.size.velocities) continue;
        to->from = e->name;
        to->value = e->kind->only_senses ? "output" : "force";
        to->index = c->index - e->wire.v;
    }
    for (int i = 0; c->from == FROM_STATE && i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const bool position = c->index >= a->q && c->index < a->q + a->size.positions,
                   rate = c->index >= a->v && c->index < a->v + a->size.velocities;
        if (!position && !rate) continue;
        to->from = a->name;
        to->value = position ? "position" : "velocity";
        to->index = c->index - (position ? a->q : a->v);
    }
}

static bool describe_connection(const StiNetwork *network, const Connections *all, const char *name,
                                int *number, StiConnection *to)
{
    if (*number >= all->count) {
        *number -= all->count;
        return false;
    }
    const Connection *c = &all->items[*number];
    *to = (StiConnection){.gain = c->gain, .to = name, .input = *number};
    describe_origin(network, c, to);
    return true;
}

bool sti_network_connection(const StiNetwork *network, int number, StiConnection *connection)
{
    if (number < 0) return false;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (describe_connection(network, &a->connections, a->name, &number, connection))
            return true;
    }
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (describe_connection(network, &e->connections, e->name, &number, connection))
            return true;
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (describe_connection(network, &e->connections, e->name, &number, connection))
            return true;
    }
    return false;
}

bool sti_network_contact_shape(const StiNetwork *network, int number, int place, StiShapeOn *shape)
{
    number -= network->admittance_count + network->impedance_count + network->reaction_count;
    if (number < 0 || number >= network->contact_count) return false;
    const Contact *e = &network->contacts[number];
    if (place < 0 || place >= e->shape_count) return false;
    const ContactShape *own = &e->shapes[place];
    *shape = (StiShapeOn){own->admittance, own->link, &own->shape};
    return true;
}
