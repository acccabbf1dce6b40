#include "read/materials.h"

#include <string.h>

static const Key pair_keys[] = {
    {"between", VALUE_PAIR, true, "two materials, or one twice", NULL},
    {"mu", VALUE_NUMBER, false, "coefficient while sliding", NULL},
    {"mu_static", VALUE_NUMBER, false, "while sticking; default: mu", NULL},
    {"rolling", VALUE_NUMBER, false, "resistance to rolling, m", NULL},
    {"spinning", VALUE_NUMBER, false, "resistance to spinning, m", NULL},
    {"restitution", VALUE_NUMBER, false, "0 to 1", NULL},
};

static int number_of(const Materials *materials, const char *name)
{
    for (int i = 0; i < materials->count; ++i)
        if (strcmp(materials->names[i], name) == 0) return i + 1;
    return 0;
}

static int enter(Materials *materials, const char *name)
{
    const int known = number_of(materials, name);
    if (known > 0) return known;
    materials->names[materials->count++] = name;
    return materials->count;
}

static bool read_names(Reader *reader, const Node *entry, Materials *materials, int numbers[2])
{
    const Node *between = scene_node_find(entry, "between");
    bool good = between != NULL && between->type == NODE_LIST && between->count == 2;
    for (int i = 0; good && i < 2; ++i) {
        const char *name;
        good = scene_text(reader, between->items[i], "a material", &name);
        if (good) numbers[i] = enter(materials, name);
    }
    if (between != NULL && (between->type != NODE_LIST || between->count != 2))
        scene_error(reader, between->mark, "between must be a list of two materials: [A, B]");
    return good;
}

static void read_pair(Reader *reader, const Node *entry, Materials *materials)
{
    StiMaterialPair pair = {0};
    int numbers[2];
    bool good = scene_check_keys(reader, entry, "an entry of materials", pair_keys,
                                 sizeof pair_keys / sizeof pair_keys[0]);
    good = read_names(reader, entry, materials, numbers) && good;
    good = scene_number_at(reader, entry, "mu", &pair.mu) && good;
    good = scene_number_at(reader, entry, "mu_static", &pair.mu_static) && good;
    good = scene_number_at(reader, entry, "rolling", &pair.rolling) && good;
    good = scene_number_at(reader, entry, "spinning", &pair.spinning) && good;
    if (!scene_number_at(reader, entry, "restitution", &pair.restitution) || !good) return;
    pair.a = numbers[0], pair.b = numbers[1];
    for (int i = 0; i < materials->pair_count; ++i) {
        const StiMaterialPair *other = &materials->pairs[i];
        if ((other->a != pair.a || other->b != pair.b) &&
            (other->a != pair.b || other->b != pair.a))
            continue;
        scene_error(reader, entry->mark, "'%s' and '%s' are in the table twice",
                    materials->names[pair.a - 1], materials->names[pair.b - 1]);
        return;
    }
    materials->pairs[materials->pair_count++] = pair;
}

void scene_read_materials(Reader *reader)
{
    const Node *list = scene_node_find(reader->root, "materials");
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        scene_error(reader, list->mark,
                    "materials must be a list such as [{between: [steel, wood], mu: 0.4}], not %s",
                    scene_node_type(list));
        return;
    }
    const size_t room = (size_t)list->count + 1;
    Materials *materials = sti_arena_take(reader->arena, 1, sizeof *materials);
    if (materials == NULL) return;
    *materials =
        (Materials){.names = sti_arena_take(reader->arena, 2 * room, sizeof *materials->names),
                    .pairs = sti_arena_take(reader->arena, room, sizeof *materials->pairs)};
    if (materials->names == NULL || materials->pairs == NULL) return;
    reader->materials = materials;
    for (int i = 0; i < list->count; ++i) {
        if (list->items[i]->type == NODE_MAP)
            read_pair(reader, list->items[i], materials);
        else
            scene_error(reader, list->items[i]->mark,
                        "an entry of materials is a map such as {between: [steel, wood], mu: 0.4}");
    }
}

int scene_material(Reader *reader, const Node *name)
{
    const char *text;
    if (!scene_text(reader, name, "material", &text)) return 0;
    const int number = reader->materials != NULL ? number_of(reader->materials, text) : 0;
    if (number == 0)
        scene_error(reader, name->mark, "material '%s' is in no pair of 'materials'", text);
    return number;
}
