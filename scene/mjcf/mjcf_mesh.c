// <mesh> of <asset>: which file a geom means.
#include <string.h>

#include "mjcf/mjcf_reader.h"

// The name, or the file without its folders and ending.
static const char *name_of(MjcfReader *reader, const XmlElement *mesh)
{
    const XmlAttribute *name = xml_attribute(mesh, "name"), *file = xml_attribute(mesh, "file");
    if (name != NULL) return name->value;
    if (file == NULL) return NULL;
    const char *slash = strrchr(file->value, '/');
    char *stem = sti_arena_text(reader->base->arena, slash != NULL ? slash + 1 : file->value);
    char *dot = stem != NULL ? strrchr(stem, '.') : NULL;
    if (dot != NULL) *dot = '\0';
    return stem;
}

void mjcf_find_meshes(MjcfReader *reader)
{
    size_t count = 1;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *mesh = part->children; mesh != NULL; mesh = mesh->next)
            count += strcmp(part->name, "asset") == 0;
    reader->meshes = sti_arena_take(reader->base->arena, count, sizeof *reader->meshes);
    if (reader->meshes == NULL) return;
    int number = 0;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *mesh = part->children; mesh != NULL; mesh = mesh->next) {
            if (strcmp(part->name, "asset") != 0 || strcmp(mesh->name, "mesh") != 0) continue;
            const char *name = name_of(reader, mesh);
            if (name == NULL) continue;
            reader->meshes[number] = mesh;
            sti_names_put(&reader->mesh_names, reader->base->arena, name, number++);
        }
}

static const char *path_of(const MjcfReader *reader, const char *file)
{
    const char *folder = reader->compiler.mesh_folder;
    if (folder == NULL || folder[0] == '\0' || file[0] == '/') return file;
    char *path = sti_arena_take(reader->base->arena, strlen(folder) + strlen(file) + 2, 1);
    if (path == NULL) return file;
    strcpy(path, folder);
    if (folder[strlen(folder) - 1] != '/') strcat(path, "/");
    return strcat(path, file);
}

// File and scale of a geom's mesh; NULL if it has none.
static const char *file_of(MjcfReader *reader, int number, StiVec3 *to)
{
    const MjcfPlace place = mjcf_place(reader, reader->meshes[number], reader->main);
    const XmlAttribute *file = mjcf_value(&place, "file");
    double scale[3] = {1.0, 1.0, 1.0};
    if (mjcf_numbers(reader, &place, "scale", 3, scale) < 0 || file == NULL) return NULL;
    *to = sti_vec3(scale[0], scale[1], scale[2]);
    return path_of(reader, file->value);
}

static int number_of(const MjcfReader *reader, const MjcfPlace *geom)
{
    const XmlAttribute *named = mjcf_value(geom, "mesh");
    return named != NULL ? sti_names_find(&reader->mesh_names, named->value) : -1;
}

const StiHull *mjcf_hull(MjcfReader *reader, const MjcfPlace *geom)
{
    const int number = number_of(reader, geom);
    const Mark mark = geom->element->mark;
    StiVec3 scale = {1.0, 1.0, 1.0};
    if (number < 0) {
        const XmlAttribute *named = mjcf_value(geom, "mesh");
        mjcf_note(reader, STI_WARNING, mark, "left out: contact of meshes that the model does not list",
                  named != NULL ? named->value : "mesh");
        return NULL;
    }
    const char *file = reader->base->draws ? NULL : file_of(reader, number, &scale);
    return file != NULL ? mesh_hull(&reader->hulls, mark, file, scale) : NULL;
}

void mjcf_draw(MjcfReader *reader, const MjcfPlace *geom, ModelDrawing drawing)
{
    const int number = number_of(reader, geom);
    drawing.file = number >= 0 ? file_of(reader, number, &drawing.scale) : NULL;
    if (drawing.file != NULL) model_draw(reader->base, reader->model, drawing);
}
