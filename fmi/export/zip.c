#include "export/zip.h"

#include <stdint.h>
#include <string.h>

enum { VERSION = 20, UNIX = 3 << 8, UTF8_NAMES = 1 << 11, DATE = (1 << 5) | 1 }; // 1 January 1980
static const uint32_t everyone_reads = UINT32_C(0100755) << 16;

static uint32_t crc_of(const unsigned char *bytes, size_t length)
{
    uint32_t table[256], crc = UINT32_C(0xffffffff);
    for (uint32_t i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit)
            table[i] = (table[i] >> 1) ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
    }
    for (size_t i = 0; i < length; ++i) crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);
    return ~crc;
}

static void put(FmuText *to, uint32_t value, int bytes)
{
    unsigned char little[4];
    for (int i = 0; i < bytes; ++i) little[i] = (unsigned char)(value >> (8 * i));
    fmu_text_append(to, little, (size_t)bytes);
}

// What both headers of a member say.
static void put_common(FmuText *to, uint32_t crc, size_t length, size_t name)
{
    put(to, VERSION, 2);
    put(to, UTF8_NAMES, 2);
    put(to, 0, 2); // stored
    put(to, 0, 2); // midnight
    put(to, DATE, 2);
    put(to, crc, 4);
    put(to, (uint32_t)length, 4);
    put(to, (uint32_t)length, 4);
    put(to, (uint32_t)name, 2);
    put(to, 0, 2); // no extra field
}

void zip_add(Zip *zip, const char *name, const void *bytes, size_t length)
{
    const uint32_t crc = crc_of(bytes, length), at = (uint32_t)zip->bytes.length;
    if (zip->bytes.length + length > UINT32_MAX / 2) zip->bytes.failed = true;
    put(&zip->bytes, UINT32_C(0x04034b50), 4);
    put_common(&zip->bytes, crc, length, strlen(name));
    fmu_text_append(&zip->bytes, name, strlen(name));
    fmu_text_append(&zip->bytes, bytes, length);
    put(&zip->directory, UINT32_C(0x02014b50), 4);
    put(&zip->directory, VERSION | UNIX, 2);
    put_common(&zip->directory, crc, length, strlen(name));
    put(&zip->directory, 0, 2); // no comment
    put(&zip->directory, 0, 2); // first disk
    put(&zip->directory, 0, 2);
    put(&zip->directory, everyone_reads, 4);
    put(&zip->directory, at, 4);
    fmu_text_append(&zip->directory, name, strlen(name));
    ++zip->count;
}

bool zip_finish(Zip *zip)
{
    const uint32_t at = (uint32_t)zip->bytes.length, length = (uint32_t)zip->directory.length;
    fmu_text_append(&zip->bytes, zip->directory.bytes, zip->directory.length);
    put(&zip->bytes, UINT32_C(0x06054b50), 4);
    put(&zip->bytes, 0, 4); // one disk
    put(&zip->bytes, (uint32_t)zip->count, 2);
    put(&zip->bytes, (uint32_t)zip->count, 2);
    put(&zip->bytes, length, 4);
    put(&zip->bytes, at, 4);
    put(&zip->bytes, 0, 2);
    return !zip->bytes.failed && !zip->directory.failed && zip->count < 65535;
}

void zip_release(Zip *zip)
{
    fmu_text_release(&zip->bytes);
    fmu_text_release(&zip->directory);
    zip->count = 0;
}
