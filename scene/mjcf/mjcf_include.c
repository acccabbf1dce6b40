// <include file="...">: the children of another file's first element stand in its place.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/mjcf_reader.h"
#include "text/confined.h"
#include "text/file.h"

enum { MOST_FILES = 200, MOST_LEVELS = 128 };

typedef struct Included {
    MjcfReader *reader;
    const char *paths[MOST_FILES]; // each file once, so that none includes itself
    int count;
    size_t bytes;
} Included;

static const char *path_of(const MjcfReader *reader, const char *file)
{
    const char *slash = strrchr(reader->base->path, '/');
    const size_t folder = file[0] == '/' || slash == NULL ? 0 : (size_t)(slash - reader->base->path) + 1;
    char *path = sti_arena_take(reader->base->arena, folder + strlen(file) + 1, 1);
    if (path == NULL) return NULL;
    memcpy(path, reader->base->path, folder);
    strcpy(path + folder, file);
    return path;
}

static XmlElement *read_file(Included *included, const XmlAttribute *file)
{
    MjcfReader *reader = included->reader;
    const char *path = path_of(reader, file->value), *why;
    size_t length;
    if (path == NULL) return NULL;
    for (int i = 0; i < included->count; ++i)
        if (strcmp(included->paths[i], path) == 0) {
            mjcf_error(reader, file->mark, "'%.100s' is included a second time", file->value);
            return NULL;
        }
    if (included->count == MOST_FILES) {
        mjcf_error(reader, file->mark, "more than %d files are included", MOST_FILES);
        return NULL;
    }
    included->paths[included->count++] = path;
    if (!scene_is_confined(reader->base->confine, path)) {
        mjcf_error(reader, file->mark, "'%.100s' is not read: it is outside of the folder that files "
                   "may be read from", file->value);
        return NULL;
    }
    char *text = scene_file_read(path, XML_MOST_BYTES, &length, &why);
    if (text == NULL) {
        mjcf_error(reader, file->mark, "'%.100s' cannot be read: %s", file->value, why);
        return NULL;
    }
    included->bytes += length;
    XmlElement *root = NULL;
    if (included->bytes > XML_MOST_BYTES)
        mjcf_error(reader, file->mark, "the files of this model have more than %d bytes",
                   (int)XML_MOST_BYTES);
    else
        root = xml_read(text, length, path, reader->base->arena, reader->base->messages);
    if (root == NULL) ++reader->errors;
    free(text);
    return root;
}

// Puts the children of `root` in the place of one child.
static void splice(XmlElement *parent, XmlElement *before, XmlElement *include, XmlElement *root)
{
    XmlElement *first = root->children != NULL ? root->children : include->next;
    for (XmlElement *child = root->children; child != NULL; child = child->next)
        child->parent = parent;
    if (root->last_child != NULL) root->last_child->next = include->next;
    if (before != NULL)
        before->next = first;
    else
        parent->children = first;
}

static bool expand(Included *included, XmlElement *parent, int level)
{
    XmlElement *before = NULL, *child = parent->children;
    if (level > MOST_LEVELS) {
        mjcf_error(included->reader, parent->mark, "elements are nested more than %d levels deep",
                   MOST_LEVELS);
        return false;
    }
    while (child != NULL) {
        const XmlAttribute *file =
            strcmp(child->name, "include") == 0 ? xml_attribute(child, "file") : NULL;
        if (file == NULL) {
            if (!expand(included, child, level + 1)) return false;
            before = child;
            child = child->next;
            continue;
        }
        XmlElement *root = read_file(included, file);
        if (root == NULL) return false;
        splice(parent, before, child, root);
        child = before != NULL ? before->next : parent->children; // what came in may include more
    }
    return true;
}

bool mjcf_expand(MjcfReader *reader, XmlElement *root)
{
    Included *included = sti_arena_take(reader->base->arena, 1, sizeof *included);
    if (included == NULL) return false;
    included->reader = reader;
    included->paths[included->count++] = reader->base->path;
    return expand(included, root, 0);
}
