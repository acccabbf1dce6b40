// Counts every allocation of the program that includes it (once, in the file with main).
#ifndef STICTION_TESTS_ALLOCATIONS_H
#define STICTION_TESTS_ALLOCATIONS_H

#include <stddef.h>

// glibc's own, under other names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);

static long calls;

void *malloc(size_t size)
{
    ++calls;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    ++calls;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    ++calls;
    return __libc_realloc(memory, size);
}

void free(void *memory)
{
    ++calls;
    __libc_free(memory);
}

#endif
