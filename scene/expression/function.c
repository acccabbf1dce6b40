// Functions of time from what a scene has written: values, rates, accelerations.
#include <math.h>
#include <stdlib.h>

#include "read/reader.h"

Workspace *scene_workspace_open(const Names *names)
{
    Workspace *workspace = calloc(1, sizeof *workspace);
    const size_t variables = (size_t)names->input_count + 1, depth = (size_t)names->depth + 1;
    if (workspace == NULL) return NULL;
    *workspace = (Workspace){.names = names,
                             .t = NAN,
                             .jet_t = NAN,
                             .values = calloc(variables, sizeof(double)),
                             .jets = calloc(variables, sizeof(Jet)),
                             .stack = calloc(depth, sizeof(double)),
                             .jet_stack = calloc(depth, sizeof(Jet))};
    if (workspace->values != NULL && workspace->jets != NULL && workspace->stack != NULL &&
        workspace->jet_stack != NULL)
        return workspace;
    scene_workspace_close(workspace);
    return NULL;
}

void scene_workspace_close(Workspace *workspace)
{
    if (workspace == NULL) return;
    free(workspace->values);
    free(workspace->jets);
    free(workspace->stack);
    free(workspace->jet_stack);
    free(workspace);
}

static double own_value(Workspace *workspace, const Piece *piece, double t)
{
    if (piece->type == PIECE_CONSTANT) return piece->constant;
    if (piece->type == PIECE_TABLE) return scene_table_value(piece->table, t);
    return scene_program_value(&piece->program, workspace->values, workspace->stack);
}

static Jet own_jet(Workspace *workspace, const Piece *piece, double t, Margin *margins)
{
    if (piece->type == PIECE_CONSTANT) return (Jet){piece->constant, 0.0, 0.0};
    if (piece->type == PIECE_TABLE)
        return (Jet){scene_table_value(piece->table, t), scene_table_rate(piece->table, t), 0.0};
    return scene_program_jet(&piece->program, workspace->jets, workspace->jet_stack, margins);
}

// An input uses only those before it.
double scene_piece_value(Workspace *workspace, const Piece *piece, double t)
{
    const Names *names = workspace->names;
    workspace->values[0] = t;
    if (piece->uses_inputs && workspace->t != t) {
        for (int i = 0; i < names->input_count; ++i)
            workspace->values[1 + i] = own_value(workspace, &names->inputs[i], t);
        workspace->t = t;
    }
    return own_value(workspace, piece, t);
}

Jet scene_piece_jet(Workspace *workspace, const Piece *piece, double t, Margin *margins)
{
    const Names *names = workspace->names;
    workspace->jets[0] = (Jet){t, 1.0, 0.0};
    if (piece->uses_inputs && workspace->jet_t != t) {
        for (int i = 0; i < names->input_count; ++i)
            workspace->jets[1 + i] = own_jet(workspace, &names->inputs[i], t, NULL);
        workspace->jet_t = t;
    }
    return own_jet(workspace, piece, t, margins);
}

// ---- what the core calls --------------------------------------------------------------------------------

static void *open_workspace(const void *data)
{
    return scene_workspace_open(((const Function *)data)->names);
}

static void close_workspace(void *workspace) { scene_workspace_close(workspace); }

static void evaluate(const void *data, void *memory, double t, double *values)
{
    const Function *function = data;
    for (int i = 0; i < function->rates; ++i) {
        const Jet jet = scene_piece_jet(memory, &function->pieces[i], t, NULL);
        values[i] = jet.x;
        values[function->count + i] = jet.v;
    }
    for (int i = function->rates; i < function->count; ++i)
        values[i] = scene_piece_value(memory, &function->pieces[i], t);
}

StiTimeFunction scene_time_function(Reader *reader, const Piece *pieces, int count, int rates,
                                    const double *breaks, int break_count)
{
    int found;
    const double *all = scene_find_breaks(reader, pieces, count, breaks, break_count, &found);
    Function *function = sti_arena_take(reader->arena, 1, sizeof *function);
    if (function != NULL)
        *function = (Function){
            .names = &reader->names,
            .count = count,
            .pieces = sti_arena_copy(reader->arena, pieces, (size_t)count * sizeof *pieces),
            .rates = rates,
        };
    return (StiTimeFunction){.count = count + rates,
                             .eval = evaluate,
                             .data = function,
                             .open = open_workspace,
                             .close = close_workspace,
                             .shares = &reader->names,
                             .breaks = all,
                             .break_count = found};
}

// ---- drivers --------------------------------------------------------------------------------------------

static void evaluate_drive(const void *data, void *memory, double t, double *values)
{
    const Function *function = data;
    const int last = function->count - 1;
    for (int i = 0; i < last; ++i) values[i] = scene_piece_value(memory, &function->pieces[i], t);
    const Jet jet = scene_piece_jet(memory, &function->pieces[last], t, NULL);
    const double derivatives[3] = {jet.x, jet.v, jet.a};
    for (int i = last; i < 3; ++i) values[i] = derivatives[i - last];
}

StiTimeFunction scene_drive_function(Reader *reader, const Piece *pieces, int given,
                                     const double *breaks, int break_count)
{
    StiTimeFunction function = scene_time_function(reader, pieces, given, 0, breaks, break_count);
    function.count = 3;
    function.eval = evaluate_drive;
    return function;
}
