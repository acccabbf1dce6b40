// The unknown forces of rows that must not move, and A: what these rows do when one of them pushes. A
// place that slips rubs with mu times its own normal force, so its column is the normal with friction.
#include <math.h>
#include <string.h>

#include "evaluate/touches.h"
#include "rows/reactions.h"

// ---- unknowns -------------------------------------------------------------------------------------

StiVec3 sti_touch_slip(const TouchData *data, int place, const ContactSlot *slot)
{
    const Touch *touch = &data->touches[place];
    const double speed = sqrt(touch->v[0] * touch->v[0] + touch->v[1] * touch->v[1]);
    const StiVec3 kept = {slot->slipped[0], slot->slipped[1], slot->slipped[2]};
    if (slot->mode == TOUCH_DEPART || !(speed > data->least)) return kept;
    const StiVec3 now = sti_vec3_add_scaled(sti_vec3_scale(touch->v[0] / speed, touch->rows[0]),
                                            touch->v[1] / speed, touch->rows[1]);
    return data->goes_on && sti_vec3_dot(now, kept) < 0.0 ? kept : now;
}

static TouchRow *add_unknown(TouchData *data, int *count, int reaction, int place, int axis)
{
    const int row = (reaction >= 0 ? data->row_of_reaction[reaction] : data->row_of[place]) + axis;
    TouchRow *unknown = &data->rows[(*count)++];
    unknown->reaction = reaction;
    unknown->place = place;
    unknown->axis = axis;
    unknown->row = unknown->first = row;
    unknown->count = 1;
    unknown->part[0] = 1.0;
    return unknown;
}

static void drag_friction(const StiNetwork *network, const TouchData *data, TouchRow *normal)
{
    const int i = normal->place;
    const double mu = sti_touch_rub(network, data, i).mu;
    const StiVec3 slip = sti_touch_slip(data, i, data->slot[i]);
    normal->first = normal->row - TOUCH_NORMAL;
    normal->count = TOUCH_ROWS;
    for (int d = 0; d < TOUCH_NORMAL; ++d)
        normal->part[d] = -mu * sti_vec3_dot(slip, data->touches[i].rows[d]);
    normal->part[TOUCH_NORMAL] = 1.0;
}

int sti_touches_choose_unknowns(const StiNetwork *network, TouchData *data, bool rubs)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0; data->row_of_reaction[i] >= 0 && d < network->reactions[i].size.dim; ++d)
            add_unknown(data, &count, i, -1, d);
    for (int i = 0; i < data->count; ++i) {
        if (data->row_of[i] < 0) continue;
        const bool sticks = data->slot[i]->mode == TOUCH_STICK;
        for (int d = 0; sticks && d < TOUCH_NORMAL; ++d) add_unknown(data, &count, -1, i, d);
        TouchRow *normal = add_unknown(data, &count, -1, i, TOUCH_NORMAL);
        if (rubs && !sticks) drag_friction(network, data, normal);
    }
    return count;
}

int sti_touches_choose_normals(TouchData *data)
{
    int count = 0;
    for (int i = 0; i < data->count; ++i)
        if (data->row_of[i] >= 0) add_unknown(data, &count, -1, i, TOUCH_NORMAL);
    return count;
}

// ---- A --------------------------------------------------------------------------------------------

// W as one square.
static void spread_W(const RowSet *set, double *full)
{
    const int n = set->row_count;
    memset(full, 0, (size_t)(n * n) * sizeof *full);
    for (int p = 0; p < set->pair_count; ++p) {
        const StiBlockPair *pair = &set->pairs[p];
        const StiBlockNode *a = &set->block_nodes[pair->a], *b = &set->block_nodes[pair->b];
        for (int i = 0; i < a->dim; ++i)
            for (int j = 0; j < b->dim; ++j) {
                const double W = set->W[pair->place + i * pair->stride + j];
                full[(a->row + i) * n + b->row + j] = full[(b->row + j) * n + a->row + i] = W;
            }
    }
}

// All rows, one by one.
static bool are_all(const RowSet *set, const TouchData *data, int count)
{
    for (int r = 0; r < count; ++r)
        if (data->rows[r].row != r || data->rows[r].count > 1) return false;
    return count == set->row_count;
}

static void write_from_W(const RowSet *set, TouchData *data, int count)
{
    spread_W(set, data->W);
    if (are_all(set, data, count)) {
        memcpy(data->A, data->W, (size_t)(count * count) * sizeof *data->A);
        return;
    }
    for (int c = 0; c < count; ++c) {
        const TouchRow *column = &data->rows[c];
        for (int r = 0; r < count; ++r) {
            const double *W = data->W + data->rows[r].row * set->row_count + column->first;
            double sum = 0.0;
            for (int k = 0; k < column->count; ++k) sum += W[k] * column->part[k];
            data->A[r * count + c] = sum;
        }
    }
}

// What one side of a column does to all rows on the same body.
static void feel_column(const RowSet *set, TouchData *data, int count, int c, int side,
                        const StiTwist *twist)
{
    const int body = set->rows[data->rows[c].first].sides[side].admittance;
    for (int r = 0; r < count; ++r) {
        const Row *row = &set->rows[data->rows[r].row];
        for (int j = 0; j < 2; ++j)
            if (row->sides[j].admittance == body)
                data->A[r * count + c] += sti_wrench_power(row->sides[j].wrench, *twist);
    }
}

static void write_directly(const StiNetwork *network, const RowSet *set, const Response *response,
                           TouchData *data, int count)
{
    memset(data->A, 0, (size_t)(count * count) * sizeof *data->A);
    for (int c = 0; c < count; ++c) {
        const TouchRow *column = &data->rows[c];
        const Row *rows = &set->rows[column->first];
        for (int j = 0; j < 2; ++j) {
            if (!rows->sides[j].responds) continue;
            StiWrench wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            for (int k = 0; k < column->count; ++k)
                wrench = sti_wrench_add_scaled(wrench, column->part[k], rows[k].sides[j].wrench);
            const StiTwist twist =
                sti_link_twist(network, response, rows->sides[j].admittance, &wrench);
            feel_column(set, data, count, c, j, &twist);
        }
    }
}

static bool any_rubs(const TouchData *data, int count)
{
    for (int c = 0; c < count; ++c)
        if (data->rows[c].count > 1) return true;
    return false;
}

void sti_touches_write_matrix(const StiNetwork *network, StiScratch *scratch, int count)
{
    TouchData *data = scratch->touches;
    data->factored = NAN;
    data->irregular = data->A_known = false;
    data->symmetric = !any_rubs(data, count);
    data->A_direct = data->lazy;
    if (data->lazy)
        write_directly(network, scratch->rows, &scratch->reactions->response, data, count);
    else
        write_from_W(scratch->rows, data, count);
}

// Without friction A and its factor stay for as long as nothing moves.
void sti_touches_renew_matrix(const StiNetwork *network, StiScratch *scratch, int count)
{
    TouchData *data = scratch->touches;
    if (data->A_known && data->A_direct == data->lazy && !any_rubs(data, count)) return;
    sti_touches_write_matrix(network, scratch, count);
    data->A_known = data->symmetric;
}

void sti_touches_take_f(RowSet *set, const TouchData *data, int count)
{
    memset(set->f, 0, (size_t)set->row_count * sizeof *set->f);
    for (int c = 0; c < count; ++c) {
        const TouchRow *column = &data->rows[c];
        for (int k = 0; k < column->count; ++k)
            set->f[column->first + k] += column->part[k] * data->z[c];
    }
}
