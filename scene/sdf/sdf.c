// SDF: models, links, joints, frames. Links without a joint float, those of static models do not.
#include <string.h>

#include "sdf/sdf_reader.h"

static bool is_static(const SdfReader *reader, int frame)
{
    for (int scope = reader->frames[frame].scope; scope >= 0; scope = reader->frames[scope].scope) {
        const char *word = sdf_text(reader->frames[scope].element, "static");
        if (word != NULL && (strcmp(word, "true") == 0 || strcmp(word, "1") == 0)) return true;
    }
    return false;
}

// Where a link without a joint is in the file is where it starts.
static void set_free(SdfReader *reader, int frame, int link)
{
    StiLink *to = &reader->model->links[link];
    ModelJoint *joint = &reader->model->joints[link];
    const StiFrame at = reader->own[link];
    char text[160];
    if (is_static(reader, frame)) {
        to->placement = at;
        return;
    }
    snprintf(text, sizeof text, "%.140s_base", to->name);
    const char *name = sti_arena_text(reader->base->arena, text);
    to->joint_name = name != NULL ? name : "";
    to->joint = STI_JOINT_FLOATING;
    joint->placed = true;
    memcpy(joint->position, (double[7]){at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z},
           sizeof joint->position);
}

static bool make_room(SdfReader *reader)
{
    Model *model = reader->model;
    StiArena *arena = reader->base->arena;
    const size_t count = 2 * (size_t)reader->frame_count + 1; // universal joints have two links
    model->links = sti_arena_take(arena, count, sizeof *model->links);
    model->joints = sti_arena_take(arena, count, sizeof *model->joints);
    reader->own = sti_arena_take(arena, count, sizeof *reader->own);
    reader->joint_of = sti_arena_take(arena, count, sizeof *reader->joint_of);
    return !arena->failed;
}

static void find_links(SdfReader *reader)
{
    Model *model = reader->model;
    for (int i = 0; i < reader->frame_count; ++i) {
        const StiFrame at = sdf_resolve(reader, i);
        if (!sdf_is(&reader->frames[i], "link")) continue;
        reader->link_of[i] = model->count;
        reader->joint_of[model->count] = -1;
        reader->own[model->count] = at;
        model->links[model->count++] = (StiLink){.name = reader->frames[i].name,
                                                 .joint_name = "",
                                                 .parent = -1,
                                                 .placement = {.q = STI_QUAT_IDENTITY},
                                                 .axis = {0.0, 0.0, 1.0}};
    }
}

static void read_parts(SdfReader *reader)
{
    find_links(reader);
    for (int i = 0; i < reader->frame_count; ++i)
        if (sdf_is(&reader->frames[i], "joint")) sdf_hang_child(reader, i);
    if (reader->errors > 0) return;
    for (int i = 0; i < reader->frame_count; ++i) {
        const int link = reader->link_of[i];
        if (link < 0) continue;
        if (reader->joint_of[link] >= 0)
            sdf_make_joint(reader, link);
        else
            set_free(reader, i, link);
        sdf_read_link(reader, i, link);
    }
}

// Walks up from every link: who meets the own path again goes round.
static void find_loops(SdfReader *reader)
{
    const Model *model = reader->model;
    int *path = sti_arena_take(reader->base->arena, (size_t)model->count + 1, sizeof *path);
    for (int start = 0; path != NULL && start < model->count; ++start) {
        int link = start;
        while (link >= 0 && path[link] == 0) {
            path[link] = start + 1;
            link = model->links[link].parent;
        }
        if (link >= 0 && path[link] == start + 1)
            sdf_error(reader, (Mark){reader->base->path, 0, 0},
                      "joints go round in a circle at link '%.60s'", model->links[link].name);
    }
}

// Meshes of <visual> are drawn in replays (sdf_link.c); its boxes, spheres and cylinders are not.
static bool is_drawn(const XmlElement *element)
{
    const XmlElement *geometry = sdf_child(element, "geometry");
    return strcmp(element->name, "visual") == 0 && geometry != NULL &&
           sdf_child(geometry, "mesh") != NULL;
}

static void note_others(const SdfReader *reader, const XmlElement *element)
{
    static const char *const words[] = {"plugin", "sensor", "light", "visual", "gripper", "actor",
                                        "physics", "scene"};
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
            if (strcmp(child->name, words[i]) == 0 && !is_drawn(child))
                sdf_note(reader, STI_NOTE, child->mark,
                         "left out: what is about other things than motion and contact", child->name);
        note_others(reader, child);
    }
}

bool sdf_model(const ModelReader *base, XmlElement *root, Model *model)
{
    SdfReader reader = {.base = base, .model = model};
    if (!sdf_expand(&reader, root)) return false;
    const XmlElement *world = sdf_child(root, "world");
    const XmlElement *first = sdf_child(world != NULL ? world : root, "model");
    const XmlAttribute *name = xml_attribute(world != NULL ? world : first != NULL ? first : root, "name");
    double g[3];
    model->format = "SDF";
    model->touch_each_other = true;
    model->name = name != NULL && name->value[0] != '\0' ? name->value : "robot";
    model->floor_normal = sti_vec3(0.0, 0.0, 1.0);
    if (world != NULL && sdf_child(world, "gravity") != NULL &&
        sdf_numbers(&reader, world, "gravity", 3, g))
        model->gravity = sti_vec3(g[0], g[1], g[2]);
    sdf_find_frames(&reader, root);
    if (base->arena->failed || reader.errors > 0 || !make_room(&reader)) return false;
    read_parts(&reader);
    find_loops(&reader);
    note_others(&reader, root);
    return reader.errors == 0;
}
