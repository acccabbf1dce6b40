// What a name stands for in a network.
#include <string.h>

#include "network/channels.h"

static StiElementId element_id(const StiNetwork *network, StiRole role, int place)
{
    for (int i = 0; i < network->element_count; ++i)
        if (network->element_places[i].role == role && network->element_places[i].index == place)
            return (StiElementId){i + 1};
    return (StiElementId){0};
}

static bool find_component(const StiNetwork *network, const char *name, StiFound *found)
{
    StiComponent component;
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        if (strcmp(component.name, name) != 0) continue;
        if (component.role == STI_BODY) return false; // found by its plan's name
        int place = i - network->admittance_count;
        *found = (StiFound){.role = component.role, .number = i, .position = -1, .velocity = -1};
        if (component.role != STI_IMPEDANCE) place -= network->impedance_count;
        if (component.role == STI_CONTACT) place -= network->reaction_count;
        found->element = element_id(network, component.role, place);
        return true;
    }
    return false;
}

static bool find_body(const StiNetwork *network, const char *name, StiFound *found)
{
    for (int i = 0; i < network->body_count; ++i) {
        if (strcmp(network->bodies[i].name, name) != 0) continue;
        *found = (StiFound){.role = STI_BODY,
                            .number = network->bodies[i].admittance,
                            .body = {i + 1},
                            .position = -1,
                            .velocity = -1};
        return true;
    }
    return false;
}

static bool find_joint(const StiNetwork *network, const char *name, StiFound *found)
{
    for (int i = 0; i < network->body_count; ++i) {
        const NetworkBody *body = &network->bodies[i];
        const size_t length = strlen(body->name);
        StiJointPlace place;
        if (body->kind->joint == NULL || strncmp(name, body->name, length) != 0 ||
            name[length] != '.' ||
            !body->kind->joint(body->parameters, name + length + 1, &place))
            continue;
        *found = (StiFound){.role = STI_JOINT,
                            .number = body->admittance,
                            .body = {i + 1},
                            .link = place.link,
                            .position = place.position,
                            .velocity = place.velocity,
                            .count = place.count};
        return true;
    }
    return false;
}

static bool find_input(const StiNetwork *network, const char *name, StiFound *found)
{
    for (int i = 0; i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        if (source->input < 0 || strcmp(source->name, name) != 0) continue;
        *found = (StiFound){.role = STI_INPUT,
                            .number = source->input,
                            .count = source->count,
                            .position = -1,
                            .velocity = -1};
        return true;
    }
    return false;
}

bool sti_network_find(const StiNetwork *network, const char *name, StiFound *found)
{
    if (find_body(network, name, found) || find_component(network, name, found) || find_joint(network, name, found) ||
        find_input(network, name, found))
        return true;
    const int channel = sti_network_channel_find(network, name);
    *found = (StiFound){0};
    if (channel < 0) return false;
    *found = (StiFound){.role = STI_CHANNEL, .number = channel, .position = -1, .velocity = -1};
    return true;
}
