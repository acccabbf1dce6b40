#define _XOPEN_SOURCE 700
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foreign/archive.h"
#include "import/foreign.h"
#include "text/file.h"

// No member may leave the folder.
static bool stays_inside(const char *name)
{
    if (name[0] == '/' || name[0] == '\0' || strchr(name, '\\') != NULL) return false;
    for (const char *part = name; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return false;
    }
    return true;
}

// Those before the last slash.
static void make_folders(char *path, size_t root_length)
{
    for (char *slash = path + root_length + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

static bool write_member(const char *folder, const ArchiveMember *member)
{
    char path[1200];
    if (!stays_inside(member->name)) return false;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, member->name);
    if (length >= (int)sizeof path) return false;
    make_folders(path, strlen(folder));
    if (path[length - 1] == '/') return true;
    char *content = archive_content(member);
    FILE *file = content != NULL ? fopen(path, "wbx") : NULL;
    bool good = file != NULL && fwrite(content, 1, member->size, file) == member->size;
    if (file != NULL) good = fclose(file) == 0 && good;
    free(content);
    return good;
}

static bool write_all(const Archive *archive, const char *folder)
{
    ArchiveMember member;
    size_t place = archive->directory;
    for (int i = 0; i < archive->count; ++i)
        if (!archive_next(archive, &place, &member) || !write_member(folder, &member)) return false;
    return true;
}

static char *new_folder(void)
{
    const char *below = getenv("TMPDIR");
    char path[512];
    if (below == NULL || below[0] != '/') below = "/tmp";
    if (snprintf(path, sizeof path, "%s/stiction-fmu-XXXXXX", below) >= (int)sizeof path)
        return NULL;
    return mkdtemp(path) != NULL ? strdup(path) : NULL;
}

const char *foreign_unpack(const char *archive_file, char **folder)
{
    enum { MOST_BYTES = 1 << 29 };
    const char *why;
    size_t length;
    Archive archive;
    char *bytes = scene_file_read(archive_file, MOST_BYTES, &length, &why);
    if (bytes == NULL) return why;
    *folder = new_folder();
    const bool good = *folder != NULL && length <= MOST_BYTES &&
                      archive_open(&archive, bytes, length) && write_all(&archive, *folder);
    free(bytes);
    if (*folder == NULL) return "no folder for temporary files can be made";
    return good ? NULL : "the archive is damaged, leaves its folder, or the disk is full";
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    return remove(path);
}

void foreign_remove(char *folder)
{
    if (folder == NULL) return;
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}
