// Rotors of motors on the joints of robots: they are elements, and their inertia belongs to the robot.
#include <math.h>
#include <string.h>

#include "read/actuators.h"

static bool is_motor(const Node *element)
{
    const Node *kind = element->type == NODE_MAP ? scene_node_find(element, "kind") : NULL;
    return kind != NULL && kind->type == NODE_SCALAR &&
           (strcmp(kind->text, "dc-motor") == 0 || strcmp(kind->text, "servo") == 0);
}

static bool names(const Node *on, const char *place)
{
    if (on == NULL || on->type == NODE_MAP) return false;
    if (on->type == NODE_SCALAR) return strcmp(on->text, place) == 0;
    for (int i = 0; i < on->count; ++i)
        if (on->items[i]->type == NODE_SCALAR && strcmp(on->items[i]->text, place) == 0)
            return true;
    return false;
}

// On the joint's side. The reader is a copy whose messages are dropped.
static double reflected(Reader *silent, const Node *motor)
{
    double inertia = 0.0, gear = 1.0;
    const bool good = scene_number_at(silent, motor, "rotor_inertia", &inertia) &&
                      scene_number_at(silent, motor, "gear_ratio", &gear);
    return good && inertia > 0.0 && isfinite(gear) ? gear * gear * inertia : 0.0;
}

double scene_rotors_on(const Reader *reader, const char *joint)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    Reader silent = *reader;
    double sum = 0.0;
    silent.messages = sti_messages_create();
    if (silent.messages == NULL || elements == NULL || elements->type != NODE_MAP) elements = NULL;
    for (int i = 0; elements != NULL && i < elements->count; ++i) {
        const Node *element = elements->entries[i].value;
        if (is_motor(element) && names(scene_node_find(element, "on"), joint))
            sum += reflected(&silent, element);
    }
    sti_messages_destroy(silent.messages);
    return sum;
}
