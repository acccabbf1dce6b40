// Private: YAML as a tree whose every node knows its place in the file.
#ifndef STICTION_SCENE_DOCUMENT_H
#define STICTION_SCENE_DOCUMENT_H

#include "base/arena.h"
#include "text/messages.h"

typedef enum NodeType { NODE_SCALAR, NODE_LIST, NODE_MAP } NodeType;

typedef struct Node Node;

typedef struct Entry {
    const char *key;
    Mark mark;
    Node *value;
} Entry;

struct Node {
    NodeType type;
    Mark mark;
    const char *text; // scalar
    bool quoted;      // scalar in quotes: never a number or a truth value
    Node **items;     // list
    Entry *entries;   // map, in the order of the file
    int count;
};

// The tree of a file that holds one map; NULL after a message. Anchors, aliases and merge keys (<<) work;
// a key that stands twice in a map, several documents, tags that construct objects, more than 64 levels or
// 100,000 nodes are errors.
Node *scene_document_read(const char *text, size_t length, const char *file, StiArena *arena,
                          StiMessages *messages);

// The value under a key, NULL if there is none.
Node *scene_node_find(const Node *map, const char *key);
const Entry *scene_node_entry(const Node *map, const char *key);
const char *scene_node_type(const Node *node); // "a map", "a list", "text"

// Applies "path=value" as --set does: a top-level key (step), a component's key (friction.level, deeper with
// more dots, list items by number), or a parameter (pull). Values are YAML. New keys are added to existing
// components, so that the reader judges them. False after a message with the nearest name.
bool scene_document_set(Node *root, const char *assignment, StiArena *arena, StiMessages *messages);
// The same with a value that stands in the file already; messages point to mark. The value is not copied.
bool scene_document_assign(Node *root, const char *path, Node *value, Mark mark, StiArena *arena,
                           StiMessages *messages);
// Does such a path lead to parameters, inputs or an entry whose name has an index, such as "block{i}"?
bool scene_document_sets_parameter(const Node *root, const char *path);

#endif
