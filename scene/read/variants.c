// Variants and grids: further runs of a scene, each by what it sets.
#include <string.h>

#include "read/sections.h"

// A value as it would be written after --set: YAML in one line. Like snprintf, the writer counts what does
// not fit, so that a first pass measures.
typedef struct Line {
    char *text;
    size_t size, used;
} Line;

static void put(Line *line, char c)
{
    if (line->used + 1 < line->size) line->text[line->used] = c;
    ++line->used;
}

static void put_text(Line *line, const char *text)
{
    for (; *text != '\0'; ++text) put(line, *text);
}

static void put_quoted(Line *line, const char *text)
{
    put(line, '"');
    for (; *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') put(line, '\\');
        if (*text == '\n')
            put_text(line, "\\n");
        else
            put(line, *text);
    }
    put(line, '"');
}

// Within brackets, text without quotes must not hold brackets, commas and the like.
static void put_value(Line *line, const Node *node, bool within)
{
    if (node->type == NODE_SCALAR) {
        if (node->quoted || (within && strpbrk(node->text, ",[]{}:#?") != NULL))
            put_quoted(line, node->text);
        else
            put_text(line, node->text);
        return;
    }
    put(line, node->type == NODE_LIST ? '[' : '{');
    for (int i = 0; i < node->count; ++i) {
        if (i > 0) put_text(line, ", ");
        if (node->type == NODE_MAP) {
            put_quoted(line, node->entries[i].key);
            put_text(line, ": ");
        }
        put_value(line, node->type == NODE_LIST ? node->items[i] : node->entries[i].value, true);
    }
    put(line, node->type == NODE_LIST ? ']' : '}');
}

static void put_assignment(Line *line, const Entry *entry)
{
    put_text(line, entry->key);
    put(line, '=');
    put_value(line, entry->value, false);
}

const char *const *scene_sets_of(Reader *reader, const Node *set, int *count)
{
    *count = set->count;
    const char **sets = sti_arena_take(reader->arena, (size_t)set->count + 1, sizeof *sets);
    for (int i = 0; sets != NULL && i < set->count; ++i) {
        Line measure = {0};
        put_assignment(&measure, &set->entries[i]);
        Line line = {.size = measure.used + 1};
        line.text = sti_arena_take(reader->arena, line.size, 1); // zeroed: ends itself
        if (line.text == NULL) return NULL;
        put_assignment(&line, &set->entries[i]);
        sets[i] = line.text;
    }
    return sets;
}

// Times and channels are judged when the variant is read: what it sets may change them.
static void check_variant_expectations(Reader *reader, const Node *list)
{
    const StiScene unknown = {0};
    if (list->type != NODE_LIST) {
        scene_error(reader, list->mark, "expect must be a list of expectations, not %s",
                    scene_node_type(list));
        return;
    }
    for (int i = 0; i < list->count; ++i) {
        StiExpectation expectation = {0};
        scene_read_expectation(reader, list->items[i], &unknown, &expectation);
    }
}

static void read_variant(Reader *reader, const Entry *entry, StiVariant *variant)
{
    static const Key variant_keys[] = {
        {"set", VALUE_ANY, true, "{PATH: VALUE, ...}, as --set takes them", NULL},
        {"expect", VALUE_ANY, false, "expectations of this variant", NULL},
    };
    const Node *node = entry->value, *set = scene_node_find(node, "set"),
               *expect = scene_node_find(node, "expect");
    variant->name = entry->key;
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "a variant must be a map: {set: {PATH: VALUE, ...}, expect: [...]}");
        return;
    }
    scene_check_keys(reader, node, "a variant", variant_keys, 2);
    if (set != NULL && set->type == NODE_MAP)
        variant->sets = scene_sets_of(reader, set, &variant->set_count);
    else if (set != NULL)
        scene_error(reader, set->mark, "set must be a map: {PATH: VALUE, ...}, not %s",
                    scene_node_type(set));
    if (expect != NULL && expect != reader->expect) check_variant_expectations(reader, expect);
}

void scene_read_variants(Reader *reader, StiScene *scene)
{
    const Node *variants = scene_node_find(reader->root, "variants");
    if (variants == NULL) return;
    if (variants->type != NODE_MAP) {
        scene_error(reader, variants->mark,
                    "variants must be a map: {NAME: {set: {...}, expect: [...]}}");
        return;
    }
    StiVariant *items = sti_arena_take(reader->arena, (size_t)variants->count + 1, sizeof *items);
    for (int i = 0; items != NULL && i < variants->count; ++i)
        read_variant(reader, &variants->entries[i], &items[i]);
    scene->variants = items;
    scene->variant_count = items != NULL ? variants->count : 0;
}

// ---- grids ----------------------------------------------------------------------------------------------

static void read_axis(Reader *reader, const Entry *entry, StiGridAxis *axis)
{
    static const Key axis_keys[] = {
        {"from", VALUE_NUMBER, true, "first value", NULL},
        {"to", VALUE_NUMBER, true, "last value", NULL},
        {"count", VALUE_COUNT, true, "how many values", NULL},
    };
    const Node *node = entry->value, *count = scene_node_find(node, "count");
    *axis = (StiGridAxis){.path = entry->key, .count = 1};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "an axis of a grid must be {from: A, to: B, count: N}");
        return;
    }
    scene_check_keys(reader, node, "an axis of a grid", axis_keys, 3);
    scene_number_at(reader, node, "from", &axis->from);
    scene_number_at(reader, node, "to", &axis->to);
    if (count != NULL) scene_count(reader, count, "count", 1, 100000, &axis->count);
}

void scene_read_grid(Reader *reader, StiScene *scene)
{
    const double most = 1e9;
    const Node *grid = scene_node_find(reader->root, "grid");
    double runs = 1.0;
    if (grid == NULL) return;
    if (grid->type != NODE_MAP) {
        scene_error(reader, grid->mark, "grid must be a map: {PATH: {from: A, to: B, count: N}}");
        return;
    }
    StiGridAxis *axes = sti_arena_take(reader->arena, (size_t)grid->count + 1, sizeof *axes);
    for (int i = 0; axes != NULL && i < grid->count; ++i) {
        read_axis(reader, &grid->entries[i], &axes[i]);
        runs *= axes[i].count;
    }
    if (runs > most)
        scene_error(reader, grid->mark, "a grid of %.3g runs; at most %g can be made", runs, most);
    scene->grid = axes;
    scene->grid_count = axes != NULL ? grid->count : 0;
}

// Sets the first values, to see whether the paths lead anywhere.
void scene_check_grid(Reader *reader, Node *root)
{
    const Node *grid = scene_node_find(root, "grid");
    const Node before =
        grid != NULL ? *grid : (Node){.type = NODE_SCALAR}; // a path may lead to the grid itself
    for (int i = 0; before.type == NODE_MAP && i < before.count; ++i) {
        const Entry *entry = &before.entries[i];
        Node *from = scene_node_find(entry->value, "from");
        if (from != NULL)
            scene_document_assign(root, entry->key, from, entry->mark, reader->arena,
                                  reader->messages);
    }
}
