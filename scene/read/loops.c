#include "read/loops.h"

#include <math.h>
#include <string.h>

#include "stiction/elementary.h"
#include "yaml/places.h"

static const char *const type_words[] = {"point",  "hinge",       "universal", "fixed",
                                         "slider", "cylindrical", "line",      "plane",
                                         "rod",    NULL}; // as StiLoopType

const Key scene_loop_keys[SCENE_LOOP_KEYS] = {
    {"kind", VALUE_TEXT, true, "loop", NULL},
    {"type", VALUE_WORD, true, "what is kept together", type_words},
    {"on", VALUE_BODY, false, "a rigid body, a point or a link: against the world", NULL},
    {"between", VALUE_PAIR, false, "two rigid bodies, points or links", NULL},
    {"at", VALUE_POINTS, false, "where, in body axes; with between: a list of two points, m", NULL},
    {"anchor", VALUE_VECTOR, false, "with on: the point of the world, m", NULL},
    {"axis", VALUE_POINTS, false,
     "the z axes of both frames, in axes of their bodies (of the world): one vector, or a list of two",
     NULL},
    {"frame_a", VALUE_FRAME, false, "in place of at and axis: on the first body", NULL},
    {"frame_b", VALUE_FRAME, false, "the same on the second body, or in the world", NULL},
    {"length", VALUE_NUMBER, false, "of a rod, m; default: as far apart as they start", NULL},
};

static bool loop_place(Reader *reader, const Node *node, const char *what, StiLoopEnd *end)
{
    Place place;
    if (!scene_place_named(reader, node, what, true, &place)) return false;
    const bool point = place.type == PLACE_COORDINATES && !place.joint && place.body != NULL &&
                       place.body->shape == BODY_COORDINATES;
    if (place.type != PLACE_POINT && !point) {
        scene_error(reader, node->mark,
                    "a loop joins rigid bodies, points and links; %s is none of them", node->text);
        return false;
    }
    end->body = place.body->id;
    end->link = point ? 0 : place.link;
    return true;
}

static bool read_ends(Reader *reader, const char *name, const Node *node, StiLoop *loop)
{
    const Node *on = scene_node_find(node, "on"), *pair = scene_node_find(node, "between");
    if ((on == NULL) == (pair == NULL)) {
        scene_error(reader, node->mark, "'%s' needs either 'on: BODY' or 'between: [A, B]'%s", name,
                    on != NULL ? ", not both" : "");
        return false;
    }
    loop->b.body = STI_GROUND;
    if (on != NULL) return loop_place(reader, on, "on", &loop->a);
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    const bool good = loop_place(reader, pair->items[0], "an entry of between", &loop->a);
    if (!loop_place(reader, pair->items[1], "an entry of between", &loop->b) || !good) return false;
    if (loop->a.body.number != loop->b.body.number || loop->a.link != loop->b.link) return true;
    scene_error(reader, pair->mark, "between must be a list of two bodies, and these are the same");
    return false;
}

// One vector, or one for each end; false after a message.
static bool read_vectors(Reader *reader, const Node *node, const char *what, StiVec3 to[2])
{
    double p[3];
    int count;
    const bool two = node->type == NODE_LIST && node->count == 2 && node->items[0]->type == NODE_LIST;
    for (int i = 0; i < 2; ++i) {
        if (!scene_vector(reader, two ? node->items[i] : node, what, 3, 3, p, &count)) return false;
        to[i] = sti_vec3(p[0], p[1], p[2]);
    }
    return true;
}

// The shortest turn that takes z to the axis.
static StiQuat turn_to(StiVec3 axis)
{
    const double length = sti_vec3_norm(axis);
    const StiVec3 e = sti_vec3_scale(1.0 / length, axis);
    if (e.z < -1.0 + 1e-12) return (StiQuat){0.0, 1.0, 0.0, 0.0};
    return sti_quat_normalise((StiQuat){1.0 + e.z, -e.y, e.x, 0.0});
}

static bool read_points(Reader *reader, const Node *node, StiLoop *loop)
{
    const Node *at = scene_node_find(node, "at"), *anchor = scene_node_find(node, "anchor");
    const bool grounded = loop->b.body.number == STI_GROUND.number;
    StiVec3 points[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (anchor != NULL && !grounded) {
        scene_error(reader, anchor->mark, "'anchor' belongs to 'on'; with between, at has two points");
        return false;
    }
    if (at != NULL && !grounded &&
        (at->type != NODE_LIST || at->count != 2 || at->items[0]->type != NODE_LIST)) {
        scene_error(reader, at->mark,
                    "with between, at must be a list of two points: [[x, y, z], [x, y, z]]");
        return false;
    }
    if (at != NULL && !read_vectors(reader, at, "at", points)) return false;
    if (grounded) points[1] = sti_vec3(0.0, 0.0, 0.0);
    if (anchor != NULL) {
        StiVec3 both[2];
        if (!read_vectors(reader, anchor, "anchor", both)) return false;
        points[1] = both[0];
    }
    loop->a.frame.p = points[0];
    loop->b.frame.p = points[1];
    return true;
}

static bool read_axes(Reader *reader, const Node *node, StiLoop *loop)
{
    const Node *axis = scene_node_find(node, "axis");
    StiVec3 axes[2] = {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}};
    if (axis != NULL && !read_vectors(reader, axis, "axis", axes)) return false;
    if (!(sti_vec3_norm(axes[0]) > 0.0) || !(sti_vec3_norm(axes[1]) > 0.0)) {
        scene_error(reader, axis->mark, "an axis must not be zero");
        return false;
    }
    loop->a.frame.q = turn_to(axes[0]);
    loop->b.frame.q = turn_to(axes[1]);
    return true;
}

static bool read_frames(Reader *reader, const Node *node, StiLoop *loop)
{
    const Node *frame_a = scene_node_find(node, "frame_a"), *frame_b = scene_node_find(node, "frame_b");
    const char *others[] = {"at", "anchor", "axis"};
    if (frame_a == NULL && frame_b == NULL)
        return read_points(reader, node, loop) && read_axes(reader, node, loop);
    for (int i = 0; i < 3; ++i)
        if (scene_node_entry(node, others[i]) != NULL) {
            scene_error(reader, scene_node_entry(node, others[i])->mark,
                        "'%s' and frames say the same: give one of them", others[i]);
            return false;
        }
    return scene_read_frame(reader, frame_a, "frame_a", &loop->a.frame) &&
           scene_read_frame(reader, frame_b, "frame_b", &loop->b.frame);
}

void scene_read_loop(Reader *reader, const char *name, const Node *node, bool complete)
{
    StiLoop loop = {0};
    const Node *type = scene_node_find(node, "type"), *length = scene_node_find(node, "length");
    const int word = type != NULL ? scene_word(reader, type, "type of loop", type_words) : -1;
    bool good = read_ends(reader, name, node, &loop) && word >= 0;
    if (!good || !read_frames(reader, node, &loop)) return;
    loop.type = (StiLoopType)word;
    good = scene_number_at(reader, node, "length", &loop.length) && complete;
    if (length != NULL && loop.type != STI_LOOP_ROD) {
        scene_error(reader, length->mark, "'length' belongs to 'type: rod'");
        good = false;
    }
    if (!good) return;
    const bool slides = loop.type == STI_LOOP_SLIDER || loop.type == STI_LOOP_CYLINDRICAL;
    scene_add_element(
        reader,
        (Element){.name = name,
                  .entry = name,
                  .node = node,
                  .joint = loop.type == STI_LOOP_HINGE || slides,
                  .forces = sti_loop_rows(loop.type),
                  .constraint = sti_plan_add_loop(reader->plan, name, &loop),
                  .hinge = (slides ? sti_wire_slide : sti_wire_hinge)(
                      loop.a.body, loop.a.link, loop.a.frame, loop.b.body, loop.b.link, loop.b.frame)});
}
