// What a name stands for in a network.
#include <string.h>

#include "network/channels.h"
#include "stiction/linkage.h"

static StiAdmittanceId body_id(const StiNetwork *network, int place)
{
    for (int i = 0; i < network->admittance_count; ++i)
        if (network->admittance_places[i] == place) return (StiAdmittanceId){i + 1};
    return (StiAdmittanceId){0};
}

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
        int place = i;
        *found = (StiFound){.role = component.role, .number = i, .position = -1, .velocity = -1};
        if (component.role == STI_BODY) {
            found->body = body_id(network, place);
            return true;
        }
        place -= network->admittance_count;
        if (component.role != STI_IMPEDANCE) place -= network->impedance_count;
        if (component.role == STI_CONTACT) place -= network->reaction_count;
        found->element = element_id(network, component.role, place);
        return true;
    }
    return false;
}

// Of the joint NAME of the body at this place; link -1: there is none.
static StiFound joint_of(const StiNetwork *network, int place, const char *name)
{
    const Admittance *a = &network->admittances[place];
    StiFound found = {
        .role = STI_JOINT, .number = place, .link = -1, .position = -1, .velocity = -1};
    found.body = body_id(network, place);
    if (a->robot != NULL) {
        found.link = sti_robot_find_joint(a->robot, name);
        if (found.link < 0) return found;
        found.position = sti_robot_joint_position(a->robot, found.link);
        found.velocity = sti_robot_joint_velocity(a->robot, found.link);
        found.count = sti_robot_joint_velocities(a->robot, found.link);
    } else if (a->kind == &sti_kind_linkage) {
        const StiLinkage *linkage = ((const StiLinkageBody *)a->parameters)->linkage;
        const int pair = sti_linkage_find_pair(linkage, name);
        if (pair >= 0) found.link = sti_linkage_pair_link(linkage, pair);
    }
    return found;
}

static bool find_joint(const StiNetwork *network, const char *name, StiFound *found)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const size_t length = strlen(network->admittances[i].name);
        if (strncmp(name, network->admittances[i].name, length) != 0 || name[length] != '.')
            continue;
        *found = joint_of(network, i, name + length + 1);
        if (found->link >= 0) return true;
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
    if (find_component(network, name, found) || find_joint(network, name, found) ||
        find_input(network, name, found))
        return true;
    const int channel = sti_network_channel_find(network, name);
    *found = (StiFound){0};
    if (channel < 0) return false;
    *found = (StiFound){.role = STI_CHANNEL, .number = channel, .position = -1, .velocity = -1};
    return true;
}
