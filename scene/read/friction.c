// Friction elements: one vocabulary for all models. The numbers go where the fields of the kind say.
#include <stdio.h>
#include <string.h>

#include "read/friction.h"

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
    scene_friction_listen(f, target, id, compound ? f->elements : 1);
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
