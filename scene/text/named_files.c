// What a scene may read.
#include "text/named_files.h"

#include <string.h>

#include "text/confined.h"

struct NamedFile {
    const char *name;
    const NamedFile *next;
};

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
    if (scene_is_confined(reader->confine, path)) return path;
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
