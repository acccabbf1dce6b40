// Links and joints must be one tree.
#include <stdlib.h>
#include <string.h>

#include "urdf/urdf_reader.h"

// ---- names --------------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    const UrdfName *first = a, *second = b;
    const int order = strcmp(first->name, second->name);
    return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

static int compare_only_names(const void *a, const void *b)
{
    return strcmp(((const UrdfName *)a)->name, ((const UrdfName *)b)->name);
}

int urdf_find_link(const UrdfReader *reader, const char *name)
{
    const UrdfName wanted = {name, 0};
    const UrdfName *found = bsearch(&wanted, reader->link_names, (size_t)reader->link_count,
                                    sizeof wanted, compare_only_names);
    return found != NULL ? found->index : -1;
}

void urdf_index_links(UrdfReader *reader)
{
    for (int i = 0; i < reader->link_count; ++i)
        reader->link_names[i] = (UrdfName){reader->links[i].name, i};
    qsort(reader->link_names, (size_t)reader->link_count, sizeof(UrdfName), compare_names);
}

static void name_twice(UrdfReader *reader, const XmlElement *first, const XmlElement *second)
{
    const XmlAttribute *name = xml_attribute(second, "name");
    urdf_error(reader, name->mark, "there is a %s '%.60s' on line %d already; names must be unique",
               second->name, name->value, first->mark.line);
    reader->torn = true;
}

void urdf_check_names(UrdfReader *reader)
{
    const UrdfName *links = reader->link_names;
    for (int i = 1; i < reader->link_count; ++i)
        if (links[i].name[0] != '\0' && strcmp(links[i - 1].name, links[i].name) == 0)
            name_twice(reader, reader->links[links[i - 1].index].element,
                       reader->links[links[i].index].element);

    UrdfName *joints =
        sti_arena_take(&reader->scratch, (size_t)reader->joint_count + 1, sizeof *joints);
    if (joints == NULL) return;
    for (int i = 0; i < reader->joint_count; ++i) joints[i] = (UrdfName){reader->joints[i].name, i};
    qsort(joints, (size_t)reader->joint_count, sizeof *joints, compare_names);
    for (int i = 1; i < reader->joint_count; ++i)
        if (joints[i].name[0] != '\0' && strcmp(joints[i - 1].name, joints[i].name) == 0)
            name_twice(reader, reader->joints[joints[i - 1].index].element,
                       reader->joints[joints[i].index].element);
}

// ---- roots and loops ----------------------------------------------------------------------------

static int parent_of(const UrdfReader *reader, int link)
{
    const int joint = reader->links[link].joint;
    return joint >= 0 ? reader->joints[joint].parent : -1;
}

static void find_root(UrdfReader *reader)
{
    reader->root = -1;
    for (int i = 0; i < reader->link_count; ++i) {
        if (reader->links[i].joint >= 0) continue;
        if (reader->root < 0) {
            reader->root = i;
            continue;
        }
        const UrdfLink *root = &reader->links[reader->root], *other = &reader->links[i];
        urdf_error(reader, other->element->mark,
                   "link '%.60s' is the child of no joint, and neither is '%.60s' of line %d: a "
                   "robot has one root, so join them, by a fixed joint for example",
                   other->name, root->name, root->element->mark.line);
    }
}

static void report_loop(UrdfReader *reader, int link)
{
    const int parent = parent_of(reader, link);
    const UrdfJoint *joint = &reader->joints[reader->links[link].joint];
    urdf_error(reader, joint->element->mark,
               "joints go round in a circle: link '%.60s' hangs on '%.60s', which hangs on it in "
               "turn; a robot is a tree",
               reader->links[link].name, reader->links[parent].name);
}

// Walks up from every link: who meets the own path again goes round.
static void find_loops(UrdfReader *reader)
{
    int *path = sti_arena_take(&reader->scratch, (size_t)reader->link_count + 1, sizeof *path);
    if (path == NULL) return;
    for (int start = 0; start < reader->link_count; ++start) {
        int link = start;
        while (link >= 0 && path[link] == 0) {
            path[link] = start + 1;
            link = parent_of(reader, link);
        }
        if (link >= 0 && path[link] == start + 1) report_loop(reader, link);
    }
}

// ---- mass ---------------------------------------------------------------------------------------

// Marks every link that has mass or carries some; each is walked through once.
static void mark_carriers(const UrdfReader *reader, bool *carries)
{
    for (int i = 0; i < reader->link_count; ++i) {
        if (reader->links[i].mass == 0.0) continue;
        for (int link = i; link >= 0 && !carries[link]; link = parent_of(reader, link))
            carries[link] = true;
    }
}

static void find_massless(UrdfReader *reader)
{
    bool *carries =
        sti_arena_take(&reader->scratch, (size_t)reader->link_count + 1, sizeof *carries);
    if (carries == NULL) return;
    mark_carriers(reader, carries);
    for (int i = 0; i < reader->link_count; ++i) {
        const UrdfLink *link = &reader->links[i];
        const UrdfJoint *joint = link->joint >= 0 ? &reader->joints[link->joint] : NULL;
        if (carries[i] || joint == NULL || joint->type == STI_JOINT_FIXED || joint->armature > 0.0)
            continue;
        urdf_error(reader, link->element->mark,
                   "link '%.60s' moves by joint '%.60s', but neither it nor what hangs on it has "
                   "mass: add %s",
                   link->name, joint->name, urdf_example("inertial"));
    }
}

void urdf_check_tree(UrdfReader *reader)
{
    if (reader->torn) return;
    find_root(reader);
    find_loops(reader);
    if (reader->errors == 0) find_massless(reader);
}

// A root without mass and shape is the world itself if it says so, or if all its children float.
bool urdf_is_world(const UrdfReader *reader, int link)
{
    const UrdfLink *root = &reader->links[link];
    int children = 0, floating = 0;
    if (link != reader->root || root->mass != 0.0 || root->has_shape) return false;
    for (int i = 0; i < reader->joint_count; ++i) {
        children += reader->joints[i].parent == link;
        floating +=
            reader->joints[i].parent == link && reader->joints[i].type == STI_JOINT_FLOATING;
    }
    return children > 0 && (floating == children || strcmp(root->name, "world") == 0);
}
