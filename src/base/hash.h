// Private: FNV-1a over bytes, for states and layouts.
#ifndef STICTION_SRC_BASE_HASH_H
#define STICTION_SRC_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const uint64_t STI_HASH_START = UINT64_C(0xcbf29ce484222325);

static inline uint64_t sti_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}
static inline uint64_t sti_hash_text(uint64_t hash, const char *text)
{
    return sti_hash_bytes(hash, text, strlen(text) + 1);
}

#endif
