// Private: the entries of a map, its own and those that a merge key (<<) brings.
#ifndef STICTION_SCENE_MERGE_H
#define STICTION_SCENE_MERGE_H

#include "yaml/document.h"

typedef struct Merge {
    const Node *maps; // a map or a list of maps; NULL if there is no merge key
    Mark mark;        // of the key
    int position;     // of the key among the map's own entries
} Merge;

// Puts in what is merged where the merge key stands; the map's own keys win, then the earlier maps.
// False after messages about keys of its own that stand twice.
bool scene_merge_finish(Node *map, const Merge *merge, StiArena *arena, StiMessages *messages);

#endif
