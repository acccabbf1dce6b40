#include "yaml/merge.h"

#include <stdlib.h>
#include <string.h>

// An entry on its way into a map. Of those with one key the lowest rank stays: 0 for the map's own,
// then the merged maps one after the other.
typedef struct Candidate {
    Entry entry;
    int rank, position;
} Candidate;

static int by_position(const void *left, const void *right)
{
    const Candidate *a = left, *b = right;
    return (a->position > b->position) - (a->position < b->position);
}

static int by_key(const void *left, const void *right)
{
    const Candidate *a = left, *b = right;
    const int keys = strcmp(a->entry.key, b->entry.key);
    if (keys != 0) return keys;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return by_position(left, right);
}

// Leaves one candidate per key, in the order of the file; returns how many. Sorting keeps this fast
// for maps of any size.
static int choose(Candidate *candidates, int count, StiMessages *messages, bool *unique)
{
    qsort(candidates, (size_t)count, sizeof *candidates, by_key);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const Entry *entry = &candidates[i].entry;
        const Entry *first = kept > 0 ? &candidates[kept - 1].entry : NULL;
        if (first == NULL || strcmp(first->key, entry->key) != 0) {
            candidates[kept++] = candidates[i];
        } else if (candidates[i].rank == 0) {
            scene_message(messages, STI_ERROR, entry->mark,
                          "the key '%s' stands twice in this map: it is at line %d already",
                          entry->key, first->mark.line);
            *unique = false;
        }
    }
    qsort(candidates, (size_t)kept, sizeof *candidates, by_position);
    return kept;
}

static int merged_count(const Merge *merge)
{
    if (merge->maps == NULL) return 0;
    return merge->maps->type == NODE_LIST ? merge->maps->count : 1;
}

static const Node *merged_map(const Merge *merge, int index)
{
    return merge->maps->type == NODE_LIST ? merge->maps->items[index] : merge->maps;
}

static int gather(Candidate *candidates, int count, const Node *map, int from, int to, int rank)
{
    for (int i = from; i < to; ++i, ++count)
        candidates[count] = (Candidate){map->entries[i], rank, count};
    return count;
}

bool scene_merge_finish(Node *map, const Merge *merge, StiArena *arena, StiMessages *messages)
{
    int total = map->count;
    for (int i = 0; i < merged_count(merge); ++i) total += merged_map(merge, i)->count;
    Candidate *candidates = sti_arena_take(arena, (size_t)total, sizeof *candidates);
    Entry *entries = sti_arena_take(arena, (size_t)total, sizeof *entries);
    if (total == 0 || candidates == NULL || entries == NULL) return true;

    int count = gather(candidates, 0, map, 0, merge->position, 0);
    for (int i = 0; i < merged_count(merge); ++i) {
        const Node *merged = merged_map(merge, i);
        count = gather(candidates, count, merged, 0, merged->count, i + 1);
    }
    count = gather(candidates, count, map, merge->position, map->count, 0);

    bool unique = true;
    map->count = choose(candidates, count, messages, &unique);
    for (int i = 0; i < map->count; ++i) entries[i] = candidates[i].entry;
    map->entries = entries;
    return unique;
}
