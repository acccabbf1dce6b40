// What a scene says and nothing does: a warning each, with numbers.
#include <stdio.h>
#include <string.h>

#include "read/robots.h"
#include "read/sections.h"

// ---- limits -------------------------------------------------------------------------------------------------

static bool is_limit(const Node *element)
{
    const Node *kind = element->type == NODE_MAP ? scene_node_find(element, "kind") : NULL;
    return kind != NULL && kind->type == NODE_SCALAR && strcmp(kind->text, "joint-limit") == 0;
}

static bool names(const Node *on, const char *joint)
{
    for (int i = 0; on != NULL && on->type == NODE_LIST && i < on->count; ++i)
        if (names(on->items[i], joint)) return true;
    return on != NULL && on->type == NODE_SCALAR && strcmp(on->text, joint) == 0;
}

static bool is_stopped(Reader *reader, const char *joint)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    for (int i = 0; elements != NULL && i < elements->count; ++i) {
        const Node *element = elements->entries[i].value;
        if (is_limit(element) &&
            names(scene_spread_joints(reader, scene_node_find(element, "on")), joint))
            return true;
    }
    return false;
}

// Limits that stand in the scene itself; those of model files are often there for planners only.
static const Node *limits_of(const Body *body, const char *joint)
{
    const Node *links = scene_node_find(body->node, "links"),
               *joints = scene_node_find(body->node, "joints");
    const Node *limits = scene_node_find(scene_node_find(joints, joint), "limits");
    for (int i = 0; limits == NULL && links != NULL && links->type == NODE_LIST && i < links->count;
         ++i) {
        const Node *name = scene_node_find(links->items[i], "joint");
        if (name != NULL && name->type == NODE_SCALAR && strcmp(name->text, joint) == 0)
            limits = scene_node_find(links->items[i], "limits");
    }
    return limits;
}

static void warn_of_limits(Reader *reader, const Body *body)
{
    const Node *first = NULL;
    const StiLink *link = NULL;
    int count = 0;
    for (int i = 0; i < sti_robot_links(body->robot); ++i) {
        const StiLink *l = sti_robot_link(body->robot, i);
        char joint[256];
        if (!l->limited || l->joint_name == NULL) continue;
        const Node *limits = limits_of(body, l->joint_name);
        snprintf(joint, sizeof joint, "%s.%s", body->name, l->joint_name);
        if (limits == NULL || is_stopped(reader, joint)) continue;
        if (count++ == 0) first = limits, link = l;
    }
    if (count == 0) return;
    scene_message(reader->messages, STI_WARNING, first->mark,
                  "nothing stops %s.%s at %g and %g%s: add an element {kind: joint-limit, on: "
                  "%s.%s, stiffness: ..., damping: ...}",
                  body->name, link->joint_name, link->lower, link->upper,
                  count > 1 ? ", nor other joints at their limits" : "", body->name,
                  link->joint_name);
}

// ---- gravity ------------------------------------------------------------------------------------------------

static void warn_of_gravity(Reader *reader, const Body *body, const double g[3])
{
    static const char axes[] = "xyz";
    const Node *kind = scene_node_find(body->node, "kind");
    bool acts = false, lost = false;
    if (kind == NULL || strcmp(kind->text, "point") != 0) return;
    for (int i = 0; i < 3; ++i) {
        acts = acts || (i < body->dim && g[i] != 0.0);
        lost = lost || (i >= body->dim && g[i] != 0.0);
    }
    if (acts || !lost) return;
    scene_message(
        reader->messages, STI_WARNING, body->node->mark,
        "gravity [%g, %g, %g] m/s^2 does not act on '%s', which moves along %.*s%s only: give it "
        "more dimensions, or a force",
        g[0], g[1], g[2], body->name, 1, axes, body->dim > 1 ? " and y" : "");
}

void scene_warn_of_traps(Reader *reader)
{
    const Node *gravity = scene_node_find(reader->root, "gravity");
    double g[3] = {0.0};
    int count = 0;
    const bool pulled = gravity != NULL && gravity->type == NODE_LIST &&
                        scene_vector(reader, gravity, "gravity", 1, 3, g, &count);
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *body = &reader->bodies[i];
        if (body->shape == BODY_ROBOT && body->robot != NULL) warn_of_limits(reader, body);
        if (body->shape == BODY_COORDINATES && pulled) warn_of_gravity(reader, body, g);
    }
}
