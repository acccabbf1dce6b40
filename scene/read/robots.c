// Robots in scenes: their links, start values and overrides, the friction that a URDF file gives.
#include "read/robots.h"

#include "algebra/slices.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/actuators.h"
#include "read/links.h"
#include "stiction/constraint.h"
#include "stiction/reaction.h"

const Key scene_robot_keys[SCENE_ROBOT_KEYS] = {
    {"kind", VALUE_TEXT, true, "robot", NULL},
    {"urdf", VALUE_TEXT, false, "a URDF file, relative to the scene", NULL},
    {"links", VALUE_LINKS, false, "a list of links, each with the joint that carries it", NULL},
    {"chain", VALUE_CHAIN, false, "equal links: {links: n, length: l, mass: m}", NULL},
    {"joints", VALUE_JOINTS, false,
     "joints by name: {position: ..., velocity: ..., armature: ..., limits: ...}", NULL},
};
const Key scene_joint_keys[SCENE_JOINT_KEYS] = {
    {"position", VALUE_NUMBERS, false, "at the start, rad or m", NULL},
    {"velocity", VALUE_NUMBERS, false, "at the start, rad/s or m/s", NULL},
    {"armature", VALUE_NUMBER, false, "rotor inertia on the joint, kg m^2", NULL},
    {"limits", VALUE_VECTOR, false, "in place of the joint's own: [lower, upper], rad or m", NULL},
    {"radial_radius", VALUE_NUMBER, false,
     "of a bearing: where forces across the axis rub, m; its load, N m, is then that of the bearing",
     NULL},
    {"axial_radius", VALUE_NUMBER, false, "of a bearing: where forces along the axis rub, m", NULL},
    {"moment_ratio", VALUE_NUMBER, false,
     "of a bearing: rubbing moment per moment across the axis; 2 r/L of two journals", NULL},
};

static int joint_named(const Links *links, const char *name)
{
    for (int i = 0; i < links->count; ++i)
        if (strcmp(links->items[i].joint_name, name) == 0) return i;
    return -1;
}

static void no_joint(Reader *reader, const Entry *entry, const Links *links)
{
    const char **names = sti_arena_take(reader->arena, (size_t)links->count + 1, sizeof *names);
    int count = 0;
    for (int i = 0; names != NULL && i < links->count; ++i)
        if (links->items[i].joint != STI_JOINT_FIXED) names[count++] = links->items[i].joint_name;
    const char *near = names != NULL ? scene_nearest(entry->key, names, count) : NULL;
    if (near != NULL)
        scene_error(reader, entry->mark, "the robot has no joint '%s'; did you mean '%s'?",
                    entry->key, near);
    else
        scene_error(reader, entry->mark, "the robot has no joint '%s'%s%s%s", entry->key,
                    count > 0 ? "; the first is '" : "", count > 0 ? names[0] : "",
                    count > 0 ? "'" : "");
}

static bool read_override(Reader *reader, const Entry *entry, const Links *links)
{
    const int link = joint_named(links, entry->key);
    if (link < 0) {
        no_joint(reader, entry, links);
        return false;
    }
    if (entry->value->type != NODE_MAP) {
        scene_error(reader, entry->mark,
                    "joint '%s' must be a map: {position: ..., velocity: ..., armature: ...}",
                    entry->key);
        return false;
    }
    scene_check_keys(reader, entry->value, "a joint", scene_joint_keys, SCENE_JOINT_KEYS);
    const bool good =
        scene_number_at(reader, entry->value, "armature", &links->items[link].armature) &&
        scene_read_bearing(reader, entry->value, &links->items[link].bearing);
    return scene_read_limits(reader, entry->value, &links->items[link]) && good;
}

// Armatures and limits belong to the links, so they are read before the robot is made.
static bool read_overrides(Reader *reader, const Node *joints, const Links *links)
{
    bool good = true;
    if (joints == NULL) return true;
    if (joints->type != NODE_MAP) {
        scene_error(reader, joints->mark, "joints must be a map: {joint0: {position: 0.5}}");
        return false;
    }
    for (int i = 0; i < joints->count; ++i)
        good = read_override(reader, &joints->entries[i], links) && good;
    return good;
}

static void add_rotors(Reader *reader, const Body *body, const Links *links)
{
    int number = 0; // of the joint, as scene_spread_joints counts them
    for (int i = 0; i < links->count; ++i) {
        char joint[256];
        StiLink *link = &links->items[i];
        if (link->joint != STI_JOINT_REVOLUTE && link->joint != STI_JOINT_PRISMATIC) continue;
        snprintf(joint, sizeof joint, "%s.%s", body->name, link->joint_name);
        link->armature += scene_rotors_on(reader, joint, number++);
    }
}

static bool read_start(Reader *reader, const Node *joints, const StiRobot *robot, double *q,
                       double *v)
{
    bool good = true;
    for (int i = 0; joints != NULL && i < joints->count; ++i) {
        const Entry *entry = &joints->entries[i];
        const int link = sti_robot_find_joint(robot, entry->key);
        if (link < 0) continue;
        const bool last = link + 1 == sti_robot_links(robot);
        const int first_q = sti_robot_joint_position(robot, link),
                  first_v = sti_robot_joint_velocity(robot, link);
        const int positions =
            (last ? sti_robot_positions(robot) : sti_robot_joint_position(robot, link + 1)) -
            first_q;
        const int velocities =
            (last ? sti_robot_velocities(robot) : sti_robot_joint_velocity(robot, link + 1)) -
            first_v;
        good =
            scene_vector_at(reader, entry->value, "position", positions, positions, q + first_q) &&
            good;
        good = scene_vector_at(reader, entry->value, "velocity", velocities, velocities,
                               v + first_v) &&
               good;
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
        if (kind == NULL || on == NULL || kind->type != NODE_SCALAR ||
            strcmp(kind->text, "friction") != 0)
            continue;
        if (on->type == NODE_SCALAR && strcmp(on->text, joint) == 0) return true;
        for (int j = 0; on->type == NODE_LIST && j < on->count; ++j)
            if (on->items[j]->type == NODE_SCALAR && strcmp(on->items[j]->text, joint) == 0)
                return true;
    }
    return false;
}

static bool has_axis(const StiLink *link)
{
    return link->joint == STI_JOINT_REVOLUTE || link->joint == STI_JOINT_PRISMATIC;
}

// The link whose joint that of another follows, or -1.
static int leader_of(const Links *links, int link)
{
    const int to = links->leaders != NULL ? links->leaders[link] : -1;
    const bool good = to >= 0 && link != to && has_axis(&links->items[link]) &&
                      has_axis(&links->items[to]) && links->urdf[link].multiplier != 0.0;
    return good ? to : -1;
}

// Chains of followers need several rounds.
static void place_followers(const Links *links, const StiRobot *robot, double *q)
{
    enum { ROUNDS = 8 };
    for (int round = 0; links->urdf != NULL && round < ROUNDS; ++round)
        for (int i = 0; i < links->count; ++i) {
            const StiUrdfJoint *joint = &links->urdf[i];
            const int to = leader_of(links, i);
            if (to < 0) continue;
            q[sti_robot_joint_position(robot, i)] =
                joint->multiplier * q[sti_robot_joint_position(robot, to)] + joint->offset;
        }
}

// damping and friction of URDF: dry and viscous friction at the joint, resolved by the finite-time rule.
static void add_urdf_friction(Reader *reader, const Body *body, const Links *links)
{
    for (int i = 0; links->urdf != NULL && i < links->count; ++i) {
        StiUrdfJoint *joint = &links->urdf[i];
        char target[192], name[256];
        if (!joint->has_dynamics || (joint->damping == 0.0 && joint->friction == 0.0)) continue;
        if (links->items[i].joint == STI_JOINT_FIXED) continue; // welded
        snprintf(target, sizeof target, "%s.%s", body->name, links->items[i].joint_name);
        snprintf(name, sizeof name, "%s.friction", target);
        if (has_own_friction(reader, target)) {
            scene_message(
                reader->messages, STI_NOTE, body->node->mark,
                "%s: damping and friction of the URDF are not used: the scene has its own", target);
            joint->has_dynamics = false; // an exported robot should show it
            continue;
        }
        const StiWire wire = sti_wire_joint(body->id, body->robot, i);
        const StiFiniteTime rule = {.dim = wire.dim,
                                    .law = sti_law_viscous(joint->friction, joint->damping)};
        const char *kept = sti_arena_text(reader->arena, name);
        if (kept == NULL) return;
        scene_add_element(reader, (Element){.name = kept,
                                            .entry = kept,
                                            .node = body->node,
                                            .id = sti_plan_add_reaction(reader->plan, kept,
                                                                        &sti_kind_finite_time,
                                                                        &rule, &wire)});
    }
}

// mimic of URDF: a coupling, "BODY.JOINT.mimic". The follower starts where it belongs.
static void add_urdf_mimics(Reader *reader, const Body *body, const Links *links)
{
    for (int i = 0; links->urdf != NULL && i < links->count; ++i) {
        const StiUrdfJoint *joint = &links->urdf[i];
        const int to = leader_of(links, i);
        if (to < 0) continue;
        char name[256];
        snprintf(name, sizeof name, "%s.%s.mimic", body->name, links->items[i].joint_name);
        const StiRobot *robot = body->robot;
        const StiCouplingTerm terms[2] = {
            {body->id, sti_robot_joint_position(robot, i), sti_robot_joint_velocity(robot, i), 1.0},
            {body->id, sti_robot_joint_position(robot, to), sti_robot_joint_velocity(robot, to),
             -joint->multiplier}};
        const StiCoupling coupling = {.terms = terms, .count = 2, .offset = joint->offset};
        const char *kept = sti_arena_text(reader->arena, name);
        if (kept == NULL) return;
        scene_add_element(reader, (Element){.name = kept,
                                            .entry = kept,
                                            .node = body->node,
                                            .forces = 1,
                                            .constraint = sti_plan_add_coupling(
                                                reader->plan, kept, &coupling)});
    }
}

// The key of an inline link that a finding is about, the link, or the robot.
static Mark mark_of(const Body *body, const Links *links, const StiFinding *finding)
{
    const char *key = strcmp(finding->parameter, "joint_name") == 0 ? "joint" : finding->parameter;
    for (int i = links->list != NULL ? links->count - 1 : -1; i >= 0;
         --i) { // of two equal names the later is wrong
        if (strcmp(links->items[i].name, finding->component) != 0) continue;
        const Entry *entry = scene_node_entry(links->list->items[i], key);
        return entry != NULL ? entry->mark : links->list->items[i]->mark;
    }
    return body->node->mark;
}

static StiRobot *make_robot(Reader *reader, const Body *body, const Links *links)
{
    StiReport *report = sti_report_create();
    if (report == NULL) return NULL;
    StiRobot *robot = sti_robot_create(links->items, links->count, report);
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        char value[40] = "";
        if (!isnan(finding->value) && finding->severity == STI_ERROR)
            snprintf(value, sizeof value, " = %g", finding->value);
        const char *link = finding->component, *parameter = finding->parameter;
        scene_message(reader->messages, finding->severity, mark_of(body, links, finding),
                      "%s%s%s%s%s%s: %s", body->name, link[0] != '\0' ? "." : "", link,
                      parameter[0] != '\0' ? "." : "", parameter, value, finding->text);
    }
    sti_report_destroy(report);
    return robot;
}

// URDF has a word of its own for hinges without limits.
static StiUrdfJoint *plain_joints(Reader *reader, const Links *links)
{
    StiUrdfJoint *joints = sti_arena_take(reader->arena, (size_t)links->count, sizeof *joints);
    for (int i = 0; joints != NULL && i < links->count; ++i)
        joints[i].continuous =
            links->items[i].joint == STI_JOINT_REVOLUTE && !links->items[i].limited;
    return joints;
}

// Attitudes and axes of unit length, as the robot itself has them: reading them again changes no bit.
static void make_units(const Links *links)
{
    for (int i = 0; i < links->count; ++i) {
        StiLink *link = &links->items[i];
        link->placement.q = sti_quat_attitude(link->placement.q);
        const double square = sti_vec3_dot(link->axis, link->axis);
        if (square > 0.0 && !sti_is_unit(square))
            link->axis = sti_vec3_scale(1.0 / sti_vec3_norm(link->axis), link->axis);
    }
}

// Robots live as long as the scene: an exporter gets it from the scene.
static bool keep(Reader *reader, const Body *body, StiRobot *robot, Links *links)
{
    KeptRobot *kept = sti_arena_take(reader->arena, 1, sizeof *kept);
    StiUrdf *urdf = sti_arena_take(reader->arena, 1, sizeof *urdf);
    if (links->urdf == NULL) links->urdf = plain_joints(reader, links);
    if (kept == NULL || urdf == NULL || links->urdf == NULL) {
        sti_robot_destroy(robot);
        return false;
    }
    make_units(links);
    *urdf = (StiUrdf){.name = body->name,
                      .links = links->items,
                      .joints = links->urdf,
                      .count = links->count,
                      .shapes = links->shapes,
                      .shape_count = links->shape_count};
    *kept = (KeptRobot){.robot = robot,
                        .shown = {body->name, urdf, links->file},
                        .next = reader->robots};
    reader->robots = kept;
    return true;
}

// A robot may have its links in another order than the scene.
static void add_shapes(Reader *reader, Body *body, const Links *links)
{
    for (int i = 0; i < links->shape_count; ++i) {
        StiUrdfShape *shape = &links->shapes[i];
        const char *name = links->items[shape->link].name;
        for (int link = 0; link < sti_robot_links(body->robot); ++link)
            if (strcmp(sti_robot_link(body->robot, link)->name, name) == 0)
                scene_body_add_shapes(reader, body, link, &(Shapes){&shape->shape, 1});
    }
}

void scene_build_robot(Reader *reader, Body *body)
{
    Links links = {0};
    const Node *joints = scene_node_find(body->node, "joints");
    if (!scene_read_links(reader, body->node, &links) || !read_overrides(reader, joints, &links))
        return;
    add_rotors(reader, body, &links);
    if (links.file != NULL) sti_urdf_weld(links.items, links.count, links.file, reader->messages);
    StiRobot *robot = make_robot(reader, body, &links);
    if (robot == NULL || !keep(reader, body, robot, &links)) return;
    const int positions = sti_robot_positions(robot), velocities = sti_robot_velocities(robot);
    double *q = sti_arena_numbers(reader->arena, positions),
           *v = sti_arena_numbers(reader->arena, velocities);
    if (q == NULL || v == NULL) return;
    sti_robot_rest(robot, q);
    if (!read_start(reader, joints, robot, q, v) || !body->complete) return;
    place_followers(&links, robot, q);
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
    add_shapes(reader, body, &links);
    add_urdf_friction(reader, body, &links);
    add_urdf_mimics(reader, body, &links);
}

void scene_show_robots(const Reader *reader, StiScene *scene)
{
    int count = 0;
    for (const KeptRobot *kept = reader->robots; kept != NULL; kept = kept->next) ++count;
    StiSceneRobot *robots = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *robots);
    scene->robots = robots;
    scene->robot_count = robots != NULL ? count : 0;
    for (const KeptRobot *kept = reader->robots; robots != NULL && kept != NULL; kept = kept->next)
        robots[--count] = kept->shown;
}

int scene_find_joint(const Reader *reader, const char *name, const Body **body)
{
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *robot = &reader->bodies[i];
        const size_t length = strlen(robot->name);
        if (robot->robot == NULL || strncmp(robot->name, name, length) != 0 || name[length] != '.')
            continue;
        const int link = sti_robot_find_joint(robot->robot, name + length + 1);
        if (link < 0) continue;
        *body = robot;
        return link;
    }
    return -1;
}
