// At the end of a substep: velocities of what is closed or sticks to zero, closed places to no gap.
#include <math.h>
#include <string.h>

#include "evaluate/touches.h"
#include "rows/reactions.h"

static const double no_gap = 1e-14;   // of the size of what touches, m
static const double no_speed = 1e-14; // of the speeds at hand, and of what gravity makes in a step

static void pose_with(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                      const double *x, StageData *moved)
{
    moved->stage = now->stage;
    memcpy(moved->x, x, (size_t)network->x_count * sizeof *x);
    memcpy(moved->ports, now->ports, (size_t)network->port_count * sizeof *moved->ports);
    scratch->rows->at = moved;
    sti_rows_place_robots(network, scratch->rows, moved->frames);
    sti_pose_but_robots(network, moved);
    sti_sense_reactions(network, moved);
    sti_touches_place(network, scratch, moved);
}

// Are closed normals, sticking tangents and held reactions as still as rounding lets them be?
static bool all_still(const StiNetwork *network, const double *s, const StiScratch *scratch,
                      const StageData *moved)
{
    const TouchData *data = scratch->touches;
    const double least = sti_vec3_norm(network->gravity) * network->step;
    for (int i = 0; i < data->count; ++i) {
        const ContactSlot *slot = data->slot[i];
        const Touch *touch = &data->touches[i];
        double speed = least;
        for (int k = 0; slot != NULL && k < 2; ++k) {
            const int frame = data->places[i].frame[k];
            if (frame >= 0)
                speed += sti_vec3_norm(moved->frames[frame].v) +
                         sti_vec3_norm(moved->frames[frame].w) * sti_vec3_norm(touch->arm[k]);
        }
        speed += fabs(touch->surface[0]) + fabs(touch->surface[1]);
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
    StiStatus status = sti_touches_build(network, scratch, moved, data->takes_part, data->held);
    if (status == STI_OK) status = sti_touches_move(network, scratch, moved);
    if (status != STI_OK) return status;
    const int count = sti_touches_choose_unknowns(network, data, false);
    for (int r = 0; r < count; ++r) data->rate[r] = set->c[data->rows[r].row];
    sti_touches_renew_matrix(network, scratch, count);
    if (!sti_touches_solve(data, count, &unique)) return STI_OK;
    sti_touches_take_f(set, data, count);
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
    if (!scratch->touches->noted) sti_touches_note_holders(network, s, scratch);
    pose_with(network, scratch, now, x, moved);
    return all_still(network, s, scratch, moved) ? STI_OK
                                                 : stop_locked(network, s, scratch, moved, x);
}

static double largest_gap(const TouchData *data)
{
    double most = 0.0;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        if (data->slot[i] != NULL)
            most = fmax(most, fabs(touch->touch.gap) / (1e-3 + sti_vec3_norm(touch->arm[0])));
    }
    return most;
}

// Closed places to no gap, by the smallest change in kinetic energy, were it a velocity.
static StiStatus close_gaps(const StiNetwork *network, StiScratch *scratch, StageData *moved,
                            double *x)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    bool unique;
    for (int i = 0; i < network->admittance_count; ++i)
        memset(moved->x + network->admittances[i].v, 0,
               (size_t)network->admittances[i].size.velocities * sizeof *moved->x);
    StiStatus status = sti_touches_build(network, scratch, moved, data->takes_part, data->held);
    if (status == STI_OK) status = sti_touches_still(network, scratch, moved);
    if (status != STI_OK) return status;
    const int count = sti_touches_choose_normals(data);
    for (int r = 0; r < count; ++r) data->rate[r] = data->touches[data->rows[r].place].touch.gap;
    sti_touches_write_matrix(network, scratch, count);
    if (!sti_touches_solve(data, count, &unique)) return STI_OK;
    sti_touches_take_f(set, data, count);
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
    if (!scratch->touches->noted) sti_touches_note_holders(network, s, scratch);
    pose_with(network, scratch, last, x, moved);
    if (largest_gap(scratch->touches) > no_gap) {
        const StiStatus status = close_gaps(network, scratch, moved, x);
        if (status != STI_OK) return status;
        pose_with(network, scratch, last, x, moved);
    }
    return all_still(network, s, scratch, moved) ? STI_OK
                                                 : stop_locked(network, s, scratch, moved, x);
}
