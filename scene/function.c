// Functions of time from what a scene has written: values, rates, accelerations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

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

static bool open_pieces(const Names *names, const Piece *pieces, int count,
                        StiExpression **expressions)
{
    for (int i = 0; i < count; ++i) {
        if (pieces[i].type != PIECE_EXPRESSION) continue;
        expressions[i] =
            sti_expression_create(pieces[i].text, names->names, scene_name_count(names), NULL, 0);
        if (expressions[i] == NULL) return false;
    }
    return true;
}

static void *open_workspace(const void *data)
{
    const Function *function = data;
    const Names *names = function->names;
    const size_t known = (size_t)scene_name_count(names);
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

static double piece_value(const Piece *piece, StiExpression *expression, double t,
                          const double *values)
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
    if (function->pieces[i].type == PIECE_TABLE)
        return scene_table_rate(function->pieces[i].table, t);
    const double left = room(function, t, -1.0, 4.0 * h), right = room(function, t, 1.0, 4.0 * h);
    if (left >= 4.0 * h && right >= 4.0 * h) {
        const double rate = central_rate(workspace, i, t, h);
        return isfinite(rate) ? rate : one_sided_rate(workspace, i, t, h);
    }
    const double side = right >= left ? 1.0 : -1.0, most = fmax(left, right);
    return one_sided_rate(workspace, i, t,
                          side * (most >= 4.0 * h ? h : 0.2 * most)); // not up to the break
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
    const int found_count =
        scene_find_breaks(&reader->names, pieces, count, found, break_count, MOST_BREAKS);
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
    static const double weights[7] = {1.0 / 90.0, -3.0 / 20.0, 1.5,       -49.0 / 18.0,
                                      1.5,        -3.0 / 20.0, 1.0 / 90.0};
    const Function *function = workspace->function;
    const double h = 2e-3;
    double sum = 0.0;
    if (function->pieces[i].type != PIECE_EXPRESSION)
        return 0.0; // tables are straight between their points
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

StiTimeFunction scene_drive_function(Reader *reader, const Piece *pieces, int given,
                                     const double *breaks, int break_count)
{
    StiTimeFunction function = scene_time_function(reader, pieces, given, 0, breaks, break_count);
    function.count = 3;
    function.eval = evaluate_drive;
    return function;
}
