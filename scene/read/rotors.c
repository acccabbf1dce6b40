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

enum { NOWHERE = -1 };

// Which of the places that a motor is on this joint is; number: of the joint among those of its robot.
static int place_of(const Node *on, const char *joint, int number)
{
    if (on == NULL || on->type == NODE_MAP) return NOWHERE;
    if (on->type == NODE_SCALAR) {
        const size_t owner = strcspn(joint, ".");
        if (strcmp(on->text, joint) == 0) return 0;
        return strncmp(on->text, joint, owner) == 0 && strcmp(on->text + owner, ".joints") == 0
                   ? number
                   : NOWHERE;
    }
    for (int i = 0; i < on->count; ++i)
        if (on->items[i]->type == NODE_SCALAR && strcmp(on->items[i]->text, joint) == 0) return i;
    return NOWHERE;
}

// A number of the motor, or that of its place among several.
static bool number_at(Reader *silent, const Node *motor, const char *key, int place, double *value)
{
    const Node *node = scene_node_find(motor, key);
    if (node != NULL && node->type == NODE_LIST)
        return place < node->count && scene_number(silent, node->items[place], key, value);
    return scene_number_at(silent, motor, key, value);
}

// On the joint's side. The reader is a copy whose messages are dropped.
static double reflected(Reader *silent, const Node *motor, int place)
{
    double inertia = 0.0, gear = 1.0;
    const bool good = number_at(silent, motor, "rotor_inertia", place, &inertia) &&
                      number_at(silent, motor, "gear_ratio", place, &gear);
    return good && inertia > 0.0 && isfinite(gear) ? gear * gear * inertia : 0.0;
}

double scene_rotors_on(const Reader *reader, const char *joint, int number)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    Reader silent = *reader;
    double sum = 0.0;
    silent.messages = sti_messages_create();
    if (silent.messages == NULL || elements == NULL || elements->type != NODE_MAP) elements = NULL;
    for (int i = 0; elements != NULL && i < elements->count; ++i) {
        const Node *element = elements->entries[i].value;
        if (!is_motor(element)) continue;
        const int place = place_of(scene_node_find(element, "on"), joint, number);
        if (place != NOWHERE) sum += reflected(&silent, element, place);
    }
    sti_messages_destroy(silent.messages);
    return sum;
}
