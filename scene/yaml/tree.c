#include "yaml/tree.h"

#include <string.h>

#include "base/hash.h"
#include "yaml/merge.h"
#include "yaml/yaml_message.h"

enum { ANCHOR_BUCKETS = 512 };

typedef struct Anchor {
    const char *name;
    const Node *node;
    bool open; // its node is still being read
    struct Anchor *next;
} Anchor;

typedef struct Builder {
    yaml_parser_t parser;
    const char *text;
    size_t length;
    const char *file;
    StiArena *arena;
    StiMessages *messages;
    Anchor *anchors[ANCHOR_BUCKETS];
    int nodes, copies;
    bool wrong;   // a message was added
    bool stopped; // nothing more can be read
} Builder;

static Mark mark_of(const Builder *b, yaml_mark_t mark) { return scene_yaml_mark(b->file, mark); }

static bool next_event(Builder *b, yaml_event_t *event)
{
    if (yaml_parser_parse(&b->parser, event)) return true;
    scene_yaml_message(&b->parser, b->text, b->length, b->file, b->messages);
    b->wrong = b->stopped = true;
    return false;
}

static void stop(Builder *b, Mark mark, const char *text, int limit)
{
    if (!b->stopped) scene_message(b->messages, STI_ERROR, mark, text, limit);
    b->wrong = b->stopped = true;
}

// NULL, and reading has stopped, where the tree would grow out of bounds.
static Node *new_node(Builder *b, NodeType type, Mark mark, int level)
{
    if (++b->nodes > SCENE_MOST_NODES)
        stop(b, mark, "more than %d values", SCENE_MOST_NODES);
    else if (type != NODE_SCALAR && level > SCENE_MOST_LEVELS)
        stop(b, mark, "more than %d levels of maps and lists in each other", SCENE_MOST_LEVELS);
    Node *node = b->stopped ? NULL : sti_arena_take(b->arena, 1, sizeof *node);
    if (node == NULL) {
        b->stopped = true;
        return NULL;
    }
    node->type = type;
    node->mark = mark;
    return node;
}

// Room for one more element; the capacity is the next power of two.
static void *grown(Builder *b, void *array, int count, size_t size)
{
    if ((count & (count - 1)) != 0) return array;
    void *larger = sti_arena_take(b->arena, count > 0 ? 2 * (size_t)count : 1, size);
    if (larger == NULL)
        b->stopped = true;
    else if (count > 0)
        memcpy(larger, array, (size_t)count * size);
    return larger;
}

static void append_item(Builder *b, Node *list, Node *item)
{
    Node **items = grown(b, list->items, list->count, sizeof *items);
    if (items == NULL) return;
    items[list->count++] = item;
    list->items = items;
}

static void append_entry(Builder *b, Node *map, Entry entry)
{
    Entry *entries = grown(b, map->entries, map->count, sizeof *entries);
    if (entries == NULL) return;
    entries[map->count++] = entry;
    map->entries = entries;
}

// Anchors and aliases. An alias becomes a copy, so that --set changes one place only.

static Anchor **bucket_of(Builder *b, const char *name)
{
    return &b->anchors[sti_hash_text(STI_HASH_START, name) % ANCHOR_BUCKETS];
}

static Anchor *open_anchor(Builder *b, const yaml_char_t *name, const Node *node)
{
    if (name == NULL) return NULL;
    Anchor *anchor = sti_arena_take(b->arena, 1, sizeof *anchor);
    if (anchor == NULL) return NULL;
    Anchor **bucket = bucket_of(b, (const char *)name);
    *anchor = (Anchor){sti_arena_text(b->arena, (const char *)name), node, true, *bucket};
    if (anchor->name != NULL) *bucket = anchor;
    return anchor;
}

static void close_anchor(Anchor *anchor)
{
    if (anchor != NULL) anchor->open = false;
}

static Node *copy_node(Builder *b, const Node *original, int level)
{
    if (++b->copies > SCENE_MOST_COPIES)
        stop(b, original->mark, "aliases stand for more than %d values", SCENE_MOST_COPIES);
    Node *copy = new_node(b, original->type, original->mark, level);
    if (copy == NULL) return NULL;
    copy->text = original->text;
    copy->quoted = original->quoted;
    for (int i = 0; i < original->count && !b->stopped; ++i) {
        if (original->type == NODE_LIST) {
            append_item(b, copy, copy_node(b, original->items[i], level + 1));
        } else {
            Entry entry = original->entries[i];
            entry.value = copy_node(b, entry.value, level + 1);
            append_entry(b, copy, entry);
        }
    }
    return copy;
}

static Node *empty_text(Builder *b, Mark mark)
{
    Node *node = new_node(b, NODE_SCALAR, mark, 0);
    if (node != NULL) node->text = "";
    return node;
}

static Node *read_alias(Builder *b, const yaml_event_t *event, int level)
{
    const char *name = (const char *)event->data.alias.anchor;
    const Mark mark = mark_of(b, event->start_mark);
    const Anchor *anchor = *bucket_of(b, name);
    while (anchor != NULL && strcmp(anchor->name, name) != 0) anchor = anchor->next;
    if (anchor != NULL && !anchor->open) return copy_node(b, anchor->node, level);
    if (anchor == NULL)
        scene_message(b->messages, STI_ERROR, mark,
                      "no anchor '&%s' stands before this alias; "
                      "a text that begins with '*' must stand in quotes",
                      name);
    else
        scene_message(b->messages, STI_ERROR, mark,
                      "the alias '*%s' stands inside of what it names: that would have no end",
                      name);
    b->wrong = true;
    return empty_text(b, mark);
}

// Tags that only say what a value is anyway are harmless.
static void check_tag(Builder *b, const yaml_event_t *event, const yaml_char_t *tag)
{
    static const char *const harmless[] = {YAML_STR_TAG,   YAML_INT_TAG,
                                           YAML_FLOAT_TAG, YAML_BOOL_TAG,
                                           YAML_NULL_TAG,  YAML_MAP_TAG,
                                           YAML_SEQ_TAG,   "!"};
    if (tag == NULL) return;
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; ++i)
        if (strcmp((const char *)tag, harmless[i]) == 0) return;
    scene_message(b->messages, STI_ERROR, mark_of(b, event->start_mark),
                  "the tag '%s' means nothing in a scene: leave it out", (const char *)tag);
    b->wrong = true;
}

static Node *read_scalar(Builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const yaml_char_t *tag = event->data.scalar.tag;
    Node *node = new_node(b, NODE_SCALAR, mark_of(b, event->start_mark), 0);
    if (node == NULL) return NULL;
    if (strlen(text) != event->data.scalar.length) {
        scene_message(b->messages, STI_ERROR, node->mark, "this text contains the character \\0");
        b->wrong = true;
    }
    check_tag(b, event, tag);
    char *copy = sti_arena_text(b->arena, text);
    if (copy != NULL) scene_make_harmless(copy);
    node->text = copy != NULL ? copy : "";
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
                   (tag != NULL && strcmp((const char *)tag, YAML_STR_TAG) == 0);
    close_anchor(open_anchor(b, event->data.scalar.anchor, node));
    return node;
}

static Node *read_node(Builder *b, yaml_event_t *event, int level);

static Node *read_next(Builder *b, int level)
{
    yaml_event_t event;
    return next_event(b, &event) ? read_node(b, &event, level) : NULL;
}

static Node *read_list(Builder *b, const yaml_event_t *start, int level)
{
    Node *list = new_node(b, NODE_LIST, mark_of(b, start->start_mark), level);
    if (list == NULL) return NULL;
    check_tag(b, start, start->data.sequence_start.tag);
    Anchor *anchor = open_anchor(b, start->data.sequence_start.anchor, list);
    yaml_event_t event;
    while (!b->stopped && next_event(b, &event)) {
        if (event.type == YAML_SEQUENCE_END_EVENT) {
            yaml_event_delete(&event);
            close_anchor(anchor);
            return list;
        }
        Node *item = read_node(b, &event, level + 1);
        if (item != NULL) append_item(b, list, item);
    }
    return NULL;
}

static bool is_merge(const Node *key) { return !key->quoted && strcmp(key->text, "<<") == 0; }

static void take_merge(Builder *b, const Node *key, const Node *value, Merge *merge, int position)
{
    bool maps = value->type != NODE_SCALAR;
    for (int i = 0; value->type == NODE_LIST && i < value->count; ++i)
        maps = maps && value->items[i]->type == NODE_MAP;
    if (merge->maps != NULL) {
        scene_message(b->messages, STI_ERROR, key->mark,
                      "the key '<<' stands twice in this map: write one list of aliases at line %d",
                      merge->mark.line);
        b->wrong = true;
    } else if (maps) {
        *merge = (Merge){value, key->mark, position};
    } else {
        scene_message(b->messages, STI_ERROR, value->mark,
                      "'<<' takes over the keys of another map: write an alias of a map or a list "
                      "of such aliases");
        b->wrong = true;
    }
}

static bool check_key(Builder *b, const Node *key)
{
    if (key->type == NODE_SCALAR && key->text[0] != '\0') return true;
    if (key->type == NODE_SCALAR)
        scene_message(b->messages, STI_ERROR, key->mark, "a key is missing before this ':'");
    else
        scene_message(b->messages, STI_ERROR, key->mark, "a key must be text, but this is %s",
                      scene_node_type(key));
    b->wrong = true;
    return false;
}

static Node *read_map(Builder *b, const yaml_event_t *start, int level)
{
    Node *map = new_node(b, NODE_MAP, mark_of(b, start->start_mark), level);
    if (map == NULL) return NULL;
    check_tag(b, start, start->data.mapping_start.tag);
    Anchor *anchor = open_anchor(b, start->data.mapping_start.anchor, map);
    Merge merge = {0};
    yaml_event_t event;
    while (!b->stopped && next_event(b, &event)) {
        if (event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            if (!scene_merge_finish(map, &merge, b->arena, b->messages)) b->wrong = true;
            close_anchor(anchor);
            return map;
        }
        const Node *key = read_node(b, &event, level + 1);
        Node *value = key != NULL ? read_next(b, level + 1) : NULL;
        if (value == NULL || !check_key(b, key)) continue;
        if (is_merge(key))
            take_merge(b, key, value, &merge, map->count);
        else
            append_entry(b, map, (Entry){key->text, key->mark, value});
    }
    return NULL;
}

// Takes over the event. NULL only if reading has stopped.
static Node *read_node(Builder *b, yaml_event_t *event, int level)
{
    Node *node = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        node = read_alias(b, event, level);
        break;
    case YAML_SCALAR_EVENT:
        node = read_scalar(b, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        node = read_list(b, event, level);
        break;
    case YAML_MAPPING_START_EVENT:
        node = read_map(b, event, level);
        break;
    default:
        b->wrong = b->stopped = true;
        break; // libyaml sends no other
    }
    yaml_event_delete(event);
    return node;
}

// The document, and that there is no second one.
static Node *read_stream(Builder *b, int level)
{
    Node *root = NULL;
    yaml_event_t event;
    for (bool ended = false; !ended && !b->stopped && next_event(b, &event);) {
        ended = event.type == YAML_STREAM_END_EVENT;
        const bool second = event.type == YAML_DOCUMENT_START_EVENT && root != NULL;
        const bool first = event.type == YAML_DOCUMENT_START_EVENT && root == NULL;
        if (second)
            stop(b, mark_of(b, event.start_mark),
                 "a second document begins here: a scene is one, so put the rest into another file",
                 0);
        yaml_event_delete(&event);
        if (first) root = read_next(b, level);
    }
    return root;
}

bool scene_tree_read(const char *text, size_t length, const char *file, int level, StiArena *arena,
                     StiMessages *messages, Node **root)
{
    *root = NULL;
    if (!scene_encoding_check(text, length, file, messages)) return false;
    Builder *b = sti_arena_take(arena, 1, sizeof *b);
    file = sti_arena_text(arena, file);
    if (b == NULL || file == NULL || !yaml_parser_initialize(&b->parser)) {
        scene_message(messages, STI_ERROR, (Mark){file, 0, 0}, "out of memory");
        return false;
    }
    b->text = text, b->length = length, b->file = file, b->arena = arena, b->messages = messages;
    yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b->parser, (const unsigned char *)text, length);
    *root = read_stream(b, level);
    yaml_parser_delete(&b->parser);
    if (arena->failed) scene_message(messages, STI_ERROR, (Mark){file, 0, 0}, "out of memory");
    if (*root != NULL && (*root)->type == NODE_SCALAR && !(*root)->quoted &&
        (*root)->text[0] == '\0')
        *root = NULL;
    return !b->wrong && !arena->failed;
}
