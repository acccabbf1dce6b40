// Elements other than friction and contacts: springs, forces, penalty joints.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/actuators.h"
#include "read/contacts.h"
#include "read/couplings.h"
#include "read/loops.h"
#include "read/models.h"
#include "read/per_target.h"
#include "read/sections.h"
#include "read/sites.h"
#include "stiction/spring.h"
#include "read/state_function.h"

static const Key spring_keys[] = {
    {"kind", VALUE_TEXT, true, "spring-damper", NULL},
    {"on", VALUE_BODY, false, "a body, a robot's joint or link, a penalty joint, or a list of them",
     NULL},
    {"between", VALUE_PAIR, false, "two bodies, links or joints", NULL},
    {"at", VALUE_POINTS, false, "points of rigid bodies or links", NULL},
    {"anchor", VALUE_VECTOR, false, "point of the ground", NULL},
    {"stiffness", VALUE_NUMBER, false, "N/m", NULL},
    {"damping", VALUE_NUMBER, false, "N s/m", NULL},
    {"rest", VALUE_VECTOR, false, "displacement at which the spring is slack, m", NULL},
};
static const Key force_keys[] = {
    {"kind", VALUE_TEXT, true, "force", NULL},
    {"on", VALUE_BODY, false, "a body, a robot's joint or link, a penalty joint, or a list of them",
     NULL},
    {"between", VALUE_PAIR, false, "two bodies, links or joints", NULL},
    {"at", VALUE_POINTS, false, "points of rigid bodies or links", NULL},
    {"value", VALUE_FUNCTIONS, true,
     "a function of time, or a list, N; or the name of a pid element", NULL},
    {"breaks", VALUE_NUMBERS, false,
     "times where value has a kink or jump that its text does not show, s", NULL},
};
static const Key joint_keys[] = {
    {"kind", VALUE_TEXT, true, "penalty-joint", NULL},
    {"on", VALUE_BODY, false, "a rigid body or a link of a robot", NULL},
    {"between", VALUE_PAIR, false, "two rigid bodies or links: the distal one, the proximal one",
     NULL},
    {"frame_a", VALUE_FRAME, false, "on the first body", NULL},
    {"frame_b", VALUE_FRAME, false, "on the second body or the ground", NULL},
    {"stiffness", VALUE_NUMBER, true, "against a gap, N/m", NULL},
    {"damping", VALUE_NUMBER, false, "against a gap, N s/m", NULL},
    {"angular_stiffness", VALUE_NUMBER, true, "against bending of the axis, N m", NULL},
    {"angular_damping", VALUE_NUMBER, false, "against bending of the axis, N m s/rad", NULL},
    {"radial_radius", VALUE_NUMBER, false,
     "of a bearing: where forces across the axis rub, m; its load is then in N m",
     NULL},
    {"axial_radius", VALUE_NUMBER, false, "of a bearing: where forces along the axis rub, m", NULL},
    {"moment_ratio", VALUE_NUMBER, false,
     "of a bearing: rubbing moment per moment across the axis; 2 r/L of two journals", NULL},
};

Element *scene_add_element(Reader *reader, Element element)
{
    if (reader->element_count == reader->element_capacity) {
        const int capacity = 2 * reader->element_capacity + 16;
        Element *elements = sti_arena_take(reader->arena, (size_t)capacity, sizeof *elements);
        if (elements == NULL) return NULL;
        if (reader->element_count > 0)
            memcpy(elements, reader->elements, (size_t)reader->element_count * sizeof *elements);
        reader->elements = elements;
        reader->element_capacity = capacity;
    }
    reader->elements[reader->element_count] = element;
    return &reader->elements[reader->element_count++];
}

const Element *scene_find_element(const Reader *reader, const char *name)
{
    for (int i = 0; i < reader->element_count; ++i)
        if (strcmp(reader->elements[i].name, name) == 0) return &reader->elements[i];
    return NULL;
}

static void add(Reader *reader, const char *entry, const Node *node, const Target *target,
                int forces, StiElementId id)
{
    scene_add_element(reader, (Element){.name = target->name,
                                        .entry = entry,
                                        .node = node,
                                        .place = target->place,
                                        .forces = forces,
                                        .id = id});
}

static void read_spring(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count, rest_count = 0;
    StiSpringDamper p = {0};
    const Node *rest = scene_node_find(node, "rest");
    const Target *targets = scene_read_targets(reader, name, node, &count);
    bool good = scene_number_at(reader, node, "stiffness", &p.K) && complete;
    good = scene_number_at(reader, node, "damping", &p.B) && good;
    if (rest != NULL) good = scene_vector(reader, rest, "rest", 1, 3, p.rest, &rest_count) && good;
    for (int i = 0; targets != NULL && good && i < count; ++i) {
        p.dim = targets[i].dim;
        if (rest != NULL && rest_count != p.dim) {
            scene_error(reader, rest->mark,
                        "rest must be a list of %d number%s, one for each axis, not %d", p.dim,
                        p.dim > 1 ? "s" : "", rest_count);
            return;
        }
        add(reader, name, node, &targets[i], p.dim,
            sti_plan_add_impedance(reader->plan, targets[i].name, &sti_kind_spring_damper, &p,
                                   &targets[i].wire));
    }
}

static void add_force(Reader *reader, const char *name, const Node *node, const Target *target,
                      int dim, StiElementId id)
{
    scene_add_element(reader, (Element){.name = target->name,
                                        .entry = name,
                                        .node = node,
                                        .place = target->place,
                                        .drives = true,
                                        .forces = dim,
                                        .id = id});
}

static bool force_fits(Reader *reader, const Node *value, int given, const Target *target)
{
    if (given == target->dim) return true;
    scene_error(reader, value->mark, "value must have %d %s, one for each axis, not %d",
                target->dim, target->dim > 1 ? "entries" : "entry", given);
    return false;
}

// From a controller: a force along one axis.
static void read_controlled_force(Reader *reader, const char *name, const Node *node,
                                  const Target *targets, int count)
{
    const Node *value = scene_node_find(node, "value");
    for (int i = 0; i < count && force_fits(reader, value, 1, &targets[i]); ++i) {
        const StiElementId id =
            sti_plan_add_impedance(reader->plan, targets[i].name, &sti_kind_force_source,
                                   &(StiForceSource){1}, &targets[i].wire);
        add_force(reader, name, node, &targets[i], 1, id);
        scene_listen(reader, (Listener){.element = id,
                                        .key = "value",
                                        .node = value,
                                        .to = LISTENS_TO_CONTROLLER,
                                        .place = targets[i].place});
    }
}

// As a function of channels, too.
static void read_state_force(Reader *reader, const char *name, const Node *node,
                             const Target *targets, int count)
{
    const Node *value = scene_node_find(node, "value");
    const StateFunction *state = scene_state_function(reader, value, "value");
    if (state == NULL) return;
    const StiSignalForce p = scene_state_force(state);
    for (int i = 0; i < count && force_fits(reader, value, p.dim, &targets[i]); ++i) {
        const StiElementId id =
            sti_plan_add_impedance(reader->plan, targets[i].name, &sti_kind_signal_force, &p,
                                   &targets[i].wire);
        add_force(reader, name, node, &targets[i], p.dim, id);
        scene_listen(reader, (Listener){.element = id, .state = state});
    }
}

static void read_force(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count, break_count = 0;
    Piece pieces[3];
    double breaks[64];
    const Node *value = scene_node_find(node, "value"), *times = scene_node_find(node, "breaks");
    if (times != NULL && !scene_vector(reader, times, "breaks", 1, 64, breaks, &break_count))
        return;
    const Target *targets = scene_read_targets(reader, name, node, &count);
    StiSignal outside;
    if (value != NULL &&
        (scene_names_element(reader, value) || scene_find_outside(reader, value, &outside))) {
        if (targets != NULL && complete) read_controlled_force(reader, name, node, targets, count);
        return;
    }
    if (value != NULL && scene_uses_channels(reader, value)) {
        if (targets != NULL && complete) read_state_force(reader, name, node, targets, count);
        return;
    }
    const int given = value != NULL ? scene_read_pieces(reader, value, "value", 3, pieces) : 0;
    if (targets == NULL || !complete || given == 0) return;
    for (int i = 0; i < count && force_fits(reader, value, given, &targets[i]); ++i)
        add_force(reader, name, node, &targets[i], given,
                  sti_plan_add_force(reader->plan, targets[i].name, &targets[i].wire, given,
                                     scene_time_function(reader, pieces, given, 0, breaks,
                                                         break_count)));
}

static bool rigid_place(Reader *reader, const Node *node, const char *key, Place *place)
{
    if (!scene_place_named(reader, node, key, true, place)) return false;
    if (place->type == PLACE_POINT) return true;
    scene_error(reader, node->mark, "a penalty joint holds rigid bodies and links; %s is neither",
                place->name);
    return false;
}

// The two bodies; that of b stays NULL on the ground.
static bool joint_places(Reader *reader, const char *name, const Node *node, Place *a, Place *b)
{
    const Node *on = scene_node_find(node, "on"), *pair = scene_node_find(node, "between");
    if ((on == NULL) == (pair == NULL)) {
        scene_error(reader, node->mark, "'%s' needs either 'on: BODY' or 'between: [A, B]'%s", name,
                    on != NULL ? ", not both" : "");
        return false;
    }
    if (on != NULL) return rigid_place(reader, on, "on", a);
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return false;
    }
    const bool found = rigid_place(reader, pair->items[0], "an entry of between", a);
    if (!rigid_place(reader, pair->items[1], "an entry of between", b) || !found) return false;
    if (a->body != b->body || a->link != b->link) return true;
    scene_error(reader, pair->mark, "between must be a list of two bodies, and these are the same");
    return false;
}

static void read_joint(Reader *reader, const char *name, const Node *node, bool complete)
{
    Place a = {0}, b = {0};
    StiFrame frame_a, frame_b;
    StiPenaltyJoint p = {0};
    StiBearing bearing = {0};
    bool good = scene_read_bearing(reader, node, &bearing) && complete;
    good = scene_number_at(reader, node, "stiffness", &p.Kp) && good;
    good = scene_number_at(reader, node, "damping", &p.Bp) && good;
    good = scene_number_at(reader, node, "angular_stiffness", &p.Kr) && good;
    good = scene_number_at(reader, node, "angular_damping", &p.Br) && good;
    good = scene_read_frame(reader, scene_node_find(node, "frame_a"), "frame_a", &frame_a) && good;
    good = scene_read_frame(reader, scene_node_find(node, "frame_b"), "frame_b", &frame_b) && good;
    if (!joint_places(reader, name, node, &a, &b) || !good) return;
    const StiAdmittanceId to = b.body != NULL ? b.body->id : STI_GROUND;
    const StiWire wire = sti_wire_frame(a.body->id, a.link, frame_a, to, b.link, frame_b);
    scene_add_element(reader,
                      (Element){.name = name,
                                .entry = name,
                                .node = node,
                                .joint = true,
                                .forces = 6,
                                .frame = wire,
                                .bearing = bearing,
                                .id = sti_plan_add_impedance(reader->plan, name,
                                                             &sti_kind_penalty_joint, &p, &wire),
                                .hinge = sti_wire_hinge(a.body->id, a.link, frame_a, to, b.link,
                                                        frame_b)});
}

// FMUs are read before the bodies (fmus.c): only their keys are left to be checked.
static void read_before(Reader *reader, const char *name, const Node *node, bool complete)
{
    (void)reader, (void)name, (void)node, (void)complete;
}

enum { FRICTION = 3, JOINT = 4 };
static const Kind kinds[] = {
    {"spring-damper", "a spring and a damper", spring_keys, sizeof spring_keys / sizeof(Key)},
    {"force", "a force as a function of time", force_keys, sizeof force_keys / sizeof(Key)},
    {"contact", "contact of shapes: soft with a stiffness, else hard", scene_contact_keys,
     SCENE_CONTACT_KEYS},
    {"friction", "friction of any model", NULL, 0}, // its keys: friction.c
    {"penalty-joint", "holds two bodies together, free about z", joint_keys,
     sizeof joint_keys / sizeof(Key)},
    {"dc-motor", "a DC motor behind a gear", scene_motor_keys, SCENE_MOTOR_KEYS},
    {"servo", "a DC motor under a sampled PID controller", scene_servo_keys, SCENE_SERVO_KEYS},
    {"pid", "a sampled controller: gives a voltage or a force to others", scene_pid_keys,
     SCENE_PID_KEYS},
    {"joint-limit", "soft stops at both ends of a range", scene_limit_keys, SCENE_LIMIT_KEYS},
    {"gear-loss", "friction that scales with a transmitted torque", scene_gear_loss_keys,
     SCENE_GEAR_LOSS_KEYS},
    {"gear", "two coordinates at a fixed ratio", scene_gear_keys, SCENE_GEAR_KEYS},
    {"mimic", "a joint that follows another", scene_mimic_keys, SCENE_MIMIC_KEYS},
    {"rack", "a rack and its pinion", scene_rack_keys, SCENE_RACK_KEYS},
    {"screw", "a screw and its nut, with friction in the thread", scene_screw_keys,
     SCENE_SCREW_KEYS},
    {"worm", "a worm and its wheel, with friction of the flanks", scene_worm_keys, SCENE_WORM_KEYS},
    {"timing-belt", "a belt that does not slip", scene_timing_belt_keys, SCENE_TIMING_BELT_KEYS},
    {"belt", "a belt that slips at a force", scene_belt_keys, SCENE_BELT_KEYS},
    {"differential", "an input that turns with the mean of two outputs", scene_differential_keys,
     SCENE_DIFFERENTIAL_KEYS},
    {"planetary", "sun, ring and carrier", scene_planetary_keys, SCENE_PLANETARY_KEYS},
    {"drive", "a coordinate as a function of time", scene_drive_keys, SCENE_DRIVE_KEYS},
    {"backlash", "play between two parts, with flanks that push", scene_backlash_keys,
     SCENE_BACKLASH_KEYS},
    {"actuator", "an actuator with gains on command, angle and speed, within limits",
     scene_actuator_keys, SCENE_ACTUATOR_KEYS},
    {"loop", "a joint that closes a chain of bodies in space", scene_loop_keys, SCENE_LOOP_KEYS},
    {"site", "records pose and twist of a frame on a body or a link", scene_site_keys,
     SCENE_SITE_KEYS},
    {"fmu", "a controller of another tool, by FMI 2 or 3; answers one period late", scene_fmu_keys,
     SCENE_FMU_KEYS},
};
static void (*const readers[])(Reader *, const char *, const Node *,
                               bool complete) = {read_spring,          read_force,
                                                 scene_read_contact,   scene_read_friction,
                                                 read_joint,           scene_read_motor,
                                                 scene_read_servo,     scene_read_pid,
                                                 scene_read_limit,     scene_read_gear_loss,
                                                 scene_read_gear,      scene_read_mimic,
                                                 scene_read_rack,      scene_read_screw,
                                                 scene_read_worm,      scene_read_timing_belt,
                                                 scene_read_belt,      scene_read_differential,
                                                 scene_read_planetary, scene_read_drive,
                                                 scene_read_backlash,  scene_read_actuator,
                                                 scene_read_loop,      scene_read_site,
                                                 read_before};

const Kind *scene_element_kinds(int *count)
{
    *count = (int)(sizeof kinds / sizeof kinds[0]);
    return kinds;
}

static void read_element(Reader *reader, const Entry *entry, int kind)
{
    char what[128];
    FrictionKeys friction;
    if (kind == FRICTION) scene_friction_keys(&friction);
    snprintf(what, sizeof what, "a %s element", kinds[kind].name);
    const Key *keys = kind == FRICTION ? friction.keys : kinds[kind].keys;
    const int count = kind == FRICTION ? friction.count : kinds[kind].key_count;
    const bool complete = scene_check_keys(reader, entry->value, what, keys, count);
    const Node *places = scene_several_places(reader, entry->value);
    const int errors = sti_messages_error_count(reader->messages);
    if (places == NULL || !scene_has_values_for_each(reader, entry->value, places, keys, count)) {
        if (sti_messages_error_count(reader->messages) == errors)
            readers[kind](reader, entry->key, entry->value, complete);
        return;
    }
    for (int i = 0; i < places->count; ++i) {
        const Node *own = scene_element_at(reader, entry->value, places, i, keys, count);
        if (own != NULL) readers[kind](reader, entry->key, own, complete);
    }
}

static bool is_joint(int kind)
{
    return kind >= 0 && (kind == JOINT || readers[kind] == scene_read_loop);
}

// Joints first: other elements may act about their axes.
void scene_read_elements(Reader *reader)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    if (elements == NULL) return;
    if (elements->type != NODE_MAP) {
        scene_error(reader, elements->mark, "elements must be a map of names, not %s",
                    scene_node_type(elements));
        return;
    }
    int *found = sti_arena_take(reader->arena, (size_t)elements->count + 1, sizeof *found);
    for (int i = 0; found != NULL && i < elements->count; ++i) {
        found[i] = scene_kind(reader, &elements->entries[i], "element", kinds,
                              sizeof kinds / sizeof kinds[0]);
        if (is_joint(found[i])) read_element(reader, &elements->entries[i], found[i]);
    }
    for (int i = 0; found != NULL && i < elements->count; ++i)
        if (found[i] >= 0 && !is_joint(found[i]))
            read_element(reader, &elements->entries[i], found[i]);
}
