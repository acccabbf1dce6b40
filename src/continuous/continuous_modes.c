// Stick and slip in continuous time: margins between two events, and the modes after one.
#include <string.h>

#include "law/norm.h"
#include "continuous/continuous.h"
#include "evaluate/evaluate.h"
#include "rows/reactions.h"
#include "events/touch_events.h"
#include "events/rest.h"

ContinuousData *sti_continuous_take(StiArena *arena, const StiNetwork *network)
{
    ContinuousData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    const size_t modes =
        (size_t)(sti_mode_count(network) + STI_PLACE_MARGINS * network->place_count) + 1;
    data->margins = sti_arena_take(arena, modes, sizeof *data->margins);
    data->over = sti_arena_take(arena, modes, sizeof *data->over);
    data->forced = sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof *data->forced);
    return data;
}

static const double slack = 1e-9; // of a level, or of the acceleration that it can cause

int sti_continuous_mode_count(const StiNetwork *network)
{
    return sti_mode_count(network) + STI_PLACE_MARGINS * network->place_count;
}

const char *sti_continuous_mode_element(const StiNetwork *network, int mode)
{
    ModePlace place;
    if (!sti_mode_at(network, mode, &place)) {
        const int touch = (mode - sti_mode_count(network)) / STI_PLACE_MARGINS;
        return touch < network->place_count ? network->contacts[network->places[touch].contact].name
                                            : "";
    }
    return place.reaction ? network->reactions[place.element].name
                          : network->impedances[place.element].name;
}

int sti_continuous_mode(const StiNetwork *network, const StiState *state, int mode)
{
    ModePlace place;
    const double *s = state->values + state->s;
    if (!sti_mode_at(network, mode, &place) || !place.reaction) return -1;
    return (int)s[network->reactions[place.element].s];
}

void sti_continuous_hold(const StiNetwork *network, StiState *state, int mode)
{
    ModePlace place;
    if (sti_mode_at(network, mode, &place) && place.reaction)
        state->values[state->s + network->reactions[place.element].s] = STI_STICK;
}

bool sti_continuous_has_planar_slip(const StiNetwork *network, const StiState *state)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (e->size.dim > 1 && state->values[state->s + e->s] != STI_STICK) return true;
    }
    return sti_touches_slip(network, state->values + state->s);
}

int sti_continuous_row_count(const StiNetwork *network) { return network->row_count; }

void sti_continuous_resistances(const StiNetwork *network, const StiScratch *scratch,
                                double *resistances)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        memcpy(resistances + e->row, scratch->stages[0].u + e->wire.v,
               (size_t)e->size.dim * sizeof *resistances);
    }
}

void sti_continuous_take_answers(const StiNetwork *network, const double *s, StiScratch *scratch)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        StiReactionAnswer *answer = &scratch->reactions->answers[i];
        *answer = (StiReactionAnswer){.stuck = s[e->s] == STI_STICK};
        memcpy(answer->r, scratch->stages[0].u + e->wire.v, (size_t)e->size.dim * sizeof(double));
    }
}

// Those that a body holds along one axis are asked for themselves only, where they move: a long chain has many.
StiStatus sti_continuous_know_inertia(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    bool *chosen = scratch->reactions->chosen;
    if (network->reaction_count == 0) return STI_OK;
    const StiStatus status = sti_bodies_prepare(network, scratch, now, NULL);
    if (status != STI_OK) return status;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        chosen[i] = !e->held || e->size.dim > 1;
        if (!chosen[i] && now->velocity[e->wire.v] != 0.0)
            sti_reaction_own_block(network, scratch, now, i);
    }
    sti_reaction_blocks(network, scratch, now, chosen);
    return STI_OK;
}

StiStatus sti_continuous_margins(const StiNetwork *network, const double *inputs,
                                 const StiState *state, double t, StiSmoothInterval piece,
                                 const double *values, StiScratch *scratch, double *rates,
                                 StiMargin *margins)
{
    const double *s = state->values + state->s;
    const StiStatus status =
        sti_continuous_rates(network, inputs, state, t, piece, values, scratch, rates);
    if (status != STI_OK) return status;
    sti_modes_margins(network, s, scratch, &scratch->stages[0], margins);
    return STI_OK;
}

// ---- modes at a start and after an event --------------------------------------------------------

static void turn_impedances(const StiNetwork *network, const bool *ended, const StageData *now,
                            double *s)
{
    ModePlace place;
    for (int m = 0; sti_mode_at(network, m, &place) && !place.reaction; ++m) {
        const Impedance *e = &network->impedances[place.element];
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        if (ended[m])
            e->kind->modes->turn(e->parameters, place.index, &xhat, now->y + e->y, s + e->s);
    }
}

// Elements with memory whose margins are gone turn.
static void turn_overdue(const StiNetwork *network, StiScratch *scratch, double *s)
{
    const int count = sti_continuous_mode_count(network);
    StiMargin *margins = scratch->continuous->margins;
    sti_modes_margins(network, s, scratch, &scratch->stages[0], margins);
    for (int m = 0; m < count; ++m)
        scratch->continuous->over[m] = margins[m].g < -slack * margins[m].scale;
    turn_impedances(network, scratch->continuous->over, &scratch->stages[0], s);
}

static double least_speed(const StiNetwork *network, const StiScratch *scratch, int i)
{
    const StageData *now = &scratch->stages[0];
    const bool known = scratch->absolute > 0.0 && network->reactions[i].size.dim > 1;
    return known ? sti_modes_least_speed(network, scratch, now, i)
                 : sti_modes_no_speed(network, scratch, now, i);
}

// What moves slips, along the motion; what does not is at rest, until accelerations decide.
static void adopt(const StiNetwork *network, const StiScratch *scratch, bool keep_stuck, double *s)
{
    const StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double *v = now->velocity + e->wire.v;
        const double speed = sti_norm(e->size.dim, v);
        double *mode = s + e->s;
        if (e->damper) sti_mode_of_damper(mode);
        if (e->damper || (keep_stuck && mode[0] == STI_STICK)) continue;
        if (keep_stuck && mode[0] == STI_DEPART) continue;
        const bool moves = speed > least_speed(network, scratch, i);
        mode[0] = moves ? STI_SLIP : STI_STICK;
        for (int d = 0; moves && d < e->size.dim; ++d) mode[1 + d] = v[d] / speed;
    }
}

static double acceleration_along(const Reaction *e, const StiScratch *scratch, const double *s)
{
    double along = 0.0;
    for (int d = 0; d < e->size.dim; ++d)
        along += s[e->s + 1 + d] * scratch->evaluate->wire_rate[e->wire.v + d];
    return along;
}

// Acceleration of a row by the limit of another that it feels, at most.
static double acceleration_by(const StiNetwork *network, const StiScratch *scratch,
                              const Reaction *e, int neighbour)
{
    const Reaction *other = &network->reactions[sti_neighbour(e, neighbour)];
    const double *W = scratch->reactions->W + sti_neighbour_block(e, neighbour);
    double most = 0.0;
    for (int k = 0; k < e->size.dim * other->size.dim; ++k) most = fmax(most, fabs(W[k]));
    return most * other->kind->modes->limit(other->parameters, 0.0,
                                            scratch->stages[0].ports + other->port);
}

// The largest acceleration that limits of sticking could cause: of a row that hardly moves with its
// body most of it comes from others.
static double scale_of(const StiNetwork *network, StiScratch *scratch, int i)
{
    const Reaction *e = &network->reactions[i];
    const StageData *now = &scratch->stages[0];
    double sum = 0.0;
    if (e->held && sti_bodies_prepare(network, scratch, now, NULL) == STI_OK)
        sti_reaction_row_of_blocks(network, scratch, now, i);
    for (int k = 0; k < e->neighbour_count; ++k) sum += acceleration_by(network, scratch, e, k);
    return sum;
}

// By more than rounding?
static bool goes_back(const StiNetwork *network, StiScratch *scratch, const double *s, int i)
{
    const double along = acceleration_along(&network->reactions[i], scratch, s);
    return along < 0.0 && along < -slack * scale_of(network, scratch, i);
}

// A reaction that sticks beyond its limit or slips against its direction, -1 if all fits.
static int misfit(const StiNetwork *network, StiScratch *scratch, const double *s)
{
    const StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double *r = now->u + e->wire.v;
        const double limit = e->kind->modes->limit(e->parameters, sti_direction(e->size.dim, r),
                                                   now->ports + e->port);
        if (s[e->s] == STI_STICK && sti_norm(e->size.dim, r) > (1.0 + slack) * limit) return i;
        if (s[e->s] != STI_STICK && scratch->rest->released[i] != UNTOUCHED &&
            goes_back(network, scratch, s, i))
            return i;
    }
    return -1;
}

// A release that leads nowhere was none: the load only touched the limit.
static bool take_back(const StiNetwork *network, StiScratch *scratch, bool *forced, double *s)
{
    bool any = false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!forced[i] || s[e->s] == STI_STICK || !goes_back(network, scratch, s, i)) continue;
        s[e->s] = STI_STICK;
        forced[i] = false;
        any = true;
    }
    return any;
}

static bool impedances_have_modes(const StiNetwork *network)
{
    return sti_mode_count(network) > network->reaction_count;
}

// The same with contacts, after impacts.
static StiStatus resolve_touches(const StiNetwork *network, const double *inputs,
                                 const bool *forced, double *values, double *s, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    StiStatus status = sti_touches_strike(network, inputs, s, scratch, now);
    if (status == STI_OK && scratch->impacts->struck && impedances_have_modes(network)) {
        // velocities have jumped, and with them margins, over zero
        status = sti_modes_push_smooth(network, inputs, s, scratch, now);
        if (status == STI_OK) turn_overdue(network, scratch, s);
    }
    if (status == STI_OK && scratch->impacts->struck && network->reaction_count > 0) {
        // friction that sticks does not stand up to an impact
        status = sti_continuous_know_inertia(network, scratch);
        if (status == STI_OK) adopt(network, scratch, false, s);
    }
    if (status == STI_OK) status = sti_touches_hold(network, s, scratch, now, now->x);
    if (status == STI_OK && network->reaction_count > 0) {
        // what a contact stops, friction holds as well; only motion is asked for, since modes that are over may have
        // no forces at all (the tip of a stretched arm cannot stick)
        status = sti_modes_push_smooth(network, inputs, s, scratch, now);
        if (status == STI_OK) status = sti_continuous_know_inertia(network, scratch);
        if (status == STI_OK) adopt(network, scratch, false, s);
        if (status == STI_OK) status = sti_touches_hold(network, s, scratch, now, now->x);
    }
    if (status == STI_OK) status = sti_touches_at_rest(network, inputs, forced, s, scratch, now);
    if (status == STI_OK) memcpy(values, now->x, (size_t)network->x_count * sizeof *values);
    return status;
}

// Velocities of stuck rows to zero, then the rule for rows at rest.
static StiStatus resolve_rest(const StiNetwork *network, const double *inputs, bool *forced,
                              double *values, double *s, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    if (scratch->touches->count > 0)
        return resolve_touches(network, inputs, forced, values, s, scratch);
    if (network->reaction_count == 0) return sti_modes_evaluate(network, inputs, s, scratch, now);
    StiStatus status = sti_modes_hold(network, s, scratch, now, now->x);
    if (status == STI_OK)
        status = sti_modes_at_rest(network, inputs, forced, false, s, scratch, now);
    if (status == STI_OK && take_back(network, scratch, forced, s))
        status = sti_modes_at_rest(network, inputs, forced, false, s, scratch, now);
    if (status == STI_OK) status = sti_continuous_know_inertia(network, scratch);
    if (status != STI_OK) return status;
    memcpy(values, now->x, (size_t)network->x_count * sizeof *values);
    const int wrong = misfit(network, scratch, s);
    return wrong < 0 ? STI_OK
                     : sti_fault(scratch, STI_NO_MODES, network->reactions[wrong].name, "modes",
                                 &now->stage);
}

// Everything at one moment, with the modes as they are.
static StiStatus look_around(const StiNetwork *network, const double *inputs, double t,
                             StiSmoothInterval piece, const double *values, const StiState *state,
                             StiScratch *scratch)
{
    StiStatus status =
        sti_continuous_rates(network, inputs, state, t, piece, values, scratch, NULL);
    if (status == STI_OK) status = sti_continuous_know_inertia(network, scratch);
    sti_continuous_limit_to(scratch, piece);
    return status;
}

// The same under the loads of before.
static StiStatus guess_around(const StiNetwork *network, const double *inputs, const double *s,
                              StiScratch *scratch)
{
    const StiStatus status =
        sti_modes_estimate_again(network, inputs, s, scratch, &scratch->stages[0]);
    return status == STI_OK ? sti_continuous_know_inertia(network, scratch) : status;
}

// The state takes what an event or a start has made of values and modes.
static StiStatus conclude(const StiNetwork *network, StiStatus status, const double *values,
                          StiState *state, StiScratch *scratch)
{
    double *s = state->values + state->s;
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    if (status != STI_OK) return status;
    memcpy(state->values, values, (size_t)sti_continuous_count(network) * sizeof *values);
    if (network->reaction_count > 0) sti_continuous_take_answers(network, s, scratch);
    if (scratch->touches->count > 0) sti_touches_read(network, scratch, 0.0, s);
    return STI_OK;
}

StiStatus sti_events_start(const StiNetwork *network, const double *inputs, double *x, double *s,
                           StiScratch *scratch)
{
    turn_overdue(network, scratch, s);
    adopt(network, scratch, false, s);
    if (scratch->touches->count > 0) {
        const StiStatus status = sti_touches_adopt(network, s, scratch, &scratch->stages[0]);
        if (status != STI_OK) return status;
    }
    bool *forced = scratch->continuous->forced;
    memset(forced, 0, (size_t)network->reaction_count * sizeof *forced);
    return resolve_rest(network, inputs, forced, x, s, scratch);
}

StiStatus sti_continuous_start(const StiNetwork *network, const double *inputs, double t,
                               StiSmoothInterval piece, double *values, StiState *state,
                               StiScratch *scratch)
{
    double *s = state->values + state->s;
    StiStatus status = look_around(network, inputs, t, piece, values, state, scratch);
    if (sti_modes_unsettled(status)) // these modes are no more than a first guess
        status = guess_around(network, inputs, s, scratch);
    if (status == STI_OK) status = sti_events_start(network, inputs, values, s, scratch);
    return conclude(network, status, values, state, scratch);
}

// The mode of a reaction whose margin is gone; what stuck is released.
static void end_mode(const StiNetwork *network, const StiScratch *scratch, int i, bool *forced,
                     double *s)
{
    const Reaction *e = &network->reactions[i];
    const double *v = scratch->stages[0].velocity + e->wire.v;
    const double half = 0.5 * sti_modes_enough_to_turn(scratch, least_speed(network, scratch, i));
    double *mode = s + e->s, along = 0.0;
    for (int d = 0; d < e->size.dim; ++d) along += mode[1 + d] * v[d];
    *forced = mode[0] == STI_STICK;
    mode[0] = mode[0] == STI_DEPART && along > half ? STI_SLIP : STI_STICK;
}

// Directions in a plane turn all the time, and a departure that has got its own is no change.
static bool modes_differ(const StiNetwork *network, const double *before, const double *s)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if ((before[e->s] == STI_STICK) != (s[e->s] == STI_STICK)) return true;
        if (e->size.dim == 1 && before[e->s + 1] != s[e->s + 1]) return true;
    }
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (memcmp(before + e->s, s + e->s, (size_t)e->size.discrete * sizeof *s) != 0) return true;
    }
    return sti_touches_differ(network, before, s);
}

StiStatus sti_events_turn(const StiNetwork *network, const double *inputs, const bool *ended,
                          double *x, double *s, StiScratch *scratch, bool *changed)
{
    double *before = scratch->reactions->s;
    bool *forced = scratch->continuous->forced;
    memcpy(before, s, (size_t)network->s_count * sizeof *s);
    turn_impedances(network, ended, &scratch->stages[0], s);
    ended += sti_mode_count(network) - network->reaction_count; // those of reactions, then contacts
    for (int i = 0; i < network->reaction_count; ++i) {
        forced[i] = false;
        if (ended[i]) end_mode(network, scratch, i, &forced[i], s);
    }
    adopt(network, scratch, true, s);
    StiStatus status =
        sti_touches_end(network, ended + network->reaction_count, s, scratch, &scratch->stages[0]);
    if (status == STI_OK) status = resolve_rest(network, inputs, forced, x, s, scratch);
    *changed = modes_differ(network, before, s) || scratch->impacts->struck;
    return status;
}

StiStatus sti_continuous_turn(const StiNetwork *network, const double *inputs, double t,
                              StiSmoothInterval piece, const bool *ended, double *values,
                              StiState *state, StiScratch *scratch, bool *changed)
{
    StiStatus status = look_around(network, inputs, t, piece, values, state, scratch);
    if (status == STI_OK)
        status = sti_events_turn(network, inputs, ended, values, state->values + state->s, scratch,
                                 changed);
    return conclude(network, status, values, state, scratch);
}
