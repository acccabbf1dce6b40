// URDF text becomes links as a robot is made of, and what URDF says beside them.
#include "stiction/urdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "text/file.h"
#include "urdf/urdf_reader.h"

typedef struct Memory {
    StiUrdf urdf; // first: the public part
    StiArena arena;
} Memory;

// ---- elements -----------------------------------------------------------------------------------

static int count_children(const XmlElement *element, const char *name)
{
    int count = 0;
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        count += strcmp(child->name, name) == 0;
    return count;
}

static int count_collisions(const XmlElement *robot)
{
    int count = 0;
    for (const XmlElement *child = robot->children; child != NULL; child = child->next)
        count += count_children(child, "collision");
    return count;
}

static bool make_room(UrdfReader *reader)
{
    const size_t links = (size_t)count_children(reader->robot, "link");
    const size_t joints = (size_t)count_children(reader->robot, "joint");
    const size_t shapes = (size_t)count_collisions(reader->robot);
    StiArena *scratch = &reader->scratch;
    const size_t named = links + 2 * joints; // joints may name links that are not there
    reader->links = sti_arena_take(scratch, named + 1, sizeof *reader->links);
    reader->link_names = sti_arena_take(scratch, named + 1, sizeof *reader->link_names);
    reader->joints = sti_arena_take(scratch, joints + 1, sizeof *reader->joints);
    reader->shapes = sti_arena_take(scratch, shapes + 1, sizeof *reader->shapes);
    reader->meshes = sti_arena_take(scratch, shapes + 1, sizeof *reader->meshes);
    return !scratch->failed;
}

// Links first, because joints name them.
static void read_parts(UrdfReader *reader)
{
    const XmlElement *robot = reader->robot;
    for (const XmlElement *child = robot->children; child != NULL; child = child->next)
        if (strcmp(child->name, "link") == 0) urdf_read_link(reader, child, reader->link_count++);
    urdf_index_links(reader);
    urdf_add_missing_links(reader);
    for (const XmlElement *child = robot->children; child != NULL; child = child->next)
        if (strcmp(child->name, "joint") == 0)
            urdf_read_joint(reader, child, reader->joint_count++);
    urdf_check_names(reader);
    urdf_read_transmissions(reader);
    urdf_note_unknown(reader);
    if (reader->link_count == 0)
        urdf_error(reader, robot->mark, "a robot needs at least one %s", urdf_example("link"));
    else
        urdf_check_tree(reader);
    if (reader->errors == 0 && !reader->scratch.failed) urdf_make_physical(reader);
}

static bool read_robot(UrdfReader *reader, const char *text, size_t length)
{
    reader->robot = xml_read(text, length, reader->file, &reader->scratch, reader->messages);
    if (reader->robot == NULL) return false;
    if (strcmp(reader->robot->name, "robot") != 0) {
        urdf_error(reader, reader->robot->mark,
                   "a URDF is a <robot name=\"...\">, but this is <%.60s>", reader->robot->name);
        return false;
    }
    if (!make_room(reader)) return false;
    const XmlAttribute *name = xml_attribute(reader->robot, "name");
    if (name == NULL || name->value[0] == '\0')
        urdf_say(reader, STI_NOTE, reader->robot->mark, "changed: the robot has no name: 'robot'");
    read_parts(reader);
    gathered_say(&reader->gathered);
    return reader->errors == 0;
}

// ---- the result ---------------------------------------------------------------------------------

static void place_links(UrdfReader *reader, StiUrdf *urdf)
{
    for (int i = 0; i < reader->link_count; ++i)
        reader->links[i].index = urdf_is_world(reader, i) ? -1 : urdf->count++;
}

static void fill_joint(const UrdfReader *reader, const UrdfJoint *joint, StiLink *link)
{
    link->joint_name = sti_arena_text(reader->arena, joint->name);
    link->parent = reader->links[joint->parent].index;
    link->joint = joint->type;
    link->limited = joint->limited;
    link->lower = joint->lower;
    link->upper = joint->upper;
    link->placement = joint->placement;
    link->axis = joint->axis;
    link->armature = joint->armature;
}

static void fill_link(const UrdfReader *reader, const UrdfLink *read, StiUrdf *urdf)
{
    StiLink *link = &urdf->links[read->index];
    *link = (StiLink){.name = sti_arena_text(reader->arena, read->name),
                      .joint_name = "",
                      .parent = -1,
                      .joint = STI_JOINT_FIXED,
                      .placement = {.q = STI_QUAT_IDENTITY},
                      .axis = {1.0, 0.0, 0.0},
                      .mass = read->inertia.mass,
                      .centre = read->inertia.centre};
    memcpy(link->inertia, read->inertia.tensor, sizeof link->inertia);
    if (read->joint < 0) return;
    fill_joint(reader, &reader->joints[read->joint], link);
    urdf->joints[read->index] = reader->joints[read->joint].rest;
}

// Several roots: a file says that by joints to one world, so these get names; new ones.
static void name_roots(const UrdfReader *reader, const StiUrdf *urdf)
{
    StiNames taken = {0};
    int roots = 0;
    for (int i = 0; i < reader->link_count; ++i) roots += reader->links[i].joint < 0;
    for (int i = 0; i < reader->joint_count; ++i)
        sti_names_put(&taken, reader->arena, reader->joints[i].name, i);
    for (int i = 0; roots > 1 && i < urdf->count; ++i) {
        StiLink *link = &urdf->links[i];
        if (link->parent >= 0 || link->joint_name[0] != '\0') continue;
        char *name = sti_arena_take(reader->arena, strlen(link->name) + 16, 1);
        if (name == NULL) return;
        strcpy(name, link->name);
        for (int k = 2; sti_names_find(&taken, name) >= 0; ++k)
            sprintf(name, "%s_%d", link->name, k);
        sti_names_put(&taken, reader->arena, name, i);
        link->joint_name = name;
    }
}

static void fill_meshes(const UrdfReader *reader, StiUrdf *urdf)
{
    urdf->meshes = sti_arena_take(reader->arena, (size_t)reader->mesh_count + 1, sizeof *urdf->meshes);
    for (int i = 0; urdf->meshes != NULL && i < reader->mesh_count; ++i) {
        StiUrdfMesh *mesh = &urdf->meshes[urdf->mesh_count++];
        *mesh = reader->meshes[i];
        mesh->file = sti_arena_text(reader->arena, mesh->file);
        mesh->link = reader->links[mesh->link].index;
    }
}

static void fill(UrdfReader *reader, StiUrdf *urdf)
{
    place_links(reader, urdf);
    const XmlAttribute *name = xml_attribute(reader->robot, "name");
    const bool named = name != NULL && name->value[0] != '\0';
    urdf->name = sti_arena_text(reader->arena, named ? name->value : "robot");
    urdf->links = sti_arena_take(reader->arena, (size_t)urdf->count, sizeof *urdf->links);
    urdf->joints = sti_arena_take(reader->arena, (size_t)urdf->count, sizeof *urdf->joints);
    urdf->shapes =
        sti_arena_take(reader->arena, (size_t)reader->shape_count + 1, sizeof *urdf->shapes);
    if (reader->arena->failed) return;
    for (int i = 0; i < reader->link_count; ++i)
        if (reader->links[i].index >= 0) fill_link(reader, &reader->links[i], urdf);
    name_roots(reader, urdf);
    fill_meshes(reader, urdf);
    for (; urdf->shape_count < reader->shape_count; ++urdf->shape_count) {
        urdf->shapes[urdf->shape_count] = reader->shapes[urdf->shape_count];
        urdf->shapes[urdf->shape_count].link =
            reader->links[reader->shapes[urdf->shape_count].link].index;
    }
}

StiUrdf *sti_urdf_read(const char *text, size_t length, const char *path, StiMessages *messages)
{
    Memory *memory = calloc(1, sizeof *memory);
    UrdfReader reader = {.file = path, .messages = messages};
    bool good = false;
    if (memory != NULL) {
        reader.arena = &memory->arena;
        reader.gathered = (Gathered){.arena = &reader.scratch, .messages = messages};
        good = read_robot(&reader, text, length);
        if (good) fill(&reader, &memory->urdf);
    }
    if (memory == NULL || memory->arena.failed || reader.scratch.failed) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "out of memory");
        good = false;
    }
    sti_arena_release(&reader.scratch);
    if (good) return &memory->urdf;
    if (memory != NULL) sti_urdf_destroy(&memory->urdf);
    return NULL;
}

// ---- files --------------------------------------------------------------------------------------

StiUrdf *sti_urdf_load(const char *path, StiMessages *messages)
{
    size_t length;
    const char *why;
    char *text = scene_file_read(path, XML_MOST_BYTES, &length, &why);
    if (text == NULL) {
        scene_message(messages, STI_ERROR, (Mark){path, 0, 0}, "cannot be read: %s", why);
        return NULL;
    }
    StiUrdf *urdf = sti_urdf_read(text, length, path, messages);
    free(text);
    return urdf;
}

void sti_urdf_destroy(StiUrdf *urdf)
{
    if (urdf == NULL) return;
    Memory *memory = (Memory *)(void *)urdf;
    sti_arena_release(&memory->arena);
    free(memory);
}
