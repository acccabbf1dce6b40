// Private: ZIP archives of others, in memory. Stored and deflated members; no encryption, below 4 GB.
#ifndef STICTION_SCENE_ARCHIVE_H
#define STICTION_SCENE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Archive {
    const unsigned char *bytes; // of the caller
    size_t length;
    size_t directory; // where it begins
    int count;        // of members
} Archive;

typedef struct ArchiveMember {
    char name[512];
    const unsigned char *packed;
    size_t packed_size, size;
    uint32_t check;
    bool deflated;
} ArchiveMember;

// False: no archive, or a damaged one.
bool archive_open(Archive *archive, const char *bytes, size_t length);
// Looks at the members in turn, from *place on, which begins as the directory; false: there is no more, or it is damaged.
bool archive_next(const Archive *archive, size_t *place, ArchiveMember *member);
bool archive_find(const Archive *archive, const char *name, ArchiveMember *member);
// The content, ended by NUL, to be freed; NULL: damaged, or no memory.
char *archive_content(const ArchiveMember *member);

#endif
