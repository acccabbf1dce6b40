// <include>: the model of another file stands in its place, with the name, pose and static of the include.
#include <stdlib.h>
#include <string.h>

#include "sdf/sdf_reader.h"
#include "text/confined.h"
#include "text/file.h"

enum { MOST_FILES = 50, MOST_DEEP = 8, MOST_PATH = 1000 };

typedef struct Included {
    SdfReader *reader;
    int files;
    size_t bytes;
} Included;

// "arm" of "model://arm/", NULL where the address is a path.
static const char *model_name_in(const char *uri)
{
    return strncmp(uri, "model://", 8) == 0 ? uri + 8 : NULL;
}

static bool is_model(const char *uri, const char *name)
{
    const char *own = model_name_in(uri);
    const size_t length = strlen(name);
    return own != NULL && strncmp(own, name, length) == 0 &&
           (own[length] == '\0' || own[length] == '/');
}

// A model lies in a folder of its name beside the file, or beside the folder of the file.
static char *find_file(const SdfReader *reader, const char *uri, char path[MOST_PATH],
                       size_t *length, const char **why)
{
    static const char *const places[] = {"%.*s%.200s/model.sdf", "%.*s../%.200s/model.sdf",
                                         "%.*s%.200s"};
    const char *slash = strrchr(reader->base->path, '/'), *name = model_name_in(uri);
    const int folder = slash != NULL ? (int)(slash - reader->base->path) + 1 : 0;
    const char *file = name != NULL ? name : strncmp(uri, "file://", 7) == 0 ? uri + 7 : uri;
    *why = "there is no such file";
    for (int i = 0; i < 3; ++i) {
        snprintf(path, MOST_PATH, places[i], file[0] == '/' ? 0 : folder, reader->base->path, file);
        if (!scene_is_confined(reader->base->confine, path)) continue;
        char *text = scene_file_read(path, XML_MOST_BYTES, length, why);
        if (text != NULL) return text;
    }
    return NULL;
}

// The first <model> of the file; NULL: there is none, which is said.
static XmlElement *read_model(Included *included, const XmlElement *include, const char *uri)
{
    SdfReader *reader = included->reader;
    char path[MOST_PATH];
    const char *why;
    size_t length;
    char *text = find_file(reader, uri, path, &length, &why);
    if (text == NULL) {
        sdf_note(reader, STI_WARNING, include->mark,
                 "left out: models that are included and cannot be read", uri);
        return NULL;
    }
    XmlElement *root = NULL;
    included->bytes += length;
    if (++included->files > MOST_FILES || included->bytes > XML_MOST_BYTES)
        sdf_error(reader, include->mark, "more than %d files, or too many bytes, are included",
                  MOST_FILES);
    else
        root = xml_read(text, length, sti_arena_text(reader->base->arena, path),
                        reader->base->arena, reader->base->messages);
    if (root == NULL) ++reader->errors;
    free(text);
    if (root == NULL) return NULL;
    XmlElement *model = root->children;
    while (model != NULL && strcmp(model->name, "model") != 0) model = model->next;
    if (model == NULL) sdf_error(reader, include->mark, "'%.100s' has no <model>", uri);
    return model;
}

// Children of that name are those of the include.
static void take_child(XmlElement *model, XmlElement *include, const char *name, StiArena *arena)
{
    const XmlElement *given = sdf_child(include, name);
    XmlElement *copy = given != NULL ? sti_arena_take(arena, 1, sizeof *copy) : NULL;
    if (copy == NULL) return;
    for (XmlElement **at = &model->children; *at != NULL;)
        if (strcmp((*at)->name, name) == 0)
            *at = (*at)->next;
        else
            at = &(*at)->next;
    *copy = *given;
    copy->next = model->children;
    copy->parent = model;
    model->children = copy;
}

static void rename_model(XmlElement *model, const char *name, StiArena *arena)
{
    XmlAttribute *attributes =
        sti_arena_take(arena, (size_t)model->attribute_count + 1, sizeof *attributes);
    if (attributes == NULL) return;
    int count = 0;
    for (int i = 0; i < model->attribute_count; ++i)
        if (strcmp(model->attributes[i].name, "name") != 0)
            attributes[count++] = model->attributes[i];
    attributes[count++] = (XmlAttribute){.name = "name", .value = name, .mark = model->mark};
    model->attributes = attributes;
    model->attribute_count = count;
}

static XmlElement *model_of(Included *included, XmlElement *include)
{
    SdfReader *reader = included->reader;
    StiArena *arena = reader->base->arena;
    const char *uri = sdf_text(include, "uri"), *name = sdf_text(include, "name");
    if (uri == NULL || uri[0] == '\0') {
        sdf_error(reader, include->mark, "<include> needs a <uri>");
        return NULL;
    }
    if (is_model(uri, "sun")) return NULL;
    if (is_model(uri, "ground_plane")) {
        reader->model->has_floor = true;
        sdf_note(reader, STI_NOTE, include->mark, "read: a ground plane as the floor at z = 0",
                 uri);
        return NULL;
    }
    XmlElement *model = read_model(included, include, uri);
    if (model == NULL) return NULL;
    take_child(model, include, "pose", arena);
    take_child(model, include, "static", arena);
    if (name != NULL) rename_model(model, name, arena);
    return model;
}

static void expand(Included *included, XmlElement *parent, int depth)
{
    if (depth > MOST_DEEP) {
        sdf_error(included->reader, parent->mark,
                  "models are included in each other more than %d levels deep", MOST_DEEP);
        return;
    }
    for (XmlElement **at = &parent->children; *at != NULL && included->reader->errors == 0;) {
        XmlElement *child = *at;
        const bool include = strcmp(child->name, "include") == 0;
        XmlElement *model = include ? model_of(included, child) : NULL;
        if (strcmp(child->name, "world") == 0 || strcmp(child->name, "model") == 0)
            expand(included, child, depth);
        if (!include) {
            at = &child->next;
        } else if (model == NULL) {
            *at = child->next;
        } else {
            model->next = child->next;
            model->parent = parent;
            *at = model;
            expand(included, model, depth + 1);
            at = &model->next;
        }
    }
}

bool sdf_expand(SdfReader *reader, XmlElement *root)
{
    Included included = {.reader = reader};
    expand(&included, root, 0);
    return reader->errors == 0;
}
