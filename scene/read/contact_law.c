// A law of friction in place of a contact's mu: {kind: NAME, ...} with the fields of that law. Its level is the
// contact's mu, its static level mu_static; what the law measures in N is a coefficient here.
#include <string.h>

#include "read/contacts.h"
#include "read/models.h"

static const StiField *field_named(const StiLawKind *kind, const char *name)
{
    for (int i = 0; i < kind->field_count; ++i)
        if (strcmp(kind->fields[i].name, name) == 0) return &kind->fields[i];
    return NULL;
}

static bool check_fields(Reader *reader, const Node *map, const StiLawKind *kind)
{
    bool good = true;
    for (int i = 0; i < map->count; ++i) {
        const char *key = map->entries[i].key;
        if (strcmp(key, "kind") == 0 || (kind->table && strcmp(key, "table") == 0)) continue;
        const bool of_contact = strcmp(key, "level") == 0 || strcmp(key, "static") == 0;
        if (!of_contact && field_named(kind, key) != NULL) continue;
        if (of_contact)
            scene_error(reader, map->entries[i].mark, "'%s' of a contact's law is its '%s'", key,
                        strcmp(key, "level") == 0 ? "mu" : "mu_static");
        else
            scene_error(reader, map->entries[i].mark, "the law %s has no '%s'", kind->name, key);
        good = false;
    }
    return good;
}

bool scene_read_contact_law(Reader *reader, const Node *law, double mu, double mu_static,
                            StiLaw *to)
{
    StiEntry entry;
    const Node *word = law->type == NODE_MAP ? scene_node_find(law, "kind") : law;
    if (word == NULL || word->type != NODE_SCALAR) {
        scene_error(reader, law->mark,
                    "a contact's law is a map such as {kind: stribeck, stribeck_speed: 0.01}");
        return false;
    }
    if (!scene_registered(reader, word, "law", STI_ROLE_LAW, &entry)) return false;
    if (entry.law->directional || entry.law->signals > 0) {
        scene_error(reader, word->mark,
                    "%s depends on more than the speed of slip: not at a contact", entry.law->name);
        return false;
    }
    *to = (StiLaw){.kind = entry.law};
    bool good = law->type != NODE_MAP || check_fields(reader, law, entry.law);
    if (entry.law->table)
        return scene_read_law_table(reader, law, "mu", reader->arena, to) && good;
    for (int i = 0; i < entry.law->field_count; ++i) {
        const StiField *field = &entry.law->fields[i];
        double *value = &to->p[field->offset];
        *value = strcmp(field->name, "level") == 0    ? mu
                 : strcmp(field->name, "static") == 0 ? (mu_static > mu ? mu_static : mu)
                                                      : field->usual;
        if (law->type == NODE_MAP && good) good = scene_number_at(reader, law, field->name, value);
    }
    return good;
}
