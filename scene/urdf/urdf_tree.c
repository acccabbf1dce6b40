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

// ---- links that are not there --------------------------------------------------------------------

static const char *end_of(const XmlElement *joint, const char *which, const XmlElement **end)
{
    for (*end = joint->children; *end != NULL; *end = (*end)->next)
        if (strcmp((*end)->name, which) == 0) break;
    const XmlAttribute *link = *end != NULL ? xml_attribute(*end, "link") : NULL;
    return link != NULL && link->value[0] != '\0' ? link->value : NULL;
}

static void add_link(UrdfReader *reader, const XmlElement *end, const char *name)
{
    reader->links[reader->link_count++] = (UrdfLink){.element = end, .name = name, .joint = -1};
    if (strcmp(name, "world") == 0) return; // everybody knows what is meant
    urdf_gather(reader, STI_WARNING, end->mark,
                "changed: links that joints name and that are not there are added, without mass",
                name);
}

// A list of both ends of all joints, sorted; what is not the name of a link becomes one, once.
void urdf_add_missing_links(UrdfReader *reader)
{
    static const char *const ends[2] = {"parent", "child"};
    const int before = reader->link_count;
    int count = 0;
    for (const XmlElement *joint = reader->robot->children; joint != NULL; joint = joint->next)
        count += strcmp(joint->name, "joint") == 0;
    UrdfName *names = sti_arena_take(&reader->scratch, 2 * (size_t)count + 1, sizeof *names);
    const XmlElement **places =
        sti_arena_take(&reader->scratch, 2 * (size_t)count + 1, sizeof *places);
    if (names == NULL || places == NULL) return;
    count = 0;
    for (const XmlElement *joint = reader->robot->children; joint != NULL; joint = joint->next)
        for (int i = 0; i < 2 && strcmp(joint->name, "joint") == 0; ++i) {
            const XmlElement *end;
            const char *name = end_of(joint, ends[i], &end);
            if (name == NULL || urdf_find_link(reader, name) >= 0) continue;
            names[count] = (UrdfName){name, count};
            places[count++] = end;
        }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; ++i)
        if (i == 0 || strcmp(names[i - 1].name, names[i].name) != 0)
            add_link(reader, places[names[i].index], names[i].name);
    if (reader->link_count > before) urdf_index_links(reader);
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

static void note_roots(UrdfReader *reader)
{
    const UrdfLink *first = NULL;
    for (int i = 0; i < reader->link_count; ++i) {
        const UrdfLink *link = &reader->links[i];
        if (link->joint >= 0) continue;
        if (first != NULL)
            urdf_gather(reader, STI_WARNING, link->element->mark,
                        "changed: further links without a parent, fixed to the world like the first",
                        link->name);
        if (first == NULL) first = link;
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

void urdf_check_tree(UrdfReader *reader)
{
    if (reader->torn) return;
    note_roots(reader);
    find_loops(reader);
}

static bool is_called_world(const char *name)
{
    if (strncmp(name, "world", 5) != 0) return false;
    return name[5] == '\0' || (name[5] == '_' && strspn(name + 6, "0123456789") == strlen(name + 6));
}

// A root without mass and shape is the world itself if it says so, or if all its children float.
bool urdf_is_world(const UrdfReader *reader, int link)
{
    const UrdfLink *root = &reader->links[link];
    int children = 0, floating = 0;
    if (root->joint >= 0 || root->inertia.mass != 0.0 || root->has_shape) return false;
    for (int i = 0; i < reader->joint_count; ++i) {
        children += reader->joints[i].parent == link;
        floating +=
            reader->joints[i].parent == link && reader->joints[i].type == STI_JOINT_FLOATING;
    }
    return children > 0 && (floating == children || is_called_world(root->name));
}
