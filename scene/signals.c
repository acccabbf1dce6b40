// Loads: what a friction element with mu listens to.
#include <stdlib.h>
#include <string.h>

#include "robots.h"

// Splits "block.load" at the last dot; false if there is none.
static bool split(const char *text, char *component, size_t size, const char **output)
{
    const char *dot = strrchr(text, '.');
    if (dot == NULL || (size_t)(dot - text) >= size) return false;
    memcpy(component, text, (size_t)(dot - text));
    component[dot - text] = '\0';
    *output = dot + 1;
    return true;
}

// Number of a force: force (one axis), fx, fy, fz, f0, f1, ...; -1 if it is none.
static int force_number(const char *output, int forces)
{
    const char *digits = output + 1;
    if (strcmp(output, "force") == 0 && forces == 1) return 0;
    if (output[0] != 'f' || output[1] == '\0') return -1;
    if (strchr("xyz", output[1]) != NULL && output[2] == '\0')
        return forces <= 3 && output[1] - 'x' < forces ? output[1] - 'x' : -1;
    if (strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 4) return -1;
    const int number = (int)strtol(digits, NULL, 10);
    return number < forces ? number : -1;
}

// Written like a signal, and not the name of an input.
static bool looks_like_signal(const Reader *reader, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return strspn(text, letters) > 0 && strspn(text, others) == strlen(text) &&
           scene_node_entry(scene_node_find(reader->root, "inputs"), text) == NULL;
}

static void unknown_component(Reader *reader, const Node *node, const char *component)
{
    const int most = reader->body_count + reader->element_count;
    const char **names = sti_arena_take(reader->arena, (size_t)most + 1, sizeof *names);
    for (int i = 0; names != NULL && i < most; ++i)
        names[i] = i < reader->body_count ? reader->bodies[i].name : reader->elements[i - reader->body_count].name;
    const char *near = names != NULL ? scene_nearest(component, names, most) : NULL;
    if (near != NULL)
        scene_error(reader, node->mark, "there is no body or element '%s'; did you mean '%s'?", component, near);
    else
        scene_error(reader, node->mark, "there is no body or element '%s'", component);
}

// A component that could not be read has told so itself.
static bool known(const Reader *reader, const char *component)
{
    static const char *const sections[] = {"bodies", "elements"};
    for (int i = 0; i < 2; ++i)
        if (scene_node_entry(scene_node_find(reader->root, sections[i]), component) != NULL) return true;
    return false;
}

static void cannot_listen(Reader *reader, const Node *node, const Body *body, const Element *element)
{
    if (body != NULL)
        scene_error(reader, node->mark, "'%s' cannot be listened to: of bodies only guided blocks have a 'load'",
                    node->text);
    else if (element != NULL && element->forces == 0)
        scene_error(reader, node->mark,
                    "'%s' cannot be listened to: this model's force is known only at the end of the step", node->text);
    else if (element != NULL && element->forces == 1)
        scene_error(reader, node->mark, "'%s' cannot be listened to: this element has 'force'", node->text);
    else if (element != NULL && element->forces <= 3)
        scene_error(reader, node->mark, "'%s' cannot be listened to: this element has 'fx', 'fy'%s", node->text,
                    element->forces == 3 ? ", 'fz'" : "");
    else if (element != NULL)
        scene_error(reader, node->mark, "'%s' cannot be listened to: this element has 'f0' to 'f%d'", node->text,
                    element->forces - 1);
}

// 1: a signal; 0: not one (then it is a function of time); -1 after a message.
static int find_signal(Reader *reader, const Node *node, StiSignal *signal)
{
    char component[128];
    const char *output;
    if (node->type != NODE_SCALAR || !split(node->text, component, sizeof component, &output)) return 0;
    const Body *body = scene_find_body(reader, component), *robot;
    const Element *element = scene_find_element(reader, component);
    const int link = scene_find_joint(reader, component, &robot);
    if (link >= 0 && strcmp(output, "load") == 0) {
        *signal = sti_signal_load(robot->id, link);
        return 1;
    }
    if (body == NULL && element == NULL) {
        const bool signal_meant = looks_like_signal(reader, node->text);
        if (known(reader, component)) return -1;
        if (signal_meant) unknown_component(reader, node, component);
        return signal_meant ? -1 : 0;
    }
    if (body != NULL && body->id.index < 0) return -1;
    if (body != NULL && body->loads > 0 && strcmp(output, "load") == 0) {
        *signal = sti_signal_load(body->id, 0);
        return 1;
    }
    const int number = element != NULL ? force_number(output, element->forces) : -1;
    if (number < 0) {
        cannot_listen(reader, node, body, element);
        return -1;
    }
    *signal = sti_signal_force(element->id, number);
    return 1;
}

void scene_connect_loads(Reader *reader)
{
    for (int i = 0; i < reader->listener_count; ++i) {
        const Listener *listener = &reader->listeners[i];
        StiSignal signal;
        const int found = find_signal(reader, listener->load, &signal);
        if (found < 0) continue;
        if (found == 0) {
            Piece piece;
            if (!scene_read_piece(reader, listener->load, "load", &piece)) continue;
            const StiSourceId source = sti_plan_add_time_function(
                reader->plan, NULL, scene_time_function(reader, &piece, 1, 0, NULL, 0));
            signal = sti_signal_source(source, 0);
        }
        sti_plan_connect(reader->plan, signal, listener->element, listener->input);
    }
}
