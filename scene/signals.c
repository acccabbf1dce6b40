// Loads: what a friction element with mu listens to.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

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
    int number = -1;
    if (strcmp(output, "force") == 0 && forces == 1) return 0;
    if (output[0] == 'f' && strlen(output) == 2 && strchr("xyz", output[1]) != NULL && forces <= 3)
        number = output[1] - 'x';
    else if (output[0] == 'f' && output[1] >= '0' && output[1] <= '9')
        number = (int)strtol(output + 1, NULL, 10);
    return number < forces ? number : -1;
}

// 1: a signal; 0: not one (then it is a function of time); -1 after a message.
static int find_signal(Reader *reader, const Node *node, StiSignal *signal)
{
    char component[128];
    const char *output;
    if (node->type != NODE_SCALAR || !split(node->text, component, sizeof component, &output)) return 0;
    const Body *body = scene_find_body(reader, component);
    const Element *element = scene_find_element(reader, component);
    if (body != NULL && strcmp(output, "load") == 0) {
        *signal = sti_signal_load(body->id, 0);
        return 1;
    }
    const int number = element != NULL ? force_number(output, element->forces) : -1;
    if (element != NULL && number >= 0) {
        *signal = sti_signal_force(element->id, number);
        return 1;
    }
    if (body == NULL && element == NULL) return 0;
    scene_error(reader, node->mark, "'%s' cannot be listened to: bodies have 'load', elements 'force', or 'fx', 'fy', 'fz'",
                node->text);
    return -1;
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
