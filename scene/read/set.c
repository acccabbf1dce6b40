#include "yaml/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "yaml/tree.h"

// The table of docs/scene-format.md: --set may add these to a scene that does not have them.
static const char *const top_level_keys[] = {
    "title",    "description", "step",
    "start",    "stop",        "method",
    "solver",   "gravity",     "allow_unphysical",
    "painleve", "parameters",  "inputs",
    "bodies",   "elements",    "record",
    "every",    "expect",      "variants",
    "grid",     "study",       "fit",
};
enum { TOP_LEVEL_KEYS = sizeof top_level_keys / sizeof top_level_keys[0] };

// The maps whose keys are names that --set may begin with, without naming the map.
static const char *const named_sections[] = {"bodies", "elements", "inputs", "parameters"};
enum { NAMED_SECTIONS = sizeof named_sections / sizeof named_sections[0] };

enum { LONGEST_SHOWN = 200 };

typedef struct Assignment {
    const char *path;
    const char *value; // to be read, or
    Node *node;        // read already
    Mark mark;         // of the whole; line 0 for --set
    StiArena *arena;
    StiMessages *messages;
} Assignment;

// Whether rest is key, or key and a dot and more; then where the more begins.
static bool begins_with(const char *rest, const char *key, const char **more)
{
    const size_t length = strlen(key);
    if (length == 0 || strncmp(rest, key, length) != 0) return false;
    if (rest[length] != '\0' && rest[length] != '.') return false;
    *more = rest[length] == '.' ? rest + length + 1 : NULL;
    return true;
}

// The entry with the longest key that rest begins with: keys may contain dots.
static Entry *longest_entry(const Node *map, const char *rest, const char **more)
{
    Entry *longest = NULL;
    for (int i = 0; map != NULL && map->type == NODE_MAP && i < map->count; ++i) {
        const char *after;
        if (!begins_with(rest, map->entries[i].key, &after)) continue;
        if (longest != NULL && strlen(map->entries[i].key) <= strlen(longest->key)) continue;
        longest = &map->entries[i];
        *more = after;
    }
    return longest;
}

static bool fails(const Assignment *a, const char *text, ...) __attribute__((format(printf, 2, 3)));

// Adds a message about the assignment; always false.
static bool fails(const Assignment *a, const char *text, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(message, sizeof message, text, arguments);
    va_end(arguments);
    scene_message(a->messages, STI_ERROR, a->mark, "%s", message);
    return false;
}

// What the path up to rest names, for messages.
static const char *path_before(const Assignment *a, const char *rest)
{
    char *before = sti_arena_text(a->arena, a->path);
    if (before == NULL) return "";
    const size_t length = (size_t)(rest - a->path);
    before[length > 0 ? length - 1 : 0] = '\0';
    return before;
}

static bool read_value(const Assignment *a, int level, Node **value)
{
    *value = a->node;
    if (a->node != NULL) return true;
    if (!scene_tree_read(a->value, strlen(a->value), a->mark.file, level, a->arena, a->messages,
                         value))
        return false;
    if (*value != NULL) return true;
    return fails(a, "there is no value after '=': write %s=1 or, for an empty text, %s=''", a->path,
                 a->path);
}

static bool too_deep(const Assignment *a, int level)
{
    return level > SCENE_MOST_LEVELS &&
           !fails(a, "more than %d levels of maps and lists in each other", SCENE_MOST_LEVELS);
}

static bool add_entry(const Assignment *a, Node *map, const char *key, Node *value)
{
    Entry *entries = sti_arena_take(a->arena, (size_t)map->count + 1, sizeof *entries);
    if (entries == NULL || key == NULL) return fails(a, "out of memory");
    if (map->count > 0) memcpy(entries, map->entries, (size_t)map->count * sizeof *entries);
    entries[map->count++] = (Entry){key, a->mark, value};
    map->entries = entries;
    return true;
}

// Adds rest to a map that has nothing of that name: a key, or maps within maps.
static bool add_path(const Assignment *a, Node *map, const char *rest, int level)
{
    if (too_deep(a, level)) return false;
    const size_t length = strcspn(rest, ".");
    char *key = sti_arena_text(a->arena, rest);
    if (key == NULL) return fails(a, "out of memory");
    key[length] = '\0';
    if (length == 0)
        return fails(a, "a name is missing in '%s', where two dots meet or one ends it", a->path);
    Node *value = NULL;
    if (rest[length] == '\0')
        return read_value(a, level + 1, &value) && add_entry(a, map, key, value);
    if (rest[length + 1] >= '0' && rest[length + 1] <= '9')
        return fails(a, "the scene does not give '%s', so it has no item to set: set all of it",
                     path_before(a, rest + length + 1));
    value = sti_arena_take(a->arena, 1, sizeof *value);
    if (value == NULL) return fails(a, "out of memory");
    value->type = NODE_MAP;
    value->mark = a->mark;
    return add_path(a, value, rest + length + 1, level + 1) && add_entry(a, map, key, value);
}

static bool set_below(const Assignment *a, Node *node, const char *rest, int level);

// A word in place of a map with constants: the solver changes, its constants stay.
static bool names_solver(const Assignment *a, const Node *before, const Node *value)
{
    return strcmp(a->path, "solver") == 0 && before->type == NODE_MAP && value->type != NODE_MAP &&
           value->type != NODE_LIST;
}

// Sets what slot points to, or something within it.
static bool set_slot(const Assignment *a, Node **slot, const char *more, int level)
{
    if (more != NULL) return set_below(a, *slot, more, level);
    Node *value;
    if (!read_value(a, level, &value)) return false;
    Entry *name = names_solver(a, *slot, value) ? longest_entry(*slot, "name", &more) : NULL;
    *(name != NULL ? &name->value : slot) = value;
    return true;
}

static bool set_item(const Assignment *a, Node *list, const char *rest, int level)
{
    const size_t digits = strspn(rest, "0123456789");
    const bool number = digits > 0 && digits < 7 && (rest[digits] == '\0' || rest[digits] == '.');
    const int index = number ? (int)strtol(rest, NULL, 10) : -1;
    if (number && index < list->count)
        return set_slot(a, &list->items[index], rest[digits] == '.' ? rest + digits + 1 : NULL,
                        level + 1);
    return fails(a, "'%s' is a list of %d: its items are named by numbers, the first by 0",
                 path_before(a, rest), list->count);
}

// A body, joint or driver of a linkage, named without the map that it stands in.
static Entry *part_of_linkage(const Node *node, const char *rest, const char **more)
{
    static const char *const maps[] = {"bodies", "joints", "drivers"};
    const Node *kind = scene_node_find(node, "kind");
    Entry *part = NULL;
    if (kind == NULL || kind->type != NODE_SCALAR || strcmp(kind->text, "linkage") != 0)
        return NULL;
    for (int i = 0; i < 3 && part == NULL; ++i)
        part = longest_entry(scene_node_find(node, maps[i]), rest, more);
    return part;
}

static bool set_below(const Assignment *a, Node *node, const char *rest, int level)
{
    if (too_deep(a, level)) return false;
    if (node->type == NODE_LIST) return set_item(a, node, rest, level);
    if (node->type != NODE_MAP)
        return fails(a, "'%s' is no map: it has no '%s'", path_before(a, rest), rest);
    const char *more = NULL;
    Entry *entry = longest_entry(node, rest, &more);
    if (entry == NULL && (entry = part_of_linkage(node, rest, &more)) != NULL) ++level;
    return entry != NULL ? set_slot(a, &entry->value, more, level + 1)
                         : add_path(a, node, rest, level);
}

// Where the path begins.
typedef struct Start {
    Entry *entry;
    const char *more;
    int level; // of the entry's value
} Start;

static void consider(Start *start, const Node *map, const char *path, int level)
{
    const char *more = NULL;
    Entry *entry = longest_entry(map, path, &more);
    if (entry == NULL) return;
    if (start->entry != NULL && strlen(entry->key) <= strlen(start->entry->key)) return;
    *start = (Start){entry, more, level};
}

static bool begins_with_top_level_key(const char *path)
{
    const char *more;
    for (int i = 0; i < TOP_LEVEL_KEYS; ++i)
        if (begins_with(path, top_level_keys[i], &more)) return true;
    return false;
}

// The longest name wins. Where a component or a parameter is called like a key of the top level,
// that name alone means the key, and with more behind it the component.
static Start find_start(const Node *root, const char *path)
{
    Start start = {0};
    const bool alone = strchr(path, '.') == NULL;
    if (alone) consider(&start, root, path, 2);
    for (int i = 0; i < NAMED_SECTIONS && !(alone && begins_with_top_level_key(path)); ++i)
        consider(&start, scene_node_find(root, named_sections[i]), path, 3);
    consider(&start, root, path, 2);
    return start;
}

static bool is_within(const Node *map, const Entry *entry)
{
    for (int i = 0; map != NULL && map->type == NODE_MAP && i < map->count; ++i)
        if (&map->entries[i] == entry) return true;
    return false;
}

bool scene_document_sets_parameter(const Node *root, const char *path)
{
    const char *more;
    const Start start = find_start(root, path);
    if (start.entry == NULL || is_within(root, start.entry))
        return begins_with(path, "parameters", &more) || begins_with(path, "inputs", &more);
    return is_within(scene_node_find(root, "parameters"), start.entry) ||
           is_within(scene_node_find(root, "inputs"), start.entry) ||
           strchr(start.entry->key, '{') != NULL;
}

static int gather_keys(const Node *map, const char **words, int count)
{
    for (int i = 0; map != NULL && map->type == NODE_MAP && i < map->count; ++i)
        words[count++] = map->entries[i].key;
    return count;
}

static const char *nearest_start(const Assignment *a, const Node *root)
{
    int count = root->count + TOP_LEVEL_KEYS;
    for (int i = 0; i < NAMED_SECTIONS; ++i) {
        const Node *section = scene_node_find(root, named_sections[i]);
        if (section != NULL) count += section->count;
    }
    const char **words = sti_arena_take(a->arena, (size_t)count, sizeof *words);
    char *first = sti_arena_text(a->arena, a->path);
    if (words == NULL || first == NULL) return NULL;
    count = 0;
    for (int i = 0; i < NAMED_SECTIONS; ++i)
        count = gather_keys(scene_node_find(root, named_sections[i]), words, count);
    for (int i = 0; i < TOP_LEVEL_KEYS; ++i) words[count++] = top_level_keys[i];
    count = gather_keys(root, words, count);

    // Names may contain dots: try without the last part, then with the first part alone.
    char *last_dot = strrchr(first, '.');
    if (last_dot != NULL) *last_dot = '\0';
    const char *nearest = scene_nearest(first, words, count);
    first[strcspn(first, ".")] = '\0';
    return nearest != NULL ? nearest : scene_nearest(first, words, count);
}

static bool unknown_start(const Assignment *a, const Node *root)
{
    const char *nearest = nearest_start(a, root);
    const int length = (int)strcspn(a->path, ".");
    if (nearest != NULL)
        return fails(a, "the scene has no '%.*s'; did you mean '%s'?", length, a->path, nearest);
    return fails(a,
                 "the scene has no '%.*s': a path begins with a body, an element, an input, a "
                 "parameter or a key of the top level",
                 length, a->path);
}

// "on: [A, B]" makes elements that are called A.NAME and B.NAME, but stands in the scene once.
static bool is_one_of_several(const Node *root, const Start *start)
{
    const char *more = NULL;
    if (start->more == NULL ||
        scene_node_entry(scene_node_find(root, "bodies"), start->entry->key) == NULL)
        return false;
    const Entry *element = longest_entry(scene_node_find(root, "elements"), start->more, &more);
    if (element == NULL) return false;
    const Node *on = scene_node_find(element->value, "on");
    return on != NULL && on->type == NODE_LIST;
}

// "block.friction.level" of friction that is on block: what the scene has is friction.level.
static const char *without_place(const Node *root, const char *path)
{
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        const char *more = NULL;
        const Entry *element = longest_entry(scene_node_find(root, "elements"), dot + 1, &more);
        const Node *on = element != NULL ? scene_node_find(element->value, "on") : NULL;
        const size_t length = (size_t)(dot - path);
        if (more != NULL && on != NULL && on->type == NODE_SCALAR && strlen(on->text) == length &&
            strncmp(on->text, path, length) == 0)
            return dot + 1;
    }
    return path;
}

// What messages call the place: the assignment itself, if it is not a whole file.
static const char *place_name(const char *assignment, StiArena *arena)
{
    char name[LONGEST_SHOWN];
    const int length = snprintf(name, sizeof name, "--set %s", assignment);
    if (length >= LONGEST_SHOWN) memcpy(name + sizeof name - 4, "...", 4);
    return sti_arena_text(arena, name);
}

static bool assign(Node *root, const Assignment *a)
{
    const Start start = find_start(root, a->path);
    if (start.entry != NULL && is_one_of_several(root, &start))
        return fails(a, "this element stands in the scene once, for all its bodies: set %s",
                     start.more);
    if (start.entry != NULL) return set_slot(a, &start.entry->value, start.more, start.level);
    if (begins_with_top_level_key(a->path)) return add_path(a, root, a->path, 1);
    return unknown_start(a, root);
}

bool scene_document_set(Node *root, const char *assignment, StiArena *arena, StiMessages *messages)
{
    Assignment a = {.mark = {place_name(assignment, arena), 0, 0},
                    .arena = arena,
                    .messages = messages};
    const char *equals = strchr(assignment, '=');
    if (equals == NULL || equals == assignment)
        return fails(&a, "write path=value, for example friction.level=12");
    char *path = sti_arena_text(arena, assignment);
    if (path == NULL || a.mark.file == NULL) return fails(&a, "out of memory");
    path[equals - assignment] = '\0';
    a.path = without_place(root, path);
    a.value = equals + 1;
    return assign(root, &a);
}

bool scene_document_assign(Node *root, const char *path, Node *value, Mark mark, StiArena *arena,
                           StiMessages *messages)
{
    return assign(root, &(Assignment){.path = without_place(root, path),
                                      .node = value,
                                      .mark = mark,
                                      .arena = arena,
                                      .messages = messages});
}
