// What an element acts on: on: BODY, on: [A, B], on: JOINT, between: [A, B].
#include <stdio.h>
#include <string.h>

#include "reader.h"

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
    if (!scene_check_keys(reader, node, what, keys, 2) ||
        !scene_vector_at(reader, node, "position", 3, 3, p) ||
        !scene_vector_at(reader, node, "attitude", 4, 4, q))
        return false;
    frame->p = sti_vec3(p[0], p[1], p[2]);
    frame->q = (StiQuat){q[0], q[1], q[2], q[3]};
    return true;
}

// The body of a name; NULL after a message with the nearest one.
static const Body *body_named(Reader *reader, const Node *node)
{
    const char *name;
    if (!scene_text(reader, node, "a body", &name)) return NULL;
    const Body *body = scene_find_body(reader, name);
    if (body != NULL && body->id.index >= 0) return body;
    if (body != NULL) return NULL; // its own error is known already
    const char *names[64];
    const int count = reader->body_count < 64 ? reader->body_count : 64;
    for (int i = 0; i < count; ++i) names[i] = reader->bodies[i].name;
    const char *near = scene_nearest(name, names, count);
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

static bool target_on_body(Reader *reader, const Node *node, const Body *body, Target *target)
{
    StiVec3 at, anchor;
    if (!read_point(reader, scene_node_find(node, "at"), "at", &at) ||
        !read_point(reader, scene_node_find(node, "anchor"), "anchor", &anchor))
        return false;
    target->dim = body->dim;
    target->wire = body->shape == BODY_RIGID ? sti_wire_point(body->id, 0, at, anchor, 3)
                                             : sti_wire_coordinate(body->id, 0, body->dim);
    return true;
}

static bool target_between(Reader *reader, const Node *node, const Node *pair, Target *target)
{
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    const Body *a = body_named(reader, pair->items[0]), *b = body_named(reader, pair->items[1]);
    if (a == NULL || b == NULL) return false;
    const Node *at = scene_node_find(node, "at");
    if (at != NULL && (at->type != NODE_LIST || at->count != 2 || at->items[0]->type != NODE_LIST)) {
        scene_error(reader, at->mark, "with between, at must be a list of two points: [[x, y, z], [x, y, z]]");
        return false;
    }
    StiVec3 at_a, at_b;
    if (!read_point(reader, at != NULL ? at->items[0] : NULL, "at", &at_a) ||
        !read_point(reader, at != NULL ? at->items[1] : NULL, "at", &at_b))
        return false;
    if (a->shape == BODY_RIGID || b->shape == BODY_RIGID) {
        target->dim = 3;
        target->wire = sti_wire_point_pair(a->id, 0, at_a, b->id, 0, at_b, 3);
        return true;
    }
    if (a->dim != b->dim) {
        scene_error(reader, pair->mark, "%s has %d coordinate(s) and %s has %d: they cannot be joined", a->name,
                    a->dim, b->name, b->dim);
        return false;
    }
    target->dim = a->dim;
    target->wire = sti_wire_coordinate_pair(a->id, 0, b->id, 0, a->dim);
    return true;
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
    if (joint != NULL && joint->joint) {
        target->dim = 1;
        target->wire = joint->hinge;
        return true;
    }
    const Body *body = body_named(reader, on);
    return body != NULL && target_on_body(reader, node, body, target);
}

const Target *scene_read_targets(Reader *reader, const char *name, const Node *node, int *count)
{
    const Node *on = scene_node_find(node, "on"), *between = scene_node_find(node, "between");
    if ((on == NULL) == (between == NULL)) {
        scene_error(reader, node->mark, "%s needs either 'on: BODY' or 'between: [A, B]'", name);
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
    for (int i = 0; on != NULL && i < *count; ++i)
        good = target_on(reader, name, node, many ? on->items[i] : on, many, &targets[i]) && good;
    return good ? targets : NULL;
}
