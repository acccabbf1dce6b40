// A number that tells whether two scenes are the same problem.
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "sections.h"

// How it is computed and what is kept of it: not part of the problem.
static bool is_treatment(const char *key)
{
    static const char *const keys[] = {"title",  "description", "step",    "stop",
                                       "method", "solver",      "record",  "every",
                                       "expect", "variants",    "figures", "grid"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

// Of a file that the scene names: tables and robots.
static uint64_t add_file(uint64_t hash, const Reader *reader, const char *name)
{
    char path[4096], bytes[4096];
    const int length =
        snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : reader->folder, name);
    FILE *file = length > 0 && length < (int)sizeof path ? fopen(path, "rb") : NULL;
    for (size_t got = 1; file != NULL && got > 0;) {
        got = fread(bytes, 1, sizeof bytes, file);
        hash = sti_hash_bytes(hash, bytes, got);
    }
    if (file != NULL) fclose(file);
    return hash;
}

static bool is_file_name(const char *text)
{
    static const char *const endings[] = {".csv", ".urdf", ".xml", ".txt"};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && strcmp(text + length - tail, endings[i]) == 0) return true;
    }
    return false;
}

// The types and counts too, so that [1, 2] is not [[1], 2].
static uint64_t add(uint64_t hash, const Reader *reader, const Node *node)
{
    hash = sti_hash_bytes(hash, &node->type, sizeof node->type);
    hash = sti_hash_bytes(hash, &node->count, sizeof node->count);
    if (node->type == NODE_SCALAR) {
        hash = sti_hash_text(hash, node->text);
        return is_file_name(node->text) ? add_file(hash, reader, node->text) : hash;
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
