// Impacts of contacts in continuous time: impulses with restitution and friction, and bounces that have
// become too small to follow.
#include <math.h>
#include <string.h>

#include "evaluate/modes.h"
#include "events/touch_events.h"

ImpactData *sti_impacts_take(StiArena *arena, const StiNetwork *network)
{
    ImpactData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL || network->place_count == 0) return data;
    const size_t count = (size_t)network->place_count + 1;
    bool **flags[] = {&data->let_go, &data->met, &data->strikes, &data->dead};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i)
        *flags[i] = sti_arena_take(arena, count, sizeof(bool));
    data->asked = sti_arena_numbers(arena, network->s_count);
    data->bounce = sti_arena_numbers(arena, TOUCH_ROWS * network->place_count + network->row_count);
    data->x_before = sti_arena_numbers(arena, network->x_count);
    data->s_before = sti_arena_numbers(arena, network->s_count);
    data->work = sti_arena_numbers(arena, sti_contact_books(network->contact_count));
    data->lost = sti_arena_numbers(arena, sti_contact_books(network->contact_count));
    data->gained = sti_arena_numbers(arena, network->admittance_count);
    if (sti_sequence_wanted(network))
        sti_sequence_take(arena, network->place_count, &data->sequence);
    return data;
}

enum { HALVINGS = 6 };
static const double lowest_bounce = 1e-12; // m

// Places that take part: all that touch. True if one comes nearer.
static bool find_strikes(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now)
{
    const ImpactData *impacts = scratch->impacts;
    TouchData *data = scratch->touches;
    bool any = false;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const bool closed = sti_touch_memory(network, &data->places[i], s) != NULL;
        const bool comes = !closed && (impacts->met[i] || sti_touch_is_near(touch)) &&
                           touch->v[TOUCH_NORMAL] < -sti_touch_least_speed(scratch, now, i);
        impacts->strikes[i] = closed || comes || sti_touch_is_near(touch);
        any = any || comes;
    }
    return any;
}

// Speeds of departure where points strike one after the other.
static bool run_sequence(const StiNetwork *network, StiScratch *scratch)
{
    ImpactData *impacts = scratch->impacts;
    TouchData *data = scratch->touches;
    const RowSet *set = scratch->rows;
    Sequence *q = &impacts->sequence;
    q->count = 0;
    for (int n = 0; n < set->node_count; ++n) {
        const int place = set->nodes[n].index;
        const StiContact *p = network->contacts[data->places[place].contact].parameters;
        if (!p->sequential) continue;
        q->points[q->count] = n;
        q->slack[q->count] = 0.0;
        q->e[q->count] =
            impacts->dead[place] ? 0.0 : sti_place_rub(network, &data->places[place]).restitution;
        q->v[q->count++] = data->touches[place].v[TOUCH_NORMAL];
    }
    for (int a = 0; a < q->count; ++a)
        for (int b = 0; b < q->count; ++b)
            q->W[a * q->count + b] =
                sti_rows_felt(set, q->points[a], TOUCH_NORMAL, q->points[b], TOUCH_NORMAL);
    return sti_sequence_run(q);
}

static double departure(const StiNetwork *network, const StiScratch *scratch, int n)
{
    const ImpactData *impacts = scratch->impacts;
    const TouchData *data = scratch->touches;
    const int i = scratch->rows->nodes[n].index;
    const StiContact *p = network->contacts[data->places[i].contact].parameters;
    const double v = data->touches[i].v[TOUCH_NORMAL];
    if (impacts->dead[i]) return 0.0;
    if (!p->sequential)
        return v < 0.0 ? -sti_place_rub(network, &data->places[i]).restitution * v : 0.0;
    for (int k = 0; k < impacts->sequence.count; ++k)
        if (impacts->sequence.points[k] == n)
            return impacts->sequence.f[k] > 0.0 ? impacts->sequence.v[k] : 0.0;
    return 0.0;
}

// Impulses for departure at `share` of the speeds that restitution asks for; their work, J, and what
// of it is rounding: with restitution 1 they do none.
static StiStatus solve_impact(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                              double share, double *work, double *rounding)
{
    const ImpactData *impacts = scratch->impacts;
    TouchData *data = scratch->touches;
    RowSet *set = scratch->rows;
    for (int n = 0; n < set->node_count; ++n) {
        const int row = set->block_nodes[n].row + TOUCH_NORMAL;
        impacts->bounce[row] = share * departure(network, scratch, n);
        set->c[row] = data->rate[row] - impacts->bounce[row];
    }
    memset(set->f, 0, (size_t)set->row_count * sizeof *set->f);
    const StiStatus status = sti_rows_solve(set, false, false);
    if (status != STI_OK || set->answer.outcome > STI_BLOCK_SOFT) {
        const int worst =
            set->answer.worst >= 0 && set->answer.worst < set->node_count ? set->answer.worst : 0;
        const int place = set->nodes[worst].index;
        return sti_fault(scratch, status != STI_OK ? status : STI_NO_SOLUTION,
                         network->contacts[data->places[place].contact].name, "impact",
                         &now->stage);
    }
    *work = *rounding = 0.0;
    memset(impacts->work, 0,
           (size_t)sti_contact_books(network->contact_count) * sizeof *impacts->work);
    for (int r = 0; r < set->row_count; ++r) {
        const double done = 0.5 * set->f[r] * (data->rate[r] + set->v[r] + impacts->bounce[r]);
        *work += done;
        *rounding += 1e-12 * fabs(set->f[r] * data->rate[r]);
        const int place = set->nodes[set->node_of_row[r]].index;
        const int axis = r - set->block_nodes[set->node_of_row[r]].row;
        double *taken = &impacts->work[data->places[place].contact];
        *taken += done;
        if (axis != TOUCH_NORMAL)
            taken[network->contact_count] += set->f[r] * data->touches[place].surface[axis];
    }
    return STI_OK;
}

// Modes after the impact, from the velocities it left.
static StiStatus settle_impact(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                               double *s)
{
    TouchData *data = scratch->touches;
    const RowSet *set = scratch->rows;
    StiStatus status = STI_OK;
    for (int i = 0; i < data->count && status == STI_OK; ++i) {
        const int r = data->row_of[i];
        if (r < 0) continue;
        for (int d = 0; d < TOUCH_ROWS; ++d)
            data->touches[i].v[d] = set->v[r + d] + scratch->impacts->bounce[r + d];
        const double least = sti_touch_least_speed(scratch, now, i);
        sti_touch_open_place(network, &data->places[i], s);
        if (data->touches[i].v[TOUCH_NORMAL] <= least)
            status = sti_touch_close_place(network, scratch, now, i, s);
    }
    return status;
}

// A flight too short to follow ends at once: an infinite number of them may follow.
static bool find_dead(const StiNetwork *network, const double *s, StiScratch *scratch)
{
    const ImpactData *impacts = scratch->impacts;
    TouchData *data = scratch->touches;
    bool any = false;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        if (!impacts->strikes[i] || impacts->dead[i] ||
            sti_touch_memory(network, &data->places[i], s) != NULL)
            continue;
        const double v = touch->v[TOUCH_NORMAL], a = touch->rate[TOUCH_NORMAL];
        impacts->dead[i] = a < 0.0 && v > 0.0 &&
                           (2.0 * v < -a * scratch->moment || 0.5 * v * v < -a * lowest_bounce);
        any = any || impacts->dead[i];
    }
    return any;
}

static StiStatus impact_once(const StiNetwork *network, const double *inputs, double *s,
                             StiScratch *scratch, StageData *now)
{
    const ImpactData *impacts = scratch->impacts;
    TouchData *data = scratch->touches;
    RowSet *set = scratch->rows;
    StiStatus status = sti_touches_build(network, scratch, now, impacts->strikes, NULL);
    if (status == STI_OK) status = sti_touches_move(network, scratch, now);
    if (status != STI_OK) return status;
    memcpy(data->rate, set->c, (size_t)set->row_count * sizeof *set->c);
    memset(impacts->bounce, 0, (size_t)set->row_count * sizeof *impacts->bounce);
    double share = 1.0, work = 0.0, least = 0.0;
    if (sti_sequence_wanted(network) && !run_sequence(network, scratch))
        return sti_fault(scratch, STI_NO_SOLUTION,
                         network->contacts[data->places[set->nodes[0].index].contact].name,
                         "sequence of impacts", &now->stage);
    for (int i = 0; i <= HALVINGS && status == STI_OK; ++i, share *= i == HALVINGS ? 0.0 : 0.5) {
        status = solve_impact(network, scratch, now, share, &work, &least);
        if (status == STI_OK && work <= least) break;
    }
    if (status != STI_OK) return status;
    sti_touches_apply(network, scratch, now->x);
    status = settle_impact(network, scratch, now, s);
    return status == STI_OK ? sti_modes_evaluate(network, inputs, s, scratch, now) : status;
}

// What the impact took from the bodies, for the energy ledger.
static void account(const StiNetwork *network, const StiScratch *scratch, const StageData *now)
{
    const ImpactData *impacts = scratch->impacts;
    for (int i = 0; i < sti_contact_books(network->contact_count); ++i)
        impacts->lost[i] -= impacts->work[i];
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->kind->stored == NULL || a->kind->prescribed) continue;
        impacts->gained[i] +=
            a->kind->stored(a->parameters, network->gravity, now->x + a->q, now->x + a->v,
                            scratch->workspace) -
            a->kind->stored(a->parameters, network->gravity, impacts->x_before + a->q,
                            impacts->x_before + a->v, scratch->workspace);
    }
}

StiStatus sti_touches_strike(const StiNetwork *network, const double *inputs, double *s,
                             StiScratch *scratch, StageData *now)
{
    ImpactData *impacts = scratch->impacts;
    TouchData *data = scratch->touches;
    impacts->struck = find_strikes(network, s, scratch, now);
    if (!impacts->struck) return STI_OK;
    memset(impacts->dead, 0, (size_t)data->count * sizeof *impacts->dead);
    memcpy(impacts->x_before, now->x, (size_t)network->x_count * sizeof *now->x);
    memcpy(impacts->s_before, s, (size_t)network->s_count * sizeof *s);
    StiStatus status = impact_once(network, inputs, s, scratch, now);
    for (int i = 0; status == STI_OK && i < data->count && find_dead(network, s, scratch); ++i) {
        memcpy(now->x, impacts->x_before, (size_t)network->x_count * sizeof *now->x);
        memcpy(s, impacts->s_before, (size_t)network->s_count * sizeof *s);
        status = sti_modes_evaluate(network, inputs, s, scratch, now);
        if (status == STI_OK) status = impact_once(network, inputs, s, scratch, now);
    }
    // what goes on hopping, thrown by the others, stays: friction and the floor stop it at once
    for (int i = 0; status == STI_OK && i < data->count; ++i)
        if (impacts->dead[i] && sti_touch_memory(network, &data->places[i], s) == NULL)
            status = sti_touch_close_place(network, scratch, now, i, s);
    if (status == STI_OK) account(network, scratch, now);
    return status;
}
