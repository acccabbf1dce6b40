#include "foreign/archive.h"

#include <stdlib.h>
#include <string.h>

#include "foreign/inflate.h"

enum {
    END_SIZE = 22,
    LONGEST_COMMENT = 65535,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    MOST_GROWTH = 1032, // of DEFLATE: a member that claims more is a trap
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1
};

static uint32_t number(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;) value = (value << 8) | at[i];
    return value;
}

bool archive_open(Archive *archive, const char *bytes, size_t length)
{
    const unsigned char *data = (const unsigned char *)bytes;
    *archive = (Archive){.bytes = data, .length = length};
    if (length < END_SIZE) return false;
    const size_t last = length - END_SIZE,
                 first = last > LONGEST_COMMENT ? last - LONGEST_COMMENT : 0;
    for (size_t at = last + 1; at-- > first;) {
        if (number(data + at, 4) != 0x06054b50) continue;
        archive->count = (int)number(data + at + 10, 2);
        archive->directory = number(data + at + 16, 4);
        return archive->directory <= at;
    }
    return false;
}

// The data follow a header of their own, whose name may have another length.
static bool find_data(const Archive *archive, size_t local, ArchiveMember *member)
{
    if (local > archive->length || archive->length - local < LOCAL_SIZE) return false;
    const unsigned char *at = archive->bytes + local;
    if (number(at, 4) != 0x04034b50) return false;
    const size_t data = local + LOCAL_SIZE + number(at + 26, 2) + number(at + 28, 2);
    if (data > archive->length || archive->length - data < member->packed_size) return false;
    member->packed = archive->bytes + data;
    return true;
}

bool archive_next(const Archive *archive, size_t *place, ArchiveMember *member)
{
    if (*place > archive->length || archive->length - *place < ENTRY_SIZE) return false;
    const unsigned char *at = archive->bytes + *place;
    const size_t name_length = number(at + 28, 2), left = archive->length - *place - ENTRY_SIZE;
    const uint32_t way = number(at + 10, 2);
    if (number(at, 4) != 0x02014b50 || name_length > left || name_length >= sizeof member->name ||
        (number(at + 8, 2) & ENCRYPTED) != 0 || (way != STORED && way != DEFLATED))
        return false;
    *member = (ArchiveMember){.packed_size = number(at + 20, 4),
                              .size = number(at + 24, 4),
                              .check = number(at + 16, 4),
                              .deflated = way == DEFLATED};
    memcpy(member->name, at + ENTRY_SIZE, name_length);
    *place += ENTRY_SIZE + name_length + number(at + 30, 2) + number(at + 32, 2);
    return strlen(member->name) == name_length && find_data(archive, number(at + 42, 4), member);
}

bool archive_find(const Archive *archive, const char *name, ArchiveMember *member)
{
    size_t place = archive->directory;
    for (int i = 0; i < archive->count; ++i) {
        if (!archive_next(archive, &place, member)) return false;
        if (strcmp(member->name, name) == 0) return true;
    }
    return false;
}

// CRC-32 as archives have it.
static uint32_t check_of(const unsigned char *bytes, size_t length)
{
    uint32_t table[256], check = 0xffffffffu;
    for (uint32_t i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit)
            table[i] = (table[i] >> 1) ^ ((table[i] & 1u) != 0 ? 0xedb88320u : 0u);
    }
    for (size_t i = 0; i < length; ++i) check = (check >> 8) ^ table[(check ^ bytes[i]) & 0xffu];
    return ~check;
}

char *archive_content(const ArchiveMember *member)
{
    if (member->deflated ? member->size / MOST_GROWTH > member->packed_size
                         : member->size != member->packed_size)
        return NULL;
    unsigned char *content = malloc(member->size + 1);
    if (content == NULL) return NULL;
    bool good = true;
    if (member->deflated)
        good = foreign_inflate(member->packed, member->packed_size, content, member->size);
    else
        memcpy(content, member->packed, member->size);
    if (!good || check_of(content, member->size) != member->check) {
        free(content);
        return NULL;
    }
    content[member->size] = '\0';
    return (char *)content;
}
