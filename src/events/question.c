// The question at one moment, at the level of accelerations: of what touches and is at rest, what goes
// on sticking, what lets go and which way, what opens? All together, by the cone solver: it asks whether
// any admissible forces hold, not whether one distribution of them is admissible.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "evaluate/evaluate.h"
#include "evaluate/modes.h"
#include "events/touch_events.h"
#include "events/rest.h"
#include "events/rest_cones.h"

enum { ROUNDS = 12 };
static const double slack = 1e-9; // of an acceleration

// ---- directions of slow slip ------------------------------------------------------------------------

// Along the acceleration, or where that is hardly more than rounding, against the force.
static StiVec3 direction_of_slip(const RowSet *set, int n, const StiVec3 *rows)
{
    const double *f = set->f + set->block_nodes[n].row, *a = set->v + set->block_nodes[n].row;
    const double *c = set->c_size + set->block_nodes[n].row;
    const bool clear = sti_hypot(a[0], a[1]) > 1e-6 * c[0];
    const double x = clear ? a[0] : -f[0], y = clear ? a[1] : -f[1], size = sti_hypot(x, y);
    if (!(size > 0.0)) return rows[0];
    return sti_vec3_add_scaled(sti_vec3_scale(x / size, rows[0]), y / size, rows[1]);
}

// Accelerations without the rows' forces, as if velocities of departures were to be gone a time tau
// later: then the cone solver finds where they point there.
static void look_ahead(const StiNetwork *network, const double *s, StiScratch *scratch, double tau)
{
    RowSet *set = scratch->rows;
    const TouchData *data = scratch->touches;
    memcpy(set->c, data->rate, (size_t)set->row_count * sizeof *set->c);
    for (int i = 0; i < data->count; ++i) {
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        if (slot == NULL || slot->mode != TOUCH_DEPART) continue;
        for (int d = 0; d < TOUCH_NORMAL; ++d)
            set->c[data->row_of[i] + d] += data->touches[i].v[d] / tau;
    }
}

static bool is_departure(const StiNetwork *network, const double *s, const StiScratch *scratch,
                         int n)
{
    const RowSet *set = scratch->rows;
    if (set->nodes[n].type != NODE_POINT) return false;
    const ContactSlot *slot =
        sti_touch_memory(network, &scratch->touches->places[set->nodes[n].index], s);
    return slot->mode == TOUCH_DEPART;
}

// All departures still slide at the time that was looked ahead to.
static bool all_slide(const StiNetwork *network, const double *s, const StiScratch *scratch)
{
    const RowSet *set = scratch->rows;
    for (int n = 0; n < set->node_count; ++n)
        if (set->modes[n] == STI_BLOCK_STICK && is_departure(network, s, scratch, n)) return false;
    return true;
}

static void take_directions(const StiNetwork *network, double *s, StiScratch *scratch)
{
    const RowSet *set = scratch->rows;
    const TouchData *data = scratch->touches;
    for (int n = 0; n < set->node_count; ++n) {
        if (set->modes[n] != STI_BLOCK_SLIDE || !is_departure(network, s, scratch, n)) continue;
        const int i = set->nodes[n].index;
        const Touch *touch = &data->touches[i];
        const StiVec3 d = direction_of_slip(set, n, touch->rows);
        const double along = touch->v[0] * sti_vec3_dot(d, touch->rows[0]) +
                             touch->v[1] * sti_vec3_dot(d, touch->rows[1]);
        ContactSlot *slot = sti_touch_slot(network, &data->places[i], s);
        if (along >= 0.0) slot->slipped[0] = d.x, slot->slipped[1] = d.y, slot->slipped[2] = d.z;
    }
}

void sti_touches_guide(const StiNetwork *network, double *s, StiScratch *scratch,
                       const StageData *now, double h)
{
    enum { LOOKS = 10 };
    RowSet *set = scratch->rows;
    const TouchData *data = scratch->touches;
    const StiFault fault = scratch->fault;
    StiStatus status = STI_OK;
    sti_touches_set_cones(network, s, NULL, scratch, now);
    memcpy(data->rate, set->c, (size_t)set->row_count * sizeof *set->c);
    for (int look = 0; look < LOOKS; ++look, h *= 0.25) { // not beyond a stop
        look_ahead(network, s, scratch, h);
        status = sti_touches_solve_cones(network, scratch, now);
        if (status != STI_OK || all_slide(network, s, scratch)) break;
    }
    scratch->fault = fault;
    if (status == STI_OK) take_directions(network, s, scratch);
    memcpy(set->c, data->rate, (size_t)set->row_count * sizeof *set->c);
}

// ---- new modes ------------------------------------------------------------------------------------

static bool is_at_rest(const StiNetwork *network, const StiScratch *scratch, const double *s,
                       const StageData *now, int i)
{
    const Reaction *e = &network->reactions[i];
    const double speed = sti_norm(e->size.dim, now->velocity + e->wire.v);
    return s[e->s] == STI_STICK || speed <= sti_modes_least_speed(network, scratch, now, i);
}

static void choose_nodes(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now)
{
    TouchData *data = scratch->touches;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const bool closed = sti_touch_memory(network, &data->places[i], s) != NULL;
        const bool lies = fabs(touch->touch.gap) <= sti_touch_nearness(touch) &&
                          fabs(touch->v[TOUCH_NORMAL]) <= sti_touch_least_speed(scratch, now, i);
        data->takes_part[i] = closed || (lies && !scratch->impacts->let_go[i]);
    }
    for (int i = 0; i < network->reaction_count; ++i)
        data->held[i] = is_at_rest(network, scratch, s, now, i);
}

static StiStatus take_point(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            int n, double *s)
{
    const RowSet *set = scratch->rows;
    const TouchData *data = scratch->touches;
    const int i = set->nodes[n].index;
    if (set->modes[n] == STI_BLOCK_OPEN) {
        sti_touch_open_place(network, &data->places[i], s);
        return STI_OK;
    }
    ContactSlot *slot = sti_touch_slot(network, &data->places[i], s);
    if (slot == NULL && set->block_nodes[n].sliding) // it lay beside the others, which slide
        return sti_touch_close_place(network, scratch, now, i, s);
    if (slot == NULL) slot = sti_touch_close(network, &data->places[i], s);
    if (slot == NULL)
        return sti_fault(scratch, STI_OUT_OF_MEMORY,
                         network->contacts[data->places[i].contact].name, "capacity", &now->stage);
    if (set->block_nodes[n].sliding) return STI_OK;
    slot->mode = set->modes[n] == STI_BLOCK_STICK ? TOUCH_STICK : TOUCH_DEPART;
    const StiVec3 d = direction_of_slip(set, n, data->touches[i].rows);
    slot->slipped[0] = d.x, slot->slipped[1] = d.y, slot->slipped[2] = d.z;
    return STI_OK;
}

static void take_reaction(const StiNetwork *network, StiScratch *scratch, int n, double *s)
{
    const RowSet *set = scratch->rows;
    const int i = set->nodes[n].index, dim = network->reactions[i].size.dim;
    const int row = set->block_nodes[n].row;
    double *mode = s + network->reactions[i].s;
    scratch->rest->released[i] = UNTOUCHED;
    mode[0] = STI_STICK;
    if (set->modes[n] == STI_BLOCK_STICK) return;
    scratch->rest->released[i] = RELEASED;
    sti_rest_let_slip(dim, set->f + row, set->v + row, mode);
}

static StiStatus ask(const StiNetwork *network, const double *inputs, const bool *forced, double *s,
                     StiScratch *scratch, StageData *now)
{
    RowSet *set = scratch->rows;
    memcpy(scratch->rest->turned, s, (size_t)network->s_count * sizeof *s);
    for (int i = 0; i < network->reaction_count; ++i)
        if (is_at_rest(network, scratch, s, now, i))
            scratch->rest->turned[network->reactions[i].s] = STI_STICK;
    StiStatus status = sti_modes_push_smooth(network, inputs, scratch->rest->turned, scratch, now);
    if (status != STI_OK) return status;
    choose_nodes(network, s, scratch, now);
    scratch->touches->asking = true;
    status = sti_touches_accelerations(network, scratch, now);
    scratch->touches->asking = false;
    if (status != STI_OK) return status;
    sti_touches_set_cones(network, s, forced, scratch, now);
    if (scratch->touches->goes_on)
        sti_touches_let_departures_slide(network, s, scratch, now, true);
    status = sti_touches_solve_cones(network, scratch, now);
    for (int n = 0; n < set->node_count && status == STI_OK; ++n) {
        if (set->nodes[n].type == NODE_POINT)
            status = take_point(network, scratch, now, n, s);
        else
            take_reaction(network, scratch, n, s);
    }
    return status;
}

// An open place that lies on the other body and is accelerated into it, -1: none.
static int sinking(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                   const double *s)
{
    const TouchData *data = scratch->touches;
    double scale = sti_vec3_norm(network->gravity);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d) scale = fmax(scale, fabs(now->xdot[a->v + d]));
    }
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        if (sti_touch_memory(network, &data->places[i], s) == NULL &&
            fabs(touch->touch.gap) <= sti_touch_nearness(touch) &&
            fabs(touch->v[TOUCH_NORMAL]) <= sti_touch_least_speed(scratch, now, i) &&
            touch->rate[TOUCH_NORMAL] < -slack * scale)
            return i;
    }
    return -1;
}

// Levels may follow loads, which are known only under the new modes.
static bool answers_differ(const StiNetwork *network, const double *a, const double *b)
{
    for (int i = 0; i < network->reaction_count; ++i)
        if ((a[network->reactions[i].s] == STI_STICK) != (b[network->reactions[i].s] == STI_STICK))
            return true;
    return sti_touches_differ(network, a, b);
}

StiStatus sti_touches_at_rest(const StiNetwork *network, const double *inputs, const bool *forced,
                              double *s, StiScratch *scratch, StageData *now)
{
    memset(scratch->rest->released, 0,
           (size_t)network->reaction_count * sizeof *scratch->rest->released);
    for (int round = 0; round < ROUNDS; ++round) {
        memcpy(scratch->impacts->asked, s, (size_t)network->s_count * sizeof *s);
        StiStatus status = ask(network, inputs, forced, s, scratch, now);
        if (status == STI_OK) status = sti_modes_evaluate(network, inputs, s, scratch, now);
        if (status != STI_OK) return status;
        const int sinks = sinking(network, scratch, now, s);
        if (sinks >= 0 && scratch->impacts->let_go[sinks]) {
            scratch->impacts->let_go[sinks] = false;
            continue;
        }
        if (!network->iterates_loads || !answers_differ(network, scratch->impacts->asked, s))
            return STI_OK;
    }
    return STI_OK;
}
