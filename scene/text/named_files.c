// What a scene may read.
#include "text/named_files.h"

#include <string.h>

#include "text/confined.h"

struct NamedFile {
    const char *name, *path;
    const NamedFile *next;
};

bool scene_file_remember(Reader *reader, const char *name, const char *path)
{
    NamedFile *file = sti_arena_take(reader->arena, 1, sizeof *file);
    if (file == NULL) return false;
    *file = (NamedFile){sti_arena_text(reader->arena, name), sti_arena_text(reader->arena, path),
                        reader->files};
    if (file->name == NULL || file->path == NULL) return false;
    reader->files = file;
    return true;
}

static bool is_listed(const char *const *list, int count, const char *path)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(list[i], path) == 0) return true;
    return false;
}

void scene_list_files(const Reader *reader, StiScene *scene)
{
    int count = 0;
    for (const NamedFile *file = reader->files; file != NULL; file = file->next) ++count;
    const char **list = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *list);
    scene->files = list;
    for (const NamedFile *file = reader->files; list != NULL && file != NULL; file = file->next)
        if (!is_listed(list, scene->file_count, file->path)) list[scene->file_count++] = file->path;
}

const char *scene_file_named(Reader *reader, const Node *node, const char *name)
{
    const char *folder = name[0] == '/' ? "" : reader->folder;
    const size_t size = strlen(folder) + strlen(name) + 1;
    char *path = sti_arena_take(reader->arena, size, 1);
    if (path == NULL) return NULL;
    memcpy(path, folder, strlen(folder));
    memcpy(path + strlen(folder), name, strlen(name) + 1);
    if (!scene_file_remember(reader, name, path)) return NULL;
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
