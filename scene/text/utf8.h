// Private: UTF-8, one character at a time.
#ifndef STICTION_SCENE_UTF8_H
#define STICTION_SCENE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// The number of bytes (1 to 4) of the character that the length bytes at text begin with, and its
// code; 0 where they are not UTF-8 (overlong forms, surrogates and codes above 10FFFF are not).
static inline int scene_utf8_read(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0) return 0;
    const unsigned char first = (unsigned char)text[0];
    const int size = first < 0x80   ? 1
                     : first < 0xc0 ? 0
                     : first < 0xe0 ? 2
                     : first < 0xf0 ? 3
                     : first < 0xf8 ? 4
                                    : 0;
    if (size == 0 || (size_t)size > length) return 0;
    *code = size == 1 ? first : first & (0x7fU >> size);
    for (int i = 1; i < size; ++i) {
        const unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (next & 0x3f);
    }
    const int surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < smallest[size] || *code > 0x10ffff || surrogate ? 0 : size;
}

#endif
