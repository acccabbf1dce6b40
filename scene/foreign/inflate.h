// Private: DEFLATE (RFC 1951) taken back, as archives use it.
#ifndef STICTION_SCENE_INFLATE_H
#define STICTION_SCENE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

// Fills exactly `size` bytes from packed data of exactly `length`; false: damaged.
bool foreign_inflate(const unsigned char *packed, size_t length, unsigned char *out, size_t size);

#endif
