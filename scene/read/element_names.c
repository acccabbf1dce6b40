// One rule for names: the element NAME on PLACE may always be called PLACE.NAME, whatever form its "on" has; and NAME
// alone where it is on one place only. Texts that use the other form are brought to the one that the plan has.
#include <string.h>

#include "base/names.h"
#include "read/sections.h"

typedef struct Elements {
    Reader *reader;
    const Node *map;
    StiNames numbers;
} Elements;

static bool is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static const Node *place_of(const Elements *e, const char *name, size_t length)
{
    char text[128];
    if (length >= sizeof text) return NULL;
    memcpy(text, name, length);
    text[length] = '\0';
    const int number = sti_names_find(&e->numbers, text);
    return number >= 0 ? scene_node_find(e->map->entries[number].value, "on") : NULL;
}

static bool is_text(const Node *node, const char *text, size_t length)
{
    return node != NULL && node->type == NODE_SCALAR && strlen(node->text) == length &&
           strncmp(node->text, text, length) == 0;
}

// How much of "PLACE.NAME.force" is to be left out, where the plan calls it NAME.force.
static size_t surplus(const Elements *e, const char *word, size_t length)
{
    for (size_t dot = 1; dot < length; ++dot) {
        if (word[dot] != '.') continue;
        for (size_t end = dot + 2; end + 1 < length; ++end)
            if (word[end] == '.' && is_text(place_of(e, word + dot + 1, end - dot - 1), word, dot))
                return dot + 1;
    }
    return 0;
}

// What is missing before "NAME.force", where the plan calls it PLACE.NAME.force: "on: [PLACE]".
static const Node *missing(const Elements *e, const char *word, size_t length)
{
    for (size_t end = 1; end + 1 < length; ++end) {
        if (word[end] != '.') continue;
        const Node *on = place_of(e, word, end);
        if (on != NULL && on->type == NODE_LIST && on->count == 1 &&
            on->items[0]->type == NODE_SCALAR)
            return on->items[0];
    }
    return NULL;
}

// Into made, if there is one; the length.
static size_t rewrite(const Elements *e, const char *text, char *made)
{
    size_t used = 0;
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        while (is_of_name(at[length])) ++length;
        const size_t left_out = length > 0 ? surplus(e, at, length) : 0;
        const Node *before = length > 0 && left_out == 0 ? missing(e, at, length) : NULL;
        if (before != NULL) {
            const size_t size = strlen(before->text);
            if (made != NULL) memcpy(made + used, before->text, size), made[used + size] = '.';
            used += size + 1;
        }
        if (length == 0) length = 1;
        if (made != NULL) memcpy(made + used, at + left_out, length - left_out);
        used += length - left_out;
        at += length;
    }
    return used;
}

static void settle(const Elements *e, Node *node)
{
    if (node->type == NODE_SCALAR && node->text != NULL && strchr(node->text, '.') != NULL) {
        char *made = sti_arena_take(e->reader->arena, rewrite(e, node->text, NULL) + 1, 1);
        if (made == NULL) return;
        rewrite(e, node->text, made);
        if (strcmp(made, node->text) != 0) node->text = made;
    }
    for (int i = 0; i < node->count; ++i)
        settle(e, node->type == NODE_MAP ? node->entries[i].value : node->items[i]);
}

void scene_settle_element_names(Reader *reader, Node *root)
{
    static const char *const sections[] = {"elements", "record", "expect",
                                           "variants", "study",  "figures"};
    Elements e = {.reader = reader, .map = scene_node_find(root, "elements")};
    if (e.map == NULL || e.map->type != NODE_MAP) return;
    for (int i = 0; i < e.map->count; ++i)
        sti_names_put(&e.numbers, reader->arena, e.map->entries[i].key, i);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
        Node *section = scene_node_find(root, sections[i]);
        if (section != NULL) settle(&e, section);
    }
}
