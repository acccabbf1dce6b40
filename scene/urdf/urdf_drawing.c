// <visual> and <collision>: meshes that a replay draws.
#include <string.h>

#include "base/names.h"
#include "model/model.h"
#include "urdf/urdf_reader.h"

// What is wrong with a mesh leaves out that one.
static bool read_mesh(UrdfReader *reader, const XmlElement *element, ModelDrawing *drawing)
{
    const XmlElement *geometry = urdf_child(reader, element, "geometry");
    const XmlElement *mesh = geometry != NULL ? urdf_child(reader, geometry, "mesh") : NULL;
    double scale[3] = {1.0, 1.0, 1.0};
    if (mesh == NULL || !urdf_origin(reader, element, &drawing->at)) return false;
    if (!urdf_numbers(reader, mesh, "scale", 3, scale)) return false;
    drawing->scale = sti_vec3(scale[0], scale[1], scale[2]);
    drawing->file = urdf_text(reader, mesh, "filename");
    return drawing->file != NULL;
}

static void draw_link(const ModelReader *base, UrdfReader *reader, const XmlElement *link,
                      int index, Model *model)
{
    for (const XmlElement *child = link->children; child != NULL; child = child->next) {
        ModelDrawing drawing = {.link = index, .visual = strcmp(child->name, "visual") == 0};
        if (!drawing.visual && strcmp(child->name, "collision") != 0) continue;
        if (read_mesh(reader, child, &drawing)) model_draw(base, model, drawing);
    }
}

void urdf_draw(const ModelReader *base, const char *text, size_t length, Model *model)
{
    UrdfReader reader = {.file = base->path,
                         .messages = base->messages,
                         .gathered = {.arena = base->arena, .messages = base->messages}};
    StiNames names = {0};
    const XmlElement *robot = xml_read(text, length, base->path, base->arena, base->messages);
    for (int i = 0; i < model->count; ++i)
        sti_names_put(&names, base->arena, model->links[i].name, i);
    for (const XmlElement *link = robot != NULL ? robot->children : NULL; link != NULL;
         link = link->next) {
        const XmlAttribute *name = xml_attribute(link, "name");
        if (strcmp(link->name, "link") == 0 && name != NULL)
            draw_link(base, &reader, link, sti_names_find(&names, name->value), model);
    }
}
