#include "read/per_target.h"

#include <string.h>

#include "yaml/places.h"

const Node *scene_several_places(Reader *reader, const Node *element)
{
    const Node *on = scene_node_find(element, "on"), *places = scene_spread_joints(reader, on);
    const int least = places != on ? 1 : 2; // all joints of a robot may be one
    return places != NULL && places->type == NODE_LIST && places->count >= least ? places : NULL;
}

static bool takes_one(const Key *key)
{
    if (strcmp(key->name, "breaks") == 0) return false;
    return key->type == VALUE_NUMBER || key->type == VALUE_NUMBERS || key->type == VALUE_FUNCTION ||
           key->type == VALUE_COUNT || key->type == VALUE_TRUTH;
}

static bool takes_one_per_axis(const Key *key)
{
    return key->type == VALUE_VECTOR || key->type == VALUE_FUNCTIONS;
}

// Then a list of forces is not one of axes. What is wrong with a place is said when its element is read.
static bool have_one_axis(const Reader *reader, const Node *places)
{
    Reader silent = *reader;
    bool one = true;
    silent.messages = sti_messages_create();
    for (int i = 0; silent.messages != NULL && i < places->count; ++i) {
        Place place;
        one = one && scene_place_named(&silent, places->items[i], "on", false, &place) &&
              place.dim == 1;
    }
    sti_messages_destroy(silent.messages);
    return one;
}

static bool is_for_each(const Reader *reader, const Entry *entry, const Node *places,
                        const Key *keys, int count)
{
    if (entry->value->type != NODE_LIST) return false;
    for (int i = 0; i < count; ++i) {
        if (strcmp(keys[i].name, entry->key) != 0) continue;
        return takes_one(&keys[i]) ||
               (takes_one_per_axis(&keys[i]) && have_one_axis(reader, places));
    }
    return false;
}

bool scene_has_values_for_each(Reader *reader, const Node *element, const Node *places,
                               const Key *keys, int count)
{
    bool any = false;
    if (scene_node_find(element, "elements") != NULL) return false; // lists are for those
    for (int i = 0; i < element->count; ++i) {
        const Entry *entry = &element->entries[i];
        if (!is_for_each(reader, entry, places, keys, count)) continue;
        if (entry->value->count != places->count) {
            scene_error(reader, entry->value->mark,
                        "%s has %d entries, and on names %d places: one value, or one for each",
                        entry->key, entry->value->count, places->count);
            return false;
        }
        any = true;
    }
    return any;
}

const Node *scene_element_at(Reader *reader, const Node *element, const Node *places, int place,
                             const Key *keys, int count)
{
    Node *copy = sti_arena_take(reader->arena, 1, sizeof *copy);
    Node *on = sti_arena_take(reader->arena, 1, sizeof *on);
    Node **items = sti_arena_take(reader->arena, 1, sizeof *items);
    Entry *entries = sti_arena_take(reader->arena, (size_t)element->count, sizeof *entries);
    if (copy == NULL || on == NULL || items == NULL || entries == NULL) return NULL;
    items[0] = places->items[place];
    *on = (Node){.type = NODE_LIST, .mark = places->items[place]->mark, .items = items, .count = 1};
    *copy = *element;
    copy->entries = entries;
    for (int i = 0; i < element->count; ++i) {
        entries[i] = element->entries[i];
        if (strcmp(entries[i].key, "on") == 0)
            entries[i].value = on;
        else if (is_for_each(reader, &element->entries[i], places, keys, count))
            entries[i].value = entries[i].value->items[place];
    }
    return copy;
}
