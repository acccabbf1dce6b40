// repeat: {count: 20, index: i}: one entry of a map or list stands for several. Done in the tree, before anything is read:
// the index becomes its number in every expression, and "{i + 1}" a number in names and other texts.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/sections.h"
#include "yaml/merge.h"
#include "yaml/tree.h"

enum { MOST_MADE = 5000000 }; // values of one scene

const Key scene_repeat_keys[SCENE_REPEAT_KEYS] = {
    {"count", VALUE_COUNT, true, "how often", NULL},
    {"index", VALUE_TEXT, false, "the name of the number in expressions and in {...}; usual: i",
     NULL},
    {"from", VALUE_NUMBER, false, "the first number; usual: 0", NULL},
};

typedef struct Repeat {
    const char *index;
    int first, count;
    Mark mark;
} Repeat;

typedef struct Expansion {
    Reader *reader;
    int made;   // values so far
    bool wrong; // a message was added
} Expansion;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ---- texts ------------------------------------------------------------------------------------------------

// A word of an expression at *at, or one character that is part of none; a word's length, else 0. Numbers are
// passed with their exponents, and "arm.i" is one word.
static size_t word_length(const char *at)
{
    size_t length = 0;
    if (!is_letter(at[0]) && !is_digit(at[0])) return 0;
    while (is_letter(at[length]) || is_digit(at[length]) || at[length] == '.') ++length;
    return length;
}

static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; *at != '\0';) {
        const size_t length = word_length(at);
        if (length == strlen(word) && strncmp(at, word, length) == 0) return true;
        at += length > 0 ? length : 1;
    }
    return false;
}

// The text with the number in place of the index: everywhere, or only between { and }.
static const char *with_number(Expansion *e, const char *text, const char *index, int number,
                               bool everywhere)
{
    char digits[16];
    if (!has_word(text, index)) return text;
    const int width = snprintf(digits, sizeof digits, number < 0 ? "(%d)" : "%d", number);
    char *made = sti_arena_take(e->reader->arena, strlen(text) * sizeof digits + 1, 1), *to = made;
    bool inside = everywhere;
    if (made == NULL) return text;
    for (const char *at = text; *at != '\0';) {
        const size_t length = word_length(at), step = length > 0 ? length : 1;
        if (!everywhere && *at == '{') inside = true;
        if (!everywhere && *at == '}') inside = false;
        if (inside && length == strlen(index) && strncmp(at, index, length) == 0) {
            memcpy(to, digits, (size_t)width);
            to += width;
        } else {
            memcpy(to, at, step);
            to += step;
        }
        at += step;
    }
    return made;
}

// What {...} in a text stands for.
static bool number_in(Expansion *e, const char *from, size_t length, Mark mark, int *number)
{
    char *text = sti_arena_take(e->reader->arena, length + 1, 1);
    double value;
    if (text == NULL) return false;
    memcpy(text, from, length);
    const Node node = {.type = NODE_SCALAR, .mark = mark, .text = text, .quoted = true};
    if (!scene_constant(e->reader, &node, "the number in {...}", &value)) return false;
    *number = (int)fmax(fmin(value, INT_MAX), INT_MIN);
    if (*number == value) return true;
    scene_error(e->reader, mark, "the number in {...} must be whole: '%s' is %g", text, value);
    return false;
}

// The text with numbers in place of all {...}.
static const char *settled(Expansion *e, const char *text, Mark mark)
{
    if (strchr(text, '{') == NULL) return text;
    char *made = sti_arena_take(e->reader->arena, strlen(text) + 12 * strlen(text) + 1, 1),
         *to = made;
    if (made == NULL) return text;
    for (const char *at = text; *at != '\0'; ++at) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        int number;
        if (end == NULL) {
            *to++ = *at;
            continue;
        }
        if (!number_in(e, at + 1, (size_t)(end - at - 1), mark, &number)) {
            e->wrong = true;
            return text;
        }
        to += snprintf(to, 12, "%d", number);
        at = end;
    }
    return made;
}

// Texts that are read by people, and names of files: the index stands in {...} only.
static bool is_prose(const char *key)
{
    static const char *const keys[] = {"what", "title", "description", "unit",
                                       "csv",  "urdf",  "mesh",        "column"};
    for (size_t i = 0; key != NULL && i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(keys[i], key) == 0) return true;
    return false;
}

// ---- trees ------------------------------------------------------------------------------------------------

static void *taken(Expansion *e, int count, size_t size)
{
    void *memory = sti_arena_take(e->reader->arena, (size_t)count + 1, size);
    if (memory == NULL) e->wrong = true;
    return memory;
}

// A copy with the number in place of the index. key: under which the node stands.
static Node *copy_with(Expansion *e, const Node *node, const Repeat *repeat, int number,
                       const char *key)
{
    Node *copy = taken(e, 1, sizeof *copy);
    if (e->made++ == MOST_MADE)
        scene_error(e->reader, repeat->mark, "repeat makes more than %d values", MOST_MADE);
    if (copy == NULL || e->made > MOST_MADE) {
        e->wrong = true;
        return NULL;
    }
    *copy = *node;
    if (node->type == NODE_SCALAR)
        copy->text = with_number(e, node->text, repeat->index, number, !is_prose(key));
    if (node->type == NODE_LIST) copy->items = taken(e, node->count, sizeof *copy->items);
    if (node->type == NODE_MAP) copy->entries = taken(e, node->count, sizeof *copy->entries);
    for (int i = 0; i < node->count && !e->wrong; ++i) {
        if (node->type == NODE_LIST) {
            copy->items[i] = copy_with(e, node->items[i], repeat, number, key);
        } else {
            const Entry *from = &node->entries[i];
            copy->entries[i] =
                (Entry){with_number(e, from->key, repeat->index, number, false), from->mark,
                        copy_with(e, from->value, repeat, number, from->key)};
        }
    }
    return e->wrong ? NULL : copy;
}

static void settle(Expansion *e, Node *node)
{
    if (node->type == NODE_SCALAR) node->text = settled(e, node->text, node->mark);
    for (int i = 0; i < node->count && !e->wrong; ++i) {
        if (node->type == NODE_LIST) {
            settle(e, node->items[i]);
        } else {
            node->entries[i].key = settled(e, node->entries[i].key, node->entries[i].mark);
            settle(e, node->entries[i].value);
        }
    }
}

// ---- what is repeated ---------------------------------------------------------------------------------------

static bool is_taken(const Reader *reader, const char *name)
{
    static const char *const sections[] = {"parameters", "inputs", "bodies", "elements"};
    for (int i = 0; i < 4; ++i)
        if (scene_node_entry(scene_node_find(reader->root, sections[i]), name) != NULL) return true;
    return strcmp(name, "t") == 0 || strcmp(name, "pi") == 0;
}

static bool check_index(Expansion *e, const Node *node, const char *index)
{
    bool good = is_letter(index[0]);
    for (const char *c = index; *c != '\0'; ++c) good = good && (is_letter(*c) || is_digit(*c));
    if (good && !is_taken(e->reader, index)) return true;
    scene_error(e->reader, node->mark,
                good ? "the index '%s' of repeat is the name of something else in this scene"
                     : "the index of repeat must be a name of letters, digits and '_', not '%s'",
                index);
    return false;
}

static bool read_repeat(Expansion *e, const Node *node, Repeat *repeat)
{
    Reader *reader = e->reader;
    *repeat = (Repeat){.index = "i", .mark = node->mark};
    if (node->type == NODE_SCALAR)
        return scene_count(reader, node, "repeat", 0, MOST_MADE, &repeat->count) &&
               check_index(e, node, "i");
    if (node->type != NODE_MAP) {
        scene_error(
            reader, node->mark,
            "repeat must be {count: 20, index: i}, or a list of such maps, outermost first");
        return false;
    }
    const Node *index = scene_node_find(node, "index"), *from = scene_node_find(node, "from");
    bool good = scene_check_keys(reader, node, "repeat", scene_repeat_keys, SCENE_REPEAT_KEYS);
    if (index != NULL) good = scene_text(reader, index, "index", &repeat->index) && good;
    if (from != NULL)
        good = scene_count(reader, from, "from", -MOST_MADE, MOST_MADE, &repeat->first) && good;
    return good && check_index(e, index != NULL ? index : node, repeat->index) &&
           scene_count(reader, scene_node_find(node, "count"), "count", 0, MOST_MADE,
                       &repeat->count);
}

static const Node *repeat_of(const Node *node)
{
    return node->type == NODE_MAP ? scene_node_find(node, "repeat") : NULL;
}

// The map without its repeat, or with what is left of a list of them.
static const Node *without_first(Expansion *e, const Node *map)
{
    const Node *repeat = repeat_of(map);
    Node *copy = taken(e, 1, sizeof *copy), *rest = taken(e, 1, sizeof *rest);
    Entry *entries = taken(e, map->count, sizeof *entries);
    if (e->wrong) return NULL;
    *copy = *map;
    copy->entries = entries;
    copy->count = 0;
    *rest = *repeat;
    if (repeat->type == NODE_LIST) ++rest->items, --rest->count;
    for (int i = 0; i < map->count; ++i) {
        Entry entry = map->entries[i];
        if (entry.value == repeat) entry.value = rest;
        if (entry.value != rest || (rest->type == NODE_LIST && rest->count > 0))
            entries[copy->count++] = entry;
    }
    return copy;
}

// Entries on their way into a map or list; keys only for maps.
typedef struct Made {
    Entry *entries;
    int count;
    bool map;
} Made;

static void append(Expansion *e, Made *made, Entry entry)
{
    if ((made->count & (made->count - 1)) == 0) {
        Entry *larger = taken(e, 2 * made->count, sizeof *larger);
        if (larger == NULL) return;
        if (made->count > 0) memcpy(larger, made->entries, (size_t)made->count * sizeof *larger);
        made->entries = larger;
    }
    made->entries[made->count++] = entry;
}

static void expand(Expansion *e, Node *node, bool settles);

// Of an item of a list: "item" is what is repeated if it is no map, "items" are several.
static void append_item(Expansion *e, Made *made, Node *item)
{
    Node *one = scene_node_find(item, "item"), *several = scene_node_find(item, "items");
    const bool alone = item->type == NODE_MAP && item->count == 1;
    if (alone && several != NULL && several->type == NODE_LIST)
        for (int i = 0; i < several->count; ++i)
            append(e, made, (Entry){.value = several->items[i]});
    else
        append(e, made, (Entry){.value = alone && one != NULL ? one : item});
}

// settles: no index outside of this waits for its number.
static void append_repeated(Expansion *e, Made *made, Entry entry, bool settles)
{
    const Node *repeat = repeat_of(entry.value);
    Repeat values;
    if (repeat == NULL) {
        if (made->map)
            append(e, made, entry);
        else
            append_item(e, made, entry.value);
        return;
    }
    const bool list = repeat->type == NODE_LIST && repeat->count > 0;
    if (!read_repeat(e, list ? repeat->items[0] : repeat, &values)) {
        e->wrong = true;
        return;
    }
    const Node *rest = without_first(e, entry.value);
    for (int i = 0; i < values.count && !e->wrong; ++i) {
        const int number = values.first + i;
        const char *key = made->map ? with_number(e, entry.key, values.index, number, false) : NULL;
        Node *copy = copy_with(e, rest, &values, number, key);
        if (made->map && values.count > 1 && key == entry.key) {
            scene_error(e->reader, entry.mark,
                        "'%s' is repeated and needs names that differ: write the index into it, "
                        "for example \"%s{%s}\"",
                        entry.key, entry.key, values.index);
            e->wrong = true;
        }
        if (!e->wrong) append_repeated(e, made, (Entry){key, entry.mark, copy}, settles);
    }
}

// Everything below a node; what came from a repeat is settled once all its indices are numbers.
static void expand(Expansion *e, Node *node, bool settles)
{
    Made made = {.map = node->type == NODE_MAP};
    bool any = false;
    if (node->type == NODE_SCALAR) return;
    for (int i = 0; i < node->count && !e->wrong; ++i) {
        const Entry entry =
            made.map ? node->entries[i] : (Entry){.value = node->items[i], .mark = node->mark};
        const bool repeated = repeat_of(entry.value) != NULL;
        const int first = made.count;
        if (repeated)
            append_repeated(e, &made, entry, settles);
        else
            append(e, &made, entry);
        for (int k = first; k < made.count && !e->wrong; ++k) {
            expand(e, made.entries[k].value, settles && !repeated);
            if (!repeated || !settles || e->wrong) continue;
            if (made.map)
                made.entries[k].key = settled(e, made.entries[k].key, made.entries[k].mark);
            settle(e, made.entries[k].value);
        }
        any = any || repeated;
    }
    if (!any || e->wrong) return;
    node->count = made.count;
    if (made.map) {
        node->entries = made.entries;
        e->wrong = !scene_merge_finish(node, &(Merge){.position = made.count}, e->reader->arena,
                                       e->reader->messages);
        return;
    }
    node->items = taken(e, made.count, sizeof *node->items);
    for (int i = 0; i < made.count && !e->wrong; ++i) node->items[i] = made.entries[i].value;
}

bool scene_expand_repeats(Reader *reader, Node *root)
{
    Expansion e = {.reader = reader};
    for (int i = 0; i < root->count && !e.wrong; ++i) {
        const char *key = root->entries[i].key;
        if (strcmp(key, "parameters") != 0 && strcmp(key, "inputs") != 0)
            expand(&e, root->entries[i].value, true);
    }
    return !e.wrong;
}
