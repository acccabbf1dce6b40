// The sections parameters and inputs: names that expressions may use.
#include "read/reader.h"

static bool take_names(Reader *reader, const Node *parameters, const Node *inputs)
{
    const int input_count = inputs != NULL ? inputs->count : 0;
    const int parameter_count = parameters != NULL ? parameters->count : 0,
              count = 1 + input_count + parameter_count;
    Names *names = &reader->names;
    names->names = sti_arena_take(reader->arena, (size_t)count, sizeof *names->names);
    names->values = sti_arena_take(reader->arena, (size_t)count, sizeof *names->values);
    names->broken = sti_arena_take(reader->arena, (size_t)count, sizeof *names->broken);
    names->tables = sti_arena_take(reader->arena, (size_t)count, sizeof *names->tables);
    if (names->names == NULL || names->values == NULL || names->broken == NULL ||
        names->tables == NULL)
        return false;
    names->names[0] = "t";
    names->input_count = input_count;
    names->total = count;
    for (int i = 0; i < input_count; ++i) names->names[1 + i] = inputs->entries[i].key;
    for (int i = 0; i < parameter_count; ++i)
        names->names[1 + input_count + i] = parameters->entries[i].key;
    return true;
}

static const Node *section(Reader *reader, const char *key)
{
    const Node *node = scene_node_find(reader->root, key);
    if (node == NULL || node->type == NODE_MAP) return node;
    scene_error(reader, node->mark, "%s must be a map of names, not %s", key,
                scene_node_type(node));
    return NULL;
}

bool scene_read_parameters(Reader *reader)
{
    const Node *parameters = section(reader, "parameters"),
               *inputs = section(reader, "inputs") != NULL ? scene_inside_inputs(reader) : NULL;
    if (!take_names(reader, parameters, inputs)) return false;
    for (int i = 0; parameters != NULL && i < parameters->count; ++i) {
        const Entry *entry = &parameters->entries[i];
        Names *names = &reader->names;
        const int place = scene_name_count(names);
        double value = 0.0;
        names->broken[place] = !scene_number(reader, entry->value, entry->key, &value);
        names->values[place] = value;
        ++names->parameter_count;
    }
    return true;
}

// An input may use the inputs above it only.
static bool check_order(Reader *reader, const Node *inputs, int i)
{
    const Piece *piece = &reader->names.inputs[i];
    if (piece->type != PIECE_EXPRESSION || !piece->uses_inputs) return true;
    bool good = true;
    for (int j = i; j < inputs->count; ++j) {
        if (!scene_program_uses(&piece->program, 1 + j)) continue;
        scene_error(reader, inputs->entries[i].value->mark,
                    "input %s uses %s: an input may use only those that stand above it",
                    inputs->entries[i].key, j == i ? "itself" : inputs->entries[j].key);
        good = false;
    }
    return good;
}

// Each input also becomes a source of the plan.
bool scene_read_inputs(Reader *reader)
{
    const Node *inputs = scene_inside_inputs(reader);
    Names *names = &reader->names;
    Piece *pieces = sti_arena_take(reader->arena, (size_t)names->input_count + 1, sizeof *pieces);
    names->sources =
        sti_arena_take(reader->arena, (size_t)names->input_count + 1, sizeof *names->sources);
    if (pieces == NULL || names->sources == NULL) return false;
    bool good = true;
    names->inputs = pieces;
    for (int i = 0; i < names->input_count; ++i) {
        const Entry *entry = &inputs->entries[i];
        const bool read = scene_read_piece(reader, entry->value, entry->key, &pieces[i]) &&
                          check_order(reader, inputs, i);
        names->broken[1 + i] = !read;
        if (read) names->tables[1 + i] = pieces[i].table;
        if (!read) pieces[i] = (Piece){.type = PIECE_CONSTANT};
        good = good && read;
        names->sources[i] =
            sti_plan_add_time_function(reader->plan, entry->key,
                                       scene_time_function(reader, &pieces[i], 1, 0, NULL, 0));
    }
    return good;
}
