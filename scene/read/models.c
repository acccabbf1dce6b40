// The keys of friction elements: those of the element itself, then the parameters of all models and laws
// that the registry knows.
#include "read/models.h"

#include <stdio.h>
#include <string.h>

static const Key element_keys[] = {
    {"kind", VALUE_TEXT, true, "friction", NULL},
    {"model", VALUE_MODEL, true, "the friction model: stiction list models", NULL},
    {"on", VALUE_BODY, false, "a body, a robot's joint or link, a penalty joint, or a list of them",
     NULL},
    {"between", VALUE_PAIR, false, "two bodies, links or joints", NULL},
    {"at", VALUE_POINTS, false, "points of rigid bodies or links", NULL},
    {"anchor", VALUE_VECTOR, false, "point of the ground", NULL},
    {"law", VALUE_LAW, false,
     "the level as a function of speed; default: what the other keys ask for", NULL},
    {"level", VALUE_NUMBERS, false, "level of friction, N", NULL},
    {"mu", VALUE_NUMBERS, false, "coefficient of friction, times the load", NULL},
    {"load", VALUE_FUNCTION, false,
     "with mu: a function of time, or a signal: BODY.load, ELEMENT.force, ELEMENT.fz", NULL},
    {"radius", VALUE_NUMBER, false,
     "with mu on a joint: where it rubs, m; the load is the joint's own", NULL},
    {"static", VALUE_NUMBERS, false, "level that ends sticking, N", NULL},
    {"mu_static", VALUE_NUMBERS, false, "coefficient that ends sticking", NULL},
    {SCENE_LEVEL_SCALE, VALUE_FUNCTION, false,
     "what the dry part of the level is multiplied by: a function of time or of channels and "
     "inputs, "
     "such as a temperature",
     NULL},
    {SCENE_VISCOUS_SCALE, VALUE_FUNCTION, false, "the same for the viscous part of the law", NULL},
    {"table", VALUE_TABLE, false, "of the law table: [[speed, level], ...], m/s and N", NULL},
    {"elements", VALUE_COUNT, false, "so many elements in parallel; numbers may then be lists",
     NULL},
};
enum { ELEMENT_KEYS = sizeof element_keys / sizeof element_keys[0] };

static bool is_known(const FrictionKeys *all, const char *name)
{
    for (int i = 0; i < all->count; ++i)
        if (strcmp(all->keys[i].name, name) == 0) return true;
    return false;
}

static bool type_of(const StiField *field, ValueType *type)
{
    static const ValueType types[] = {[STI_FIELD_NUMBER] = VALUE_NUMBERS,
                                      [STI_FIELD_AXES] = VALUE_VECTOR,
                                      [STI_FIELD_NUMBERS] = VALUE_NUMBERS,
                                      [STI_FIELD_COUNT] = VALUE_COUNT,
                                      [STI_FIELD_SWITCH] = VALUE_TRUTH};
    *type = field->type < sizeof types / sizeof types[0] ? types[field->type] : VALUE_ANY;
    return field->type != STI_FIELD_LAW && field->type != STI_FIELD_PARTS &&
           strcmp(field->name, SCENE_DIM) != 0;
}

static void add_fields(FrictionKeys *all, const StiEntry *entry)
{
    for (int i = 0; i < entry->field_count; ++i) {
        const StiField *field = &entry->fields[i];
        ValueType type;
        if (!type_of(field, &type) || is_known(all, field->name) ||
            all->count == SCENE_MOST_FRICTION_KEYS)
            continue;
        all->keys[all->count++] = (Key){field->name, type, false, field->meaning, NULL};
    }
}

static void add_inputs(FrictionKeys *all, const StiLawKind *law)
{
    for (int i = 0; law->inputs != NULL && i < law->signals; ++i)
        if (!is_known(all, law->inputs[i].name) && all->count < SCENE_MOST_FRICTION_KEYS)
            all->keys[all->count++] =
                (Key){law->inputs[i].name, VALUE_FUNCTION, false, law->inputs[i].meaning, NULL};
}

void scene_friction_keys(FrictionKeys *all)
{
    StiEntry entry;
    memcpy(all->keys, element_keys, sizeof element_keys);
    all->count = ELEMENT_KEYS;
    for (int i = 0; sti_registry_at(STI_ROLE_LAW, i, &entry); ++i) {
        add_fields(all, &entry);
        add_inputs(all, entry.law);
    }
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) add_fields(all, &entry);
}

static const StiField *field_of(const StiEntry *entry, const char *name)
{
    for (int i = 0; i < entry->field_count; ++i)
        if (strcmp(entry->fields[i].name, name) == 0) return &entry->fields[i];
    return NULL;
}

void scene_friction_key_users(const char *key, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < ELEMENT_KEYS; ++i)
        if (strcmp(element_keys[i].name, key) == 0) return;
    for (int role = STI_ROLE_FRICTION; role <= STI_ROLE_LAW; ++role) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry) && used < size; ++i) {
            const StiField *field = field_of(&entry, key);
            if (field == NULL) continue;
            const char *unit = used == 0 && field->unit[0] != '\0' ? field->unit : NULL;
            const int length =
                snprintf(text + used, size - used, "%s%s%s%s%s", unit != NULL ? ", " : "",
                         unit != NULL ? unit : "", used == 0 ? " (" : ", ",
                         role == STI_ROLE_LAW ? "law " : "", entry.name);
            if (length > 0) used += (size_t)length;
        }
    }
    if (used > 0 && used + 1 < size) memcpy(text + used, ")", 2);
}

const StiField *scene_model_field(const StiEntry *model, const char *name)
{
    const StiField *field = sti_kind_field(model->info, name);
    return field != NULL && field->type != STI_FIELD_LAW ? field : NULL;
}

int *scene_model_count(const StiEntry *model, const char *name, void *parameters)
{
    const StiField *field = sti_kind_field(model->info, name);
    if (field == NULL || field->type != STI_FIELD_COUNT) return NULL;
    return (int *)(void *)((unsigned char *)parameters + field->offset);
}
