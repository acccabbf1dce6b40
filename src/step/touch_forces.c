// Closed contacts and stuck reactions together: the forces that keep their rows from moving. A place
// that slips rubs with mu times its own normal force, so its column is the normal with friction.
#include <math.h>
#include <string.h>

#include "step/rates.h"
#include "step/reactions.h"
#include "step/touches.h"

// ---- rows -----------------------------------------------------------------------------------------

static void add_row(TouchData *data, int *count, int reaction, int place, int axis)
{
    data->rows[(*count)++] = (TouchRow){reaction, place, axis};
}

// Stuck reactions, normals of closed places, tangents of those that stick.
static int choose_rows(const StiNetwork *network, const double *s, TouchData *data)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0;
             s[network->reactions[i].s] == STI_STICK && d < network->reactions[i].size.dim; ++d)
            add_row(data, &count, i, -1, d);
    for (int i = 0; i < data->count; ++i) {
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        for (int d = 0; slot != NULL && d < TOUCH_ROWS; ++d)
            if (d == TOUCH_NORMAL || slot->mode == TOUCH_STICK) add_row(data, &count, -1, i, d);
    }
    return count;
}

StiVec3 sti_touch_slip(const TouchData *data, int place, const ContactSlot *slot)
{
    const Touch *touch = &data->touches[place];
    const double speed = hypot(touch->v[0], touch->v[1]);
    const StiVec3 kept = {slot->slipped[0], slot->slipped[1], slot->slipped[2]};
    if (slot->mode == TOUCH_DEPART || !(speed > 0.0)) return kept;
    const StiVec3 now = sti_vec3_add_scaled(sti_vec3_scale(touch->v[0] / speed, touch->rows[0]),
                                            touch->v[1] / speed, touch->rows[1]);
    return data->goes_on && sti_vec3_dot(now, kept) < 0.0 ? kept : now;
}

// Force of one unit of a row's unknown.
static StiVec3 unit_of(const StiNetwork *network, const double *s, const TouchData *data,
                       const TouchRow *row, bool rubs)
{
    const ContactPlace *place = &data->places[row->place];
    const Touch *touch = &data->touches[row->place];
    const ContactSlot *slot = sti_touch_memory(network, place, s);
    const StiVec3 along = touch->rows[row->axis];
    if (!rubs || row->axis != TOUCH_NORMAL || slot == NULL || slot->mode == TOUCH_STICK)
        return along;
    const double mu = network->contacts[place->contact].parameters->mu;
    return sti_vec3_add_scaled(along, -mu, sti_touch_slip(data, row->place, slot));
}

// ---- A: what the rows do when one of them is pushed -----------------------------------------------

static void clear(const StiNetwork *network, const Response *response)
{
    memset(response->force, 0, (size_t)network->generalized_count * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
}

static void respond(const StiNetwork *network, const StageData *now, const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i)
        if (network->admittances[i].size.velocities > 0) sti_response_of(network, now, response, i);
    sti_rates_pose(network, now, false, response);
}

static void push_row(const StiNetwork *network, const double *s, StiScratch *scratch,
                     const StageData *now, const TouchRow *row, double size, bool rubs)
{
    const Response *response = &scratch->reactions.response;
    const TouchData *data = &scratch->touches;
    if (row->reaction < 0) {
        sti_touch_push(&data->places[row->place], &data->touches[row->place],
                       sti_vec3_scale(size, unit_of(network, s, data, row, rubs)),
                       response->wrenches);
        return;
    }
    double unit[STI_REACTION_DIM_MAX] = {0.0};
    unit[row->axis] = -size; // a wire applies resistances
    sti_wire_push(network, &network->reactions[row->reaction].wire, now, unit, response->force,
                  response->wrenches);
}

static void sense_rows(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                       int count, double *sensed, int stride)
{
    const TouchData *data = &scratch->touches;
    double rates[STI_REACTION_DIM_MAX];
    for (int r = 0; r < count; ++r) {
        const TouchRow *row = &data->rows[r];
        if (row->reaction >= 0)
            sti_rates_sense(network, scratch, now, &network->reactions[row->reaction].wire, rates);
        else
            sti_touch_velocity(&data->places[row->place], &data->touches[row->place],
                               scratch->reactions.response.frames, rates);
        sensed[r * stride] = rates[row->axis];
    }
}

StiStatus sti_touches_matrix(const StiNetwork *network, const double *s, StiScratch *scratch,
                             const StageData *now, int count, bool rubs)
{
    TouchData *data = &scratch->touches;
    const StiStatus status = sti_bodies_prepare(network, scratch, now, NULL);
    if (status != STI_OK) return status;
    for (int c = 0; c < count; ++c) {
        clear(network, &scratch->reactions.response);
        push_row(network, s, scratch, now, &data->rows[c], 1.0, rubs);
        respond(network, now, &scratch->reactions.response);
        sense_rows(network, scratch, now, count, data->A + c, count);
    }
    return STI_OK;
}

// ---- forces ---------------------------------------------------------------------------------------

void sti_touches_rates(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    TouchData *data = &scratch->touches;
    const Response *response = &scratch->reactions.response;
    sti_rates_accelerate(network, now, response);
    for (int i = 0; i < data->count; ++i) {
        Touch *touch = &data->touches[i];
        sti_touch_velocity(&data->places[i], touch, response->frames, touch->rate);
        for (int d = 0; d < TOUCH_ROWS; ++d) touch->rate[d] += touch->drift[d];
    }
}

static void take_forces(const StiNetwork *network, const double *s, TouchData *data, int count,
                        StageData *now)
{
    for (int r = 0; r < count; ++r) {
        const TouchRow *row = &data->rows[r];
        if (row->reaction >= 0) {
            now->u[network->reactions[row->reaction].wire.v + row->axis] = -data->z[r];
            continue;
        }
        Touch *touch = &data->touches[row->place];
        touch->force =
            sti_vec3_add_scaled(touch->force, data->z[r], unit_of(network, s, data, row, true));
    }
}

StiStatus sti_touches_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                             StageData *now, bool *any)
{
    TouchData *data = &scratch->touches;
    const int count = choose_rows(network, s, data);
    sti_touches_clear(data);
    *any = count > 0;
    if (count == 0) return STI_OK;
    sti_touches_rates(network, scratch, now);
    for (int r = 0; r < count; ++r) {
        const TouchRow *row = &data->rows[r];
        data->rate[r] =
            row->reaction >= 0
                ? scratch->wire_rate[network->reactions[row->reaction].wire.v + row->axis]
                : data->touches[row->place].rate[row->axis];
    }
    const StiStatus status = sti_touches_matrix(network, s, scratch, now, count, true);
    if (status != STI_OK) return status;
    bool unique;
    if (sti_touches_solve(data, count, &unique) &&
        (unique || sti_touches_share(network, data, now, count))) {
        take_forces(network, s, data, count, now);
        return STI_OK;
    }
    return sti_fault(scratch, STI_NO_SOLUTION, "", "contact", &now->stage);
}

// ---- velocities -----------------------------------------------------------------------------------

static void pose_with(const StiNetwork *network, const StageData *now, const double *x,
                      StageData *moved)
{
    moved->stage = now->stage;
    memcpy(moved->x, x, (size_t)network->x_count * sizeof *x);
    memcpy(moved->ports, now->ports, (size_t)network->port_count * sizeof *moved->ports);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->posed)
            a->kind->pose(a->parameters, moved->x + a->q, moved->x + a->v, moved->ports + a->port,
                          moved->frames + a->link);
    }
    sti_psi_reactions(network, moved);
}

void sti_touches_apply(const StiNetwork *network, const double *s, StiScratch *scratch,
                       const StageData *now, int count, const double *impulses, double *x)
{
    const Response *response = &scratch->reactions.response;
    clear(network, response);
    for (int r = 0; r < count; ++r)
        push_row(network, s, scratch, now, &scratch->touches.rows[r], impulses[r], false);
    respond(network, now, response);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d)
            x[a->v + d] += response->dv[a->generalized + d];
    }
}

// ---- positions ------------------------------------------------------------------------------------

static const double no_gap = 1e-14;  // of the size of what touches, m
static const double no_speed = 1e-14; // of the speeds at hand

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
    TouchData *data = &scratch->touches;
    int count = 0;
    bool unique;
    for (int i = 0; i < data->count; ++i) {
        if (sti_touch_memory(network, &data->places[i], s) == NULL) continue;
        data->rate[count] = data->touches[i].touch.gap;
        add_row(data, &count, -1, i, TOUCH_NORMAL);
    }
    const StiStatus status = sti_touches_matrix(network, s, scratch, moved, count, false);
    if (status != STI_OK || !sti_touches_solve(data, count, &unique)) return status;
    const Response *response = &scratch->reactions.response;
    clear(network, response);
    for (int r = 0; r < count; ++r)
        push_row(network, s, scratch, moved, &data->rows[r], data->z[r], false);
    respond(network, moved, response);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0)
            a->kind->move(a->parameters, response->dv + a->generalized, 1.0, x + a->q);
    }
    return STI_OK;
}

// Are the first count rows as still as rounding lets them be?
static bool all_still(const StiScratch *scratch, const StageData *moved, int count)
{
    const TouchData *data = &scratch->touches;
    for (int r = 0; r < count; ++r) {
        const TouchRow *row = &data->rows[r];
        double speed = 0.0;
        for (int k = 0; row->reaction < 0 && k < 2; ++k) {
            const int frame = data->places[row->place].frame[k];
            if (frame < 0) continue;
            speed += sti_vec3_norm(moved->frames[frame].v) +
                     sti_vec3_norm(moved->frames[frame].w) *
                         sti_vec3_norm(data->touches[row->place].arm[k]);
        }
        if (fabs(data->rate[r]) > no_speed * speed) return false;
    }
    return true;
}

StiStatus sti_touches_return(const StiNetwork *network, const double *s, StiScratch *scratch,
                             const StageData *last, double *x)
{
    TouchData *data = &scratch->touches;
    StageData *moved = &scratch->beside;
    pose_with(network, last, x, moved);
    sti_touches_place(scratch, moved);
    if (largest_gap(network, s, data) > no_gap) {
        const StiStatus status = close_gaps(network, s, scratch, moved, x);
        if (status != STI_OK) return status;
        pose_with(network, last, x, moved);
        sti_touches_place(scratch, moved);
    }
    return sti_touches_hold(network, s, scratch, last, x);
}

StiStatus sti_touches_hold(const StiNetwork *network, const double *s, StiScratch *scratch,
                           const StageData *now, double *x)
{
    TouchData *data = &scratch->touches;
    StageData *moved = &scratch->beside;
    const int count = choose_rows(network, s, data);
    if (count == 0) return STI_OK;
    pose_with(network, now, x, moved);
    for (int r = 0; r < count; ++r) {
        const TouchRow *row = &data->rows[r];
        double v[TOUCH_ROWS];
        if (row->reaction < 0)
            sti_touch_velocity(&data->places[row->place], &data->touches[row->place], moved->frames,
                               v);
        data->rate[r] = row->reaction >= 0
                            ? moved->velocity[network->reactions[row->reaction].wire.v + row->axis]
                            : v[row->axis];
    }
    if (all_still(scratch, moved, count)) return STI_OK;
    const StiStatus status = sti_touches_matrix(network, s, scratch, now, count, false);
    if (status != STI_OK) return status;
    bool unique;
    if (!sti_touches_solve(data, count, &unique)) return STI_OK;
    sti_touches_apply(network, s, scratch, now, count, data->z, x);
    for (int i = 0; i < network->reaction_count; ++i)
        scratch->reactions.answers[i].stuck = s[network->reactions[i].s] == STI_STICK;
    if (network->reaction_count > 0) sti_assign_stuck(network, scratch, now->ports, x);
    return STI_OK;
}
