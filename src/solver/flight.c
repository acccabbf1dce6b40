// Bodies on which nothing acts but gravity: positions and gyroscopic terms of first order would let a
// tumbling body gain some percent of its energy in a second. Bodies whose eval knows the middle of the
// step (rigid ones; the others fall freely) move with the mean velocity, robots take a classical
// Runge-Kutta step of their own. What anything touches keeps its step: there positions follow the
// velocities of the end, so that what sticks stays and what is closed stays closed.
#include <string.h>

#include "evaluate/evaluate.h"
#include "solver/flight.h"
#include "contact/points.h"

static bool any(const double *numbers, int count)
{
    for (int i = 0; i < count; ++i)
        if (numbers[i] != 0.0) return true;
    return false;
}

static bool wrench_acts(const StiWrench *w)
{
    return w->force.x != 0.0 || w->force.y != 0.0 || w->force.z != 0.0 || w->moment.x != 0.0 ||
           w->moment.y != 0.0 || w->moment.z != 0.0;
}

bool sti_is_pushed(const Admittance *a, const StageData *now)
{
    if (any(now->generalized + a->generalized, a->dim)) return true;
    for (int i = a->link; a->posed && i < a->link + a->size.links; ++i)
        if (wrench_acts(&now->wrenches[i])) return true;
    return false;
}

static void mark(bool *touched, int admittance)
{
    if (admittance >= 0) touched[admittance] = true;
}

// Bodies with friction or contact that acts in this step.
static void find_touched(const StiNetwork *network, const StiScratch *scratch, bool *touched)
{
    memset(touched, 0, (size_t)network->admittance_count * sizeof *touched);
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiReactionAnswer *answer = &scratch->reactions->answers[i];
        const Wire *wire = &network->reactions[i].wire;
        if (!answer->stuck && !any(answer->r, network->reactions[i].size.dim)) continue;
        mark(touched, wire->wire.a.admittance);
        mark(touched, wire->wire.b.admittance);
    }
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i];
        const double f[3] = {point->force.x, point->force.y, point->force.z};
        for (int side = 0; any(f, 3) && side < 2; ++side)
            if (point->frame[side] >= 0) mark(touched, point->admittance[side]);
    }
}

static void move_with_mean(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                           const Admittance *a)
{
    double *mean = scratch->flight->numbers, *q = scratch->next + a->q;
    for (int d = 0; d < a->size.velocities; ++d)
        mean[d] = 0.5 * (state->values[a->v + d] + scratch->next[a->v + d]);
    memcpy(q, state->values + a->q, (size_t)a->size.positions * sizeof *q);
    a->kind->move(a->parameters, mean, network->step, q);
}

// (q, v), the mean slope and one of the four lie one after the other in scratch->flight->numbers.
static StiStatus fly(const StiNetwork *network, const StiState *state, StiScratch *scratch, int i)
{
    static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const Admittance *a = &network->admittances[i];
    const StageData *now = &scratch->stages[0];
    const int positions = a->size.positions, count = positions + a->size.velocities;
    double *x = scratch->flight->numbers, *sum = x + count, *slope = sum + count;
    const StiForce none = {now->generalized + a->generalized, now->wrenches + a->link};
    StiStage stage = now->stage;
    stage.ahead = false;
    memset(sum, 0, 2 * (size_t)count * sizeof *sum);
    for (int r = 0; r < 4; ++r) {
        memcpy(x, state->values + a->q, (size_t)positions * sizeof *x);
        memcpy(x + positions, state->values + a->v, (size_t)a->size.velocities * sizeof *x);
        for (int d = 0; d < count; ++d) x[d] += share[r] * network->step * slope[d];
        const StiStatus status =
            a->kind->eval(a->parameters, &stage, x, x + positions, now->ports + a->port, &none,
                          slope, slope + positions, scratch->evaluate->new_loads + a->load);
        if (status != STI_OK)
            return sti_fault(scratch, status, a->name, "acceleration", &now->stage);
        for (int d = 0; d < count; ++d) sum[d] += weight[r] / 6.0 * slope[d];
    }
    double *q = scratch->next + a->q, *v = scratch->next + a->v;
    for (int d = 0; d < positions; ++d) q[d] = state->values[a->q + d] + network->step * sum[d];
    for (int d = 0; d < a->size.velocities; ++d)
        v[d] = state->values[a->v + d] + network->step * sum[positions + d];
    a->kind->move(a->parameters, v, 0.0, q); // quaternions back to unit length
    return STI_OK;
}

StiStatus sti_fly(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    StiStatus status = STI_OK;
    find_touched(network, scratch, scratch->flight->touched);
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i) {
        const Admittance *a = &network->admittances[i];
        const bool moves = memcmp(scratch->next + a->v, state->values + a->v,
                                  (size_t)a->size.velocities * sizeof *scratch->next) != 0;
        // What keeps its velocity moves along a straight line, which every step knows.
        if (!moves || scratch->flight->touched[i] || a->kind->constrain != NULL ||
            sti_is_pushed(a, now))
            continue;
        if (a->robot == NULL && now->stage.ahead)
            move_with_mean(network, state, scratch, a);
        else
            status = fly(network, state, scratch, i);
    }
    return status;
}

FlightData *sti_flight_take(StiArena *arena, const StiNetwork *network)
{
    FlightData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    const size_t bodies = (size_t)network->admittance_count + 1;
    data->touched = sti_arena_take(arena, bodies, sizeof *data->touched);
    int most = 0;
    for (int i = 0; i < network->admittance_count; ++i) {
        const StiAdmittanceSize *size = &network->admittances[i].size;
        const int count = size->positions + size->velocities;
        if (count > most) most = count;
    }
    data->numbers = sti_arena_numbers(arena, 3 * most);
    return data;
}
