// A number that tells whether two scenes are the same problem.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "text/file.h"
#include "text/named_files.h"
#include "read/sections.h"

// How it is computed and what is kept of it: not part of the problem.
static bool is_treatment(const char *key)
{
    static const char *const keys[] = {"title",  "description", "step",    "stop",
                                       "method", "solver",      "record",  "every",
                                       "expect", "variants",    "figures", "grid",
                                       "study",  "fit"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

// Of a file that the scene names: tables and robots.
static uint64_t add_file(uint64_t hash, const Reader *reader, const char *name)
{
    const size_t folder = name[0] == '/' ? 0 : strlen(reader->folder), size = folder + strlen(name);
    char *path = malloc(size + 1), *text = NULL;
    const char *why;
    size_t length;
    if (path != NULL) {
        memcpy(path, reader->folder, folder);
        memcpy(path + folder, name, size - folder + 1);
        text = scene_file_read(path, SIZE_MAX / 2, &length, &why);
    }
    if (text != NULL) hash = sti_hash_bytes(hash, text, length);
    free(text);
    free(path);
    return hash;
}

// The types and counts too, so that [1, 2] is not [[1], 2].
static uint64_t add(uint64_t hash, const Reader *reader, const Node *node)
{
    hash = sti_hash_bytes(hash, &node->type, sizeof node->type);
    hash = sti_hash_bytes(hash, &node->count, sizeof node->count);
    if (node->type == NODE_SCALAR) {
        hash = sti_hash_text(hash, node->text);
        return scene_file_was_named(reader, node->text) ? add_file(hash, reader, node->text) : hash;
    }
    for (int i = 0; i < node->count; ++i) {
        if (node->type == NODE_MAP) hash = sti_hash_text(hash, node->entries[i].key);
        hash = add(hash, reader, node->type == NODE_MAP ? node->entries[i].value : node->items[i]);
    }
    return hash;
}

uint64_t scene_fingerprint(const Reader *reader)
{
    uint64_t hash = STI_HASH_START;
    for (int i = 0; i < reader->root->count; ++i) {
        const Entry *entry = &reader->root->entries[i];
        if (is_treatment(entry->key)) continue;
        hash = add(sti_hash_text(hash, entry->key), reader, entry->value);
    }
    return hash;
}
