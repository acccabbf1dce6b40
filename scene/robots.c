// Robots in scenes: from a URDF file, written as a list of links, or as a chain of equal ones.
#include "robots.h"

#include <stdio.h>
#include <string.h>

#include "stiction/reaction.h"
#include "stiction/urdf.h"


static const char *const joint_types[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "floating",
                                          NULL};
static const StiJointType joint_type_of[] = {STI_JOINT_FIXED,     STI_JOINT_REVOLUTE, STI_JOINT_PRISMATIC,
                                             STI_JOINT_SPHERICAL, STI_JOINT_PLANAR,   STI_JOINT_FLOATING};

const Key scene_robot_keys[SCENE_ROBOT_KEYS] = {
    {"kind", VALUE_TEXT, true, "robot", NULL},
    {"urdf", VALUE_TEXT, false, "a URDF file, relative to the scene", NULL},
    {"links", VALUE_ANY, false, "a list of links, each with the joint that carries it", NULL},
    {"chain", VALUE_ANY, false, "equal links: {links: n, length: l, mass: m}", NULL},
    {"joints", VALUE_ANY, false, "joints by name: {position: ..., velocity: ..., armature: ...}", NULL},
};
static const Key link_keys[] = {
    {"name", VALUE_TEXT, false, "of the link; default: link0, link1, ...", NULL},
    {"joint", VALUE_TEXT, false, "name of its joint; default: joint0, joint1, ...", NULL},
    {"parent", VALUE_TEXT, false, "name of a link, or world; default: the link before", NULL},
    {"type", VALUE_WORD, false, "of the joint; default revolute", joint_types},
    {"axis", VALUE_VECTOR, false, "of the joint; default z", NULL},
    {"at", VALUE_VECTOR, false, "the joint in the parent's axes, m", NULL},
    {"attitude", VALUE_VECTOR, false, "quaternion w, x, y, z of the joint in the parent's axes", NULL},
    {"mass", VALUE_NUMBER, false, "kg", NULL},
    {"centre", VALUE_VECTOR, false, "of mass, link axes, m", NULL},
    {"inertia", VALUE_VECTOR, false, "about the centre: 3 or 6 numbers xx, yy, zz, xy, xz, yz, kg m^2", NULL},
    {"armature", VALUE_NUMBER, false, "rotor inertia on the joint, kg m^2", NULL},
};
static const Key chain_keys[] = {
    {"links", VALUE_COUNT, true, "how many", NULL},
    {"length", VALUE_NUMBER, true, "of a link, m", NULL},
    {"mass", VALUE_NUMBER, true, "of a link, kg: a uniform rod along x", NULL},
    {"axis", VALUE_VECTOR, false, "of the joints; default z", NULL},
    {"armature", VALUE_NUMBER, false, "rotor inertia on each joint, kg m^2", NULL},
};
static const Key joint_keys[] = {
    {"position", VALUE_NUMBERS, false, "at the start, rad or m", NULL},
    {"velocity", VALUE_NUMBERS, false, "at the start, rad/s or m/s", NULL},
    {"armature", VALUE_NUMBER, false, "rotor inertia on the joint, kg m^2", NULL},
};

typedef struct Links {
    StiLink *items;
    int count;
    const StiUrdfJoint *urdf; // one per link; NULL: not from URDF
} Links;

static const char *numbered(Reader *reader, const char *stem, int number)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", stem, number);
    return sti_arena_text(reader->arena, name);
}

static StiVec3 vec3(const double *v) { return sti_vec3(v[0], v[1], v[2]); }

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
    double axis[3] = {0.0, 0.0, 1.0}, at[3] = {0.0}, attitude[4] = {1.0, 0.0, 0.0, 0.0}, centre[3] = {0.0};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "a link must be a map: {joint: NAME, mass: m, centre: [...], ...}");
        return false;
    }
    scene_check_keys(reader, node, "a link", link_keys, sizeof link_keys / sizeof(Key));
    const Node *name = scene_node_find(node, "name"), *joint = scene_node_find(node, "joint"),
               *parent = scene_node_find(node, "parent"), *type = scene_node_find(node, "type");
    *to = (StiLink){.name = numbered(reader, "link", number),
                    .joint_name = numbered(reader, "joint", number),
                    .parent = number - 1,
                    .joint = STI_JOINT_REVOLUTE};
    bool good = name == NULL || scene_text(reader, name, "name", &to->name);
    good = (joint == NULL || scene_text(reader, joint, "joint", &to->joint_name)) && good;
    const char *parent_name = NULL;
    if (parent != NULL && scene_text(reader, parent, "parent", &parent_name)) {
        to->parent = parent_of(links, parent_name);
        if (to->parent == -2) {
            scene_error(reader, parent->mark, "there is no link '%s' above this one; the ground is 'world'",
                        parent_name);
            good = false;
        }
    }
    const int word = type != NULL ? scene_word(reader, type, "type of joint", joint_types) : 1;
    if (word >= 0) to->joint = joint_type_of[word];
    good = scene_vector_at(reader, node, "axis", 3, 3, axis) && word >= 0 && good;
    good = scene_vector_at(reader, node, "at", 3, 3, at) && good;
    good = scene_vector_at(reader, node, "attitude", 4, 4, attitude) && good;
    good = scene_vector_at(reader, node, "centre", 3, 3, centre) && good;
    good = scene_vector_at(reader, node, "inertia", 3, 6, to->inertia) && good;
    good = scene_number_at(reader, node, "mass", &to->mass) && good;
    good = scene_number_at(reader, node, "armature", &to->armature) && good;
    to->axis = vec3(axis);
    to->centre = vec3(centre);
    to->placement = (StiFrame){.p = vec3(at), .q = {attitude[0], attitude[1], attitude[2], attitude[3]}};
    return good;
}

static bool read_links(Reader *reader, const Node *list, Links *links)
{
    if (list->type != NODE_LIST || list->count == 0) {
        scene_error(reader, list->mark, "links must be a list of links");
        return false;
    }
    bool good = true;
    links->items = sti_arena_take(reader->arena, (size_t)list->count, sizeof *links->items);
    for (int i = 0; links->items != NULL && i < list->count; ++i) {
        good = read_link(reader, list->items[i], i, links, &links->items[i]) && good;
        ++links->count;
    }
    return good && links->items != NULL;
}

static bool read_chain(Reader *reader, const Node *node, Links *links)
{
    double length = 0.0, mass = 0.0, armature = 0.0, axis[3] = {0.0, 0.0, 1.0};
    int count = 0;
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "chain must be a map: {links: n, length: l, mass: m}");
        return false;
    }
    if (!scene_check_keys(reader, node, "a chain", chain_keys, sizeof chain_keys / sizeof(Key)) ||
        !scene_count(reader, scene_node_find(node, "links"), "links", 1, 100000, &count) ||
        !scene_number_at(reader, node, "length", &length) || !scene_number_at(reader, node, "mass", &mass) ||
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
                      .placement = {.p = {i > 0 ? length : 0.0, 0.0, 0.0}, .q = {1.0, 0.0, 0.0, 0.0}},
                      .axis = vec3(axis),
                      .mass = mass,
                      .centre = {0.5 * length, 0.0, 0.0},
                      .inertia = {0.0, across, across},
                      .armature = armature};
    return links->items != NULL;
}

static bool read_urdf(Reader *reader, const Node *node, Links *links)
{
    const char *file;
    char path[1024];
    if (!scene_text(reader, node, "urdf", &file)) return false;
    snprintf(path, sizeof path, "%s%s", file[0] == '/' ? "" : reader->folder, file);
    StiUrdf *urdf = sti_urdf_load(path, reader->messages);
    if (urdf == NULL) {
        scene_error(reader, node->mark, "the robot in '%s' cannot be used; see its own messages", file);
        return false;
    }
    links->count = urdf->count;
    links->items = sti_arena_copy(reader->arena, urdf->links, (size_t)urdf->count * sizeof *links->items);
    for (int i = 0; links->items != NULL && i < links->count; ++i) {
        links->items[i].name = sti_arena_text(reader->arena, urdf->links[i].name);
        links->items[i].joint_name = sti_arena_text(reader->arena, urdf->links[i].joint_name);
    }
    links->urdf = sti_arena_copy(reader->arena, urdf->joints, (size_t)urdf->count * sizeof *links->urdf);
    sti_urdf_destroy(urdf);
    return links->items != NULL && links->urdf != NULL;
}

static bool read_source(Reader *reader, const Node *node, Links *links)
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

static int joint_named(const Links *links, const char *name)
{
    for (int i = 0; i < links->count; ++i)
        if (strcmp(links->items[i].joint_name, name) == 0) return i;
    return -1;
}

// Armatures belong to the links, so they are read before the robot is made.
static bool read_armatures(Reader *reader, const Node *joints, const Links *links)
{
    bool good = true;
    if (joints == NULL) return true;
    if (joints->type != NODE_MAP) {
        scene_error(reader, joints->mark, "joints must be a map: {joint0: {position: 0.5}}");
        return false;
    }
    for (int i = 0; i < joints->count; ++i) {
        const Entry *entry = &joints->entries[i];
        const int link = joint_named(links, entry->key);
        if (link < 0 || entry->value->type != NODE_MAP) {
            scene_error(reader, entry->mark, "the robot has no joint '%s', or this is not a map", entry->key);
            good = false;
            continue;
        }
        scene_check_keys(reader, entry->value, "a joint", joint_keys, sizeof joint_keys / sizeof(Key));
        good = scene_number_at(reader, entry->value, "armature", &links->items[link].armature) && good;
    }
    return good;
}

static bool read_start(Reader *reader, const Node *joints, const StiRobot *robot, double *q, double *v)
{
    bool good = true;
    for (int i = 0; joints != NULL && i < joints->count; ++i) {
        const Entry *entry = &joints->entries[i];
        const int link = sti_robot_find_joint(robot, entry->key);
        if (link < 0) continue;
        const bool last = link + 1 == sti_robot_links(robot);
        const int first_q = sti_robot_joint_position(robot, link), first_v = sti_robot_joint_velocity(robot, link);
        const int positions =
            (last ? sti_robot_positions(robot) : sti_robot_joint_position(robot, link + 1)) - first_q;
        const int velocities =
            (last ? sti_robot_velocities(robot) : sti_robot_joint_velocity(robot, link + 1)) - first_v;
        good = scene_vector_at(reader, entry->value, "position", positions, positions, q + first_q) && good;
        good = scene_vector_at(reader, entry->value, "velocity", velocities, velocities, v + first_v) && good;
    }
    return good;
}

// Does the scene itself say what friction a joint has?
static bool has_own_friction(const Reader *reader, const char *joint)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    for (int i = 0; elements != NULL && elements->type == NODE_MAP && i < elements->count; ++i) {
        const Node *element = elements->entries[i].value;
        const Node *kind = element->type == NODE_MAP ? scene_node_find(element, "kind") : NULL;
        const Node *on = element->type == NODE_MAP ? scene_node_find(element, "on") : NULL;
        if (kind == NULL || on == NULL || kind->type != NODE_SCALAR || strcmp(kind->text, "friction") != 0) continue;
        if (on->type == NODE_SCALAR && strcmp(on->text, joint) == 0) return true;
        for (int j = 0; on->type == NODE_LIST && j < on->count; ++j)
            if (on->items[j]->type == NODE_SCALAR && strcmp(on->items[j]->text, joint) == 0) return true;
    }
    return false;
}

// damping and friction of URDF: dry and viscous friction at the joint, resolved by the finite-time rule.
static void add_urdf_friction(Reader *reader, const Body *body, const Links *links)
{
    for (int i = 0; links->urdf != NULL && i < links->count; ++i) {
        const StiUrdfJoint *joint = &links->urdf[i];
        char target[192], name[256];
        if (!joint->has_dynamics || (joint->damping == 0.0 && joint->friction == 0.0)) continue;
        snprintf(target, sizeof target, "%s.%s", body->name, links->items[i].joint_name);
        snprintf(name, sizeof name, "%s.friction", target);
        if (has_own_friction(reader, target)) {
            scene_message(reader->messages, STI_NOTE, body->node->mark,
                          "%s: damping and friction of the URDF are not used: the scene has its own", target);
            continue;
        }
        const StiWire wire = sti_wire_joint(body->id, body->robot, i);
        const StiFiniteTime rule = {.dim = wire.dim, .law = sti_law_viscous(joint->friction, joint->damping)};
        const char *kept = sti_arena_text(reader->arena, name);
        if (kept == NULL) return;
        scene_add_element(reader,
                          (Element){.name = kept,
                                    .entry = kept,
                                    .node = body->node,
                                    .id = sti_plan_add_reaction(reader->plan, kept, &sti_kind_finite_time, &rule, &wire)});
    }
}

static StiRobot *make_robot(Reader *reader, const Body *body, const Links *links)
{
    StiReport *report = sti_report_create();
    if (report == NULL) return NULL;
    StiRobot *robot = sti_robot_create(links->items, links->count, report);
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        scene_message(reader->messages, finding->severity, body->node->mark, "%s: %s%s%s: %s", body->name,
                      finding->component, finding->parameter[0] != '\0' ? "." : "", finding->parameter,
                      finding->text);
    }
    sti_report_destroy(report);
    return robot;
}

// Networks point to robots: they live as long as the scene.
static bool keep(Reader *reader, StiRobot *robot)
{
    KeptRobot *kept = sti_arena_take(reader->arena, 1, sizeof *kept);
    if (kept == NULL) {
        sti_robot_destroy(robot);
        return false;
    }
    *kept = (KeptRobot){robot, reader->robots};
    reader->robots = kept;
    return true;
}

void scene_build_robot(Reader *reader, Body *body)
{
    Links links = {0};
    const Node *joints = scene_node_find(body->node, "joints");
    if (!read_source(reader, body->node, &links) || !read_armatures(reader, joints, &links)) return;
    StiRobot *robot = make_robot(reader, body, &links);
    if (robot == NULL || !keep(reader, robot)) return;
    const int positions = sti_robot_positions(robot), velocities = sti_robot_velocities(robot);
    double *q = sti_arena_numbers(reader->arena, positions), *v = sti_arena_numbers(reader->arena, velocities);
    if (q == NULL || v == NULL) return;
    sti_robot_rest(robot, q);
    if (!read_start(reader, joints, robot, q, v) || !body->complete) return;
    body->shape = BODY_ROBOT;
    body->robot = robot;
    body->dim = velocities;
    body->loads = sti_robot_links(robot);
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_robot,
                                       &(StiRobotBody){.robot = robot,
                                                       .positions = positions,
                                                       .velocities = velocities,
                                                       .position = q,
                                                       .velocity = v});
    add_urdf_friction(reader, body, &links);
}

int scene_find_joint(const Reader *reader, const char *name, const Body **body)
{
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *robot = &reader->bodies[i];
        const size_t length = strlen(robot->name);
        if (robot->robot == NULL || strncmp(robot->name, name, length) != 0 || name[length] != '.') continue;
        const int link = sti_robot_find_joint(robot->robot, name + length + 1);
        if (link < 0) continue;
        *body = robot;
        return link;
    }
    return -1;
}
