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

// Small pieces share blocks, so that what is used together lies together. Address sanitizers see the
// ends of blocks only: for them every piece is one.
#if defined(__SANITIZE_ADDRESS__)
enum { SMALL = 0, SHARED = 0 };
#else
enum { SMALL = 1024, SHARED = 8192 };
#endif

// Memory that is cleared here is at hand: no step waits for the system to find the page. What is larger may
// never be used, and stays the system's promise.
enum { AT_HAND = 1 << 20 };

static void *take_cleared(size_t bytes)
{
    if (bytes > AT_HAND) return calloc(1, bytes);
    void *memory = malloc(bytes);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

static unsigned char *take_block(StiArena *arena, size_t bytes)
{
    StiArenaBlock *block = NULL;
    if (bytes <= SIZE_MAX - sizeof *block) block = take_cleared(sizeof *block + bytes);
    if (block == NULL) {
        arena->failed = 1;
        return NULL;
    }
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

void *sti_arena_take(StiArena *arena, size_t count, size_t size)
{
    enum { ALIGN = alignof(max_align_t) };
    if (size > 0 && count > (SIZE_MAX - ALIGN) / size) {
        arena->failed = 1;
        return NULL;
    }
    const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes > SMALL || SMALL == 0) return take_block(arena, bytes);
    if (bytes > arena->spare_size) {
        arena->spare = take_block(arena, SHARED);
        arena->spare_size = arena->spare != NULL ? SHARED : 0;
        if (arena->spare == NULL) return NULL;
    }
    unsigned char *piece = arena->spare;
    arena->spare += bytes;
    arena->spare_size -= bytes;
    return piece;
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
    if (take_block(arena, 0) == NULL) {
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
    arena->spare = NULL;
    arena->spare_size = 0;
}
