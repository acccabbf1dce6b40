// Closed contacts and all that sticks together: the forces that keep their rows from moving.
#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "law/norm.h"
#include "rows/rates.h"
#include "rows/reactions.h"
#include "evaluate/touches.h"

// ---- forces ---------------------------------------------------------------------------------------

void sti_touches_note_holders(const StiNetwork *network, const double *s, StiScratch *scratch)
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
    const int count = sti_touches_choose_unknowns(network, data, true);
    bool unique;
    for (int r = 0; r < count; ++r) data->rate[r] = set->c[data->rows[r].row];
    sti_touches_renew_matrix(network, scratch, count);
    const bool solved = sti_touches_solve(data, count, &unique);
    data->redundant = !unique;
    if (!solved || !(unique || sti_touches_share(network, data, now, count)))
        return sti_fault(scratch, STI_NO_SOLUTION, "", "contact", &now->stage);
    sti_touches_take_f(set, data, count);
    return STI_OK;
}

// Is one of the forces beyond its limit?
static bool is_overloaded(const StiNetwork *network, const RowSet *set, const TouchData *data,
                          const StageData *now)
{
    for (int i = 0; i < data->count; ++i) {
        const double *f = set->f + data->row_of[i];
        if (data->row_of[i] < 0) continue;
        const double most = sti_touch_rub(network, data, i).mu_static * f[TOUCH_NORMAL];
        if (!(f[TOUCH_NORMAL] > 0.0)) return true;
        if (data->slot[i]->mode == TOUCH_STICK && !(sti_hypot(f[0], f[1]) < most)) return true;
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

static bool any_moves(const double *v, int count)
{
    for (int d = 0; d < count; ++d)
        if (v[d] != 0.0) return true;
    return false;
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
            if (any_moves(now->x + a->v, a->size.velocities)) continue;
            double most = sti_vec3_norm(network->gravity), left = 0.0;
            for (int d = 0; d < a->size.velocities; ++d) {
                most = fmax(most, fabs(free[d]));
                left = fmax(left, fabs(now->xdot[a->v + d]));
            }
            if (left > rounding * most) continue;
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
    if (!data->noted) sti_touches_note_holders(network, s, scratch);
    StiStatus status = sti_touches_accelerations(network, scratch, now);
    if (status != STI_OK) return status;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        memcpy(data->free + a->generalized, now->xdot + a->v,
               (size_t)a->size.velocities * sizeof(double));
        if (a->robot != NULL)
            sti_robot_rates(a->robot, now->x + a->q, now->x + a->v, now->xdot + a->q);
    }
    status = solve_forces(network, scratch, now);
    if (status != STI_OK) return status;
    stay_within_limits(network, s, scratch, now);
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
        const bool closed = data->row_of[i] >= 0;
        memset(touch->rate, 0, sizeof touch->rate);
        if (closed && !data->lazy) rates_of_rows(scratch->rows, data, data->row_of[i], touch->rate);
        if (closed ? !data->lazy : !sti_touch_is_near(touch)) continue;
        if (!posed) sti_rates_accelerate(network, now, &scratch->reactions->response);
        posed = true;
        if (!closed) sti_touches_drift(network, scratch, now, i);
        sti_touch_velocity(&data->places[i], touch, scratch->reactions->response.frames,
                           touch->rate);
        for (int d = 0; d < TOUCH_ROWS; ++d) touch->rate[d] += touch->drift[d];
    }
}
