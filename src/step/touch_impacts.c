// Impacts of contacts in continuous time: impulses with restitution and friction, and bounces that have
// become too small to follow.
#include <math.h>
#include <string.h>

#include "step/modes.h"
#include "step/touches.h"

enum { HALVINGS = 6 };
static const double lowest_bounce = 1e-12; // m

// Places that take part: closed ones, and open ones that come nearer at no distance.
static bool find_strikes(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now)
{
    TouchData *data = &scratch->touches;
    bool any = false;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const bool closed = sti_touch_memory(network, &data->places[i], s) != NULL;
        const bool comes = !closed && (data->met[i] || sti_touch_is_near(touch)) &&
                           touch->v[TOUCH_NORMAL] < -sti_touch_least_speed(scratch, now, i);
        data->strikes[i] = closed || comes;
        any = any || comes;
    }
    return any;
}

static int impact_rows(const StiNetwork *network, TouchData *data)
{
    int rows = 0;
    data->node_count = 0;
    for (int i = 0; i < data->count; ++i) {
        if (!data->strikes[i]) continue;
        const StiContact *p = network->contacts[data->places[i].contact].parameters;
        data->nodes[data->node_count++] = (StiBlockNode){.kind = STI_BLOCK_CONTACT,
                                                         .row = rows,
                                                         .dim = 3,
                                                         .limit = p->mu,
                                                         .limit_static = p->mu};
        for (int d = 0; d < TOUCH_ROWS; ++d)
            data->rows[rows++] = (TouchRow){.reaction = -1, .place = i, .axis = d};
    }
    return rows;
}

// Speeds of departure where points strike one after the other.
static bool run_sequence(const StiNetwork *network, TouchData *data, int rows)
{
    Sequence *q = &data->sequence;
    q->count = 0;
    for (int r = TOUCH_NORMAL; r < rows; r += TOUCH_ROWS) {
        const int place = data->rows[r].place;
        const StiContact *p = network->contacts[data->places[place].contact].parameters;
        if (!p->sequential) continue;
        q->points[q->count] = r;
        q->slack[q->count] = 0.0;
        q->e[q->count] = data->dead[place] ? 0.0 : p->restitution;
        q->v[q->count++] = data->touches[place].v[TOUCH_NORMAL];
    }
    for (int a = 0; a < q->count; ++a)
        for (int b = 0; b < q->count; ++b)
            q->W[a * q->count + b] = data->A[q->points[a] * rows + q->points[b]];
    return sti_sequence_run(q);
}

static double departure(const StiNetwork *network, const TouchData *data, int r)
{
    const TouchRow *row = &data->rows[r];
    const StiContact *p = network->contacts[data->places[row->place].contact].parameters;
    const double v = data->touches[row->place].v[row->axis];
    if (row->axis != TOUCH_NORMAL || data->dead[row->place]) return 0.0;
    if (!p->sequential) return v < 0.0 ? -p->restitution * v : 0.0;
    for (int i = 0; i < data->sequence.count; ++i)
        if (data->sequence.points[i] == r)
            return data->sequence.f[i] > 0.0 ? data->sequence.v[i] : 0.0;
    return 0.0;
}

// Impulses for departure at `share` of the speeds that restitution asks for; their work, J, and what
// of it is rounding: with restitution 1 they do none.
static StiStatus solve_impact(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                              int rows, double share, double *work, double *rounding)
{
    TouchData *data = &scratch->touches;
    for (int r = 0; r < rows; ++r) {
        const TouchRow *row = &data->rows[r];
        const double v = data->touches[row->place].v[row->axis];
        data->bounce[r] = share * departure(network, data, r);
        data->rate[r] = v - data->bounce[r];
        data->z[r] = 0.0;
    }
    const StiBlock block = {.node_count = data->node_count,
                            .row_count = rows,
                            .nodes = data->nodes,
                            .W = data->A,
                            .c = data->rate};
    StiBlockAnswer answer = {.f = data->z, .v = data->left, .mode = data->modes};
    const StiStatus status = sti_block_solve(&block, &data->block_scratch, &answer);
    if (status != STI_OK || answer.outcome != STI_BLOCK_SOLVED) {
        const int worst = answer.worst >= 0 && answer.worst < data->node_count ? answer.worst : 0;
        const int place = data->rows[data->nodes[worst].row].place;
        return sti_fault(scratch, status != STI_OK ? status : STI_NO_SOLUTION,
                         network->contacts[data->places[place].contact].name, "impact",
                         &now->stage);
    }
    *work = *rounding = 0.0;
    memset(data->work, 0, (size_t)network->contact_count * sizeof *data->work);
    for (int r = 0; r < rows; ++r) {
        const TouchRow *row = &data->rows[r];
        const double before = data->touches[row->place].v[row->axis];
        const double done = 0.5 * data->z[r] * (before + data->left[r] + data->bounce[r]);
        *work += done;
        *rounding += 1e-12 * fabs(data->z[r] * before);
        data->work[data->places[row->place].contact] += done;
    }
    return STI_OK;
}

// Modes after the impact, from the velocities it left.
static StiStatus settle_impact(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                               int rows, double *s)
{
    TouchData *data = &scratch->touches;
    StiStatus status = STI_OK;
    for (int r = 0; r < rows && status == STI_OK; r += TOUCH_ROWS) {
        const int i = data->rows[r].place;
        for (int d = 0; d < TOUCH_ROWS; ++d)
            data->touches[i].v[d] = data->left[r + d] + data->bounce[r + d];
        const double least = sti_touch_least_speed(scratch, now, i);
        sti_touch_open_place(network, &data->places[i], s);
        if (data->touches[i].v[TOUCH_NORMAL] <= least)
            status = sti_touch_close_place(network, scratch, now, i, s);
    }
    return status;
}

// A flight so short that it is none ends at once: an infinite number of them may follow.
static bool find_dead(const StiNetwork *network, const double *s, StiScratch *scratch)
{
    TouchData *data = &scratch->touches;
    bool any = false;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        if (!data->strikes[i] || data->dead[i] ||
            sti_touch_memory(network, &data->places[i], s) != NULL)
            continue;
        const double v = touch->v[TOUCH_NORMAL], a = touch->rate[TOUCH_NORMAL];
        data->dead[i] = a < 0.0 && v > 0.0 &&
                        (2.0 * v < -a * scratch->moment || 0.5 * v * v < -a * lowest_bounce);
        any = any || data->dead[i];
    }
    return any;
}

static StiStatus impact_once(const StiNetwork *network, const double *inputs, double *s,
                             StiScratch *scratch, StageData *now)
{
    TouchData *data = &scratch->touches;
    const int rows = impact_rows(network, data);
    StiStatus status = sti_touches_matrix(network, s, scratch, now, rows, false);
    double share = 1.0, work = 0.0, least = 0.0;
    if (status == STI_OK && sti_sequence_wanted(network) && !run_sequence(network, data, rows))
        return sti_fault(scratch, STI_NO_SOLUTION,
                         network->contacts[data->places[data->rows[0].place].contact].name,
                         "sequence of impacts", &now->stage);
    for (int i = 0; i <= HALVINGS && status == STI_OK; ++i, share *= i == HALVINGS ? 0.0 : 0.5) {
        status = solve_impact(network, scratch, now, rows, share, &work, &least);
        if (status == STI_OK && work <= least) break;
    }
    if (status != STI_OK) return status;
    sti_touches_apply(network, s, scratch, now, rows, data->z, now->x);
    status = settle_impact(network, scratch, now, rows, s);
    return status == STI_OK ? sti_modes_evaluate(network, inputs, s, scratch, now) : status;
}

// What the impact took from the bodies, for the energy ledger.
static void account(const StiNetwork *network, const StiScratch *scratch, const StageData *now)
{
    const TouchData *data = &scratch->touches;
    for (int i = 0; i < network->contact_count; ++i) data->lost[i] -= data->work[i];
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->kind->stored == NULL || a->kind->prescribed) continue;
        data->gained[i] += a->kind->stored(a->parameters, network->gravity, now->x + a->q,
                                           now->x + a->v, scratch->workspace) -
                           a->kind->stored(a->parameters, network->gravity, data->x_before + a->q,
                                           data->x_before + a->v, scratch->workspace);
    }
}

StiStatus sti_touches_strike(const StiNetwork *network, const double *inputs, double *s,
                             StiScratch *scratch, StageData *now)
{
    TouchData *data = &scratch->touches;
    data->struck = find_strikes(network, s, scratch, now);
    if (!data->struck) return STI_OK;
    memset(data->dead, 0, (size_t)data->count * sizeof *data->dead);
    memcpy(data->x_before, now->x, (size_t)network->x_count * sizeof *now->x);
    memcpy(data->s_before, s, (size_t)network->s_count * sizeof *s);
    StiStatus status = impact_once(network, inputs, s, scratch, now);
    for (int i = 0; status == STI_OK && i < data->count && find_dead(network, s, scratch); ++i) {
        memcpy(now->x, data->x_before, (size_t)network->x_count * sizeof *now->x);
        memcpy(s, data->s_before, (size_t)network->s_count * sizeof *s);
        status = sti_modes_evaluate(network, inputs, s, scratch, now);
        if (status == STI_OK) status = impact_once(network, inputs, s, scratch, now);
    }
    if (status == STI_OK) account(network, scratch, now);
    return status;
}
