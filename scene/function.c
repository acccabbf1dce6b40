#include "function.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

// ---- constants ------------------------------------------------------------------------------------------

// A YAML number, read the same in every locale; false if it is none.
static bool plain_number(const char *text, double *value)
{
    char *end;
    if (strspn(text, "0123456789+-.eE") != strlen(text)) return false;
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

// How many of the names may be used in constant expressions: parameters read so far.
static const char *const *parameter_names(const Reader *reader)
{
    return reader->names.names + 1 + reader->names.input_count;
}

bool scene_constant(Reader *reader, const Node *node, const char *what, double *value)
{
    char error[256];
    if (!node->quoted && plain_number(node->text, value)) return true;
    StiExpression *expression = sti_expression_create(
        node->text, parameter_names(reader), reader->names.parameter_count, error, sizeof error);
    if (expression == NULL) {
        scene_error(reader, node->mark, "%s: '%s' is neither a number nor an expression of the parameters: %s",
                    what, node->text, error);
        return false;
    }
    *value = sti_expression_value(expression, reader->names.values + 1 + reader->names.input_count);
    sti_expression_destroy(expression);
    if (isfinite(*value)) return true;
    scene_error(reader, node->mark, "%s: '%s' is %g, not a finite number", what, node->text, *value);
    return false;
}

// ---- pieces ---------------------------------------------------------------------------------------------

static const Key csv_keys[] = {
    {"csv", VALUE_TEXT, true, "a CSV file, relative to the scene", NULL},
    {"column", VALUE_TEXT, true, "the column with the values", NULL},
    {"time", VALUE_TEXT, false, "the column with the time; default: the first", NULL},
    {"interpolation", VALUE_WORD, false, "linear or hold", NULL},
};

static bool read_csv(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    static const char *const words[] = {"linear", "hold", NULL};
    const Node *time = scene_node_find(node, "time"), *how = scene_node_find(node, "interpolation");
    const char *file = NULL, *column = NULL, *time_name = NULL;
    char path[1024], error[512];
    if (!scene_check_keys(reader, node, what, csv_keys, 4)) return false;
    const int hold = how != NULL ? scene_word(reader, how, "interpolation", words) : 0;
    if (hold < 0 || !scene_text(reader, scene_node_find(node, "csv"), "csv", &file) ||
        !scene_text(reader, scene_node_find(node, "column"), "column", &column) ||
        (time != NULL && !scene_text(reader, time, "time", &time_name)))
        return false;
    snprintf(path, sizeof path, "%s%s", file[0] == '/' ? "" : reader->folder, file);
    piece->type = PIECE_TABLE;
    piece->table =
        scene_table_read(path, time_name, column, hold == 1, reader->arena, error, sizeof error);
    if (piece->table == NULL) scene_error(reader, node->mark, "%s: %s", what, error);
    return piece->table != NULL;
}

bool scene_read_piece(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    *piece = (Piece){.type = PIECE_CONSTANT};
    if (node->type == NODE_MAP) return read_csv(reader, node, what, piece);
    if (node->type != NODE_SCALAR) {
        scene_error(reader, node->mark, "%s must be a number, an expression of t, or {csv: FILE, column: NAME}",
                    what);
        return false;
    }
    if (!node->quoted && plain_number(node->text, &piece->constant)) return true;
    char error[256];
    const Names *names = &reader->names;
    const int count = 1 + names->input_count + names->parameter_count;
    StiExpression *expression =
        sti_expression_create(node->text, names->names, count, error, sizeof error);
    if (expression == NULL) {
        scene_error(reader, node->mark, "%s: '%s': %s", what, node->text, error);
        return false;
    }
    piece->type = PIECE_EXPRESSION;
    piece->text = node->text;
    for (int i = 1; i <= names->input_count; ++i)
        piece->uses_inputs = piece->uses_inputs || sti_expression_uses(expression, i);
    if (!piece->uses_inputs && !sti_expression_uses(expression, 0)) { // no t: a constant
        piece->type = PIECE_CONSTANT;
        piece->constant = sti_expression_value(expression, names->values);
    }
    sti_expression_destroy(expression);
    return true;
}

int scene_read_pieces(Reader *reader, const Node *node, const char *what, int most, Piece *pieces)
{
    if (node->type != NODE_LIST) return scene_read_piece(reader, node, what, pieces) ? 1 : 0;
    if (node->count < 1 || node->count > most) {
        scene_error(reader, node->mark, "%s has %d entries; there may be 1 to %d", what, node->count, most);
        return 0;
    }
    bool good = true;
    for (int i = 0; i < node->count; ++i)
        good = scene_read_piece(reader, node->items[i], what, &pieces[i]) && good;
    return good ? node->count : 0;
}

// ---- parameters and inputs ------------------------------------------------------------------------------

static bool take_names(Reader *reader, const Node *parameters, const Node *inputs)
{
    const int input_count = inputs != NULL ? inputs->count : 0;
    const int count = 1 + input_count + (parameters != NULL ? parameters->count : 0);
    Names *names = &reader->names;
    names->names = sti_arena_take(reader->arena, (size_t)count, sizeof *names->names);
    names->values = sti_arena_take(reader->arena, (size_t)count, sizeof *names->values);
    if (names->names == NULL || names->values == NULL) return false;
    names->names[0] = "t";
    names->input_count = input_count;
    for (int i = 0; i < input_count; ++i) names->names[1 + i] = inputs->entries[i].key;
    return true;
}

static const Node *section(Reader *reader, const char *key)
{
    const Node *node = scene_node_find(reader->root, key);
    if (node == NULL || node->type == NODE_MAP) return node;
    scene_error(reader, node->mark, "%s must be a map of names, not %s", key, scene_node_type(node));
    return NULL;
}

bool scene_read_parameters(Reader *reader)
{
    const Node *parameters = section(reader, "parameters"), *inputs = section(reader, "inputs");
    if (!take_names(reader, parameters, inputs)) return false;
    bool good = true;
    for (int i = 0; parameters != NULL && i < parameters->count; ++i) {
        const Entry *entry = &parameters->entries[i];
        Names *names = &reader->names;
        const int place = 1 + names->input_count + names->parameter_count;
        double value = 0.0;
        good = scene_number(reader, entry->value, entry->key, &value) && good;
        names->names[place] = entry->key;
        names->values[place] = value;
        ++names->parameter_count;
    }
    return good;
}

// An input may use t, the parameters and the inputs above it; each also becomes a source of the plan.
bool scene_read_inputs(Reader *reader)
{
    const Node *inputs = scene_node_find(reader->root, "inputs");
    const int count = reader->names.input_count;
    Piece *pieces = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *pieces);
    if (pieces == NULL) return false;
    bool good = true;
    reader->names.inputs = pieces;
    for (int i = 0; i < count; ++i) {
        const Entry *entry = &inputs->entries[i];
        char error[256];
        good = scene_read_piece(reader, entry->value, entry->key, &pieces[i]) && good;
        for (int j = i; pieces[i].type == PIECE_EXPRESSION && j < count; ++j) {
            StiExpression *expression =
                sti_expression_create(pieces[i].text, reader->names.names,
                                      1 + count + reader->names.parameter_count, error, sizeof error);
            if (expression != NULL && sti_expression_uses(expression, 1 + j)) {
                scene_error(reader, entry->value->mark, "input %s uses %s, which does not stand above it",
                            entry->key, inputs->entries[j].key);
                good = false;
            }
            sti_expression_destroy(expression);
        }
        sti_plan_add_time_function(reader->plan, entry->key,
                                   scene_time_function(reader, &pieces[i], 1, 0, NULL, 0));
    }
    return good;
}

// ---- evaluation -----------------------------------------------------------------------------------------

// Expressions are mutable: each scratch opens its own.
typedef struct Workspace {
    const Function *function;
    double *values; // of all names
    StiExpression **inputs;
    StiExpression **pieces;
} Workspace;

static void close_workspace(void *memory)
{
    Workspace *workspace = memory;
    for (int i = 0; workspace->inputs != NULL && i < workspace->function->names->input_count; ++i)
        sti_expression_destroy(workspace->inputs[i]);
    for (int i = 0; workspace->pieces != NULL && i < workspace->function->count; ++i)
        sti_expression_destroy(workspace->pieces[i]);
    free(workspace->inputs);
    free(workspace->pieces);
    free(workspace->values);
    free(workspace);
}

static bool open_pieces(const Names *names, const Piece *pieces, int count, StiExpression **expressions)
{
    const int known = 1 + names->input_count + names->parameter_count;
    for (int i = 0; i < count; ++i) {
        if (pieces[i].type != PIECE_EXPRESSION) continue;
        expressions[i] = sti_expression_create(pieces[i].text, names->names, known, NULL, 0);
        if (expressions[i] == NULL) return false;
    }
    return true;
}

static void *open_workspace(const void *data)
{
    const Function *function = data;
    const Names *names = function->names;
    const size_t known = (size_t)(1 + names->input_count + names->parameter_count);
    Workspace *workspace = calloc(1, sizeof *workspace);
    if (workspace == NULL) return NULL;
    workspace->function = function;
    workspace->values = calloc(known, sizeof(double));
    workspace->inputs = calloc((size_t)names->input_count + 1, sizeof(StiExpression *));
    workspace->pieces = calloc((size_t)function->count + 1, sizeof(StiExpression *));
    if (workspace->values == NULL || workspace->inputs == NULL || workspace->pieces == NULL ||
        !open_pieces(names, names->inputs, names->input_count, workspace->inputs) ||
        !open_pieces(names, function->pieces, function->count, workspace->pieces)) {
        close_workspace(workspace);
        return NULL;
    }
    memcpy(workspace->values, names->values, known * sizeof(double));
    return workspace;
}

static double piece_value(const Piece *piece, StiExpression *expression, double t, const double *values)
{
    if (piece->type == PIECE_CONSTANT) return piece->constant;
    if (piece->type == PIECE_TABLE) return scene_table_value(piece->table, t);
    return sti_expression_value(expression, values);
}

static double value_at(Workspace *workspace, int i, double t)
{
    const Function *function = workspace->function;
    const Names *names = function->names;
    workspace->values[0] = t;
    for (int j = 0; function->pieces[i].uses_inputs && j < names->input_count; ++j)
        workspace->values[1 + j] =
            piece_value(&names->inputs[j], workspace->inputs[j], t, workspace->values);
    return piece_value(&function->pieces[i], workspace->pieces[i], t, workspace->values);
}

// Difference quotients of order 4 that stay on one side of the breaks; at a break: the right derivative.
static double rate_at(Workspace *workspace, int i, double t)
{
    static const double central[5] = {1.0 / 12.0, -2.0 / 3.0, 0.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double forward[5] = {-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25};
    const Function *function = workspace->function;
    if (function->pieces[i].type == PIECE_CONSTANT) return 0.0;
    if (function->pieces[i].type == PIECE_TABLE) return scene_table_rate(function->pieces[i].table, t);
    const double h = 1e-4;
    bool left = true, right = true; // is there room on that side?
    for (int j = 0; j < function->break_count; ++j) {
        const double ahead = function->breaks[j] - t;
        if (ahead > 0.0 && ahead < 4.0 * h) right = false;
        if (ahead <= 0.0 && ahead > -4.0 * h) left = false;
    }
    const bool one_sided = !left || !right;
    const double direction = left ? -1.0 : 1.0, *weights = one_sided ? forward : central;
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) {
        const double place = one_sided ? direction * k * h : (k - 2) * h;
        if (weights[k] != 0.0) sum += weights[k] * value_at(workspace, i, t + place);
    }
    return one_sided ? direction * sum / h : sum / h;
}

static void evaluate(const void *data, void *memory, double t, double *values)
{
    const Function *function = data;
    for (int i = 0; i < function->count; ++i) values[i] = value_at(memory, i, t);
    for (int i = 0; i < function->rates; ++i) values[function->count + i] = rate_at(memory, i, t);
}

StiTimeFunction scene_time_function(Reader *reader, const Piece *pieces, int count, int rates,
                                    const double *breaks, int break_count)
{
    Function *function = sti_arena_take(reader->arena, 1, sizeof *function);
    if (function != NULL)
        *function = (Function){
            .names = &reader->names,
            .count = count,
            .pieces = sti_arena_copy(reader->arena, pieces, (size_t)count * sizeof *pieces),
            .rates = rates,
            .breaks = sti_arena_copy(reader->arena, breaks != NULL ? breaks : &(double){0},
                                     (size_t)break_count * sizeof *breaks),
            .break_count = break_count,
        };
    return (StiTimeFunction){.count = count + rates,
                             .eval = evaluate,
                             .data = function,
                             .open = open_workspace,
                             .close = close_workspace};
}
