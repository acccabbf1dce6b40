// The links of a robot: from a URDF file, a list, or a chain of equal ones.
#include "read/links.h"

#include <stdio.h>
#include <string.h>

#include "model/mesh_hull.h"
#include "model/names.h"
#include "text/named_files.h"

const Key scene_link_keys[SCENE_LINK_KEYS] = {
    {"name", VALUE_TEXT, false, "of the link; default: link0, link1, ...", NULL},
    {"joint", VALUE_TEXT, false, "name of its joint; default: joint0, joint1, ...", NULL},
    {"parent", VALUE_TEXT, false, "name of a link, or world; default: the link before", NULL},
    {"type", VALUE_JOINT_TYPE, false, "of the joint; default revolute", NULL},
    {"axis", VALUE_VECTOR, false, "of the joint; default z", NULL},
    {"at", VALUE_VECTOR, false, "the joint in the parent's axes, m", NULL},
    {"attitude", VALUE_VECTOR, false, "quaternion w, x, y, z of the joint in the parent's axes",
     NULL},
    {"mass", VALUE_NUMBER, false, "kg", NULL},
    {"centre", VALUE_VECTOR, false, "of mass, link axes, m", NULL},
    {"inertia", VALUE_VECTOR, false,
     "about the centre: 3 or 6 numbers xx, yy, zz, xy, xz, yz, kg m^2", NULL},
    {"armature", VALUE_NUMBER, false, "rotor inertia on the joint, kg m^2", NULL},
    {"limits", VALUE_VECTOR, false, "of the joint: [lower, upper], rad or m", NULL},
    {"radial_radius", VALUE_NUMBER, false,
     "of a bearing: where forces across the axis rub, m; its load, N m, is then that of the "
     "bearing",
     NULL},
    {"axial_radius", VALUE_NUMBER, false, "of a bearing: where forces along the axis rub, m", NULL},
    {"moment_ratio", VALUE_NUMBER, false,
     "of a bearing: rubbing moment per moment across the axis; 2 r/L of two journals", NULL},
    {"shapes", VALUE_SHAPES, false, "for contact, link axes", NULL},
};
const Key scene_chain_keys[SCENE_CHAIN_KEYS] = {
    {"links", VALUE_COUNT, true, "how many", NULL},
    {"length", VALUE_NUMBER, true, "of a link, m", NULL},
    {"mass", VALUE_NUMBER, true, "of a link, kg: a uniform rod along x", NULL},
    {"axis", VALUE_VECTOR, false, "of the joints; default z", NULL},
    {"armature", VALUE_NUMBER, false, "rotor inertia on each joint, kg m^2", NULL},
    {"shapes", VALUE_SHAPES, false, "of the last link, for contact, link axes", NULL},
};
static const char *numbered(Reader *reader, const char *stem, int number)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", stem, number);
    return sti_arena_text(reader->arena, name);
}

static StiVec3 vec3(const double *v) { return sti_vec3(v[0], v[1], v[2]); }

bool scene_read_bearing(Reader *reader, const Node *node, StiBearing *bearing)
{
    const bool radial = scene_number_at(reader, node, "radial_radius", &bearing->radial_radius);
    const bool axial = scene_number_at(reader, node, "axial_radius", &bearing->axial_radius);
    return scene_number_at(reader, node, "moment_ratio", &bearing->moment_ratio) && axial && radial;
}

bool scene_read_limits(Reader *reader, const Node *node, StiLink *link)
{
    double limits[2];
    const Entry *entry = scene_node_entry(node, "limits");
    if (entry == NULL) return true;
    if (!scene_vector_at(reader, node, "limits", 2, 2, limits)) return false;
    if (link->joint != STI_JOINT_REVOLUTE && link->joint != STI_JOINT_PRISMATIC) {
        scene_error(reader, entry->mark,
                    "'limits' has no effect here: only revolute and prismatic joints have them");
        return false;
    }
    if (!(limits[0] < limits[1])) {
        scene_error(reader, entry->mark, "limits must be [lower, upper], and %g is not below %g",
                    limits[0], limits[1]);
        return false;
    }
    link->limited = true;
    link->lower = limits[0];
    link->upper = limits[1];
    return true;
}

// -2 if there is no such link.
static int parent_of(const Links *links, const char *name)
{
    if (strcmp(name, "world") == 0) return -1;
    for (int i = 0; i < links->count; ++i)
        if (strcmp(links->items[i].name, name) == 0) return i;
    return -2;
}

static bool read_link(Reader *reader, const Node *node, int number, const Links *links, StiLink *to)
{
    double axis[3] = {0.0, 0.0, 1.0}, at[3] = {0.0}, attitude[4] = {1.0, 0.0, 0.0, 0.0},
           centre[3] = {0.0};
    *to = (StiLink){.name = numbered(reader, "link", number),
                    .joint_name = numbered(reader, "joint", number),
                    .parent = number - 1,
                    .joint = STI_JOINT_REVOLUTE};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "a link must be a map: {joint: NAME, mass: m, centre: [...], ...}");
        return false;
    }
    scene_check_keys(reader, node, "a link", scene_link_keys, SCENE_LINK_KEYS);
    const Node *name = scene_node_find(node, "name"), *joint = scene_node_find(node, "joint"),
               *parent = scene_node_find(node, "parent"), *type = scene_node_find(node, "type");
    bool good = name == NULL || scene_text(reader, name, "name", &to->name);
    good = (joint == NULL || scene_text(reader, joint, "joint", &to->joint_name)) && good;
    const char *parent_name = NULL;
    if (parent != NULL && scene_text(reader, parent, "parent", &parent_name)) {
        to->parent = parent_of(links, parent_name);
        if (to->parent == -2) {
            scene_error(reader, parent->mark,
                        "there is no link '%s' above this one; the ground is 'world'", parent_name);
            good = false;
        }
    }
    StiEntry entry = {.joint = STI_JOINT_REVOLUTE};
    const bool typed =
        type == NULL || scene_registered(reader, type, "type of joint", STI_ROLE_JOINT, &entry);
    if (typed) to->joint = entry.joint;
    good = scene_vector_at(reader, node, "axis", 3, 3, axis) && typed && good;
    good = scene_vector_at(reader, node, "at", 3, 3, at) && good;
    good = scene_attitude_at(reader, node, attitude) && good;
    good = scene_vector_at(reader, node, "centre", 3, 3, centre) && good;
    good = scene_vector_at(reader, node, "inertia", 3, 6, to->inertia) && good;
    good = scene_number_at(reader, node, "mass", &to->mass) && good;
    good = scene_number_at(reader, node, "armature", &to->armature) && good;
    good = scene_read_bearing(reader, node, &to->bearing) && good;
    good = scene_read_limits(reader, node, to) && good;
    to->axis = vec3(axis);
    to->centre = vec3(centre);
    to->placement =
        (StiFrame){.p = vec3(at), .q = {attitude[0], attitude[1], attitude[2], attitude[3]}};
    return good;
}

static bool read_link_shapes(Reader *reader, const Node *node, int link, Links *links)
{
    Shapes shapes = {0};
    const Node *list = scene_node_find(node, "shapes");
    if (list == NULL) return true;
    if (!scene_read_shapes(reader, list, "shapes", &shapes)) return false;
    const size_t before = (size_t)links->shape_count, count = before + (size_t)shapes.count;
    StiUrdfShape *all = sti_arena_take(reader->arena, count, sizeof *all);
    if (all == NULL) return false;
    if (before > 0) memcpy(all, links->shapes, before * sizeof *all);
    for (int i = 0; i < shapes.count; ++i)
        all[before + (size_t)i] = (StiUrdfShape){link, shapes.items[i]};
    links->shapes = all;
    links->shape_count = (int)count;
    return true;
}

static bool read_links(Reader *reader, const Node *list, Links *links)
{
    if (list->type != NODE_LIST || list->count == 0) {
        scene_error(reader, list->mark, "links must be a list of links");
        return false;
    }
    bool good = true;
    links->list = list;
    links->items = sti_arena_take(reader->arena, (size_t)list->count, sizeof *links->items);
    for (int i = 0; links->items != NULL && !reader->arena->failed && i < list->count; ++i) {
        good = read_link(reader, list->items[i], i, links, &links->items[i]) && good;
        good = read_link_shapes(reader, list->items[i], i, links) && good;
        ++links->count;
    }
    return good && !reader->arena->failed;
}

static bool read_chain(Reader *reader, const Node *node, Links *links)
{
    double length = 0.0, mass = 0.0, armature = 0.0, axis[3] = {0.0, 0.0, 1.0};
    int count = 0;
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "chain must be a map: {links: n, length: l, mass: m}");
        return false;
    }
    if (!scene_check_keys(reader, node, "a chain", scene_chain_keys, SCENE_CHAIN_KEYS) ||
        !scene_count(reader, scene_node_find(node, "links"), "links", 1, 100000, &count) ||
        !scene_number_at(reader, node, "length", &length) ||
        !scene_number_at(reader, node, "mass", &mass) ||
        !scene_number_at(reader, node, "armature", &armature) ||
        !scene_vector_at(reader, node, "axis", 3, 3, axis))
        return false;
    links->items = sti_arena_take(reader->arena, (size_t)count, sizeof *links->items);
    const double across = mass * length * length / 12.0; // a thin rod along x
    for (int i = 0; links->items != NULL && i < count; ++i)
        links->items[links->count++] =
            (StiLink){.name = numbered(reader, "link", i),
                      .joint_name = numbered(reader, "joint", i),
                      .parent = i - 1,
                      .joint = STI_JOINT_REVOLUTE,
                      .placement = {.p = {i > 0 ? length : 0.0, 0.0, 0.0},
                                    .q = {1.0, 0.0, 0.0, 0.0}},
                      .axis = vec3(axis),
                      .mass = mass,
                      .centre = {0.5 * length, 0.0, 0.0},
                      .inertia = {0.0, across, across},
                      .armature = armature};
    return links->items != NULL && read_link_shapes(reader, node, count - 1, links);
}

// Where the scene could not name them.
static void rename_links(Reader *reader, const char *path, Links *links)
{
    Gathered gathered = {.arena = reader->arena, .messages = reader->messages};
    model_name_links(reader->arena, links->items, links->count, (Mark){path, 0, 0}, &gathered);
    gathered_say(&gathered);
}

// Joints that others follow go by their new names.
static void rename_leaders(Reader *reader, const StiUrdf *urdf, Links *links)
{
    StiNames names = {0};
    links->leaders = sti_arena_take(reader->arena, (size_t)urdf->count + 1, sizeof *links->leaders);
    if (links->leaders == NULL) return;
    for (int i = 0; i < urdf->count; ++i)
        sti_names_put(&names, reader->arena, sti_arena_text(reader->arena, urdf->links[i].joint_name), i);
    for (int i = 0; i < urdf->count; ++i) {
        const char *leader = urdf->joints[i].mimic;
        const int number = leader != NULL ? sti_names_find(&names, leader) : -1;
        links->leaders[i] = number;
        links->urdf[i].mimic = number >= 0 ? links->items[number].joint_name : NULL;
        if (leader != NULL && number < 0)
            scene_message(reader->messages, STI_WARNING, (Mark){links->file, 0, 0},
                          "left out: <mimic> of a joint that is not there: %s", leader);
    }
}

static void read_urdf_shapes(Reader *reader, const StiUrdf *urdf, const char *path, Links *links)
{
    Gathered gathered = {.arena = reader->arena, .messages = reader->messages};
    MeshHulls hulls = {.arena = reader->arena,
                       .gathered = &gathered,
                       .model = path,
                       .confine = reader->confine};
    const size_t most = (size_t)urdf->shape_count + (size_t)urdf->mesh_count + 1;
    links->shapes = sti_arena_take(reader->arena, most, sizeof *links->shapes);
    if (links->shapes == NULL) return;
    for (; links->shape_count < urdf->shape_count; ++links->shape_count)
        links->shapes[links->shape_count] = urdf->shapes[links->shape_count];
    for (int i = 0; i < urdf->mesh_count; ++i) {
        const StiUrdfMesh *mesh = &urdf->meshes[i];
        const StiHull *hull = mesh_hull(&hulls, (Mark){path, 0, 0}, mesh->file, mesh->scale);
        if (hull != NULL)
            scene_file_remember(reader, mesh->file, mesh_hull_path(&hulls, mesh->file));
        if (hull != NULL)
            links->shapes[links->shape_count++] =
                (StiUrdfShape){mesh->link, sti_shape_hull(mesh->at, hull)};
    }
    gathered_say(&gathered);
}

static bool read_urdf(Reader *reader, const Node *node, Links *links)
{
    const char *file;
    if (!scene_text(reader, node, "urdf", &file)) return false;
    const char *path = scene_file_named(reader, node, file);
    if (path == NULL) return false;
    StiUrdf *urdf = sti_urdf_load(path, reader->messages);
    if (urdf == NULL) {
        scene_error(reader, node->mark, "the robot in '%s' cannot be used; see its own messages",
                    file);
        return false;
    }
    links->count = urdf->count;
    links->items =
        sti_arena_copy(reader->arena, urdf->links, (size_t)urdf->count * sizeof *links->items);
    for (int i = 0; links->items != NULL && i < links->count; ++i) {
        links->items[i].name = sti_arena_text(reader->arena, urdf->links[i].name);
        links->items[i].joint_name = sti_arena_text(reader->arena, urdf->links[i].joint_name);
    }
    if (links->items != NULL && !reader->arena->failed) rename_links(reader, path, links);
    links->file = path;
    links->urdf =
        sti_arena_copy(reader->arena, urdf->joints, (size_t)urdf->count * sizeof *links->urdf);
    if (links->urdf != NULL && links->items != NULL) rename_leaders(reader, urdf, links);
    read_urdf_shapes(reader, urdf, path, links);
    sti_urdf_destroy(urdf);
    return links->items != NULL && links->urdf != NULL;
}

bool scene_read_links(Reader *reader, const Node *node, Links *links)
{
    const Node *urdf = scene_node_find(node, "urdf"), *list = scene_node_find(node, "links"),
               *chain = scene_node_find(node, "chain");
    if ((urdf != NULL) + (list != NULL) + (chain != NULL) != 1) {
        scene_error(reader, node->mark, "a robot needs one of 'urdf', 'links' or 'chain'");
        return false;
    }
    if (urdf != NULL) return read_urdf(reader, urdf, links);
    return list != NULL ? read_links(reader, list, links) : read_chain(reader, chain, links);
}
