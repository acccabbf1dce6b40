// What an element acts on: on: BODY, on: [A, B], on: JOINT, between: [A, B].
#include <stdio.h>
#include <string.h>

#include "robots.h"

bool scene_read_frame(Reader *reader, const Node *node, const char *what, StiFrame *frame)
{
    static const Key keys[] = {
        {"position", VALUE_VECTOR, false, "m, body axes", NULL},
        {"attitude", VALUE_VECTOR, false, "quaternion w, x, y, z, body axes", NULL},
    };
    double p[3] = {0.0}, q[4] = {1.0, 0.0, 0.0, 0.0};
    *frame = (StiFrame){.q = {1.0, 0.0, 0.0, 0.0}};
    if (node == NULL) return true;
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "%s must be {position: [x, y, z], attitude: [w, x, y, z]}", what);
        return false;
    }
    scene_check_keys(reader, node, what, keys, 2);
    const bool good = scene_vector_at(reader, node, "position", 3, 3, p);
    if (!scene_vector_at(reader, node, "attitude", 4, 4, q) || !good) return false;
    frame->p = sti_vec3(p[0], p[1], p[2]);
    frame->q = (StiQuat){q[0], q[1], q[2], q[3]};
    return true;
}

const Body *scene_body_named(Reader *reader, const Node *node, const char *what)
{
    if (node->type != NODE_SCALAR) {
        scene_error(reader, node->mark, "%s must be the name of a body, not %s", what, scene_node_type(node));
        return NULL;
    }
    const char *name = node->text;
    const Body *body = scene_find_body(reader, name);
    if (body != NULL) return body->id.index >= 0 ? body : NULL;
    if (scene_node_entry(scene_node_find(reader->root, "elements"), name) != NULL) {
        scene_error(reader, node->mark, "'%s' is an element; elements act on bodies and on penalty joints", name);
        return NULL;
    }
    const char **names = sti_arena_take(reader->arena, (size_t)reader->body_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < reader->body_count; ++i) names[i] = reader->bodies[i].name;
    const char *near = names != NULL ? scene_nearest(name, names, reader->body_count) : NULL;
    if (near != NULL)
        scene_error(reader, node->mark, "there is no body '%s'; did you mean '%s'?", name, near);
    else
        scene_error(reader, node->mark, "there is no body '%s'", name);
    return NULL;
}

static bool read_point(Reader *reader, const Node *node, const char *what, StiVec3 *point)
{
    double p[3] = {0.0};
    int count;
    if (node != NULL && !scene_vector(reader, node, what, 3, 3, p, &count)) return false;
    *point = sti_vec3(p[0], p[1], p[2]);
    return true;
}

// Points are of use where a rigid body is joined; elsewhere they would be read and forgotten.
static bool check_points(Reader *reader, const Node *node, const char *key, bool useful, const char *why)
{
    const Entry *entry = scene_node_entry(node, key);
    if (entry == NULL || useful) return true;
    scene_error(reader, entry->mark, "'%s' has no effect here: %s", key, why);
    return false;
}

static bool target_on_body(Reader *reader, const Node *node, const Body *body, Target *target)
{
    if (body->shape == BODY_ROBOT) {
        const Entry *on = scene_node_entry(node, "on");
        scene_error(reader, on->value->mark, "name a joint of the robot, for example '%s.%s'", body->name,
                    sti_robot_link(body->robot, 0)->joint_name);
        return false;
    }
    static const char why[] = "only rigid bodies are joined by points, the others by their coordinates";
    const bool rigid = body->shape == BODY_RIGID;
    StiVec3 at, anchor;
    bool good = check_points(reader, node, "at", rigid, why);
    good = check_points(reader, node, "anchor", rigid, why) && good;
    if (!good || !read_point(reader, scene_node_find(node, "at"), "at", &at) ||
        !read_point(reader, scene_node_find(node, "anchor"), "anchor", &anchor))
        return false;
    target->dim = body->dim;
    target->wire = rigid ? sti_wire_point(body->id, 0, at, anchor, 3) : sti_wire_coordinate(body->id, 0, body->dim);
    return true;
}

static bool read_point_pair(Reader *reader, const Node *at, StiVec3 points[2])
{
    points[0] = points[1] = sti_vec3(0.0, 0.0, 0.0);
    if (at == NULL) return true;
    if (at->type != NODE_LIST || at->count != 2 || at->items[0]->type != NODE_LIST) {
        scene_error(reader, at->mark, "with between, at must be a list of two points: [[x, y, z], [x, y, z]]");
        return false;
    }
    const bool good = read_point(reader, at->items[0], "at", &points[0]);
    return read_point(reader, at->items[1], "at", &points[1]) && good;
}

static bool join_coordinates(Reader *reader, const Node *pair, const Body *a, const Body *b, Target *target)
{
    if (a->dim != b->dim) {
        scene_error(reader, pair->mark, "%s has %d coordinate%s and %s has %d: they cannot be joined", a->name,
                    a->dim, a->dim > 1 ? "s" : "", b->name, b->dim);
        return false;
    }
    target->dim = a->dim;
    target->wire = sti_wire_coordinate_pair(a->id, 0, b->id, 0, a->dim);
    return true;
}

static bool target_between(Reader *reader, const Node *node, const Node *pair, Target *target)
{
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    const Body *a = scene_body_named(reader, pair->items[0], "an entry of between");
    const Body *b = scene_body_named(reader, pair->items[1], "an entry of between");
    if (a == NULL || b == NULL) return false;
    const bool rigid = a->shape == BODY_RIGID || b->shape == BODY_RIGID;
    bool good = a != b;
    if (!good) scene_error(reader, pair->mark, "between must be a list of two bodies, and these are the same");
    good = check_points(reader, node, "anchor", false, "between two bodies there is no ground") && good;
    good = check_points(reader, node, "at", rigid,
                        "only rigid bodies are joined by points, the others by their coordinates") &&
           good;
    StiVec3 points[2];
    if (!good || !read_point_pair(reader, scene_node_find(node, "at"), points)) return false;
    if (!rigid) return join_coordinates(reader, pair, a, b, target);
    target->dim = 3;
    target->wire = sti_wire_point_pair(a->id, 0, points[0], b->id, 0, points[1], 3);
    return true;
}

static bool target_on_joint(Reader *reader, const Node *node, const Element *joint, Target *target)
{
    bool good = true;
    for (int i = 0; i < 2; ++i)
        good = check_points(reader, node, i == 0 ? "at" : "anchor", false, "a joint is joined by its axis") && good;
    target->dim = 1;
    target->wire = joint->hinge;
    return good;
}

// A joint that could not be read has told so itself.
static bool is_joint(const Reader *reader, const char *name)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    const Node *kind = scene_node_find(scene_node_find(elements, name), "kind");
    return kind != NULL && kind->type == NODE_SCALAR && strcmp(kind->text, "penalty-joint") == 0;
}

static bool target_on_robot_joint(Reader *reader, const Node *node, const Body *robot, int link, Target *target)
{
    bool good = check_points(reader, node, "at", false, "a joint is joined by its coordinate");
    good = check_points(reader, node, "anchor", false, "a joint is joined by its coordinate") && good;
    target->wire = sti_wire_joint(robot->id, robot->robot, link);
    target->dim = target->wire.dim;
    target->robot = robot;
    target->link = link;
    return good;
}

static bool target_on(Reader *reader, const char *name, const Node *node, const Node *on, bool many,
                      Target *target)
{
    const Element *joint = on->type == NODE_SCALAR ? scene_find_element(reader, on->text) : NULL;
    target->name = name;
    if (many) {
        char full[256];
        snprintf(full, sizeof full, "%s.%s", on->type == NODE_SCALAR ? on->text : "", name);
        target->name = sti_arena_text(reader->arena, full);
    }
    if (joint != NULL && joint->joint) return target_on_joint(reader, node, joint, target);
    const Body *robot;
    const int link = on->type == NODE_SCALAR ? scene_find_joint(reader, on->text, &robot) : -1;
    if (link >= 0) return target_on_robot_joint(reader, node, robot, link, target);
    if (on->type == NODE_SCALAR && is_joint(reader, on->text)) return false;
    const Body *body = scene_body_named(reader, on, "on");
    return body != NULL && target_on_body(reader, node, body, target);
}

static bool named_before(const Node *list, int i)
{
    for (int j = 0; j < i; ++j)
        if (list->items[i]->type == NODE_SCALAR && list->items[j]->type == NODE_SCALAR &&
            strcmp(list->items[i]->text, list->items[j]->text) == 0)
            return true;
    return false;
}

const Target *scene_read_targets(Reader *reader, const char *name, const Node *node, int *count)
{
    const Node *on = scene_node_find(node, "on"), *between = scene_node_find(node, "between");
    if ((on == NULL) == (between == NULL)) {
        scene_error(reader, node->mark, "'%s' needs either 'on: BODY' or 'between: [A, B]'%s", name,
                    on != NULL ? ", not both" : "");
        return NULL;
    }
    const bool many = on != NULL && on->type == NODE_LIST;
    *count = many ? on->count : 1;
    if (*count == 0) scene_error(reader, on->mark, "on names no body");
    Target *targets = sti_arena_take(reader->arena, (size_t)*count + 1, sizeof *targets);
    if (targets == NULL || *count == 0) return NULL;
    bool good = true;
    targets[0].name = name;
    if (between != NULL) good = target_between(reader, node, between, &targets[0]);
    for (int i = 0; on != NULL && i < *count; ++i) {
        const Node *item = many ? on->items[i] : on;
        if (many && named_before(on, i)) {
            scene_error(reader, item->mark, "on names '%s' twice", item->text);
            return NULL; // once is enough
        }
        good = target_on(reader, name, node, item, many, &targets[i]) && good;
    }
    return good ? targets : NULL;
}
