// The parts of a linkage: bodies, joints, drivers.
#include "read/linkage_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const joint_types[] = {"revolute", "prismatic", "fixed", "slot", "disc",
                                          "rolling",  "rod",       "gear",  NULL};

static const Key body_keys[] = {
    {"mass", VALUE_NUMBER, true, "kg", NULL},
    {"inertia", VALUE_NUMBER, true, "about the centre of mass, kg m^2", NULL},
    {"position", VALUE_VECTOR, false, "of the centre of mass at the start, x, y, m: a guess", NULL},
    {"angle", VALUE_NUMBER, false, "at the start, rad", NULL},
    {"velocity", VALUE_VECTOR, false, "at the start, m/s", NULL},
    {"rate", VALUE_NUMBER, false, "at the start, rad/s", NULL},
};
static const Key joint_keys[] = {
    {"type", VALUE_WORD, true, "revolute, prismatic, fixed, slot, disc, rolling, rod, gear",
     joint_types},
    {"on", VALUE_BODY, false, "a body, against the ground", NULL},
    {"between", VALUE_PAIR, false, "two bodies; the second carries the line", NULL},
    {"at", VALUE_POINTS, false,
     "[x, y] of the body, from its centre of mass; with between: two points", NULL},
    {"anchor", VALUE_VECTOR, false, "with on: [x, y] of the ground", NULL},
    {"direction", VALUE_NUMBER, false, "of the line against the x axis of what carries it, rad",
     NULL},
    {"radius", VALUE_NUMBER, false, "of the pin, where it rubs, or of the disc, m", NULL},
    {"length", VALUE_NUMBER, false, "of the slider, half to each side of its point; of the rod, m",
     NULL},
    {"corners", VALUE_VECTOR, false, "in place of length: [rear, front] of the slider, m", NULL},
    {"ratio", VALUE_NUMBER, false, "gear: radius of the second over radius of the first", NULL},
    {"torque_only", VALUE_TRUTH, false, "revolute: only the torque of friction acts (Haug)", NULL},
};
static const Key driver_keys[] = {
    {"on", VALUE_TEXT, true, "a joint of this linkage", NULL},
    {"value", VALUE_FUNCTION, true, "its angle or path as a function of time, rad or m", NULL},
    {"rate", VALUE_FUNCTION, false, "the derivative of value; default: by differences", NULL},
    {"acceleration", VALUE_FUNCTION, false, "the second derivative; default: by differences", NULL},
    {"breaks", VALUE_NUMBERS, false, "times where value has a kink, s", NULL},
};

static bool is_map(LinkageDraft *d, const Node *node, const char *what)
{
    if (node == NULL || node->type == NODE_MAP) return true;
    scene_error(d->reader, node->mark, "%s must be a map of names, not %s", what,
                scene_node_type(node));
    return false;
}

static StiVec2 vec2(const double *v) { return (StiVec2){v[0], v[1]}; }

static bool read_body(LinkageDraft *d, const Entry *entry, StiPlanarBody *to)
{
    Reader *reader = d->reader;
    double position[2] = {0.0}, velocity[2] = {0.0};
    *to = (StiPlanarBody){.name = entry->key};
    if (!is_map(d, entry->value, "a planar body")) return false;
    bool good = scene_check_keys(reader, entry->value, "a planar body", body_keys,
                                 sizeof body_keys / sizeof(Key));
    good = scene_number_at(reader, entry->value, "mass", &to->mass) && good;
    good = scene_number_at(reader, entry->value, "inertia", &to->inertia) && good;
    good = scene_vector_at(reader, entry->value, "position", 2, 2, position) && good;
    good = scene_vector_at(reader, entry->value, "velocity", 2, 2, velocity) && good;
    good = scene_number_at(reader, entry->value, "angle", &to->angle) && good;
    good = scene_number_at(reader, entry->value, "rate", &to->rate) && good;
    to->position = vec2(position);
    to->velocity = vec2(velocity);
    return good;
}

static bool body_named(LinkageDraft *d, const Node *node, int *index)
{
    const char *name,
        **names = sti_arena_take(d->reader->arena, (size_t)d->body_count + 1, sizeof *names);
    if (names == NULL || !scene_text(d->reader, node, "a body of the linkage", &name)) return false;
    for (int i = 0; i < d->body_count; ++i) {
        names[i] = d->bodies[i].name;
        if (strcmp(names[i], name) == 0) return *index = i, true;
    }
    const char *near = scene_nearest(name, names, d->body_count);
    scene_error(d->reader, node->mark, "the linkage '%s' has no body '%s'%s%s%s", d->name, name,
                near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                near != NULL ? "'?" : "");
    return false;
}

static bool read_vec2(LinkageDraft *d, const Node *node, const char *what, StiVec2 *to)
{
    double p[2];
    int count;
    if (!scene_vector(d->reader, node, what, 2, 2, p, &count)) return false;
    *to = vec2(p);
    return true;
}

static bool read_points(LinkageDraft *d, const Node *node, bool two, StiPlanarPair *to)
{
    const Node *at = scene_node_find(node, "at");
    const Entry *anchor = scene_node_entry(node, "anchor");
    if (two && anchor != NULL) {
        scene_error(d->reader, anchor->mark,
                    "'anchor' is a point of the ground; with between, 'at' has two points");
        return false;
    }
    if (anchor != NULL && !read_vec2(d, anchor->value, "anchor", &to->at_other)) return false;
    if (at == NULL) return true;
    if (!two) return read_vec2(d, at, "at", &to->at);
    if (at->type != NODE_LIST || at->count != 2 || at->items[0]->type != NODE_LIST) {
        scene_error(d->reader, at->mark,
                    "with between, at must be a list of two points: [[x, y], [x, y]]");
        return false;
    }
    return read_vec2(d, at->items[0], "at", &to->at) &&
           read_vec2(d, at->items[1], "at", &to->at_other);
}

static bool read_sides(LinkageDraft *d, const Entry *entry, StiPlanarPair *to, bool *two)
{
    const Node *on = scene_node_find(entry->value, "on"),
               *pair = scene_node_find(entry->value, "between");
    *two = pair != NULL;
    to->other = -1;
    if ((on == NULL) == (pair == NULL)) {
        scene_error(d->reader, entry->mark, "'%s' needs either 'on: BODY' or 'between: [A, B]'%s",
                    entry->key, on != NULL ? ", not both" : "");
        return false;
    }
    if (on != NULL) return body_named(d, on, &to->body);
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(d->reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    return body_named(d, pair->items[0], &to->body) && body_named(d, pair->items[1], &to->other);
}

static bool read_length(LinkageDraft *d, const Node *node, StiPlanarPair *to)
{
    double corners[2] = {0.0};
    bool good = scene_number_at(d->reader, node, "length", &to->length);
    good = scene_vector_at(d->reader, node, "corners", 2, 2, corners) && good;
    const bool given = scene_node_find(node, "corners") != NULL;
    to->rear = given ? corners[0] : 0.5 * to->length;
    to->front = given ? corners[1] : 0.5 * to->length;
    return good;
}

static bool read_joint(LinkageDraft *d, const Entry *entry, StiPlanarPair *to)
{
    Reader *reader = d->reader;
    bool two = false;
    *to = (StiPlanarPair){.name = entry->key, .other = -1};
    if (!is_map(d, entry->value, "a joint of a linkage")) return false;
    const Node *node = entry->value, *only = scene_node_find(node, "torque_only");
    if (!scene_check_keys(reader, node, "a joint of a linkage", joint_keys,
                          sizeof joint_keys / sizeof(Key)))
        return false;
    const int word =
        scene_word(reader, scene_node_find(node, "type"), "type of joint", joint_types);
    bool good = read_sides(d, entry, to, &two) && word >= 0;
    if (word >= 0) to->type = (StiPlanarPairType)word;
    good = read_points(d, node, two, to) && good;
    good = scene_number_at(reader, node, "direction", &to->direction) && good;
    good = scene_number_at(reader, node, "radius", &to->radius) && good;
    good = scene_number_at(reader, node, "ratio", &to->ratio) && good;
    good = (only == NULL || scene_truth(reader, only, "torque_only", &to->torque_only)) && good;
    return read_length(d, node, to) && good;
}

// Value and rate when the run starts: assembly needs them.
static bool look_at_start(LinkageDraft *d, StiTimeFunction function, StiDriver *driver)
{
    double start = 0.0, values[3] = {0.0};
    if (!scene_number_at(d->reader, d->reader->root, "start", &start)) return false;
    if (d->reader->arena->failed) return false;
    void *workspace = function.open != NULL ? function.open(function.data) : NULL;
    if (function.open != NULL && workspace == NULL) {
        scene_error(d->reader, d->reader->root->mark, "out of memory");
        return false;
    }
    function.eval(function.data, workspace, start, values);
    if (function.close != NULL) function.close(workspace);
    driver->value = values[0];
    driver->rate = values[1];
    return true;
}

static bool read_driver(LinkageDraft *d, const Entry *entry, StiDriver *to,
                        StiTimeFunction *function)
{
    static const char *const keys[3] = {"value", "rate", "acceleration"};
    Reader *reader = d->reader;
    Piece pieces[3];
    double breaks[64];
    const char *joint;
    int given = 0, break_count = 0;
    *to = (StiDriver){.name = entry->key, .pair = -1};
    if (!is_map(d, entry->value, "a driver")) return false;
    const Node *node = entry->value, *on = scene_node_find(node, "on"),
               *times = scene_node_find(node, "breaks");
    if (!scene_check_keys(reader, node, "a driver", driver_keys, sizeof driver_keys / sizeof(Key)))
        return false;
    if (!scene_text(reader, on, "on", &joint)) return false;
    for (int i = 0; i < d->pair_count; ++i)
        if (strcmp(d->pairs[i].name, joint) == 0) to->pair = i;
    if (to->pair < 0) {
        scene_error(reader, on->mark, "the linkage '%s' has no joint '%s'", d->name, joint);
        return false;
    }
    if (times != NULL && !scene_vector(reader, times, "breaks", 1, 64, breaks, &break_count))
        return false;
    for (; given < 3 && scene_node_find(node, keys[given]) != NULL; ++given)
        if (!scene_read_piece(reader, scene_node_find(node, keys[given]), keys[given],
                              &pieces[given]))
            return false;
    if (given == 1 && scene_node_entry(node, "acceleration") != NULL) {
        scene_error(reader, scene_node_entry(node, "acceleration")->mark,
                    "'acceleration' needs 'rate', too");
        return false;
    }
    *function = scene_drive_function(reader, pieces, given, breaks, break_count);
    return look_at_start(d, *function, to);
}

static void *take(LinkageDraft *d, const Node *map, size_t size)
{
    return sti_arena_take(d->reader->arena, map != NULL ? (size_t)map->count + 1 : 1, size);
}

bool scene_read_linkage_parts(LinkageDraft *d)
{
    bool good = is_map(d, d->bodies_node, "bodies of a linkage");
    good = is_map(d, d->joints_node, "joints of a linkage") && good;
    good = is_map(d, d->drivers_node, "drivers of a linkage") && good;
    if (!good || d->bodies_node == NULL) return false;
    d->bodies = take(d, d->bodies_node, sizeof *d->bodies);
    d->pairs = take(d, d->joints_node, sizeof *d->pairs);
    d->drivers = take(d, d->drivers_node, sizeof *d->drivers);
    d->functions = take(d, d->drivers_node, sizeof *d->functions);
    if (d->bodies == NULL || d->pairs == NULL || d->drivers == NULL || d->functions == NULL)
        return false;
    for (int i = 0; i < d->bodies_node->count; ++i)
        good = read_body(d, &d->bodies_node->entries[i], &d->bodies[d->body_count++]) && good;
    for (int i = 0; d->joints_node != NULL && i < d->joints_node->count; ++i)
        good = read_joint(d, &d->joints_node->entries[i], &d->pairs[d->pair_count++]) && good;
    for (int i = 0; good && d->drivers_node != NULL && i < d->drivers_node->count;
         ++i, ++d->driver_count)
        good =
            read_driver(d, &d->drivers_node->entries[i], &d->drivers[i], &d->functions[i]) && good;
    return good;
}
