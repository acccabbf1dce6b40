// What an element acts on: on: BODY, on: [A, B], on: ROBOT.JOINT, on: ROBOT.LINK, between: [A, B].
#include <stdio.h>
#include <string.h>

#include "yaml/places.h"

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
        scene_error(reader, node->mark, "%s must be {position: [x, y, z], attitude: [w, x, y, z]}",
                    what);
        return false;
    }
    scene_check_keys(reader, node, what, keys, 2);
    const bool good = scene_vector_at(reader, node, "position", 3, 3, p);
    if (!scene_attitude_at(reader, node, q) || !good) return false;
    frame->p = sti_vec3(p[0], p[1], p[2]);
    frame->q = (StiQuat){q[0], q[1], q[2], q[3]};
    return true;
}

static bool read_point(Reader *reader, const Node *node, const char *what, StiVec3 *point)
{
    double p[3] = {0.0};
    int count;
    if (node != NULL && !scene_vector(reader, node, what, 3, 3, p, &count)) return false;
    *point = sti_vec3(p[0], p[1], p[2]);
    return true;
}

// Points are of use where a rigid body or a link is joined; elsewhere they would be read and forgotten.
static bool check_points(Reader *reader, const Node *node, const char *key, bool useful,
                         const char *why)
{
    const Entry *entry = scene_node_entry(node, key);
    if (entry == NULL || useful) return true;
    scene_error(reader, entry->mark, "'%s' has no effect here: %s", key, why);
    return false;
}

static const char *why_no_points(const Place *place)
{
    if (place->type == PLACE_HINGE) return "a joint is joined by its axis";
    if (place->joint || place->type == PLACE_PAIR) return "a joint is joined by its coordinate";
    return "only rigid bodies and links are joined by points, the others by their coordinates";
}

// Friction acts at the surface of a pin, all else along the joint's own coordinate.
static bool target_pair(Reader *reader, const Node *node, const Place *place, Target *target)
{
    static const StiVec3 origin = {0.0, 0.0, 0.0};
    const StiLinkage *linkage = place->body->linkage;
    const StiPlanarPair *pair = sti_linkage_pair(linkage, place->pair);
    const Node *kind = scene_node_find(node, "kind");
    const bool rubs =
        kind != NULL && kind->type == NODE_SCALAR && strcmp(kind->text, "friction") == 0;
    const bool free = pair->type == STI_PAIR_REVOLUTE || pair->type == STI_PAIR_PRISMATIC ||
                      pair->type == STI_PAIR_SLOT || pair->type == STI_PAIR_DISC;
    if (!free || (rubs && pair->type == STI_PAIR_REVOLUTE && pair->radius == 0.0)) {
        scene_error(reader, node->mark,
                    free ? "'%s' has no radius: give the joint the radius at which its pin rubs"
                         : "'%s' leaves nothing free: no element can act along it",
                    pair->name);
        return false;
    }
    target->linkage = place->body;
    target->pair = place->pair;
    target->wire =
        sti_wire_point(place->body->id,
                       rubs ? sti_linkage_surface_link(linkage, place->pair) : place->link, origin,
                       origin, 1);
    return true;
}

static bool target_on(Reader *reader, const Node *node, const Place *place, Target *target)
{
    const bool points = place->type == PLACE_POINT;
    StiVec3 at, anchor;
    bool good = check_points(reader, node, "at", points, why_no_points(place));
    good = check_points(reader, node, "anchor", points, why_no_points(place)) && good;
    if (!good || !read_point(reader, scene_node_find(node, "at"), "at", &at) ||
        !read_point(reader, scene_node_find(node, "anchor"), "anchor", &anchor))
        return false;
    target->place = place->name;
    target->dim = place->dim;
    if (place->type == PLACE_PAIR) return target_pair(reader, node, place, target);
    target->robot = place->joint ? place->body : NULL;
    target->link = place->link;
    if (place->type == PLACE_HINGE)
        target->wire = place->hinge;
    else if (points)
        target->wire = sti_wire_point(place->body->id, place->link, at, anchor, 3);
    else {
        target->wire = sti_wire_coordinate(place->body->id, 0, place->dim);
        target->wire.a = place->end;
    }
    return true;
}

static bool read_point_pair(Reader *reader, const Node *at, StiVec3 points[2])
{
    points[0] = points[1] = sti_vec3(0.0, 0.0, 0.0);
    if (at == NULL) return true;
    if (at->type != NODE_LIST || at->count != 2 || at->items[0]->type != NODE_LIST) {
        scene_error(reader, at->mark,
                    "with between, at must be a list of two points: [[x, y, z], [x, y, z]]");
        return false;
    }
    const bool good = read_point(reader, at->items[0], "at", &points[0]);
    return read_point(reader, at->items[1], "at", &points[1]) && good;
}

static bool join_coordinates(Reader *reader, const Node *pair, const Place *a, const Place *b,
                             Target *target)
{
    if (a->dim != b->dim) {
        scene_error(reader, pair->mark,
                    "%s has %d coordinate%s and %s has %d: they cannot be joined", a->name, a->dim,
                    a->dim > 1 ? "s" : "", b->name, b->dim);
        return false;
    }
    target->dim = a->dim;
    target->wire = sti_wire_coordinate_pair(a->body->id, 0, b->body->id, 0, a->dim);
    target->wire.a = a->end;
    target->wire.b = b->end;
    return true;
}

static bool same_place(const Place *a, const Place *b)
{
    return a->body == b->body && a->type == b->type && a->link == b->link &&
           a->end.place == b->end.place;
}

static bool pair_named(Reader *reader, const Node *pair, bool points_given, Place places[2])
{
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        const Node *item = pair->items[i];
        bool found =
            scene_place_named(reader, item, "an entry of between", points_given, &places[i]);
        if (found && places[i].type == PLACE_PAIR) {
            scene_error(reader, item->mark, "'%s' is a joint of a linkage: it is used with 'on'",
                        item->text);
            found = false;
        }
        if (found && places[i].type == PLACE_HINGE) {
            scene_error(reader, item->mark,
                        "'%s' is an element; elements act on bodies and on penalty joints",
                        item->text);
            found = false;
        }
        good = found && good;
    }
    return good;
}

// A joint's coordinate and a point in space have nothing to measure between them.
static bool joins_unlike(Reader *reader, const Node *pair, const Place places[2])
{
    for (int i = 0; i < 2; ++i) {
        if (!places[i].joint || places[1 - i].type != PLACE_POINT) continue;
        scene_error(reader, pair->mark,
                    "%s is a joint and %s is joined by a point: they cannot be joined",
                    places[i].name, places[1 - i].name);
        return true;
    }
    return false;
}

static bool target_between(Reader *reader, const Node *node, const Node *pair, Target *target)
{
    Place places[2];
    StiVec3 points[2];
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    if (!pair_named(reader, pair, scene_node_entry(node, "at") != NULL, places)) return false;
    const Place *a = &places[0], *b = &places[1];
    const bool pointed = a->type == PLACE_POINT || b->type == PLACE_POINT;
    bool good = !same_place(a, b);
    if (!good)
        scene_error(reader, pair->mark,
                    "between must be a list of two bodies, and these are the same");
    good = check_points(reader, node, "anchor", false, "between two bodies there is no ground") &&
           good;
    good = check_points(reader, node, "at", pointed, why_no_points(a)) && good;
    if (!good || !read_point_pair(reader, scene_node_find(node, "at"), points)) return false;
    if (!pointed) return join_coordinates(reader, pair, a, b, target);
    if (joins_unlike(reader, pair, places)) return false;
    target->dim = 3;
    target->wire =
        sti_wire_point_pair(a->body->id, a->link, points[0], b->body->id, b->link, points[1], 3);
    return true;
}

const char *scene_name_on(Reader *reader, const char *name, const Node *on)
{
    char full[256];
    snprintf(full, sizeof full, "%s.%s", on->type == NODE_SCALAR ? on->text : "", name);
    return sti_arena_text(reader->arena, full);
}

bool scene_named_before(const Node *list, int i)
{
    for (int j = 0; j < i; ++j)
        if (list->items[i]->type == NODE_SCALAR && list->items[j]->type == NODE_SCALAR &&
            strcmp(list->items[i]->text, list->items[j]->text) == 0)
            return true;
    return false;
}

// "arm.joints" stands for the list of all joints of the robot that have one coordinate.
const Node *scene_spread_joints(Reader *reader, const Node *on)
{
    const char *dot = on != NULL && on->type == NODE_SCALAR ? strrchr(on->text, '.') : NULL;
    if (dot == NULL || strcmp(dot, ".joints") != 0) return on;
    char *owner = sti_arena_text(reader->arena, on->text);
    if (owner == NULL) return on;
    owner[dot - on->text] = '\0';
    const Body *body = scene_find_body(reader, owner);
    if (body == NULL || body->robot == NULL) return on;
    const int links = sti_robot_links(body->robot);
    Node *list = sti_arena_take(reader->arena, 1, sizeof *list);
    Node *names = sti_arena_take(reader->arena, (size_t)links + 1, sizeof *names);
    Node **items = sti_arena_take(reader->arena, (size_t)links + 1, sizeof *items);
    if (list == NULL || names == NULL || items == NULL) return on;
    *list = (Node){.type = NODE_LIST, .mark = on->mark, .items = items};
    for (int i = 0; i < links; ++i) {
        const StiLink *link = sti_robot_link(body->robot, i);
        char name[256];
        if (link->joint != STI_JOINT_REVOLUTE && link->joint != STI_JOINT_PRISMATIC) continue;
        snprintf(name, sizeof name, "%s.%s", owner, link->joint_name);
        names[i] = (Node){.type = NODE_SCALAR,
                          .mark = on->mark,
                          .text = sti_arena_text(reader->arena, name)};
        items[list->count++] = &names[i];
    }
    return list;
}

const Target *scene_read_targets(Reader *reader, const char *name, const Node *node, int *count)
{
    const Node *on = scene_spread_joints(reader, scene_node_find(node, "on")),
               *between = scene_node_find(node, "between");
    const bool point_given =
        scene_node_entry(node, "at") != NULL || scene_node_entry(node, "anchor") != NULL;
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
        Place place;
        if (many && scene_named_before(on, i)) {
            scene_error(reader, item->mark, "on names '%s' twice", item->text);
            return NULL; // once is enough
        }
        targets[i].name = many ? scene_name_on(reader, name, item) : name;
        good = scene_place_named(reader, item, "on", point_given, &place) &&
               target_on(reader, node, &place, &targets[i]) && good;
    }
    return good ? targets : NULL;
}
