#include "formats/bytes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sti_bytes_release(Bytes *bytes)
{
    free(bytes->data);
    *bytes = (Bytes){0};
}

void sti_bytes_clear(Bytes *bytes) { bytes->size = 0; }

static bool make_room(Bytes *bytes, size_t more)
{
    if (bytes->failed) return false;
    if (bytes->size + more <= bytes->capacity) return true;
    const size_t capacity = 2 * bytes->capacity + more + 64;
    unsigned char *data = realloc(bytes->data, capacity);
    bytes->failed = data == NULL;
    if (data == NULL) return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void sti_bytes_add(Bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || !make_room(bytes, size)) return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void store(unsigned char *place, uint64_t value, int width)
{
    for (int i = 0; i < width; ++i) place[i] = (unsigned char)(value >> (8 * i) & 0xff);
}

void sti_bytes_number(Bytes *bytes, uint64_t value, int width)
{
    unsigned char place[8];
    store(place, value, width);
    sti_bytes_add(bytes, place, (size_t)width);
}

void sti_bytes_number_at(Bytes *bytes, size_t place, uint64_t value, int width)
{
    if (!bytes->failed) store(bytes->data + place, value, width);
}

void sti_bytes_text(Bytes *bytes, const char *text)
{
    const size_t length = strlen(text);
    sti_bytes_number(bytes, length, 4);
    sti_bytes_add(bytes, text, length);
}

void sti_bytes_print(Bytes *bytes, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= sizeof text)
        bytes->failed = true;
    else
        sti_bytes_add(bytes, text, (size_t)length);
}

void sti_bytes_json_text(Bytes *bytes, const char *text)
{
    sti_bytes_add(bytes, "\"", 1);
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20)
            sti_bytes_print(bytes, "\\u%04x", (unsigned)c);
        else {
            if (c == '"' || c == '\\') sti_bytes_add(bytes, "\\", 1);
            sti_bytes_add(bytes, text, 1);
        }
    }
    sti_bytes_add(bytes, "\"", 1);
}

void sti_bytes_json_number(Bytes *bytes, double value)
{
    char text[32];
    const int length = isfinite(value) ? snprintf(text, sizeof text, "%.17g", value)
                                       : snprintf(text, sizeof text, "null");
    sti_bytes_add(bytes, text, (size_t)length);
}

CrcTable sti_crc_table(void)
{
    CrcTable table;
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
        table.entry[i] = value;
    }
    return table;
}

uint32_t sti_crc(const CrcTable *table, uint32_t crc, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    crc = ~crc;
    for (size_t i = 0; i < size; ++i) crc = table->entry[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}
