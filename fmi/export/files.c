#define _XOPEN_SOURCE 700 // realpath
#include "export/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "export/xml_plain.h"
#include "text/file.h"

typedef struct Files {
    const StiScene *scene;
    char **paths; // real ones; the scene's folder with a name in it first
    int count;
    size_t root; // length of the folder that holds all, with its slash
    StiMessages *messages;
} Files;

static bool refuse(const Files *files, const char *path, const char *why)
{
    char text[700];
    snprintf(text, sizeof text, "%.300s: %s", path, why);
    sti_messages_add(files->messages, STI_ERROR, files->scene->path, text);
    return false;
}

// The folder of the scene itself, and scene.yaml in it.
static char *scene_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path + 1) : 1,
             slash != NULL ? path : ".");
    char *real = realpath(folder, NULL),
         *joined = real != NULL ? malloc(strlen(real) + sizeof "/scene.yaml") : NULL;
    if (joined != NULL) sprintf(joined, "%s/scene.yaml", strcmp(real, "/") == 0 ? "" : real);
    free(real);
    return joined;
}

// An FMU travels: what names a file from the root would not find it again.
static bool is_named_from_root(const char *text, const char *path)
{
    const char *at = path[0] == '/' ? strstr(text, path) : NULL;
    return at != NULL && at > text && (at[-1] == '"' || at[-1] == '/') && at[strlen(path)] == '"';
}

static bool stay_inside(const Files *files, const char *text)
{
    for (int i = 0; i < files->scene->file_count; ++i)
        if (is_named_from_root(text, files->scene->files[i]))
            return refuse(files, files->scene->files[i],
                          "an FMU travels: name files relative to the one that names them, not "
                          "from the root");
    return true;
}

static bool find_paths(Files *files)
{
    files->paths = calloc((size_t)files->scene->file_count + 1, sizeof *files->paths);
    if (files->paths == NULL) return refuse(files, files->scene->path, "out of memory");
    files->paths[files->count++] = scene_path(files->scene->path);
    if (files->paths[0] == NULL)
        return refuse(files, files->scene->path, "its folder cannot be found");
    for (int i = 0; i < files->scene->file_count; ++i) {
        const char *name = files->scene->files[i];
        files->paths[files->count] = realpath(name, NULL);
        if (files->paths[files->count++] == NULL)
            return refuse(files, name, "cannot be found any more");
    }
    return true;
}

static void find_root(Files *files)
{
    size_t common = strlen(files->paths[0]);
    for (int i = 1; i < files->count; ++i) {
        size_t same = 0;
        while (same < common && files->paths[i][same] == files->paths[0][same]) ++same;
        common = same;
    }
    while (common > 0 && files->paths[0][common - 1] != '/') --common;
    files->root = common;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), more = strlen(end);
    return length >= more && strcmp(text + length - more, end) == 0;
}

// XML is written as an FMU reads it; other files stay as they are.
static bool add_file(const Files *files, const char *path, Zip *zip, uint64_t *hash)
{
    enum { MOST_BYTES = 1 << 28 };
    const char *why;
    size_t length;
    char *bytes = scene_file_read(path, MOST_BYTES, &length, &why), name[4200];
    if (bytes == NULL) return refuse(files, path, why);
    FmuText plain = {0};
    if (ends_with(path, ".urdf") || ends_with(path, ".xml")) {
        StiArena arena = {0};
        const XmlElement *root = xml_read(bytes, length, path, &arena, files->messages);
        if (root != NULL) xml_plain_write(&plain, root);
        sti_arena_release(&arena);
    }
    snprintf(name, sizeof name, "resources/%.4000s", path + files->root);
    const char *content = plain.length > 0 ? plain.bytes : bytes;
    const size_t size = plain.length > 0 ? plain.length : length;
    const bool good = plain.length == 0 || stay_inside(files, plain.bytes);
    *hash = sti_hash_bytes(sti_hash_text(*hash, name), content, size);
    zip_add(zip, name, content, size);
    free(bytes);
    fmu_text_release(&plain);
    return good;
}

bool files_add(const StiScene *scene, const char *plain, Zip *zip, char **place, uint64_t *hash,
               StiMessages *messages)
{
    Files files = {.scene = scene, .messages = messages};
    char name[4200];
    *place = NULL;
    bool good = stay_inside(&files, plain) && find_paths(&files);
    if (good) {
        find_root(&files);
        *place = malloc(strlen(files.paths[0]) + 1);
        good = *place != NULL;
    }
    if (good) {
        strcpy(*place, files.paths[0] + files.root);
        snprintf(name, sizeof name, "resources/%.4000s", *place);
        *hash = sti_hash_text(sti_hash_text(*hash, name), plain);
        zip_add(zip, name, plain, strlen(plain));
    }
    for (int i = 1; good && i < files.count; ++i)
        good = add_file(&files, files.paths[i], zip, hash);
    for (int i = 0; i < files.count; ++i) free(files.paths[i]);
    free(files.paths);
    return good;
}
