// The law that the keys of a friction element ask for.
#include <string.h>

#include "read/models.h"

void scene_mark_used(const Node *node, const char *key, bool *used)
{
    for (int i = 0; i < node->count; ++i)
        if (strcmp(node->entries[i].key, key) == 0) used[i] = true;
}

bool scene_number_of(Reader *reader, const Node *node, const char *key, Item item, bool *used,
                     double *value, bool *found)
{
    const Node *at = scene_node_find(node, key);
    *found = at != NULL;
    if (at == NULL) return true;
    scene_mark_used(node, key, used);
    if (at->type != NODE_LIST) return scene_number(reader, at, key, value);
    if (at->count == item.count) return scene_number(reader, at->items[item.index], key, value);
    if (item.count == 1)
        scene_error(reader, at->mark, "%s must be one number, not a list of %d", key, at->count);
    else
        scene_error(reader, at->mark,
                    "%s must be one number or a list of %d, one for each element, not of %d", key,
                    item.count, at->count);
    return false;
}

static const StiLawKind *law_named(Reader *reader, const Node *node)
{
    StiEntry entry;
    return scene_registered(reader, node, "law", STI_ROLE_LAW, &entry) ? entry.law : NULL;
}

// Does a key of the scene belong to this law and to no simpler one? What the model itself has (viscous of
// LuGre) does not count.
static bool is_asked(const StiLawKind *law, const Node *node, const StiEntry *model)
{
    if (law->table && scene_node_find(node, "table") != NULL) return true;
    for (int i = 0; i < law->field_count; ++i)
        if (law->fields[i].asks && scene_node_find(node, law->fields[i].name) != NULL &&
            scene_model_field(model, law->fields[i].name) == NULL)
            return true;
    return false;
}

static const StiLawKind *law_asked(const Node *node, const StiEntry *model)
{
    const StiLawKind *asked = &sti_law_kind_coulomb;
    StiEntry entry;
    for (int i = 0; sti_registry_at(STI_ROLE_LAW, i, &entry); ++i)
        if (is_asked(entry.law, node, model)) asked = entry.law;
    return asked;
}

bool scene_read_law_table(Reader *reader, const Node *node, const char *measure, StiArena *arena,
                          StiLaw *law)
{
    const Node *table = scene_node_find(node, "table");
    if (table == NULL || table->type != NODE_LIST || table->count < 1) {
        scene_error(reader, table != NULL ? table->mark : node->mark,
                    "a table law needs 'table': [[speed, %s], [speed, %s], ...]", measure, measure);
        return false;
    }
    double *numbers = sti_arena_take(arena, 2 * (size_t)table->count, sizeof *numbers);
    bool good = numbers != NULL;
    for (int i = 0; numbers != NULL && i < table->count; ++i) {
        double pair[2] = {0.0};
        int count;
        good =
            scene_vector(reader, table->items[i], "an entry of table", 2, 2, pair, &count) && good;
        numbers[i] = pair[0];
        numbers[table->count + i] = pair[1];
    }
    *law = sti_law_table(numbers, table->count);
    return good;
}

static bool read_table(Reader *reader, const Node *node, StiArena *arena, bool *used, StiLaw *law)
{
    if (law->times_load) {
        scene_error(reader, node->mark, "a table holds levels (N): give no mu with it");
        return false;
    }
    scene_mark_used(node, "table", used);
    return scene_read_law_table(reader, node, "level", arena, law);
}

// "level" may be written "mu", "static" may be written "mu_static".
static const char *written_as(const Node *node, const char *field)
{
    if (strcmp(field, "level") == 0 && scene_node_find(node, "mu") != NULL) return "mu";
    if (strcmp(field, "static") == 0 && scene_node_find(node, "mu_static") != NULL)
        return "mu_static";
    return field;
}

// A law's parameter that the model has too belongs to the model, except for the static level of a curve.
static bool belongs_to_model(const StiEntry *model, const StiField *field)
{
    return scene_model_field(model, field->name) != NULL && strcmp(field->name, "static") != 0;
}

static void missing_level(Reader *reader, const Node *node, const StiLaw *law)
{
    if (law->times_load)
        scene_error(reader, node->mark, "the %s law needs 'mu' beside 'mu_static'",
                    law->kind->name);
    else
        scene_error(reader, node->mark, "the %s law needs 'level' (N) or 'mu' (times a load)",
                    law->kind->name);
}

// What a parameter is where it is not given: motion along minus is like motion along plus, static like kinetic.
static double usual_value(const StiLaw *law, const StiField *field)
{
    const bool like_level =
        strcmp(field->name, "level_backward") == 0 || strcmp(field->name, "static") == 0;
    const char *other = like_level                                     ? "level"
                        : strcmp(field->name, "viscous_backward") == 0 ? "viscous"
                                                                       : "";
    for (int i = 0; i < law->kind->field_count; ++i)
        if (strcmp(law->kind->fields[i].name, other) == 0)
            return law->p[law->kind->fields[i].offset];
    return field->usual;
}

static bool read_numbers(Reader *reader, const Node *node, const StiEntry *model, Item item,
                         bool *used, StiLaw *law)
{
    bool good = true;
    for (int i = 0; i < law->kind->field_count; ++i) {
        const StiField *field = &law->kind->fields[i];
        const char *key = written_as(node, field->name);
        bool found = false;
        double *value = &law->p[field->offset];
        *value = usual_value(law, field);
        if (belongs_to_model(model, field)) continue;
        good = scene_number_of(reader, node, key, item, used, value, &found) && good;
        if (found) continue;
        if (strcmp(field->name, "level") != 0) continue; // all others have a usual value
        missing_level(reader, node, law);
        good = false;
    }
    return good;
}

static bool has_viscous_part(const StiLawKind *kind)
{
    for (int i = 0; i < kind->field_count; ++i)
        if (strcmp(kind->fields[i].name, "viscous") == 0) return true;
    return false;
}

bool scene_read_law(Reader *reader, const Node *node, const StiEntry *model, Item item,
                    StiArena *arena, bool *used, StiLaw *law)
{
    const Node *named = scene_node_find(node, "law");
    const bool mu =
        scene_node_find(node, "mu") != NULL || scene_node_find(node, "mu_static") != NULL;
    if (mu && (scene_node_find(node, "level") != NULL || scene_node_find(node, "static") != NULL)) {
        scene_error(reader, node->mark,
                    "give either level and static (N) or mu and mu_static, not both");
        return false;
    }
    if (named != NULL) scene_mark_used(node, "law", used);
    const StiLawKind *kind = named != NULL ? law_named(reader, named) : law_asked(node, model);
    if (kind == NULL) return false;
    *law = (StiLaw){.kind = kind, .times_load = mu};
    if (!(kind->table ? read_table(reader, node, arena, used, law)
                      : read_numbers(reader, node, model, item, used, law)))
        return false;
    law->scales_level = scene_node_find(node, SCENE_LEVEL_SCALE) != NULL;
    const Node *viscous = scene_node_find(node, SCENE_VISCOUS_SCALE);
    law->scales_viscous = viscous != NULL;
    if (viscous == NULL || has_viscous_part(kind)) return true;
    scene_error(reader, viscous->mark, "the law %s has no viscous part to scale", kind->name);
    return false;
}
