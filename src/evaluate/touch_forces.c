// Closed contacts and all that sticks together: the forces that keep their rows from moving. A place
// that slips rubs with mu times its own normal force, so its column is the normal with friction.
#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "law/norm.h"
#include "rows/rates.h"
#include "rows/reactions.h"
#include "evaluate/touches.h"

// ---- unknowns -------------------------------------------------------------------------------------

static void add_unknown(TouchData *data, int *count, int reaction, int place, int axis)
{
    const int first = reaction >= 0 ? data->row_of_reaction[reaction] : data->row_of[place];
    data->rows[(*count)++] = (TouchRow){reaction, place, axis, first + axis};
}

// Rows of held reactions, normals of closed places, tangents of those that stick.
static int choose_unknowns(const StiNetwork *network, TouchData *data)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0; data->row_of_reaction[i] >= 0 && d < network->reactions[i].size.dim; ++d)
            add_unknown(data, &count, i, -1, d);
    for (int i = 0; i < data->count; ++i) {
        for (int d = 0; data->row_of[i] >= 0 && d < TOUCH_ROWS; ++d)
            if (d == TOUCH_NORMAL || data->slot[i]->mode == TOUCH_STICK)
                add_unknown(data, &count, -1, i, d);
    }
    return count;
}

StiVec3 sti_touch_slip(const TouchData *data, int place, const ContactSlot *slot)
{
    const Touch *touch = &data->touches[place];
    const double speed = hypot(touch->v[0], touch->v[1]);
    const StiVec3 kept = {slot->slipped[0], slot->slipped[1], slot->slipped[2]};
    if (slot->mode == TOUCH_DEPART || !(speed > data->least)) return kept;
    const StiVec3 now = sti_vec3_add_scaled(sti_vec3_scale(touch->v[0] / speed, touch->rows[0]),
                                            touch->v[1] / speed, touch->rows[1]);
    return data->goes_on && sti_vec3_dot(now, kept) < 0.0 ? kept : now;
}

// Forces along the rows of a place per unit of an unknown; rubs: normals drag friction along.
typedef struct Column {
    int first, count; // rows
    double part[TOUCH_ROWS];
} Column;

static Column column_of(const StiNetwork *network, const TouchData *data, const TouchRow *row,
                        bool rubs)
{
    Column column = {.first = row->row, .count = 1, .part = {1.0}};
    if (!rubs || row->reaction >= 0 || row->axis != TOUCH_NORMAL) return column;
    const ContactPlace *place = &data->places[row->place];
    const ContactSlot *slot = data->slot[row->place];
    if (slot == NULL || slot->mode == TOUCH_STICK) return column;
    const double mu = network->contacts[place->contact].parameters->mu;
    const StiVec3 slip = sti_touch_slip(data, row->place, slot);
    column = (Column){.first = row->row - TOUCH_NORMAL, .count = TOUCH_ROWS, .part = {0.0}};
    for (int d = 0; d < TOUCH_NORMAL; ++d)
        column.part[d] = -mu * sti_vec3_dot(slip, data->touches[row->place].rows[d]);
    column.part[TOUCH_NORMAL] = 1.0;
    return column;
}

// ---- A: what the unknowns' rows do when one of them is pushed ----------------------------------------

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

static void write_matrix(const StiNetwork *network, const RowSet *set, TouchData *data, int count,
                         bool rubs)
{
    spread_W(set, data->W);
    for (int c = 0; c < count; ++c) {
        const Column column = column_of(network, data, &data->rows[c], rubs);
        for (int r = 0; r < count; ++r) {
            const double *W = data->W + data->rows[r].row * set->row_count + column.first;
            double sum = 0.0;
            for (int k = 0; k < column.count; ++k) sum += W[k] * column.part[k];
            data->A[r * count + c] = sum;
        }
    }
}

// f of all rows from the unknowns.
static void take_f(const StiNetwork *network, RowSet *set, const TouchData *data, int count,
                   bool rubs)
{
    memset(set->f, 0, (size_t)set->row_count * sizeof *set->f);
    for (int c = 0; c < count; ++c) {
        const Column column = column_of(network, data, &data->rows[c], rubs);
        for (int k = 0; k < column.count; ++k)
            set->f[column.first + k] += column.part[k] * data->z[c];
    }
}

// ---- forces ---------------------------------------------------------------------------------------

static void note_holders(const StiNetwork *network, const double *s, StiScratch *scratch)
{
    TouchData *data = scratch->touches;
    for (int i = 0; i < data->count; ++i) {
        data->slot[i] = sti_touch_memory(network, &data->places[i], s);
        data->takes_part[i] = data->slot[i] != NULL;
    }
    for (int i = 0; i < network->reaction_count; ++i)
        data->held[i] = s[network->reactions[i].s] == STI_STICK;
}

static void read_rows(const RowSet *set, TouchData *data)
{
    for (int i = 0; i < data->count; ++i) {
        Touch *touch = &data->touches[i];
        touch->force = (StiVec3){0.0, 0.0, 0.0};
        for (int d = 0; data->row_of[i] >= 0 && d < TOUCH_ROWS; ++d)
            touch->force =
                sti_vec3_add_scaled(touch->force, set->f[data->row_of[i] + d], touch->rows[d]);
    }
}

static void read_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                        StageData *now)
{
    const RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    read_rows(set, data);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (s[e->s] != STI_STICK) continue;
        for (int d = 0; d < e->size.dim; ++d)
            now->u[e->wire.v + d] = data->row_of_reaction[i] >= 0
                                        ? -set->f[data->row_of_reaction[i] + d]
                                        : -set->ends[set->axis_of[i]].effort;
    }
}

static StiStatus solve_forces(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    const int count = choose_unknowns(network, data);
    bool unique;
    for (int r = 0; r < count; ++r) data->rate[r] = set->c[data->rows[r].row];
    write_matrix(network, set, data, count, true);
    const bool solved = sti_touches_solve(data, count, &unique);
    data->redundant = !unique;
    if (!solved || !(unique || sti_touches_share(network, data, now, count)))
        return sti_fault(scratch, STI_NO_SOLUTION, "", "contact", &now->stage);
    take_f(network, set, data, count, true);
    return STI_OK;
}

// Is one of the forces beyond its limit?
static bool is_overloaded(const StiNetwork *network, const RowSet *set, const TouchData *data,
                          const StageData *now)
{
    for (int i = 0; i < data->count; ++i) {
        const double *f = set->f + data->row_of[i];
        if (data->row_of[i] < 0) continue;
        const StiContact *p = network->contacts[data->places[i].contact].parameters;
        const double most = fmax(p->mu, p->mu_static) * f[TOUCH_NORMAL];
        if (!(f[TOUCH_NORMAL] > 0.0)) return true;
        if (data->slot[i]->mode == TOUCH_STICK && !(hypot(f[0], f[1]) < most)) return true;
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (data->row_of_reaction[i] < 0) continue;
        const double *f = set->f + data->row_of_reaction[i];
        if (!(sti_norm(e->size.dim, f) < e->kind->modes->limit(e->parameters,
                                                               -sti_direction(e->size.dim, f),
                                                               now->ports + e->port)))
            return true;
    }
    return false;
}

// Forces that are not unique are the smallest, or, where those are beyond limits, others within them.
static void stay_within_limits(const StiNetwork *network, const double *s, StiScratch *scratch,
                               const StageData *now)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    const size_t bytes = (size_t)set->row_count * sizeof *set->f;
    data->at_ease = false;
    if (!data->redundant || !is_overloaded(network, set, data, now)) return;
    memcpy(data->rate, set->f, bytes);
    data->at_ease = sti_touches_hold_on(network, s, scratch, now);
    if (!data->at_ease) memcpy(set->f, data->rate, bytes);
}

// A body at rest that nothing moves beyond rounding is not accelerated: it never creeps.
static void rest_exactly(const StiNetwork *network, const TouchData *data, StageData *now)
{
    static const double rounding = 1e-12; // of the accelerations at hand
    for (int i = 0; i < data->count; ++i)
        for (int k = 0; data->row_of[i] >= 0 && k < 2; ++k) {
            if (data->places[i].admittance[k] < 0) continue;
            const Admittance *a = &network->admittances[data->places[i].admittance[k]];
            const double *free = data->free + a->generalized;
            double most = sti_vec3_norm(network->gravity), left = 0.0;
            bool moves = false;
            for (int d = 0; d < a->size.velocities; ++d) {
                most = fmax(most, fabs(free[d]));
                left = fmax(left, fabs(now->xdot[a->v + d]));
                moves = moves || now->x[a->v + d] != 0.0;
            }
            if (moves || left > rounding * most) continue;
            for (int d = 0; d < a->size.velocities; ++d) now->xdot[a->v + d] = 0.0;
        }
}

StiStatus sti_touches_accelerations(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    TouchData *data = scratch->touches;
    StiStatus status = sti_admittances_but_robots(network, scratch, now);
    if (status == STI_OK)
        status = sti_touches_build(network, scratch, now, data->takes_part, data->held);
    if (status != STI_OK) return status;
    sti_rows_load_robots(network, scratch->rows);
    for (int i = 0; i < data->count; ++i)
        if (data->row_of[i] >= 0) sti_touches_drift(network, scratch, now, i);
    return sti_touches_accelerate(network, scratch, now);
}

StiStatus sti_touches_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                             StageData *now)
{
    TouchData *data = scratch->touches;
    note_holders(network, s, scratch);
    StiStatus status = sti_touches_accelerations(network, scratch, now);
    if (status == STI_OK) status = solve_forces(network, scratch, now);
    if (status != STI_OK) return status;
    stay_within_limits(network, s, scratch, now);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        memcpy(data->free + a->generalized, now->xdot + a->v,
               (size_t)a->size.velocities * sizeof(double));
        if (a->robot != NULL)
            sti_robot_rates(a->robot, now->x + a->q, now->x + a->v, now->xdot + a->q);
    }
    sti_touches_apply(network, scratch, now->xdot);
    read_forces(network, s, scratch, now);
    rest_exactly(network, data, now);
    return STI_OK;
}

// c + W f of a place's rows.
static void rates_of_rows(const RowSet *set, const TouchData *data, int first, double *rate)
{
    for (int d = 0; d < TOUCH_ROWS; ++d) {
        const double *W = data->W + (first + d) * set->row_count;
        rate[d] = set->c[first + d];
        for (int k = 0; k < set->row_count; ++k) rate[d] += W[k] * set->f[k];
    }
}

void sti_touches_rates(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    TouchData *data = scratch->touches;
    bool posed = false;
    for (int i = 0; i < data->count; ++i) {
        Touch *touch = &data->touches[i];
        memset(touch->rate, 0, sizeof touch->rate);
        if (data->row_of[i] >= 0) rates_of_rows(scratch->rows, data, data->row_of[i], touch->rate);
        if (data->row_of[i] >= 0 || !sti_touch_is_near(touch)) continue;
        if (!posed) sti_rates_accelerate(network, now, &scratch->reactions->response);
        posed = true;
        sti_touches_drift(network, scratch, now, i);
        sti_touch_velocity(&data->places[i], touch, scratch->reactions->response.frames,
                           touch->rate);
        for (int d = 0; d < TOUCH_ROWS; ++d) touch->rate[d] += touch->drift[d];
    }
}

// ---- velocities and positions -----------------------------------------------------------------------

static const double no_gap = 1e-14;   // of the size of what touches, m
static const double no_speed = 1e-14; // of the speeds at hand

static void pose_with(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                      const double *x, StageData *moved)
{
    moved->stage = now->stage;
    memcpy(moved->x, x, (size_t)network->x_count * sizeof *x);
    memcpy(moved->ports, now->ports, (size_t)network->port_count * sizeof *moved->ports);
    scratch->rows->at = moved;
    sti_rows_place_robots(network, scratch->rows, moved->frames);
    sti_pose_but_robots(network, moved);
    sti_psi_reactions(network, moved);
    sti_touches_place(network, scratch, moved);
}

// Are closed normals, sticking tangents and held reactions as still as rounding lets them be?
static bool all_still(const StiNetwork *network, const double *s, const StiScratch *scratch,
                      const StageData *moved)
{
    const TouchData *data = scratch->touches;
    for (int i = 0; i < data->count; ++i) {
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        const Touch *touch = &data->touches[i];
        double speed = 0.0;
        for (int k = 0; k < 2; ++k) {
            const int frame = data->places[i].frame[k];
            if (frame >= 0)
                speed += sti_vec3_norm(moved->frames[frame].v) +
                         sti_vec3_norm(moved->frames[frame].w) * sti_vec3_norm(touch->arm[k]);
        }
        for (int d = 0; slot != NULL && d < TOUCH_ROWS; ++d)
            if ((d == TOUCH_NORMAL || slot->mode == TOUCH_STICK) &&
                fabs(touch->v[d]) > no_speed * speed)
                return false;
    }
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0;
             s[network->reactions[i].s] == STI_STICK && d < network->reactions[i].size.dim; ++d)
            if (moved->velocity[network->reactions[i].wire.v + d] != 0.0) return false;
    return true;
}

// Velocities of moved, as if by an impulse.
static StiStatus stop_locked(const StiNetwork *network, const double *s, StiScratch *scratch,
                             const StageData *moved, double *x)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    bool unique;
    note_holders(network, s, scratch);
    StiStatus status = sti_touches_build(network, scratch, moved, data->takes_part, data->held);
    if (status == STI_OK) status = sti_touches_move(network, scratch, moved);
    if (status != STI_OK) return status;
    const int count = choose_unknowns(network, data);
    for (int r = 0; r < count; ++r) data->rate[r] = set->c[data->rows[r].row];
    write_matrix(network, set, data, count, false);
    if (!sti_touches_solve(data, count, &unique)) return STI_OK;
    take_f(network, set, data, count, false);
    sti_touches_apply(network, scratch, x);
    for (int i = 0; i < network->reaction_count; ++i)
        scratch->reactions->answers[i].stuck = s[network->reactions[i].s] == STI_STICK;
    if (network->reaction_count > 0) sti_assign_stuck(network, scratch, moved->ports, x);
    return STI_OK;
}

StiStatus sti_touches_hold(const StiNetwork *network, const double *s, StiScratch *scratch,
                           const StageData *now, double *x)
{
    StageData *moved = &scratch->beside;
    pose_with(network, scratch, now, x, moved);
    return all_still(network, s, scratch, moved) ? STI_OK
                                                 : stop_locked(network, s, scratch, moved, x);
}

static double largest_gap(const StiNetwork *network, const double *s, const TouchData *data)
{
    double most = 0.0;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        if (sti_touch_memory(network, &data->places[i], s) != NULL)
            most = fmax(most, fabs(touch->touch.gap) / (1e-3 + sti_vec3_norm(touch->arm[0])));
    }
    return most;
}

// Closed places to no gap, by the smallest change in kinetic energy, were it a velocity.
static StiStatus close_gaps(const StiNetwork *network, const double *s, StiScratch *scratch,
                            StageData *moved, double *x)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    int count = 0;
    bool unique;
    note_holders(network, s, scratch);
    for (int i = 0; i < network->admittance_count; ++i)
        memset(moved->x + network->admittances[i].v, 0,
               (size_t)network->admittances[i].size.velocities * sizeof *moved->x);
    StiStatus status = sti_touches_build(network, scratch, moved, data->takes_part, data->held);
    if (status == STI_OK) status = sti_touches_still(network, scratch, moved);
    if (status != STI_OK) return status;
    for (int i = 0; i < data->count; ++i) {
        if (data->row_of[i] < 0) continue;
        data->rate[count] = data->touches[i].touch.gap;
        add_unknown(data, &count, -1, i, TOUCH_NORMAL);
    }
    write_matrix(network, set, data, count, false);
    if (!sti_touches_solve(data, count, &unique)) return STI_OK;
    take_f(network, set, data, count, false);
    sti_touches_apply(network, scratch, moved->x);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0) a->kind->move(a->parameters, moved->x + a->v, 1.0, x + a->q);
    }
    return STI_OK;
}

StiStatus sti_touches_return(const StiNetwork *network, const double *s, StiScratch *scratch,
                             const StageData *last, double *x)
{
    StageData *moved = &scratch->beside;
    pose_with(network, scratch, last, x, moved);
    if (largest_gap(network, s, scratch->touches) > no_gap) {
        const StiStatus status = close_gaps(network, s, scratch, moved, x);
        if (status != STI_OK) return status;
        pose_with(network, scratch, last, x, moved);
    }
    return all_still(network, s, scratch, moved) ? STI_OK
                                                 : stop_locked(network, s, scratch, moved, x);
}
