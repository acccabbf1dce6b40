#include "yaml/places.h"

#include <string.h>

#include "read/linkages.h"
#include "read/robots.h"

static void no_body(Reader *reader, const Node *node, const char *name)
{
    const char **names =
        sti_arena_take(reader->arena, (size_t)reader->body_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < reader->body_count; ++i) names[i] = reader->bodies[i].name;
    const char *near = names != NULL ? scene_nearest(name, names, reader->body_count) : NULL;
    char *owner = sti_arena_text(reader->arena, name); // "army" of "army.elbow"
    if (near == NULL && names != NULL && owner != NULL) {
        owner[strcspn(owner, ".")] = '\0';
        near = scene_nearest(owner, names, reader->body_count);
    }
    if (near != NULL)
        scene_error(reader, node->mark, "there is no body '%s'; did you mean '%s'?", name, near);
    else
        scene_error(reader, node->mark, "there is no body '%s'", name);
}

// "arm" of "arm.elbow"; NULL if no body is named there.
static const Body *owner_of(const Reader *reader, const char *text, const char **rest)
{
    for (int i = 0; i < reader->body_count; ++i) {
        const size_t length = strlen(reader->bodies[i].name);
        if (strncmp(text, reader->bodies[i].name, length) != 0 || text[length] != '.') continue;
        *rest = text + length + 1;
        return &reader->bodies[i];
    }
    return NULL;
}

static int link_named(const StiRobot *robot, const char *name)
{
    for (int i = 0; i < sti_robot_links(robot); ++i)
        if (strcmp(sti_robot_link(robot, i)->name, name) == 0) return i;
    return -1;
}

static void no_joint_or_link(Reader *reader, const Node *node, const Body *body, const char *name)
{
    const int links = sti_robot_links(body->robot);
    const char **names = sti_arena_take(reader->arena, 2 * (size_t)links + 1, sizeof *names);
    int count = 0;
    for (int i = 0; names != NULL && i < links; ++i) {
        const StiLink *link = sti_robot_link(body->robot, i);
        if (link->joint_name != NULL && link->joint != STI_JOINT_FIXED)
            names[count++] = link->joint_name;
        names[count++] = link->name;
    }
    const char *near = names != NULL ? scene_nearest(name, names, count) : NULL;
    if (near != NULL)
        scene_error(reader, node->mark, "%s has no joint or link '%s'; did you mean '%s.%s'?",
                    body->name, name, body->name, near);
    else
        scene_error(reader, node->mark, "%s has no joint or link '%s'; the first joint is '%s.%s'",
                    body->name, name, body->name, sti_robot_link(body->robot, 0)->joint_name);
}

static Place joint_place(const Body *body, int link, const char *name)
{
    const StiWire wire = sti_wire_joint(body->id, body->robot, link);
    return (Place){.type = PLACE_COORDINATES,
                   .name = name,
                   .body = body,
                   .dim = wire.dim,
                   .joint = true,
                   .link = link,
                   .end = wire.a};
}

static bool robot_place(Reader *reader, const Node *node, const Body *body, const char *rest,
                        bool point_given, Place *place)
{
    const int joint = sti_robot_find_joint(body->robot, rest);
    const bool fixed = joint >= 0 && sti_robot_link(body->robot, joint)->joint == STI_JOINT_FIXED;
    const bool moves = joint >= 0 && !fixed;
    const int link = moves && !point_given ? -1 : link_named(body->robot, rest);
    if (moves && !(point_given && link >= 0)) {
        *place = joint_place(body, joint, node->text);
        return true;
    }
    if (link >= 0) {
        *place =
            (Place){.type = PLACE_POINT, .name = node->text, .body = body, .dim = 3, .link = link};
        return true;
    }
    if (fixed)
        scene_error(reader, node->mark,
                    "joint '%s' is fixed and has no coordinate; its link is '%s.%s'", node->text,
                    body->name, sti_robot_link(body->robot, joint)->name);
    else
        no_joint_or_link(reader, node, body, rest);
    return false;
}

static bool body_place(Reader *reader, const Node *node, const Body *body, Place *place)
{
    if (body->id.number == 0) return false;
    if (body->shape == BODY_ROBOT) {
        scene_error(reader, node->mark, "name a joint or a link of the robot, for example '%s.%s'",
                    body->name, sti_robot_link(body->robot, 0)->joint_name);
        return false;
    }
    if (body->shape == BODY_LINKAGE) {
        scene_error(reader, node->mark, "name a joint or a body of the linkage, for example '%s'",
                    sti_linkage_body(body->linkage, 0)->name);
        return false;
    }
    const bool rigid = body->shape == BODY_RIGID;
    *place = (Place){.type = rigid ? PLACE_POINT : PLACE_COORDINATES,
                     .name = node->text,
                     .body = body,
                     .dim = body->dim,
                     .end = sti_wire_coordinate(body->id, 0, body->dim).a};
    return true;
}

// A penalty joint that could not be read has its own error.
static bool hinge_place(Reader *reader, const Node *node, Place *place)
{
    const Element *joint = scene_find_element(reader, node->text);
    const Node *entry = scene_node_find(scene_node_find(reader->root, "elements"), node->text);
    const Node *kind = scene_node_find(entry, "kind");
    if (joint != NULL && joint->joint) {
        *place = (Place){.type = PLACE_HINGE, .name = node->text, .dim = 1, .hinge = joint->hinge};
        return true;
    }
    const bool scalar = kind != NULL && kind->type == NODE_SCALAR;
    if (joint != NULL && scalar && strcmp(kind->text, "loop") == 0)
        scene_error(reader, node->mark,
                    "'%s' has no axis: elements act on loops of type hinge, slider or cylindrical",
                    node->text);
    else if (!scalar || (strcmp(kind->text, "penalty-joint") != 0 && strcmp(kind->text, "loop") != 0))
        scene_error(reader, node->mark,
                    "'%s' is an element; elements act on bodies, penalty joints and loops",
                    node->text);
    return false;
}

// A joint of a linkage by its coordinate, a body by its points.
static Place part_place(const char *name, const Part *part)
{
    if (part->pair < 0)
        return (Place){
            .type = PLACE_POINT, .name = name, .body = part->linkage, .dim = 3, .link = part->body};
    return (Place){.type = PLACE_PAIR,
                   .name = name,
                   .body = part->linkage,
                   .dim = 1,
                   .link = sti_linkage_pair_link(part->linkage->linkage, part->pair),
                   .pair = part->pair};
}

bool scene_place_named(Reader *reader, const Node *node, const char *what, bool point_given,
                       Place *place)
{
    const char *rest;
    Part part;
    if (node->type != NODE_SCALAR) {
        scene_error(reader, node->mark, "%s must be the name of a body, not %s", what,
                    scene_node_type(node));
        return false;
    }
    const Body *body = scene_find_body(reader, node->text);
    if (body != NULL) return body_place(reader, node, body, place);
    if (scene_node_entry(scene_node_find(reader->root, "elements"), node->text) != NULL)
        return hinge_place(reader, node, place);
    if (scene_find_part(reader, node->text, &part)) {
        *place = part_place(node->text, &part);
        return true;
    }
    const Body *owner = owner_of(reader, node->text, &rest);
    if (owner == NULL) {
        no_body(reader, node, node->text);
        return false;
    }
    if (owner->id.number == 0) return false;
    if (owner->robot != NULL) return robot_place(reader, node, owner, rest, point_given, place);
    scene_error(reader, node->mark, "'%s' is no robot: it has no joint or link '%s'", owner->name,
                rest);
    return false;
}
