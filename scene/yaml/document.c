#include "yaml/document.h"

#include <string.h>

#include "yaml/tree.h"

Node *scene_document_read(const char *text, size_t length, const char *file, StiArena *arena,
                          StiMessages *messages)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) text += 3, length -= 3;
    Node *root;
    if (!scene_tree_read(text, length, file, 1, arena, messages, &root)) return NULL;
    if (root != NULL && root->type == NODE_MAP) return root;
    if (root == NULL)
        scene_message(
            messages, STI_ERROR, (Mark){file, 1, 1},
            "there is nothing in this file: a scene has at least \"stop\" and \"bodies\"");
    else
        scene_message(
            messages, STI_ERROR, root->mark,
            "a scene is a map of keys such as \"stop: 4\" and \"bodies:\", but this is %s",
            scene_node_type(root));
    return NULL;
}

const Entry *scene_node_entry(const Node *map, const char *key)
{
    if (map == NULL || map->type != NODE_MAP) return NULL;
    for (int i = 0; i < map->count; ++i)
        if (strcmp(map->entries[i].key, key) == 0) return &map->entries[i];
    return NULL;
}

Node *scene_node_find(const Node *map, const char *key)
{
    const Entry *entry = scene_node_entry(map, key);
    return entry != NULL ? entry->value : NULL;
}

const char *scene_node_type(const Node *node)
{
    switch (node->type) {
    case NODE_MAP:
        return "a map";
    case NODE_LIST:
        return "a list";
    default:
        return "text";
    }
}
