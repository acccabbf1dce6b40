#include "cut/substep_data.h"

#include "cut/listed.h"
#include "cut/load_zeros.h"
#include "cut/substep.h"
#include "events/joint_modes.h"

static int implicit_rows(const StiNetwork *n)
{
    int count = n->row_count;
    for (int i = 0; i < n->impedance_count; ++i)
        if (sti_is_implicit(&n->impedances[i]))
            count += n->impedances[i].wire.size.velocities;
    return count;
}

static void take_changes(StiArena *arena, const StiNetwork *n, SubstepData *data)
{
    data->changes = sti_arena_take(arena, (size_t)n->generalized_count + 1, sizeof *data->changes);
    data->shift = sti_arena_numbers(arena, n->generalized_count);
    data->unchanged = sti_arena_take(arena, (size_t)n->link_count + 1, sizeof *data->unchanged);
}

static void take_zeros(StiArena *arena, const StiNetwork *n, SubstepData *data)
{
    const int count = sti_load_zeros_list(n, NULL);
    LoadZero *zeros = sti_arena_take(arena, (size_t)count + 1, sizeof *zeros);
    if (zeros == NULL) return;
    data->zeros = zeros;
    data->zero_count = sti_load_zeros_list(n, zeros);
}

SubstepData *sti_substep_take(StiArena *arena, const StiNetwork *n)
{
    SubstepData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL || !n->method->cuts) return data;
    const int rows = implicit_rows(n), modes = sti_mode_count(n), all = n->generalized_count;
    data->x = sti_arena_numbers(arena, n->x_count + n->y_count + n->s_count);
    data->x_end = sti_arena_numbers(arena, n->x_count + n->y_count);
    if (arena->failed) return data;
    data->y = data->x + n->x_count;
    data->s = data->y + n->y_count;
    data->y_end = data->x_end + n->x_count;
    sti_stage_take(arena, n, &data->close);
    sti_stage_take(arena, n, &data->probe);
    data->rows = sti_arena_take(arena, (size_t)rows + 1, sizeof *data->rows);
    data->columns = sti_arena_numbers(arena, rows * all);
    data->W = sti_arena_numbers(arena, rows * rows);
    data->Z = sti_arena_numbers(arena, rows * rows);
    data->ZW = sti_arena_numbers(arena, rows * (rows + 1)); // a finish keeps one line beside it
    data->chosen_rows = sti_arena_take(arena, (size_t)rows + 1, sizeof(int));
    data->W_free = sti_arena_numbers(arena, rows);
    data->W_planar = sti_arena_numbers(arena, rows * rows);
    data->pivots = sti_arena_take(arena, (size_t)rows + 1, sizeof(int));
    data->phi = sti_arena_numbers(arena, rows);
    data->bar = sti_arena_numbers(arena, rows);
    data->column = sti_arena_numbers(arena, rows);
    data->saved = sti_arena_numbers(arena, 2 * rows + n->s_count);
    data->vbar = sti_arena_numbers(arena, all);
    data->P = sti_arena_numbers(arena, STI_METHOD_STAGES * all);
    data->Z_own = sti_arena_numbers(arena, n->impedance_count);
    data->k_own = sti_arena_numbers(arena, n->impedance_count);
    data->Z_slip = sti_arena_numbers(arena, n->reaction_count);
    data->slopes = sti_arena_numbers(arena, n->slope_count);
    data->moved = sti_arena_numbers(arena, n->xhat_velocities);
    data->added = sti_arena_numbers(arena, all);
    data->own_force = sti_arena_numbers(arena, all);
    data->prepared = sti_arena_numbers(arena, n->prepared_count);
    for (int i = 0; i < n->admittance_count; ++i) data->adds = data->adds || n->admittances[i].adds;
    sti_near_take(arena, n, &data->near);
    data->kept_inputs = sti_arena_numbers(arena, n->input_count);
    data->mode_count = modes;
    data->modes = sti_arena_take(arena, (size_t)modes + 1, sizeof *data->modes);
    for (int i = 0; data->modes != NULL && i < modes; ++i) sti_mode_at(n, i, &data->modes[i]);
    const size_t margins = (size_t)(modes + STI_PLACE_MARGINS * n->place_count) + 1;
    data->before = sti_arena_take(arena, margins, sizeof *data->before);
    data->after = sti_arena_take(arena, margins, sizeof *data->after);
    data->there = sti_arena_take(arena, margins, sizeof *data->there);
    data->ended = sti_arena_take(arena, margins, sizeof(bool));
    data->theta = sti_arena_numbers(arena, modes);
    data->likely = sti_arena_numbers(arena, modes);
    data->fresh = sti_arena_take(arena, (size_t)modes + 1, sizeof(bool));
    data->forced = sti_arena_take(arena, (size_t)n->reaction_count + 1, sizeof(bool));
    data->mean_u = sti_arena_numbers(arena, n->xhat_velocities);
    data->first_u = sti_arena_numbers(arena, n->xhat_velocities);
    data->mean_loads = sti_arena_numbers(arena, n->load_count);
    data->first_loads = sti_arena_numbers(arena, n->load_count);
    take_zeros(arena, n, data);
    data->listed = sti_listed_take(arena, n);
    if (sti_joints_apply(n)) take_changes(arena, n, data);
    return data;
}
