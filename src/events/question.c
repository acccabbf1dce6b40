// The question at one moment, at the level of accelerations: of what touches and is at rest, who goes
// on sticking, who lets go and which way, who opens? All together, by the cone solver: it asks whether
// any admissible forces hold, not whether one distribution of them is admissible.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "evaluate/evaluate.h"
#include "evaluate/modes.h"
#include "evaluate/touches.h"

enum { ROUNDS = 12 };
static const double slack = 1e-9; // of an acceleration

// ---- directions of slow slip ------------------------------------------------------------------------

// Along the acceleration, or where that is hardly more than rounding, against the force.
static StiVec3 direction_of_slip(const RowSet *set, int n, const StiVec3 *rows)
{
    const double *f = set->f + set->block_nodes[n].row, *a = set->v + set->block_nodes[n].row;
    const double *c = set->c_size + set->block_nodes[n].row;
    const bool clear = hypot(a[0], a[1]) > 1e-6 * c[0];
    const double x = clear ? a[0] : -f[0], y = clear ? a[1] : -f[1], size = hypot(x, y);
    if (!(size > 0.0)) return rows[0];
    return sti_vec3_add_scaled(sti_vec3_scale(x / size, rows[0]), y / size, rows[1]);
}


// The time to look ahead: not beyond a stop.
static double time_ahead(const StiNetwork *network, const double *s, const TouchData *data,
                         double h)
{
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        const double along = touch->v[0] * touch->rate[0] + touch->v[1] * touch->rate[1];
        const double square = touch->v[0] * touch->v[0] + touch->v[1] * touch->v[1];
        if (slot == NULL || slot->mode != TOUCH_DEPART || !(along < 0.0)) continue;
        h = fmin(h, -0.5 * square / along);
    }
    return h;
}

void sti_touches_guide(const StiNetwork *network, double *s, StiScratch *scratch,
                       const StageData *now, double h)
{
    RowSet *set = scratch->rows;
    const TouchData *data = &scratch->touches;
    const StiFault fault = scratch->fault;
    const double tau = time_ahead(network, s, data, h);
    sti_touches_set_cones(network, s, NULL, scratch, now);
    memcpy(data->rate, set->c, (size_t)set->row_count * sizeof *set->c);
    for (int i = 0; i < data->count; ++i) {
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        if (slot == NULL || slot->mode != TOUCH_DEPART) continue;
        for (int d = 0; d < TOUCH_NORMAL; ++d)
            set->c[data->row_of[i] + d] += data->touches[i].v[d] / tau;
    }
    const StiStatus status = sti_touches_solve_cones(network, scratch, now);
    scratch->fault = fault;
    for (int n = 0; status == STI_OK && n < set->node_count; ++n) {
        if (set->nodes[n].type != NODE_POINT || set->modes[n] != STI_BLOCK_SLIDE) continue;
        const int i = set->nodes[n].index;
        ContactSlot *slot = sti_touch_slot(network, &data->places[i], s);
        if (slot->mode != TOUCH_DEPART) continue;
        const StiVec3 d = direction_of_slip(set, n, data->touches[i].rows);
        const double along = data->touches[i].v[0] * sti_vec3_dot(d, data->touches[i].rows[0]) +
                             data->touches[i].v[1] * sti_vec3_dot(d, data->touches[i].rows[1]);
        if (along < 0.0) continue;
        slot->slipped[0] = d.x, slot->slipped[1] = d.y, slot->slipped[2] = d.z;
    }
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
    TouchData *data = &scratch->touches;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const bool closed = sti_touch_memory(network, &data->places[i], s) != NULL;
        const bool lies = fabs(touch->touch.gap) <= sti_touch_nearness(touch) &&
                          fabs(touch->v[TOUCH_NORMAL]) <= sti_touch_least_speed(scratch, now, i);
        data->takes_part[i] = closed || (lies && !data->let_go[i]);
    }
    for (int i = 0; i < network->reaction_count; ++i)
        data->held[i] = is_at_rest(network, scratch, s, now, i);
}

static StiStatus take_point(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            int n, double *s)
{
    const RowSet *set = scratch->rows;
    const TouchData *data = &scratch->touches;
    const int i = set->nodes[n].index;
    if (set->modes[n] == STI_BLOCK_OPEN) {
        sti_touch_open_place(network, &data->places[i], s);
        return STI_OK;
    }
    ContactSlot *slot = sti_touch_slot(network, &data->places[i], s);
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
    const double *f = set->f + set->block_nodes[n].row;
    double *mode = s + network->reactions[i].s;
    const double size = sti_norm(dim, f);
    scratch->released[i] = UNTOUCHED;
    mode[0] = STI_STICK;
    if (set->modes[n] == STI_BLOCK_STICK) return;
    scratch->released[i] = RELEASED;
    mode[0] = dim > 1 ? STI_DEPART : STI_SLIP;
    for (int d = 0; d < dim; ++d) mode[1 + d] = size > 0.0 ? -f[d] / size : d == 0;
}

static StiStatus ask(const StiNetwork *network, const double *inputs, const bool *forced, double *s,
                     StiScratch *scratch, StageData *now)
{
    RowSet *set = scratch->rows;
    memcpy(scratch->turned, s, (size_t)network->s_count * sizeof *s);
    for (int i = 0; i < network->reaction_count; ++i)
        if (is_at_rest(network, scratch, s, now, i)) scratch->turned[network->reactions[i].s] = STI_STICK;
    StiStatus status = sti_modes_push_smooth(network, inputs, scratch->turned, scratch, now);
    if (status != STI_OK) return status;
    choose_nodes(network, s, scratch, now);
    scratch->touches.asking = true;
    status = sti_touches_accelerations(network, scratch, now);
    scratch->touches.asking = false;
    if (status != STI_OK) return status;
    sti_touches_set_cones(network, s, forced, scratch, now);
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
    const TouchData *data = &scratch->touches;
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
    TouchData *data = &scratch->touches;
    memset(scratch->released, 0, (size_t)network->reaction_count * sizeof *scratch->released);
    for (int round = 0; round < ROUNDS; ++round) {
        memcpy(data->asked, s, (size_t)network->s_count * sizeof *s);
        StiStatus status = ask(network, inputs, forced, s, scratch, now);
        if (status == STI_OK) status = sti_modes_evaluate(network, inputs, s, scratch, now);
        if (status != STI_OK) return status;
        const int sinks = sinking(network, scratch, now, s);
        if (sinks >= 0 && data->let_go[sinks]) {
            data->let_go[sinks] = false;
            continue;
        }
        if (!network->iterates_loads || !answers_differ(network, data->asked, s)) return STI_OK;
    }
    return STI_OK;
}
