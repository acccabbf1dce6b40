// Friction elements: one vocabulary for all models. The numbers go where the fields of the kind say.
#include <stdio.h>
#include <string.h>

#include "models.h"

static const Model *model_named(Reader *reader, const Node *node)
{
    int count;
    const StiWord *words = sti_scene_models(&count);
    const char *names[64] = {NULL};
    for (int i = 0; i < count && i < 63; ++i) names[i] = words[i].name;
    const int word = scene_word(reader, node, "friction model", names);
    return word >= 0 ? scene_model_named(names[word]) : NULL;
}

// Keys outside the vocabulary are errors; those of other models are noted later.
static const Model *check_vocabulary(Reader *reader, const char *name, const Node *node)
{
    int count;
    const Key *keys = scene_friction_keys(&count);
    char what[128];
    snprintf(what, sizeof what, "friction '%s'", name);
    const bool good = scene_check_keys(reader, node, what, keys, count);
    const Node *model = scene_node_find(node, "model");
    const Model *found = model != NULL ? model_named(reader, model) : NULL;
    return good ? found : NULL;
}

// One element of the model: where to read from, where to write to.
typedef struct Filling {
    Reader *reader;
    const char *name;
    const Node *node;
    const Model *model;
    const char *model_name;
    bool *used;
    int item;     // entry of lists; 0 where there are none
    int elements; // of a bank
    unsigned char *parameters;
} Filling;

// "static" of the finite-time rule belongs to a curve's law where there is one.
static bool law_takes_static(const StiLaw *law)
{
    for (int i = 0; i < law->kind->field_count; ++i)
        if (strcmp(law->kind->fields[i].name, "static") == 0) return true;
    return false;
}

static bool fill_number(Filling *f, const StiField *field, const StiLaw *law)
{
    double *value = (double *)(void *)(f->parameters + field->offset);
    const char *key = field->name;
    bool found;
    *value = field->usual;
    if (strcmp(key, "static") == 0) {
        if (law != NULL && law_takes_static(law)) return true;
        if (scene_node_find(f->node, "mu_static") != NULL) key = "mu_static";
    }
    if (!scene_number_of(f->reader, f->node, key, f->item, f->used, value, &found)) return false;
    if (found || field->bound != STI_POSITIVE || field->usual > 0.0) return true;
    scene_error(f->reader, f->node->mark, "%s: the model %s needs '%s': %s", f->name, f->model_name, field->name,
                field->meaning);
    return false;
}

// Numbers of a bank: a list, or one number for each element.
static bool fill_numbers(Filling *f, const StiField *field, const StiLaw *law)
{
    if (field->bound != STI_POSITIVE && scene_node_find(f->node, field->name) == NULL) return true; // stays NULL
    double *values = sti_arena_take(f->reader->arena, (size_t)f->elements, sizeof *values);
    if (values == NULL) return false;
    *(double **)(void *)(f->parameters + field->offset) = values;
    for (int i = 0; i < f->elements; ++i) {
        bool found;
        values[i] = field->usual;
        if (!scene_number_of(f->reader, f->node, field->name, i, f->used, &values[i], &found)) return false;
        if (found) continue;
        if (strcmp(field->name, "share") == 0) {
            values[i] = 1.0 / f->elements;
        } else if (strcmp(field->name, "bank_level") == 0 && law != NULL) {
            values[i] = sti_law_survey(law).highest / f->elements;
        } else {
            scene_error(f->reader, f->node->mark, "%s: the model %s needs '%s': %s", f->name, f->model_name,
                        field->name, field->meaning);
            return false;
        }
    }
    return true;
}

static bool fill_switches(Filling *f)
{
    bool good = true;
    for (int i = 0; i < 2 && f->model->switches[i].key != NULL; ++i) {
        const Node *node = scene_node_find(f->node, f->model->switches[i].key);
        if (node == NULL) continue;
        scene_mark_used(f->node, f->model->switches[i].key, f->used);
        good = scene_truth(f->reader, node, f->model->switches[i].key,
                           (bool *)(void *)(f->parameters + f->model->switches[i].offset)) &&
               good;
    }
    return good;
}

static bool fill(Filling *f, int dim)
{
    const StiInfo *info = model_info(f->model);
    StiLaw *law = NULL;
    bool good = true;
    f->parameters = sti_arena_take(f->reader->arena, 1, info->size);
    if (f->parameters == NULL) return false;
    if (f->model->planar) *(int *)(void *)(f->parameters + f->model->dim_offset) = dim;
    if (f->model->bank) *(int *)(void *)(f->parameters + f->model->elements_offset) = f->elements;
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type == STI_FIELD_LAW) {
            law = (StiLaw *)(void *)(f->parameters + info->fields[i].offset);
            good = scene_read_law(f->reader, f->node, f->model, f->item, f->reader->arena, f->used, law);
        }
    for (int i = 0; good && i < info->field_count; ++i) {
        const StiField *field = &info->fields[i];
        if (field->type == STI_FIELD_NUMBER) good = fill_number(f, field, law);
        if (field->type == STI_FIELD_NUMBERS) good = fill_numbers(f, field, law);
    }
    return fill_switches(f) && good;
}

// Keys that were not needed by this model.
static void note_unused(Reader *reader, const char *name, const Node *node, const char *model_name,
                        const bool *used)
{
    static const char *const structure[] = {"kind", "model", "on", "between", "at", "anchor", "elements", "load"};
    for (int i = 0; i < node->count; ++i) {
        bool known = used[i];
        for (size_t j = 0; j < sizeof structure / sizeof structure[0]; ++j)
            known = known || strcmp(node->entries[i].key, structure[j]) == 0;
        if (!known)
            scene_message(reader->messages, STI_NOTE, node->entries[i].mark,
                          "%s: the model %s does not use '%s'", name, model_name, node->entries[i].key);
    }
}

static bool times_load(const Node *node)
{
    return scene_node_find(node, "mu") != NULL || scene_node_find(node, "mu_static") != NULL;
}

// Loads are connected when all elements are known; in a compound each part has an input of its own.
static void listen(Reader *reader, const Node *node, StiElementId element, int inputs)
{
    const Node *load = scene_node_find(node, "load");
    if (!times_load(node)) {
        if (load != NULL)
            scene_message(reader->messages, STI_NOTE, load->mark, "load is used only with mu; level is an effort");
        return;
    }
    if (load == NULL) {
        scene_error(reader, node->mark, "mu needs 'load': a function of time, BODY.load, ELEMENT.force or ELEMENT.fz");
        return;
    }
    for (int i = 0; i < inputs; ++i) {
        if (reader->listener_count == reader->listener_capacity) {
            const int capacity = 2 * reader->listener_capacity + 16;
            Listener *more = sti_arena_take(reader->arena, (size_t)capacity, sizeof *more);
            if (more == NULL) return;
            if (reader->listener_count > 0)
                memcpy(more, reader->listeners, (size_t)reader->listener_count * sizeof *more);
            reader->listeners = more;
            reader->listener_capacity = capacity;
        }
        reader->listeners[reader->listener_count++] = (Listener){element, i, load};
    }
}

static StiElementId add_one(Reader *reader, const Model *model, const Target *target, const void *parameters)
{
    return model->impedance != NULL
               ? sti_plan_add_impedance(reader->plan, target->name, model->impedance, parameters, &target->wire)
               : sti_plan_add_reaction(reader->plan, target->name, model->reaction, parameters, &target->wire);
}

static bool add_compound(Filling *f, const Target *target, StiElementId *id)
{
    const int count = f->elements;
    StiImpedance *parts = sti_arena_take(f->reader->arena, (size_t)count, sizeof *parts);
    if (parts == NULL) return false;
    for (f->item = 0; f->item < count; ++f->item) {
        if (!fill(f, target->dim)) return false;
        parts[f->item] = (StiImpedance){f->model->impedance, f->parameters};
    }
    const StiCompound compound = {count, parts};
    *id = sti_plan_add_impedance(f->reader->plan, target->name, &sti_kind_compound, &compound, &target->wire);
    return true;
}

static bool add_target(Filling *f, const Target *target, bool compound)
{
    StiElementId id;
    if (target->dim > 1 && !f->model->planar) {
        scene_error(f->reader, f->node->mark, "%s: the model %s acts along one axis, and the wire has %d", f->name,
                    f->model_name, target->dim);
        return false;
    }
    if (compound) {
        if (!add_compound(f, target, &id)) return false;
    } else {
        if (!fill(f, target->dim)) return false;
        id = add_one(f->reader, f->model, target, f->parameters);
    }
    scene_add_element(f->reader, (Element){.name = target->name,
                                           .entry = f->name,
                                           .node = f->node,
                                           .friction = true,
                                           .forces = f->model->impedance != NULL ? target->dim : 0,
                                           .id = id});
    listen(f->reader, f->node, id, compound ? f->elements : 1);
    return true;
}

void scene_read_friction(Reader *reader, const char *name, const Node *node)
{
    int count, elements = 1;
    const Model *model = check_vocabulary(reader, name, node);
    const Node *number = scene_node_find(node, "elements");
    const Target *targets = scene_read_targets(reader, name, node, &count);
    if (model == NULL || targets == NULL) return;
    if (number != NULL && !scene_count(reader, number, "elements", 1, 100000, &elements)) return;
    const char *model_name = scene_node_find(node, "model")->text;
    const bool compound = elements > 1 && !model->bank;
    if (compound && model->reaction != NULL) {
        scene_error(reader, number->mark, "%s: the model %s cannot be put in parallel; elastic-coulomb can", name,
                    model_name);
        return;
    }
    Filling f = {.reader = reader, .name = name, .node = node, .model = model,
                 .model_name = model_name, .elements = elements};
    f.used = sti_arena_take(reader->arena, (size_t)node->count + 1, sizeof *f.used);
    if (f.used == NULL) return;
    for (int i = 0; i < count; ++i) {
        f.item = 0;
        if (!add_target(&f, &targets[i], compound)) return;
    }
    note_unused(reader, name, node, model_name, f.used);
}
