#include "function.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "reader.h"

// ---- constants ------------------------------------------------------------------------------------------

static int name_count(const Names *names) { return 1 + names->input_count + names->parameter_count; }

static bool uses_broken(const Names *names, const StiExpression *expression, int first)
{
    for (int i = first; i < name_count(names); ++i)
        if (names->broken[i] && sti_expression_uses(expression, i - first)) return true;
    return false;
}

static bool check_finite(Reader *reader, const Node *node, const char *what, double value)
{
    if (isfinite(value)) return true;
    scene_error(reader, node->mark, "%s: '%s' is %s, not a finite number", what, node->text,
                isnan(value) ? "undefined" : "infinite");
    return false;
}

// Would it be an expression of the first count names?
static bool would_do(const Names *names, int count, const char *text)
{
    char error[256];
    StiExpression *expression = sti_expression_create(text, names->names, count, error, sizeof error);
    const bool good = expression != NULL;
    sti_expression_destroy(expression);
    return good;
}

static void not_a_number(Reader *reader, const Node *node, const char *what, const char *error)
{
    const Names *names = &reader->names;
    if (node->text[0] == '\0')
        scene_error(reader, node->mark, "%s has no value: a number is needed", what);
    else if (would_do(names, name_count(names), node->text))
        scene_error(reader, node->mark, "%s: '%s' depends on t or an input; here a constant is needed", what,
                    node->text);
    else if (would_do(names, names->total, node->text))
        scene_error(reader, node->mark, "%s: '%s': a parameter may use only those that stand above it", what,
                    node->text);
    else
        scene_error(reader, node->mark, "%s: '%s' is neither a number nor an expression of the parameters: %s",
                    what, node->text, error);
}

// Constant expressions may use the parameters read so far.
bool scene_constant(Reader *reader, const Node *node, const char *what, double *value)
{
    char error[256];
    const Names *names = &reader->names;
    const int first = 1 + names->input_count;
    if (!node->quoted && scene_number_read(node->text, strlen(node->text), value))
        return check_finite(reader, node, what, *value);
    StiExpression *expression = sti_expression_create(node->text, names->names + first, names->parameter_count,
                                                      error, sizeof error);
    if (expression == NULL) {
        not_a_number(reader, node, what, error);
        return false;
    }
    const bool known = !uses_broken(names, expression, first);
    *value = sti_expression_value(expression, names->values + first);
    sti_expression_destroy(expression);
    return known && check_finite(reader, node, what, *value);
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
    if (!scene_check_keys(reader, node, "a table {csv: FILE, column: NAME}", csv_keys, 4)) return false;
    const int hold = how != NULL ? scene_word(reader, how, "interpolation", words) : 0;
    bool good = scene_text(reader, scene_node_find(node, "csv"), "csv", &file) && hold >= 0;
    good = scene_text(reader, scene_node_find(node, "column"), "column", &column) && good;
    if (time != NULL) good = scene_text(reader, time, "time", &time_name) && good;
    if (!good) return false;
    snprintf(path, sizeof path, "%s%s", file[0] == '/' ? "" : reader->folder, file);
    piece->type = PIECE_TABLE;
    piece->table =
        scene_table_read(path, time_name, column, hold == 1, reader->arena, error, sizeof error);
    if (piece->table == NULL) scene_error(reader, node->mark, "%s: %s", what, error);
    return piece->table != NULL;
}

// An expression without t and inputs is a constant.
static bool read_formula(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    char error[256];
    const Names *names = &reader->names;
    StiExpression *expression =
        sti_expression_create(node->text, names->names, name_count(names), error, sizeof error);
    if (expression == NULL) {
        scene_error(reader, node->mark, "%s: '%s': %s", what, node->text, error);
        return false;
    }
    const bool known = !uses_broken(names, expression, 0);
    piece->type = PIECE_EXPRESSION;
    piece->text = node->text;
    for (int i = 1; i <= names->input_count; ++i)
        piece->uses_inputs = piece->uses_inputs || sti_expression_uses(expression, i);
    if (!piece->uses_inputs && !sti_expression_uses(expression, 0)) {
        piece->type = PIECE_CONSTANT;
        piece->constant = sti_expression_value(expression, names->values);
    }
    sti_expression_destroy(expression);
    return known && (piece->type == PIECE_EXPRESSION || check_finite(reader, node, what, piece->constant));
}

bool scene_read_piece(Reader *reader, const Node *node, const char *what, Piece *piece)
{
    *piece = (Piece){.type = PIECE_CONSTANT};
    if (node->type == NODE_MAP) return read_csv(reader, node, what, piece);
    if (node->type != NODE_SCALAR || node->text[0] == '\0') {
        scene_error(reader, node->mark, "%s must be a number, an expression of t, or {csv: FILE, column: NAME}",
                    what);
        return false;
    }
    if (node->quoted || !scene_number_read(node->text, strlen(node->text), &piece->constant))
        return read_formula(reader, node, what, piece);
    return check_finite(reader, node, what, piece->constant);
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
    const int parameter_count = parameters != NULL ? parameters->count : 0, count = 1 + input_count + parameter_count;
    Names *names = &reader->names;
    names->names = sti_arena_take(reader->arena, (size_t)count, sizeof *names->names);
    names->values = sti_arena_take(reader->arena, (size_t)count, sizeof *names->values);
    names->broken = sti_arena_take(reader->arena, (size_t)count, sizeof *names->broken);
    if (names->names == NULL || names->values == NULL || names->broken == NULL) return false;
    names->names[0] = "t";
    names->input_count = input_count;
    names->total = count;
    for (int i = 0; i < input_count; ++i) names->names[1 + i] = inputs->entries[i].key;
    for (int i = 0; i < parameter_count; ++i) names->names[1 + input_count + i] = parameters->entries[i].key;
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
    for (int i = 0; parameters != NULL && i < parameters->count; ++i) {
        const Entry *entry = &parameters->entries[i];
        Names *names = &reader->names;
        const int place = name_count(names);
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
    char error[256];
    StiExpression *expression = sti_expression_create(piece->text, reader->names.names,
                                                      name_count(&reader->names), error, sizeof error);
    bool good = true;
    for (int j = i; expression != NULL && j < inputs->count; ++j) {
        if (!sti_expression_uses(expression, 1 + j)) continue;
        scene_error(reader, inputs->entries[i].value->mark,
                    "input %s uses %s: an input may use only those that stand above it", inputs->entries[i].key,
                    j == i ? "itself" : inputs->entries[j].key);
        good = false;
    }
    sti_expression_destroy(expression);
    return good;
}

// Each input also becomes a source of the plan.
bool scene_read_inputs(Reader *reader)
{
    const Node *inputs = scene_node_find(reader->root, "inputs");
    Names *names = &reader->names;
    Piece *pieces = sti_arena_take(reader->arena, (size_t)names->input_count + 1, sizeof *pieces);
    if (pieces == NULL) return false;
    bool good = true;
    names->inputs = pieces;
    for (int i = 0; i < names->input_count; ++i) {
        const Entry *entry = &inputs->entries[i];
        const bool read = scene_read_piece(reader, entry->value, entry->key, &pieces[i]) &&
                          check_order(reader, inputs, i);
        names->broken[1 + i] = !read;
        good = good && read;
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
    for (int i = 0; i < count; ++i) {
        if (pieces[i].type != PIECE_EXPRESSION) continue;
        expressions[i] = sti_expression_create(pieces[i].text, names->names, name_count(names), NULL, 0);
        if (expressions[i] == NULL) return false;
    }
    return true;
}

static void *open_workspace(const void *data)
{
    const Function *function = data;
    const Names *names = function->names;
    const size_t known = (size_t)name_count(names);
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

// How far the function goes on without a break, up to most; a break itself belongs to what follows it.
static double room(const Function *function, double t, double direction, double most)
{
    for (int j = 0; j < function->break_count; ++j) {
        const double ahead = direction * (function->breaks[j] - t);
        if (ahead < most && (ahead > 0.0 || (ahead == 0.0 && direction < 0.0))) most = ahead;
    }
    return most;
}

// Difference quotients of order 4, with five values h apart.
static double central_rate(Workspace *workspace, int i, double t, double h)
{
    static const double weights[5] = {1.0 / 12.0, -2.0 / 3.0, 0.0, 2.0 / 3.0, -1.0 / 12.0};
    double sum = 0.0;
    for (int k = 0; k < 5; ++k)
        if (k != 2) sum += weights[k] * value_at(workspace, i, t + (k - 2) * h);
    return sum / h;
}

static double one_sided_rate(Workspace *workspace, int i, double t, double h)
{
    static const double weights[5] = {-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25};
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) sum += weights[k] * value_at(workspace, i, t + k * h);
    return sum / h;
}

// On one side of the breaks; at a break: the right derivative. Where there is nothing on the left (the root
// of t at 0): the right one, too.
static double rate_at(Workspace *workspace, int i, double t)
{
    const Function *function = workspace->function;
    const double h = 1e-4;
    if (function->pieces[i].type == PIECE_CONSTANT) return 0.0;
    if (function->pieces[i].type == PIECE_TABLE) return scene_table_rate(function->pieces[i].table, t);
    const double left = room(function, t, -1.0, 4.0 * h), right = room(function, t, 1.0, 4.0 * h);
    if (left >= 4.0 * h && right >= 4.0 * h) {
        const double rate = central_rate(workspace, i, t, h);
        return isfinite(rate) ? rate : one_sided_rate(workspace, i, t, h);
    }
    const double side = right >= left ? 1.0 : -1.0, most = fmax(left, right);
    return one_sided_rate(workspace, i, t, side * (most >= 4.0 * h ? h : 0.2 * most)); // not up to the break
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
    enum { MOST_BREAKS = 256 };
    double found[MOST_BREAKS] = {0.0};
    for (int i = 0; i < break_count && i < MOST_BREAKS; ++i) found[i] = breaks[i];
    const int found_count = scene_find_breaks(&reader->names, pieces, count, found, break_count, MOST_BREAKS);
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
    const double *kept = sti_arena_copy(reader->arena, found, (size_t)found_count * sizeof *found);
    return (StiTimeFunction){.count = count + rates,
                             .eval = evaluate,
                             .data = function,
                             .open = open_workspace,
                             .close = close_workspace,
                             .breaks = kept,
                             .break_count = kept != NULL ? found_count : 0};
}

// ---- drivers --------------------------------------------------------------------------------------------

// Of order 6, with seven values h apart: for a sine of 10 rad/s good to 1e-11 of its acceleration. Beside a
// break: the rate's own difference quotient.
static double acceleration_at(Workspace *workspace, int i, double t)
{
    static const double weights[7] = {1.0 / 90.0, -3.0 / 20.0, 1.5, -49.0 / 18.0, 1.5, -3.0 / 20.0, 1.0 / 90.0};
    const Function *function = workspace->function;
    const double h = 2e-3;
    double sum = 0.0;
    if (function->pieces[i].type != PIECE_EXPRESSION) return 0.0; // tables are straight between their points
    const double left = room(function, t, -1.0, 4.0 * h), right = room(function, t, 1.0, 4.0 * h);
    if (left < 4.0 * h || right < 4.0 * h) {
        const double side = (right >= left ? 0.1 : -0.1) * fmin(fmax(left, right), h);
        return (rate_at(workspace, i, t + side) - rate_at(workspace, i, t)) / side;
    }
    for (int k = 0; k < 7; ++k) sum += weights[k] * value_at(workspace, i, t + (k - 3) * h);
    return sum / (h * h);
}

static void evaluate_drive(const void *data, void *memory, double t, double *values)
{
    const Function *function = data;
    for (int i = 0; i < function->count; ++i) values[i] = value_at(memory, i, t);
    if (function->count == 1) values[1] = rate_at(memory, 0, t);
    if (function->count == 1) values[2] = acceleration_at(memory, 0, t);
    if (function->count == 2) values[2] = rate_at(memory, 1, t);
}

StiTimeFunction scene_drive_function(Reader *reader, const Piece *pieces, int given, const double *breaks,
                                     int break_count)
{
    StiTimeFunction function = scene_time_function(reader, pieces, given, 0, breaks, break_count);
    function.count = 3;
    function.eval = evaluate_drive;
    return function;
}
