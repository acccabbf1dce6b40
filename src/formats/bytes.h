// Private: bytes that grow, with numbers as MCAP has them (little-endian) and JSON text.
#ifndef STICTION_SRC_FORMATS_BYTES_H
#define STICTION_SRC_FORMATS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Bytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed; // out of memory: what follows is dropped
} Bytes;

void sti_bytes_release(Bytes *bytes);
void sti_bytes_clear(Bytes *bytes); // keeps the memory

void sti_bytes_add(Bytes *bytes, const void *data, size_t size);
void sti_bytes_number(Bytes *bytes, uint64_t value, int width); // 1, 2, 4 or 8 bytes
void sti_bytes_number_at(Bytes *bytes, size_t place, uint64_t value, int width);
void sti_bytes_text(Bytes *bytes, const char *text); // its length in 4 bytes, then the text

// Without a length in front.
void sti_bytes_print(Bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sti_bytes_json_text(Bytes *bytes, const char *text); // quoted
void sti_bytes_json_number(Bytes *bytes, double value);   // all digits; null where it is not finite

// The CRC-32 of zip, gzip and MCAP; crc is that of what came before, 0 at the beginning.
typedef struct CrcTable {
    uint32_t entry[256];
} CrcTable;
CrcTable sti_crc_table(void);
uint32_t sti_crc(const CrcTable *table, uint32_t crc, const void *data, size_t size);

#endif
