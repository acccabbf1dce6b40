// In an FMU: scenes as the export wrote them (yaml/plain.h), read without a library for YAML. The export
// has read the scene before; what does not fit this narrow form is refused.
#include <string.h>

#include "yaml/tree.h"

typedef struct Reader {
    const char *at, *end, *file;
    int line, nodes;
    StiArena *arena;
} Reader;

static Node *read_node(Reader *r, int level);

static char next(Reader *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0'; ++r->at)
        r->line += *r->at == '\n';
    return r->at < r->end ? *r->at : '\0';
}

static bool take(Reader *r, char c)
{
    if (next(r) != c) return false;
    ++r->at;
    return true;
}

static Node *new_node(Reader *r, NodeType type)
{
    Node *node = ++r->nodes > SCENE_MOST_NODES ? NULL : sti_arena_take(r->arena, 1, sizeof *node);
    if (node == NULL) return NULL;
    node->type = type;
    node->mark = (Mark){r->file, r->line, 1};
    return node;
}

// Up to the closing quote; escapes are those of the writer.
static char *read_quoted(Reader *r)
{
    if (!take(r, '"')) return NULL;
    const char *from = r->at;
    while (r->at < r->end && *r->at != '"') r->at += *r->at == '\\' ? 2 : 1;
    if (r->at >= r->end) return NULL;
    char *text = sti_arena_take(r->arena, (size_t)(r->at - from) + 1, 1), *to = text;
    for (const char *c = from; text != NULL && c < r->at; ++c) {
        const bool escaped = *c == '\\';
        if (escaped) ++c;
        *to++ = escaped && *c == 'n' ? '\n' : escaped && *c == 't' ? '\t' : *c;
    }
    ++r->at;
    return text;
}

static Node *read_scalar(Reader *r)
{
    Node *node = new_node(r, NODE_SCALAR);
    if (node == NULL) return NULL;
    if (next(r) == '"') {
        node->quoted = true;
        node->text = read_quoted(r);
        return node->text != NULL ? node : NULL;
    }
    const char *from = r->at;
    while (r->at < r->end && strchr(",]}: \t\r\n", *r->at) == NULL) ++r->at;
    char *text = sti_arena_take(r->arena, (size_t)(r->at - from) + 1, 1);
    if (text == NULL) return NULL;
    memcpy(text, from, (size_t)(r->at - from));
    node->text = text;
    return node;
}

// Room for one more; the capacity is the next power of two.
static void *grown(Reader *r, void *array, int count, size_t size)
{
    if ((count & (count - 1)) != 0) return array;
    void *larger = sti_arena_take(r->arena, count > 0 ? 2 * (size_t)count : 1, size);
    if (larger != NULL && count > 0) memcpy(larger, array, (size_t)count * size);
    return larger;
}

static bool read_item(Reader *r, Node *list, int level)
{
    Node *item = read_node(r, level + 1);
    list->items = grown(r, list->items, list->count, sizeof *list->items);
    if (item == NULL || list->items == NULL) return false;
    list->items[list->count++] = item;
    return true;
}

static bool read_entry(Reader *r, Node *map, int level)
{
    const int line = (next(r), r->line);
    const char *key = read_quoted(r);
    Node *value = key != NULL && take(r, ':') ? read_node(r, level + 1) : NULL;
    map->entries = grown(r, map->entries, map->count, sizeof *map->entries);
    if (value == NULL || map->entries == NULL) return false;
    map->entries[map->count++] = (Entry){key, {r->file, line, 1}, value};
    return true;
}

static Node *read_node(Reader *r, int level)
{
    const char first = next(r);
    if (first != '{' && first != '[') return read_scalar(r);
    const bool is_map = first == '{';
    const char end = is_map ? '}' : ']';
    Node *node = level > SCENE_MOST_LEVELS ? NULL : new_node(r, is_map ? NODE_MAP : NODE_LIST);
    ++r->at;
    if (node == NULL || take(r, end)) return node;
    do {
        if (!(is_map ? read_entry(r, node, level) : read_item(r, node, level))) return NULL;
    } while (take(r, ','));
    return take(r, end) ? node : NULL;
}

bool scene_tree_read(const char *text, size_t length, const char *file, int level, StiArena *arena,
                     StiMessages *messages, Node **root)
{
    Reader reader = {.at = text,
                     .end = text + length,
                     .file = sti_arena_text(arena, file),
                     .line = 1,
                     .arena = arena};
    *root = reader.file != NULL ? read_node(&reader, level) : NULL;
    if (*root != NULL && next(&reader) == '\0' && reader.at == reader.end) return true;
    *root = NULL;
    scene_message(messages, STI_ERROR, (Mark){file, reader.line, 1},
                  arena->failed ? "out of memory"
                                : "this is not a scene as stiction export writes it");
    return false;
}

bool scene_encoding_check(const char *text, size_t length, const char *file, StiMessages *messages)
{
    (void)text, (void)length, (void)file, (void)messages;
    return true; // the export has looked
}
