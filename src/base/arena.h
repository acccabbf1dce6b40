// Private: memory that is released as a whole. Building and compiling use it; steps never allocate.
#ifndef STICTION_SRC_BASE_ARENA_H
#define STICTION_SRC_BASE_ARENA_H

#include <stddef.h>

typedef struct StiArenaBlock StiArenaBlock;

typedef struct StiArena {
    StiArenaBlock *blocks;
    unsigned char *spare; // behind the last small piece
    size_t spare_size;
    int failed; // an allocation failed: the builder checks once at the end
} StiArena;

// Zeroed memory, aligned for any type; NULL (and failed set) when there is none.
void *sti_arena_take(StiArena *arena, size_t count, size_t size);
void *sti_arena_copy(StiArena *arena, const void *from, size_t size);
double *sti_arena_numbers(StiArena *arena, int count); // room for at least one
char *sti_arena_text(StiArena *arena, const char *text);
// Calls release(object) when the arena is released, before any of its memory goes; at once, where
// there is no memory to remember it.
void sti_arena_entrust(StiArena *arena, void *object, void (*release)(void *object));
void sti_arena_release(StiArena *arena);

#endif
