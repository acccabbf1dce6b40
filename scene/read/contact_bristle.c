// Friction of a contact that yields before it slips: {kind: NAME, stiffness: ..., ...}, with the names and keys of
// the elements that do the same along a coordinate.
#include <string.h>

#include "read/contacts.h"

static const char *const models[] = {"elastic-coulomb", "lugre", "elastoplastic", NULL};

static const Key keys[] = {
    {"kind", VALUE_WORD, true, "elastic-coulomb, lugre or elastoplastic", models},
    {"stiffness", VALUE_NUMBER, true, "of the bristle of each point, N/m", NULL},
    {"damping", VALUE_NUMBER, false, "of the bristle of each point, N s/m", NULL},
    {"viscous", VALUE_NUMBER, false, "lugre, elastoplastic: beside the bristle, N s/m", NULL},
    {"breakaway", VALUE_NUMBER, false,
     "elastoplastic: share of the level up to which all is elastic; default 0.7", NULL},
};

// A key that the model does not know.
static bool refuse_key(Reader *reader, const Node *map, const char *key, const char *model)
{
    const Entry *entry = scene_node_entry(map, key);
    if (entry == NULL) return true;
    scene_error(reader, entry->mark, "a bristle of kind %s has no '%s'", model, key);
    return false;
}

bool scene_read_contact_bristle(Reader *reader, const Node *map, StiContactBristle *to)
{
    if (map->type != NODE_MAP) {
        scene_error(
            reader, map->mark,
            "a contact's bristle is a map such as {kind: lugre, stiffness: 1e5, damping: 50}");
        return false;
    }
    if (!scene_check_keys(reader, map, "bristle", keys, (int)(sizeof keys / sizeof keys[0])))
        return false;
    const int word = scene_word(reader, scene_node_find(map, "kind"), "kind of bristle", models);
    if (word < 0) return false;
    *to = (StiContactBristle){.model = (StiContactBristleModel)(word + 1), .breakaway = 0.7};
    bool good = scene_number_at(reader, map, "stiffness", &to->stiffness);
    good = scene_number_at(reader, map, "damping", &to->damping) && good;
    good = scene_number_at(reader, map, "viscous", &to->viscous) && good;
    good = scene_number_at(reader, map, "breakaway", &to->breakaway) && good;
    if (to->model == STI_CONTACT_ELASTIC_COULOMB)
        good = refuse_key(reader, map, "viscous", models[word]) && good;
    if (to->model != STI_CONTACT_ELASTOPLASTIC)
        good = refuse_key(reader, map, "breakaway", models[word]) && good;
    return good;
}
