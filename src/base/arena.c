#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct StiArenaBlock {
    StiArenaBlock *next;
    void (*release)(void *object); // NULL: the block is only memory
    void *object;
    alignas(max_align_t) unsigned char bytes[];
};

void *sti_arena_take(StiArena *arena, size_t count, size_t size)
{
    StiArenaBlock *block = NULL;
    if (size == 0 || count <= (SIZE_MAX - sizeof *block) / size)
        block = calloc(1, sizeof *block + count * size);
    if (block == NULL) {
        arena->failed = 1;
        return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

double *sti_arena_numbers(StiArena *arena, int count)
{
    return sti_arena_take(arena, (size_t)count + 1, sizeof(double));
}

void *sti_arena_copy(StiArena *arena, const void *from, size_t size)
{
    void *copy = sti_arena_take(arena, 1, size);
    if (copy != NULL && size > 0) memcpy(copy, from, size);
    return copy;
}

char *sti_arena_text(StiArena *arena, const char *text)
{
    return sti_arena_copy(arena, text, strlen(text) + 1);
}

void sti_arena_entrust(StiArena *arena, void *object, void (*release)(void *object))
{
    if (sti_arena_take(arena, 0, 0) == NULL) {
        release(object);
        return;
    }
    arena->blocks->release = release;
    arena->blocks->object = object;
}

void sti_arena_release(StiArena *arena)
{
    for (StiArenaBlock *block = arena->blocks; block != NULL; block = block->next)
        if (block->release != NULL) block->release(block->object);
    while (arena->blocks != NULL) {
        StiArenaBlock *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
