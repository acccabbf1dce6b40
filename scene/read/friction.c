// Friction elements: one vocabulary for all models. The numbers go where the fields of the kind say.
#include <stdio.h>
#include <string.h>

#include "read/models.h"
#include "stiction/spring.h"

// One element of the model: where to read from, where to write to.
typedef struct Filling {
    Reader *reader;
    const char *name;
    const Node *node;
    const StiEntry *model;
    const char *model_name;
    bool *used;
    Item item;    // of lists
    int elements; // of a bank or a compound
    StiLaw *law;  // NULL: the model has none
    unsigned char *parameters;
} Filling;

// "static" of the finite-time rule belongs to a curve's law where there is one.
static bool law_takes_static(const StiLaw *law)
{
    for (int i = 0; i < law->kind->field_count; ++i)
        if (strcmp(law->kind->fields[i].name, "static") == 0) return true;
    return false;
}

static bool missing(const Filling *f, const StiField *field)
{
    scene_error(f->reader, f->node->mark, "%s: the model %s needs '%s': %s", f->name, f->model_name,
                field->name, field->meaning);
    return false;
}

static bool fill_number(Filling *f, const StiField *field)
{
    double *value = (double *)(void *)(f->parameters + field->offset);
    const char *key = field->name;
    bool found;
    *value = field->usual;
    if (strcmp(key, "static") == 0) {
        if (f->law != NULL && (f->law->kind == NULL || law_takes_static(f->law))) return true;
        if (scene_node_find(f->node, "mu_static") != NULL) key = "mu_static";
    }
    if (!scene_number_of(f->reader, f->node, key, f->item, f->used, value, &found)) return false;
    return found || field->bound != STI_POSITIVE || field->usual > 0.0 || missing(f, field);
}

// Where the scene does not give them; false after a message.
static bool usual_numbers(const Filling *f, const StiField *field, double *value)
{
    if (strcmp(field->name, "share") == 0) {
        *value = 1.0 / f->elements;
        return true;
    }
    if (strcmp(field->name, "bank_level") != 0 || f->law->times_load) return missing(f, field);
    *value = sti_law_survey(f->law).highest / f->elements;
    return true;
}

// Numbers of a bank: a list, or one number for each element.
static bool fill_numbers(Filling *f, const StiField *field)
{
    const bool given = scene_node_find(f->node, field->name) != NULL;
    if (!given && strcmp(field->name, "damping") == 0) return true; // stays NULL: none
    double *values = sti_arena_take(f->reader->arena, (size_t)f->elements, sizeof *values);
    if (values == NULL) return false;
    *(double **)(void *)(f->parameters + field->offset) = values;
    for (int i = 0; i < f->elements; ++i) {
        bool found;
        if (!scene_number_of(f->reader, f->node, field->name, (Item){i, f->elements}, f->used,
                             &values[i], &found))
            return false;
        if (!found && !usual_numbers(f, field, &values[i])) return false;
    }
    return true;
}

// One number for each axis; zeros where there are none.
static bool fill_axes(Filling *f, const StiField *field, int dim)
{
    double *values = (double *)(void *)(f->parameters + field->offset);
    scene_mark_used(f->node, field->name, f->used);
    return scene_vector_at(f->reader, f->node, field->name, dim, dim, values);
}

static bool fill_switch(Filling *f, const StiField *field)
{
    const Node *node = scene_node_find(f->node, field->name);
    if (node == NULL) return true;
    scene_mark_used(f->node, field->name, f->used);
    return scene_truth(f->reader, node, field->name,
                       (bool *)(void *)(f->parameters + field->offset));
}

static bool fill_count(Filling *f, const StiField *field)
{
    enum { MOST = 1000 };
    const Node *node = scene_node_find(f->node, field->name);
    int *count = (int *)(void *)(f->parameters + field->offset);
    const bool structure =
        strcmp(field->name, SCENE_DIM) == 0 || strcmp(field->name, SCENE_ELEMENTS) == 0;
    if (structure) return true;
    *count = (int)field->usual;
    if (node == NULL) return true;
    scene_mark_used(f->node, field->name, f->used);
    return scene_count(f->reader, node, field->name, 0, MOST, count);
}

static bool fill_law(Filling *f)
{
    const Entry *mu = scene_node_entry(f->node, "mu");
    f->law = sti_kind_law(f->model->info, f->parameters);
    if (f->law != NULL)
        return scene_read_law(f->reader, f->node, f->model, f->item, f->reader->arena, f->used,
                              f->law);
    if (mu != NULL)
        scene_error(f->reader, mu->mark, "%s: the model %s takes 'level' (N), not 'mu'", f->name,
                    f->model_name);
    return mu == NULL;
}

static bool fill_field(Filling *f, const StiField *field, int dim, bool lawful)
{
    switch (field->type) {
    case STI_FIELD_NUMBER:
        return fill_number(f, field);
    case STI_FIELD_AXES:
        return fill_axes(f, field, dim);
    case STI_FIELD_NUMBERS:
        return !lawful || fill_numbers(f, field);
    case STI_FIELD_COUNT:
        return fill_count(f, field);
    case STI_FIELD_SWITCH:
        return fill_switch(f, field);
    case STI_FIELD_LAW:
    case STI_FIELD_PARTS:
        return true;
    }
    return true;
}

static bool fill(Filling *f, int dim)
{
    const StiInfo *info = f->model->info;
    f->parameters = sti_arena_take(f->reader->arena, 1, info->size);
    if (f->parameters == NULL) return false;
    int *axes = scene_model_count(f->model, SCENE_DIM, f->parameters);
    int *elements = scene_model_count(f->model, SCENE_ELEMENTS, f->parameters);
    if (axes != NULL) *axes = dim;
    if (elements != NULL) *elements = f->elements;
    const bool lawful = fill_law(f);
    bool good = lawful;
    for (int i = 0; i < info->field_count; ++i)
        good = fill_field(f, &info->fields[i], dim, lawful) && good;
    return good;
}

// Keys that were not needed by this model.
static void note_unused(Reader *reader, const char *name, const Node *node, const char *model_name,
                        const bool *used)
{
    static const char *const structure[] = {"kind", "model",  "on",       "between",
                                            "at",   "anchor", "elements", "load"};
    for (int i = 0; i < node->count; ++i) {
        bool known = used[i];
        for (size_t j = 0; j < sizeof structure / sizeof structure[0]; ++j)
            known = known || strcmp(node->entries[i].key, structure[j]) == 0;
        if (!known)
            scene_message(reader->messages, STI_NOTE, node->entries[i].mark,
                          "%s: the model %s does not use '%s'", name, model_name,
                          node->entries[i].key);
    }
}

static Element *penalty_joint_of(const Filling *f, const Target *target)
{
    for (int i = 0; i < f->reader->element_count; ++i) {
        Element *element = &f->reader->elements[i];
        if (element->joint && target->place != NULL && strcmp(element->name, target->place) == 0)
            return element;
    }
    return NULL;
}

// All friction on a penalty joint listens to one sensor of what its bearing carries.
static StiSignal load_of_penalty_joint(Filling *f, Element *joint)
{
    StiPlan *plan = f->reader->plan;
    if (joint->constraint.number != 0) return sti_signal_constraint(joint->constraint, joint->forces);
    if (joint->load.number == 0) {
        char name[256];
        snprintf(name, sizeof name, "%s.load", joint->name);
        joint->load = sti_plan_add_impedance(plan, name, &sti_kind_bearing_load, &joint->bearing,
                                             &joint->frame);
        for (int i = 0; i < joint->forces; ++i)
            sti_plan_connect(plan, sti_signal_force(joint->id, i), joint->load, i);
    }
    return sti_signal_force(joint->load, 0);
}

// Where the inputs of an element's parts are: each part of a compound has all that the law listens to.
typedef struct Inputs {
    StiElementId element;
    int parts, per_part;
} Inputs;

static void listen_at(Filling *f, const Inputs *inputs, int number, const char *key, ListensTo to,
                      const char *place)
{
    scene_mark_used(f->node, key, f->used);
    for (int i = 0; i < inputs->parts; ++i)
        scene_listen(f->reader, (Listener){.element = inputs->element,
                                           .input = i * inputs->per_part + number,
                                           .key = key,
                                           .node = scene_node_find(f->node, key),
                                           .to = to,
                                           .place = place});
}

static void connect_at(Filling *f, const Inputs *inputs, int number, StiSignal signal)
{
    for (int i = 0; i < inputs->parts; ++i)
        sti_plan_connect(f->reader->plan, signal, inputs->element, i * inputs->per_part + number);
}

// The level of a joint's friction: mu times its own load; where no bearing has radii of its own, times the
// radius at which it rubs.
static void listen_to_own_joint(Filling *f, const Target *target, Element *joint,
                                const Inputs *inputs)
{
    double radius = 1.0;
    bool found;
    const StiBearing *bearing = joint != NULL
                                    ? &joint->bearing
                                    : &sti_robot_link(target->robot->robot, target->link)->bearing;
    if (!scene_number_of(f->reader, f->node, "radius", (Item){0, 1}, f->used, &radius, &found))
        return;
    if (found && sti_bearing_given(bearing)) {
        scene_error(f->reader, scene_node_entry(f->node, "radius")->mark,
                    "%s: the bearing of %s has radii of its own: leave out 'radius'", f->name,
                    target->place);
        return;
    }
    const bool turns = joint != NULL
                           ? joint->hinge.kind->is_angular
                           : sti_robot_link(target->robot->robot, target->link)->joint ==
                                 STI_JOINT_REVOLUTE;
    if (!found && turns && !sti_bearing_given(bearing)) {
        scene_error(f->reader, f->node->mark,
                    "%s: mu on %s, which turns, needs 'radius', m: where it rubs (or the joint a "
                    "bearing: radial_radius, axial_radius, moment_ratio)",
                    f->name, target->place);
        return;
    }
    const StiSignal load = joint != NULL ? load_of_penalty_joint(f, joint)
                                         : sti_signal_load(target->robot->id, target->link);
    connect_at(f, inputs, 0, sti_signal_scaled(load, radius));
}

static void listen_to_load(Filling *f, const Target *target, const Inputs *inputs)
{
    if (scene_node_entry(f->node, "load") != NULL) {
        listen_at(f, inputs, 0, "load", LISTENS_TO_LOAD, NULL);
        return;
    }
    Element *joint = penalty_joint_of(f, target);
    if (target->linkage != NULL)
        connect_at(f, inputs, 0,
                   sti_signal_load(target->linkage->id,
                                   sti_linkage_pair_load(target->linkage->linkage, target->pair)));
    else if (target->robot != NULL || joint != NULL)
        listen_to_own_joint(f, target, joint, inputs);
    else
        scene_error(
            f->reader, f->node->mark,
            "%s: mu needs 'load': a function of time, BODY.load, ELEMENT.force or ELEMENT.fz",
            f->name);
}

// The own signals of a law's kind.
static void listen_to_inputs(Filling *f, const Target *target, const Inputs *inputs, int first)
{
    const StiLawKind *kind = f->law->kind;
    for (int i = 0; i < kind->signals; ++i) {
        const StiInput *input = &kind->inputs[i];
        if (scene_node_find(f->node, input->name) == NULL)
            scene_error(f->reader, f->node->mark,
                        "%s: the law %s listens to '%s': %s, %s; 0 if there is none", f->name,
                        kind->name, input->name, input->meaning, input->unit);
        else
            listen_at(f, inputs, first + i, input->name,
                      input->torque ? LISTENS_TO_TORQUE : LISTENS_TO_LOAD, target->place);
    }
}

// Signals are connected when all elements are known, in the order of sti_law_level.
static void listen(Filling *f, const Target *target, StiElementId element, int parts)
{
    const Entry *load = scene_node_entry(f->node, "load");
    const bool times_load = f->law != NULL && f->law->times_load;
    if (load != NULL && !times_load)
        scene_message(f->reader->messages, STI_NOTE, load->mark,
                      "%s: 'load' is used only with mu; level is an effort", f->name);
    if (f->law == NULL) return;
    const Inputs inputs = {element, parts, sti_law_signals(f->law)};
    int next = 0;
    if (times_load) listen_to_load(f, target, &inputs);
    next += times_load;
    if (f->law->scales_level)
        listen_at(f, &inputs, next++, SCENE_LEVEL_SCALE, LISTENS_TO_LOAD, NULL);
    if (f->law->scales_viscous)
        listen_at(f, &inputs, next++, SCENE_VISCOUS_SCALE, LISTENS_TO_LOAD, NULL);
    listen_to_inputs(f, target, &inputs, next);
}

static StiElementId add_one(Reader *reader, const StiEntry *model, const Target *target,
                            const void *parameters)
{
    return model->impedance != NULL
               ? sti_plan_add_impedance(reader->plan, target->name, model->impedance, parameters,
                                        &target->wire)
               : sti_plan_add_reaction(reader->plan, target->name, model->reaction, parameters,
                                       &target->wire);
}

static bool add_compound(Filling *f, const Target *target, StiElementId *id)
{
    const int count = f->elements;
    StiImpedance *parts = sti_arena_take(f->reader->arena, (size_t)count, sizeof *parts);
    if (parts == NULL) return false;
    for (f->item = (Item){0, count}; f->item.index < count; ++f->item.index) {
        if (!fill(f, target->dim)) return false;
        parts[f->item.index] = (StiImpedance){f->model->impedance, f->parameters};
    }
    const StiCompound compound = {count, parts};
    *id = sti_plan_add_impedance(f->reader->plan, target->name, &sti_kind_compound, &compound,
                                 &target->wire);
    return true;
}

static bool add_target(Filling *f, const Target *target, bool compound)
{
    StiElementId id;
    if (target->dim > 1 && !scene_model_has(f->model, SCENE_DIM)) {
        scene_error(f->reader, scene_node_find(f->node, "model")->mark,
                    "%s: the model %s acts along one axis, and here are %d; elastic-coulomb acts "
                    "along any number",
                    f->name, f->model_name, target->dim);
        return false;
    }
    if (compound) {
        if (!add_compound(f, target, &id)) return false;
    } else {
        f->item = (Item){0, 1};
        if (!fill(f, target->dim)) return false;
        id = add_one(f->reader, f->model, target, f->parameters);
    }
    scene_add_element(f->reader, (Element){.name = target->name,
                                           .entry = f->name,
                                           .node = f->node,
                                           .place = target->place,
                                           .friction = true,
                                           .forces = f->model->impedance != NULL ? target->dim : 0,
                                           .id = id});
    listen(f, target, id, compound ? f->elements : 1);
    return true;
}

// Elements in parallel: a bank's own, or a compound.
static bool read_elements(Reader *reader, const Node *node, const StiEntry *model, int targets,
                          int *elements)
{
    enum { MOST_ELEMENTS = 1000, MOST_PARTS = 2000 };
    const Node *number = scene_node_find(node, "elements");
    *elements = 1;
    if (number == NULL) return true;
    if (!scene_count(reader, number, "elements", 1, MOST_ELEMENTS, elements)) return false;
    if (*elements > 1 && model != NULL && model->reaction != NULL) {
        scene_error(reader, number->mark,
                    "the model %s cannot be put in parallel; elastic-coulomb can",
                    scene_node_find(node, "model")->text);
        return false;
    }
    if (targets <= (MOST_PARTS - reader->parts) / *elements) {
        reader->parts += targets * *elements;
        return true;
    }
    scene_error(reader, number->mark, "the scene would have more than %d elements in parallel",
                MOST_PARTS);
    return false;
}

void scene_read_friction(Reader *reader, const char *name, const Node *node, bool complete)
{
    int count = 0, elements;
    const Node *model_node = scene_node_find(node, "model");
    StiEntry found;
    const bool named = model_node != NULL && scene_registered(reader, model_node, "friction model",
                                                              STI_ROLE_FRICTION, &found);
    const StiEntry *model = named ? &found : NULL;
    const Target *targets = scene_read_targets(reader, name, node, &count);
    const bool good = read_elements(reader, node, model, count, &elements);
    if (!good || !complete || model == NULL || targets == NULL) return;
    Filling f = {.reader = reader,
                 .name = name,
                 .node = node,
                 .model = model,
                 .model_name = model_node->text,
                 .elements = elements};
    f.used = sti_arena_take(reader->arena, (size_t)node->count + 1, sizeof *f.used);
    if (f.used == NULL) return;
    for (int i = 0; i < count; ++i)
        if (!add_target(&f, &targets[i], elements > 1 && !scene_model_has(model, SCENE_ELEMENTS)))
            return;
    note_unused(reader, name, node, f.model_name, f.used);
}
