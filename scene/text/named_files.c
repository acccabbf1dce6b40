// What a scene may read.
#define _XOPEN_SOURCE 700 // realpath
#include "text/named_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct NamedFile {
    const char *name;
    const NamedFile *next;
};

static bool is_within(const char *folder, const char *path)
{
    const size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0) return true;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

// Links are followed first: it is the file itself that must be inside.
static bool is_allowed(const Reader *reader, const char *path)
{
    if (reader->confine == NULL) return true;
    char *folder = realpath(reader->confine, NULL), *file = realpath(path, NULL);
    const bool allowed = folder != NULL && file != NULL && is_within(folder, file);
    free(folder);
    free(file);
    return allowed;
}

static bool remember(Reader *reader, const char *name)
{
    NamedFile *file = sti_arena_take(reader->arena, 1, sizeof *file);
    if (file == NULL) return false;
    *file = (NamedFile){sti_arena_text(reader->arena, name), reader->files};
    if (file->name == NULL) return false;
    reader->files = file;
    return true;
}

const char *scene_file_named(Reader *reader, const Node *node, const char *name)
{
    const char *folder = name[0] == '/' ? "" : reader->folder;
    const size_t size = strlen(folder) + strlen(name) + 1;
    char *path = sti_arena_take(reader->arena, size, 1);
    if (path == NULL || !remember(reader, name)) return NULL;
    memcpy(path, folder, strlen(folder));
    memcpy(path + strlen(folder), name, strlen(name) + 1);
    if (is_allowed(reader, path)) return path;
    // The same words whether it exists or not: a foreign scene learns nothing.
    scene_error(reader, node->mark, "'%s' is not a file within %s, and nothing else may be read",
                name, reader->confine);
    return NULL;
}

bool scene_file_was_named(const Reader *reader, const char *name)
{
    for (const NamedFile *file = reader->files; file != NULL; file = file->next)
        if (strcmp(file->name, name) == 0) return true;
    return false;
}
