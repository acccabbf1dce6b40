// Linkages in scenes: planar bodies, joints between them, drivers.
#include "linkages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const joint_types[] = {"revolute", "prismatic", "fixed", "slot", "disc",
                                          "rolling",  "rod",       "gear",  NULL};
static const char *const drift_words[] = {"projection", "baumgarte", "none", NULL};
static const char *const form_words[] = {"cholesky", "udwadia-kalaba", NULL};

const Key scene_linkage_keys[SCENE_LINKAGE_KEYS] = {
    {"kind", VALUE_TEXT, true, "linkage", NULL},
    {"bodies", VALUE_ANY, true, "planar bodies by name: {mass: m, inertia: I, position: [x, y], angle: a}", NULL},
    {"joints", VALUE_ANY, false, "joints by name: {type: revolute, on: BODY or between: [A, B], at: ...}", NULL},
    {"drivers", VALUE_ANY, false, "driven joints by name: {on: JOINT, value: a function of time}", NULL},
    {"drift", VALUE_WORD, false, "of the constraints; default projection", drift_words},
    {"drift_rate", VALUE_NUMBER, false, "baumgarte: how fast errors decay, 1/s; default 1/(5 step)", NULL},
    {"multipliers", VALUE_WORD, false, "the form; default cholesky", form_words},
};
static const Key body_keys[] = {
    {"mass", VALUE_NUMBER, true, "kg", NULL},
    {"inertia", VALUE_NUMBER, true, "about the centre of mass, kg m^2", NULL},
    {"position", VALUE_VECTOR, false, "of the centre of mass at the start, x, y, m: a guess", NULL},
    {"angle", VALUE_NUMBER, false, "at the start, rad", NULL},
    {"velocity", VALUE_VECTOR, false, "at the start, m/s", NULL},
    {"rate", VALUE_NUMBER, false, "at the start, rad/s", NULL},
};
static const Key joint_keys[] = {
    {"type", VALUE_WORD, true, "revolute, prismatic, fixed, slot, disc, rolling, rod, gear", joint_types},
    {"on", VALUE_BODY, false, "a body, against the ground", NULL},
    {"between", VALUE_PAIR, false, "two bodies; the second carries the line", NULL},
    {"at", VALUE_POINTS, false, "[x, y] of the body, from its centre of mass; with between: two points", NULL},
    {"anchor", VALUE_VECTOR, false, "with on: [x, y] of the ground", NULL},
    {"direction", VALUE_NUMBER, false, "of the line against the x axis of what carries it, rad", NULL},
    {"radius", VALUE_NUMBER, false, "of the pin, where it rubs, or of the disc, m", NULL},
    {"length", VALUE_NUMBER, false, "of the slider, half to each side of its point; of the rod, m", NULL},
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

// A design in the making.
typedef struct Draft {
    Reader *reader;
    const char *name;
    const Node *bodies_node, *joints_node, *drivers_node;
    StiPlanarBody *bodies;
    StiPlanarPair *pairs;
    StiDriver *drivers;
    StiTimeFunction *functions;
    int body_count, pair_count, driver_count;
} Draft;

static bool is_map(Draft *d, const Node *node, const char *what)
{
    if (node == NULL || node->type == NODE_MAP) return true;
    scene_error(d->reader, node->mark, "%s must be a map of names, not %s", what, scene_node_type(node));
    return false;
}

static StiVec2 vec2(const double *v) { return (StiVec2){v[0], v[1]}; }

static bool read_body(Draft *d, const Entry *entry, StiPlanarBody *to)
{
    Reader *reader = d->reader;
    double position[2] = {0.0}, velocity[2] = {0.0};
    *to = (StiPlanarBody){.name = entry->key};
    if (!is_map(d, entry->value, "a planar body")) return false;
    bool good = scene_check_keys(reader, entry->value, "a planar body", body_keys, sizeof body_keys / sizeof(Key));
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

static bool body_named(Draft *d, const Node *node, int *index)
{
    const char *name, **names = sti_arena_take(d->reader->arena, (size_t)d->body_count + 1, sizeof *names);
    if (names == NULL || !scene_text(d->reader, node, "a body of the linkage", &name)) return false;
    for (int i = 0; i < d->body_count; ++i) {
        names[i] = d->bodies[i].name;
        if (strcmp(names[i], name) == 0) return *index = i, true;
    }
    const char *near = scene_nearest(name, names, d->body_count);
    scene_error(d->reader, node->mark, "the linkage '%s' has no body '%s'%s%s%s", d->name, name,
                near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    return false;
}

static bool read_vec2(Draft *d, const Node *node, const char *what, StiVec2 *to)
{
    double p[2];
    int count;
    if (!scene_vector(d->reader, node, what, 2, 2, p, &count)) return false;
    *to = vec2(p);
    return true;
}

static bool read_points(Draft *d, const Node *node, bool two, StiPlanarPair *to)
{
    const Node *at = scene_node_find(node, "at");
    const Entry *anchor = scene_node_entry(node, "anchor");
    if (two && anchor != NULL) {
        scene_error(d->reader, anchor->mark, "'anchor' is a point of the ground; with between, 'at' has two points");
        return false;
    }
    if (anchor != NULL && !read_vec2(d, anchor->value, "anchor", &to->at_other)) return false;
    if (at == NULL) return true;
    if (!two) return read_vec2(d, at, "at", &to->at);
    if (at->type != NODE_LIST || at->count != 2 || at->items[0]->type != NODE_LIST) {
        scene_error(d->reader, at->mark, "with between, at must be a list of two points: [[x, y], [x, y]]");
        return false;
    }
    return read_vec2(d, at->items[0], "at", &to->at) && read_vec2(d, at->items[1], "at", &to->at_other);
}

static bool read_sides(Draft *d, const Entry *entry, StiPlanarPair *to, bool *two)
{
    const Node *on = scene_node_find(entry->value, "on"), *pair = scene_node_find(entry->value, "between");
    *two = pair != NULL;
    to->other = -1;
    if ((on == NULL) == (pair == NULL)) {
        scene_error(d->reader, entry->mark, "'%s' needs either 'on: BODY' or 'between: [A, B]'%s", entry->key,
                    on != NULL ? ", not both" : "");
        return false;
    }
    if (on != NULL) return body_named(d, on, &to->body);
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(d->reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    return body_named(d, pair->items[0], &to->body) && body_named(d, pair->items[1], &to->other);
}

static bool read_length(Draft *d, const Node *node, StiPlanarPair *to)
{
    double corners[2] = {0.0};
    bool good = scene_number_at(d->reader, node, "length", &to->length);
    good = scene_vector_at(d->reader, node, "corners", 2, 2, corners) && good;
    const bool given = scene_node_find(node, "corners") != NULL;
    to->rear = given ? corners[0] : 0.5 * to->length;
    to->front = given ? corners[1] : 0.5 * to->length;
    return good;
}

static bool read_joint(Draft *d, const Entry *entry, StiPlanarPair *to)
{
    Reader *reader = d->reader;
    bool two = false;
    *to = (StiPlanarPair){.name = entry->key, .other = -1};
    if (!is_map(d, entry->value, "a joint of a linkage")) return false;
    const Node *node = entry->value, *only = scene_node_find(node, "torque_only");
    if (!scene_check_keys(reader, node, "a joint of a linkage", joint_keys, sizeof joint_keys / sizeof(Key)))
        return false;
    const int word = scene_word(reader, scene_node_find(node, "type"), "type of joint", joint_types);
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
static bool look_at_start(Draft *d, StiTimeFunction function, StiDriver *driver)
{
    double start = 0.0, values[3] = {0.0};
    if (!scene_number_at(d->reader, d->reader->root, "start", &start)) return false;
    void *workspace = function.open != NULL ? function.open(function.data) : NULL;
    function.eval(function.data, workspace, start, values);
    if (function.close != NULL) function.close(workspace);
    driver->value = values[0];
    driver->rate = values[1];
    return true;
}

static bool read_driver(Draft *d, const Entry *entry, StiDriver *to, StiTimeFunction *function)
{
    static const char *const keys[3] = {"value", "rate", "acceleration"};
    Reader *reader = d->reader;
    Piece pieces[3];
    double breaks[64];
    const char *joint;
    int given = 0, break_count = 0;
    *to = (StiDriver){.name = entry->key, .pair = -1};
    if (!is_map(d, entry->value, "a driver")) return false;
    const Node *node = entry->value, *on = scene_node_find(node, "on"), *times = scene_node_find(node, "breaks");
    if (!scene_check_keys(reader, node, "a driver", driver_keys, sizeof driver_keys / sizeof(Key))) return false;
    if (!scene_text(reader, on, "on", &joint)) return false;
    for (int i = 0; i < d->pair_count; ++i)
        if (strcmp(d->pairs[i].name, joint) == 0) to->pair = i;
    if (to->pair < 0) {
        scene_error(reader, on->mark, "the linkage '%s' has no joint '%s'", d->name, joint);
        return false;
    }
    if (times != NULL && !scene_vector(reader, times, "breaks", 1, 64, breaks, &break_count)) return false;
    for (; given < 3 && scene_node_find(node, keys[given]) != NULL; ++given)
        if (!scene_read_piece(reader, scene_node_find(node, keys[given]), keys[given], &pieces[given])) return false;
    if (given == 1 && scene_node_entry(node, "acceleration") != NULL) {
        scene_error(reader, scene_node_entry(node, "acceleration")->mark, "'acceleration' needs 'rate', too");
        return false;
    }
    *function = scene_drive_function(reader, pieces, given, breaks, break_count);
    return look_at_start(d, *function, to);
}

static void *take(Draft *d, const Node *map, size_t size)
{
    return sti_arena_take(d->reader->arena, map != NULL ? (size_t)map->count + 1 : 1, size);
}

static bool read_parts(Draft *d)
{
    bool good = is_map(d, d->bodies_node, "bodies of a linkage");
    good = is_map(d, d->joints_node, "joints of a linkage") && good;
    good = is_map(d, d->drivers_node, "drivers of a linkage") && good;
    if (!good || d->bodies_node == NULL) return false;
    d->bodies = take(d, d->bodies_node, sizeof *d->bodies);
    d->pairs = take(d, d->joints_node, sizeof *d->pairs);
    d->drivers = take(d, d->drivers_node, sizeof *d->drivers);
    d->functions = take(d, d->drivers_node, sizeof *d->functions);
    if (d->bodies == NULL || d->pairs == NULL || d->drivers == NULL || d->functions == NULL) return false;
    for (int i = 0; i < d->bodies_node->count; ++i)
        good = read_body(d, &d->bodies_node->entries[i], &d->bodies[d->body_count++]) && good;
    for (int i = 0; d->joints_node != NULL && i < d->joints_node->count; ++i)
        good = read_joint(d, &d->joints_node->entries[i], &d->pairs[d->pair_count++]) && good;
    for (int i = 0; good && d->drivers_node != NULL && i < d->drivers_node->count; ++i, ++d->driver_count)
        good = read_driver(d, &d->drivers_node->entries[i], &d->drivers[i], &d->functions[i]) && good;
    return good;
}

// Parts have names of the scene: nothing else may have them.
static bool check_names(Draft *d)
{
    const Node *maps[3] = {d->bodies_node, d->joints_node, d->drivers_node};
    static const char *const sections[] = {"bodies", "elements", "parameters", "inputs"};
    bool good = true;
    for (int m = 0; m < 3; ++m)
        for (int i = 0; maps[m] != NULL && i < maps[m]->count; ++i)
            for (int s = 0; s < 4; ++s) {
                const Entry *entry = &maps[m]->entries[i];
                if (scene_node_entry(scene_node_find(d->reader->root, sections[s]), entry->key) == NULL) continue;
                scene_error(d->reader, entry->mark, "the name '%s' is taken, under '%s'", entry->key, sections[s]);
                good = false;
            }
    return good;
}

static Mark mark_of(const Draft *d, const Node *otherwise, const char *part)
{
    const Node *maps[3] = {d->bodies_node, d->joints_node, d->drivers_node};
    for (int m = 0; m < 3; ++m) {
        const Entry *entry = maps[m] != NULL ? scene_node_entry(maps[m], part) : NULL;
        if (entry != NULL) return entry->mark;
    }
    return otherwise->mark;
}

static StiLinkage *make_linkage(Draft *d, const Body *body, const StiLinkageDesign *design)
{
    StiReport *report = sti_report_create();
    if (report == NULL) return NULL;
    StiLinkage *linkage = sti_linkage_create(design, report);
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *f = sti_report_finding(report, i);
        scene_message(d->reader->messages, f->severity, mark_of(d, body->node, f->component), "%s: %s%s%s: %s",
                      body->name, f->component, f->parameter[0] != '\0' ? "." : "", f->parameter, f->text);
    }
    sti_report_destroy(report);
    return linkage;
}

static bool read_ways(Draft *d, const Node *node, StiLinkageDesign *design)
{
    const Node *drift = scene_node_find(node, "drift"), *form = scene_node_find(node, "multipliers");
    const Entry *rate = scene_node_entry(node, "drift_rate");
    double step = 1e-3;
    const int drift_word = drift != NULL ? scene_word(d->reader, drift, "drift", drift_words) : 0;
    const int form_word = form != NULL ? scene_word(d->reader, form, "multipliers", form_words) : 0;
    bool good = scene_number_at(d->reader, d->reader->root, "step", &step) && drift_word >= 0 && form_word >= 0;
    if (!good) return false;
    design->drift = (StiDrift)drift_word;
    design->form = (StiMultiplierForm)form_word;
    design->baumgarte_rate = 1.0 / (5.0 * step);
    if (rate != NULL && design->drift != STI_DRIFT_BAUMGARTE) {
        scene_error(d->reader, rate->mark, "'drift_rate' belongs to 'drift: baumgarte'");
        return false;
    }
    return scene_number_at(d->reader, node, "drift_rate", &design->baumgarte_rate);
}

static bool keep(Reader *reader, StiLinkage *linkage)
{
    KeptLinkage *kept = sti_arena_take(reader->arena, 1, sizeof *kept);
    if (kept == NULL) {
        sti_linkage_destroy(linkage);
        return false;
    }
    *kept = (KeptLinkage){linkage, reader->linkages};
    reader->linkages = kept;
    return true;
}

void scene_build_linkage(Reader *reader, Body *body)
{
    Draft d = {.reader = reader, .name = body->name};
    d.bodies_node = scene_node_find(body->node, "bodies");
    d.joints_node = scene_node_find(body->node, "joints");
    d.drivers_node = scene_node_find(body->node, "drivers");
    StiLinkageDesign design = {.body_count = 0};
    const bool ways = read_ways(&d, body->node, &design);
    if (!read_parts(&d) || !check_names(&d) || !ways || !body->complete) return;
    design.bodies = d.bodies;
    design.body_count = d.body_count;
    design.pairs = d.pairs;
    design.pair_count = d.pair_count;
    design.drivers = d.drivers;
    design.driver_count = d.driver_count;
    StiLinkage *linkage = make_linkage(&d, body, &design);
    if (linkage == NULL || !keep(reader, linkage)) return;
    body->shape = BODY_LINKAGE;
    body->linkage = linkage;
    body->dim = sti_linkage_velocities(linkage);
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_linkage, &(StiLinkageBody){linkage});
    for (int i = 0; i < d.driver_count; ++i) {
        char name[192];
        snprintf(name, sizeof name, "%s.drive", d.drivers[i].name);
        const StiSourceId source = sti_plan_add_time_function(reader->plan, name, d.functions[i]);
        for (int k = 0; k < 3; ++k)
            sti_plan_connect_admittance(reader->plan, sti_signal_source(source, k), body->id, 3 * i + k);
    }
}

bool scene_find_part(const Reader *reader, const char *name, Part *part)
{
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *body = &reader->bodies[i];
        const size_t length = strlen(body->name);
        if (body->linkage == NULL) continue;
        const bool prefixed = strncmp(name, body->name, length) == 0 && name[length] == '.';
        const char *own = prefixed ? name + length + 1 : name;
        *part = (Part){body, sti_linkage_find_pair(body->linkage, own), sti_linkage_find_body(body->linkage, own)};
        if (part->pair >= 0 || part->body >= 0) return true;
    }
    return false;
}

bool scene_is_part(const Reader *reader, const char *name, size_t length)
{
    char own[128];
    Part part;
    snprintf(own, sizeof own, "%.*s", (int)length, name);
    if (scene_find_part(reader, own, &part)) return true;
    for (int i = 0; i < reader->body_count; ++i)
        if (reader->bodies[i].linkage != NULL && sti_linkage_find_driver(reader->bodies[i].linkage, own) >= 0)
            return true;
    return false;
}

void scene_destroy_linkages(Reader *reader)
{
    for (KeptLinkage *kept = reader->linkages; kept != NULL; kept = kept->next)
        sti_linkage_destroy(kept->linkage);
}
