// What elements listen to: loads, forces, controllers, functions of time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/linkages.h"
#include "yaml/places.h"
#include "read/robots.h"
#include "read/sections.h"
#include "read/state_function.h"

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

// Of a coupling its force; of a loop force0, moment0, ... and load.
static bool constraint_signal(const Element *element, const char *output, StiSignal *signal)
{
    int index = -1;
    if (element->forces == 1 && strcmp(output, "force") == 0) index = 0;
    if (element->forces > 1 && strncmp(output, "force", 5) == 0 && output[5] >= '0' &&
        output[5] <= '9' && output[6] == '\0')
        index = output[5] - '0';
    if (strcmp(output, "load") == 0) index = element->forces;
    if (index < 0 || index > element->forces) return false;
    *signal = sti_signal_constraint(element->constraint, index);
    return true;
}

// Written like a signal, and not the name of an input.
static bool looks_like_signal(const Reader *reader, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return strspn(text, letters) > 0 && strspn(text, others) == strlen(text) &&
           scene_node_entry(scene_node_find(reader->root, "inputs"), text) == NULL;
}

static void unknown_component(Reader *reader, const Node *node, const char *component)
{
    const int most = reader->body_count + reader->element_count;
    const char **names = sti_arena_take(reader->arena, (size_t)most + 1, sizeof *names);
    for (int i = 0; names != NULL && i < most; ++i)
        names[i] = i < reader->body_count ? reader->bodies[i].name
                                          : reader->elements[i - reader->body_count].name;
    const char *near = names != NULL ? scene_nearest(component, names, most) : NULL;
    if (near != NULL)
        scene_error(reader, node->mark, "there is no body or element '%s'; did you mean '%s'?",
                    component, near);
    else
        scene_error(reader, node->mark, "there is no body or element '%s'", component);
}

// A component that could not be read has its own error.
static bool known(const Reader *reader, const char *component)
{
    static const char *const sections[] = {"bodies", "elements"};
    for (int i = 0; i < 2; ++i)
        if (scene_node_entry(scene_node_find(reader->root, sections[i]), component) != NULL)
            return true;
    return false;
}

static void cannot_listen(Reader *reader, const Node *node, const Body *body,
                          const Element *element)
{
    if (body != NULL)
        scene_error(reader, node->mark,
                    "'%s' cannot be listened to: of bodies only guided blocks have a 'load', and "
                    "joints of robots",
                    node->text);
    else if (element != NULL && element->controller)
        scene_error(reader, node->mark,
                    "'%s' cannot be listened to: a pid gives no force; motors and forces name it",
                    node->text);
    else if (element != NULL && element->forces == 0)
        scene_error(
            reader, node->mark,
            "'%s' cannot be listened to: this model's force is known only at the end of the step",
            node->text);
    else if (element != NULL && element->forces == 1)
        scene_error(reader, node->mark, "'%s' cannot be listened to: this element has 'force'",
                    node->text);
    else if (element != NULL && element->forces <= 3)
        scene_error(reader, node->mark, "'%s' cannot be listened to: this element has 'fx', 'fy'%s",
                    node->text, element->forces == 3 ? ", 'fz'" : "");
    else if (element != NULL)
        scene_error(reader, node->mark,
                    "'%s' cannot be listened to: this element has 'f0' to 'f%d'", node->text,
                    element->forces - 1);
}

// 1: a signal; 0: not one (then it is a function of time); -1 after a message.
static int find_signal(Reader *reader, const Node *node, StiSignal *signal)
{
    char component[128];
    const char *output;
    if (node->type != NODE_SCALAR || !split(node->text, component, sizeof component, &output))
        return 0;
    const Body *body = scene_find_body(reader, component), *robot;
    const Element *element = scene_find_element(reader, component);
    const int link = scene_find_joint(reader, component, &robot);
    if (link >= 0 && strcmp(output, "load") == 0) {
        *signal = sti_signal_load(robot->id, link);
        return 1;
    }
    Part part;
    if (strcmp(output, "load") == 0 && scene_find_part(reader, component, &part) &&
        part.pair >= 0) {
        *signal = sti_signal_load(part.linkage->id,
                                  sti_linkage_pair_load(part.linkage->linkage, part.pair));
        return 1;
    }
    if (body == NULL && element == NULL) {
        const bool signal_meant = looks_like_signal(reader, node->text);
        if (known(reader, component)) return -1;
        if (signal_meant) unknown_component(reader, node, component);
        return signal_meant ? -1 : 0;
    }
    if (body != NULL && body->id.number == 0) return -1;
    if (body != NULL && body->robot != NULL) {
        scene_error(reader, node->mark,
                    "'%s' cannot be listened to: each joint of a robot has a load: '%s.%s.load'",
                    node->text, body->name, sti_robot_link(body->robot, 0)->joint_name);
        return -1;
    }
    if (body != NULL && body->loads > 0 && strcmp(output, "load") == 0) {
        *signal = sti_signal_load(body->id, 0);
        return 1;
    }
    if (element != NULL && element->constraint.number != 0 &&
        constraint_signal(element, output, signal))
        return 1;
    const bool force = element != NULL && element->constraint.number == 0;
    const int number = force ? force_number(output, element->forces) : -1;
    if (number < 0) {
        cannot_listen(reader, node, body, element);
        return -1;
    }
    *signal = sti_signal_force(element->id, number);
    return 1;
}

void scene_listen(Reader *reader, Listener listener)
{
    if (reader->listener_count == reader->listener_capacity) {
        const int capacity = 2 * reader->listener_capacity + 16;
        Listener *more = sti_arena_take(reader->arena, (size_t)capacity, sizeof *more);
        if (more == NULL) return;
        if (reader->listener_count > 0)
            memcpy(more, reader->listeners, (size_t)reader->listener_count * sizeof *more);
        reader->listeners = more;
        reader->listener_capacity = capacity;
    }
    reader->listeners[reader->listener_count++] = listener;
}

bool scene_names_element(const Reader *reader, const Node *node)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    return node->type == NODE_SCALAR && scene_node_entry(elements, node->text) != NULL;
}

// The element of that name; of several (on: [A, B]) the one at the listener's place. *several says that there are
// some, but none at that place.
static const Element *partner(const Reader *reader, const Listener *listener, bool *several)
{
    *several = false;
    for (int i = 0; i < reader->element_count; ++i) {
        const Element *e = &reader->elements[i];
        if (strcmp(e->entry, listener->node->text) != 0) continue;
        if (strcmp(e->name, e->entry) == 0) return e;
        *several = true;
        if (listener->place != NULL && e->place != NULL && strcmp(listener->place, e->place) == 0)
            return e;
    }
    return NULL;
}

static int wrong_partner(Reader *reader, const Listener *listener)
{
    const char *name = listener->node->text;
    if (listener->to == LISTENS_TO_CONTROLLER)
        scene_error(reader, listener->node->mark,
                    "'%s' gives no signal: %s is a function of time or the name of a pid element",
                    name, listener->key);
    else
        scene_error(reader, listener->node->mark,
                    "'%s' does not drive: %s is a function of time or the name of a dc-motor, "
                    "servo or force element "
                    "along one axis",
                    name, listener->key);
    return -1;
}

// A driving element's force is a resistance: the torque that it transmits is minus that.
static int find_partner(Reader *reader, const Listener *listener, StiSignal *signal)
{
    bool several;
    const Element *e = partner(reader, listener, &several);
    if (several && e == NULL) {
        scene_error(reader, listener->node->mark,
                    "'%s' acts on several places, and '%s' is none of them", listener->node->text,
                    listener->place != NULL ? listener->place : "between");
        return -1;
    }
    if (e == NULL) return -1; // could not be read: has its own error
    const bool torque = listener->to == LISTENS_TO_TORQUE;
    if (torque ? !e->drives || e->forces != 1 : !e->controller)
        return wrong_partner(reader, listener);
    *signal = sti_signal_scaled(sti_signal_force(e->id, 0), torque ? -1.0 : 1.0);
    return 1;
}

// A plain name that is known nowhere was meant to be an element.
static bool report_unknown_name(Reader *reader, const Listener *listener)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    const Node *node = listener->node;
    if (node->type != NODE_SCALAR || strspn(node->text, letters) == 0 ||
        strspn(node->text, others) != strlen(node->text))
        return false;
    for (int i = 0; i < reader->names.total; ++i)
        if (strcmp(reader->names.names[i], node->text) == 0) return false;
    if (scene_misses_fmu_output(reader, node, node->text)) return true;
    const char **names =
        sti_arena_take(reader->arena, (size_t)reader->element_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < reader->element_count; ++i)
        names[i] = reader->elements[i].entry;
    const char *near =
        names != NULL ? scene_nearest(node->text, names, reader->element_count) : NULL;
    if (near == NULL) return false;
    scene_error(reader, node->mark,
                "there is no input, parameter or element '%s'; did you mean '%s'?", node->text,
                near);
    return true;
}

// As find_signal.
static int find_origin(Reader *reader, const Listener *listener, StiSignal *signal)
{
    if (scene_find_outside(reader, listener->node, signal)) return 1;
    if (listener->to == LISTENS_TO_LOAD) return find_signal(reader, listener->node, signal);
    if (listener->to == LISTENS_TO_TIME) return 0;
    if (scene_names_element(reader, listener->node)) return find_partner(reader, listener, signal);
    return report_unknown_name(reader, listener) ? -1 : 0;
}

// ---- channels in expressions -----------------------------------------------------------------------------

// Number of an axis: alone (one axis), or stem and x, y, z; -1 if it is none.
static int axis_number(const char *output, const char *alone, const char *stem, int dim)
{
    if (dim == 1) return strcmp(output, alone) == 0 ? 0 : -1;
    const size_t length = strlen(stem);
    if (strncmp(output, stem, length) != 0 || output[length] == '\0' || output[length + 1] != '\0')
        return -1;
    const int axis = output[length] - 'x';
    return axis >= 0 && axis < dim ? axis : -1;
}

// A coordinate or its rate, of a body with coordinates, a rigid one, or a joint of a robot.
static bool find_motion(Reader *reader, const char *component, const char *output,
                        StiSignal *signal)
{
    const Body *body = scene_find_body(reader, component), *robot;
    const int link = scene_find_joint(reader, component, &robot);
    if (link >= 0) {
        const Node name = {.type = NODE_SCALAR, .text = component};
        Place place;
        const bool rate = strcmp(output, "qd") == 0;
        if (!rate && strcmp(output, "q") != 0) return false;
        if (!scene_place_named(reader, &name, "a channel", false, &place) || !place.joint)
            return false;
        *signal = rate ? sti_signal_velocity(robot->id, place.end.place)
                       : sti_signal_position(robot->id, place.end.position);
        return true;
    }
    if (body == NULL || body->id.number == 0 || body->robot != NULL || body->linkage != NULL)
        return false;
    if (body->shape == BODY_ROTOR) {
        const bool rate = strcmp(output, "qd") == 0;
        *signal = rate ? sti_signal_velocity(body->id, 0) : sti_signal_position(body->id, 0);
        return rate || strcmp(output, "q") == 0;
    }
    const int position = axis_number(output, "x", "", body->dim),
              velocity = axis_number(output, "v", "v", body->dim);
    if (position >= 0) *signal = sti_signal_position(body->id, position);
    if (velocity >= 0) *signal = sti_signal_velocity(body->id, velocity);
    return position >= 0 || velocity >= 0;
}

bool scene_find_channel(Reader *reader, const Node *node, const char *name, StiSignal *signal)
{
    char component[128];
    const char *output;
    const Element *element = scene_find_element(reader, name);
    const Node plain = {.type = NODE_SCALAR, .mark = node->mark, .text = name};
    if (scene_find_outside(reader, &plain, signal)) return true;
    if (element != NULL && element->controller) {
        *signal = sti_signal_force(element->id, 0);
        return true;
    }
    if (split(name, component, sizeof component, &output) &&
        find_motion(reader, component, output, signal))
        return true;
    const int before = sti_messages_error_count(reader->messages);
    const bool may_be_signal =
        element == NULL && split(name, component, sizeof component, &output) &&
        (scene_find_body(reader, component) == NULL || strcmp(output, "load") == 0);
    if (may_be_signal && find_signal(reader, &plain, signal) == 1) return true;
    if (sti_messages_error_count(reader->messages) == before &&
        !scene_misses_fmu_output(reader, node, name))
        scene_error(reader, node->mark,
                    "'%s' cannot be used in an expression: coordinates and velocities (block.x, "
                    "block.v, arm.elbow.q, arm.elbow.qd), loads, forces of elements and names of "
                    "controllers can",
                    name);
    return false;
}

static const char *name_of(const Reader *reader, StiElementId id)
{
    for (int i = 0; i < reader->element_count; ++i)
        if (reader->elements[i].id.number == id.number) return reader->elements[i].name;
    return "signal";
}

// One plain name: what it may be depends on the key.
static bool is_plain_name(const char *text)
{
    static const char others[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return text[0] != '-' && strspn(text, others) == strlen(text);
}

static bool is_of_channels(const Reader *reader, const Listener *listener)
{
    const Node *node = listener->node;
    if (node == NULL || node->type != NODE_SCALAR || scene_names_element(reader, node))
        return false;
    if (listener->to != LISTENS_TO_TIME && is_plain_name(node->text)) return false;
    return scene_uses_channels(reader, node);
}

// A value of its own computes the expression, and the element listens to it.
static bool connect_expression(Reader *reader, const Listener *listener, StiSignal *signal)
{
    char name[256];
    const StateFunction *state = scene_state_function(reader, listener->node, listener->key);
    if (state == NULL) return false;
    const StiSignalForce p = scene_state_force(state);
    snprintf(name, sizeof name, "%s.%s", name_of(reader, listener->element), listener->key);
    const StiWire wire = sti_wire_coordinate(reader->bodies[0].id, 0, 1); // only a place to stand
    const StiElementId id =
        sti_plan_add_impedance(reader->plan, sti_arena_text(reader->arena, name),
                               &sti_kind_signal_value, &p, &wire);
    scene_connect_state(reader, state, id);
    *signal = sti_signal_force(id, 0);
    return true;
}

static void connect(Reader *reader, const Listener *listener)
{
    StiSignal signal;
    if (listener->state != NULL) {
        scene_connect_state(reader, listener->state, listener->element);
        return;
    }
    if (is_of_channels(reader, listener)) {
        if (connect_expression(reader, listener, &signal))
            sti_plan_connect(reader->plan, signal, listener->element, listener->input);
        return;
    }
    const int found = listener->node != NULL ? find_origin(reader, listener, &signal) : 0;
    if (found < 0) return;
    if (found == 0) {
        Piece piece = {.type = PIECE_CONSTANT};
        if (listener->node != NULL &&
            !scene_read_piece(reader, listener->node, listener->key, &piece))
            return;
        int zero_count = 0; // friction takes the size of a load
        const double *zeros =
            listener->to == LISTENS_TO_LOAD ? scene_find_zeros(reader, &piece, &zero_count) : NULL;
        const StiSourceId source = sti_plan_add_time_function(
            reader->plan, NULL, scene_time_function(reader, &piece, 1, 0, zeros, zero_count));
        signal = sti_signal_source(source, 0);
    }
    sti_plan_connect(reader->plan, signal, listener->element, listener->input);
}

void scene_connect_signals(Reader *reader)
{
    for (int i = 0; i < reader->listener_count; ++i) connect(reader, &reader->listeners[i]);
}
