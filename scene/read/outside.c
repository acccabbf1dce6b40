// Inputs that are set from outside the scene, step by step: inputs: {u: {unit: V, value: 0}}. Elements
// name them in place of a function of time; expressions, which know only time, cannot use them.
#include <string.h>

#include "read/reader.h"

const Key scene_outside_keys[SCENE_OUTSIDE_KEYS] = {
    {"value", VALUE_NUMBER, true, "at the start, and until it is set", NULL},
    {"unit", VALUE_TEXT, false, "for recordings", NULL},
};

bool scene_is_outside(const Node *node)
{
    return node->type == NODE_MAP &&
           (scene_node_find(node, "value") != NULL || scene_node_find(node, "unit") != NULL);
}

const Node *scene_inside_inputs(Reader *reader)
{
    const Node *inputs = scene_node_find(reader->root, "inputs");
    if (inputs == NULL || inputs->type != NODE_MAP) return inputs;
    Node *inside = sti_arena_copy(reader->arena, inputs, sizeof *inputs);
    Entry *entries =
        sti_arena_take(reader->arena, (size_t)inputs->count + 1, sizeof *inputs->entries);
    if (inside == NULL || entries == NULL) return NULL;
    inside->entries = entries;
    inside->count = 0;
    for (int i = 0; i < inputs->count; ++i)
        if (!scene_is_outside(inputs->entries[i].value))
            entries[inside->count++] = inputs->entries[i];
    return inside;
}

void scene_add_outside(Reader *reader, const char *name, double value, const char *unit)
{
    if (reader->outside_count == reader->outside_capacity) {
        const int capacity = 2 * reader->outside_capacity + 16;
        Outside *outside = sti_arena_take(reader->arena, (size_t)capacity, sizeof *outside);
        if (outside == NULL) return;
        if (reader->outside_count > 0)
            memcpy(outside, reader->outside, (size_t)reader->outside_count * sizeof *outside);
        reader->outside = outside;
        reader->outside_capacity = capacity;
    }
    const StiSourceId source = sti_plan_add_input(reader->plan, name, 1, &value);
    sti_plan_set_unit(reader->plan, source, unit);
    reader->outside[reader->outside_count++] = (Outside){.name = name, .source = source};
}

static void read_one(Reader *reader, const Entry *entry)
{
    double value = 0.0;
    const char *unit = "";
    const Node *unit_node = scene_node_find(entry->value, "unit");
    bool good =
        scene_check_keys(reader, entry->value, entry->key, scene_outside_keys, SCENE_OUTSIDE_KEYS);
    good = scene_number_at(reader, entry->value, "value", &value) && good;
    if (unit_node != NULL) good = scene_text(reader, unit_node, "unit", &unit) && good;
    scene_add_outside(reader, entry->key, value, good ? unit : "");
}

void scene_read_outside(Reader *reader)
{
    const Node *inputs = scene_node_find(reader->root, "inputs");
    if (inputs == NULL || inputs->type != NODE_MAP) return;
    for (int i = 0; i < inputs->count; ++i)
        if (scene_is_outside(inputs->entries[i].value)) read_one(reader, &inputs->entries[i]);
}

bool scene_find_outside(const Reader *reader, const Node *node, StiSignal *signal)
{
    if (node == NULL || node->type != NODE_SCALAR) return false;
    for (int i = 0; i < reader->outside_count; ++i) {
        if (strcmp(reader->outside[i].name, node->text) != 0) continue;
        *signal = sti_signal_source(reader->outside[i].source, 0);
        return true;
    }
    return false;
}
