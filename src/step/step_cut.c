// A step that is cut where stick or slip ends: each piece keeps its modes and its order.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "cut/account.h"
#include "cut/listed.h"
#include "continuous/continuous.h"
#include "cut/load_zeros.h"
#include "cut/progress.h"
#include "events/joint_modes.h"
#include "events/rest.h"

enum { CUTS = 6, HALVINGS = 6, TURNS = 8, TRIALS = 200 };
// The longer a chain, the more of its steps have changes, and the less each of them counts: from these
// numbers of modes on only a single change is cut, or none.
enum { LONG_CHAIN = 16, VERY_LONG_CHAIN = 40 };
static const double stop_share = 0.75; // of the time to a stop, in one piece

// ---- one piece ------------------------------------------------------------------------------------

// An elastic element that slides in a plane and turned too far for one piece?
static bool turned_far(const Progress *c)
{
    const SubstepData *data = c->data;
    for (int m = 0; m < data->mode_count; ++m) {
        const ModePlace *place = &data->modes[m];
        if (place->reaction || place->dim == 1 || data->s[place->s] == STI_STICK) continue;
        if (c->network->impedances[place->element].kind->modes->one_sided) continue;
        const Wire *wire = &c->network->impedances[place->element].wire;
        const double *f0 = c->scratch->stages[0].u + wire->v, *f1 = data->close.u + wire->v;
        double dot = 0.0;
        for (int d = 0; d < place->dim; ++d) dot += f0[d] * f1[d];
        if (dot < 0.5 * sti_norm(place->dim, f0) * sti_norm(place->dim, f1)) return true;
    }
    return false;
}

// A steep law takes the speed within less than half a trial: where it stops, if it does, is then not a thing
// of the numbers only.
static bool stops_steeply(const Progress *c, double h)
{
    const SubstepData *data = c->data;
    const int first = data->mode_count - c->network->reaction_count;
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const StiMargin *speed = &data->before[first + i];
        if (!e->steep || e->bends || data->s[e->s] != STI_SLIP) continue;
        if (speed->g > 0.0 && speed->g + 0.5 * h * speed->rate < 0.0) return true;
    }
    return false;
}

// Friction in a plane whose velocity passes zero closely turns fast: by more than this in one piece?
static const double turned_little = 0.9; // the cosine
static bool slip_turned_far(const Progress *c)
{
    const SubstepData *data = c->data;
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const int dim = e->size.dim;
        const double *v0 = c->scratch->stages[0].velocity + e->wire.v;
        const double *v1 = data->close.velocity + e->wire.v;
        if (dim == 1 || data->s[e->s] != STI_SLIP) continue;
        if (sti_mode_speed_along(dim, v0, v1) <
            turned_little * sti_norm(dim, v0) * sti_norm(dim, v1))
            return true;
    }
    return false;
}

typedef struct Turned {
    bool arrived; // a reaction came to rest
    bool elastic; // an elastic element has another mode
} Turned;

// Turns what ends at the cut; here: margins at the cut, x of the trial of length h.
static Turned turn_modes(Progress *c, int who, double x, double h, const StiMargin *here)
{
    SubstepData *data = c->data;
    const StageData *now = &c->scratch->stages[0];
    Turned turned = {false, false};
    for (int m = 0; m < data->mode_count; ++m) {
        const ModePlace *place = &data->modes[m];
        if (data->theta[m] > 1.0) continue;
        const bool close = m == who || data->theta[m] <= x + sti_together;
        if (!place->reaction) {
            const Impedance *e = &c->network->impedances[place->element];
            const double ahead = sti_located_to(c->network, c->scratch, m) * h;
            if (m != who && here[m].g > 0.0 && here[m].g + here[m].rate * ahead > 0.0) continue;
            const StiMotion xhat = {.x = now->position + e->wire.x,
                                    .v = now->velocity + e->wire.v,
                                    .signals = now->ports + e->port};
            e->kind->modes->turn(e->parameters, place->index, &xhat, now->y + e->y, data->s + e->s);
            turned.elastic = true;
        } else if (data->s[place->s] == STI_STICK) {
            if (!close) continue;
            data->forced[place->element] = true;
        } else {
            if (!close && here[m].g > 0.0) continue;
            data->s[place->s] = STI_STICK;
            turned.arrived = true;
        }
        data->fresh[m] = true;
        ++c->scratch->figures.events;
    }
    return turned;
}

static StiStatus cut_at(Progress *c, int who, double h)
{
    SubstepData *data = c->data;
    StiStatus status = STI_OK;
    double x = data->theta[who];
    const StiMargin *here = data->before;
    ++c->cuts;
    if (x > 0.0) {
        const bool ends = sti_refine(c->network, c->inputs, c->scratch, h, who, &x, &status);
        if (status != STI_OK) return status;
        if (!ends && c->dips) { // the dip was one of the cubic only: once more without, others may end before
            c->dips = false;
            return STI_OK;
        }
        sti_substep_accept(c->network, c->scratch, x * h);
        if (!ends) return STI_OK;
        here = data->there;
    }
    const Turned turned = turn_modes(c, who, x, h, here);
    if (turned.arrived) return sti_progress_settle(c);
    return turned.elastic
               ? sti_progress_decide(c)
               : sti_progress_decide_from(c, true); // the cut is evaluated with these modes
}

// Where several loads reach their limits together nothing is accelerated yet, and only the piece that
// follows shows which was let go the wrong way: it would slip against its own direction from here on.
static bool let_go_in_vain(const Progress *c, int who)
{
    const SubstepData *data = c->data;
    const ModePlace *place = &data->modes[who];
    return place->reaction && place->dim == 1 && data->s[place->s] == STI_SLIP &&
           c->taken_back < data->mode_count && data->before[who].g >= 0.0 &&
           data->before[who].g <=
               sti_modes_no_speed(c->network, c->scratch, &c->scratch->stages[0], place->element);
}

static StiStatus take_back(Progress *c, int who)
{
    ++c->taken_back;
    c->data->s[c->data->modes[who].s] = STI_STICK;
    return sti_progress_settle(c);
}

// The trial of length h, in which more ends than cuts are worth.
static StiStatus take_together(Progress *c, double h)
{
    ++c->scratch->figures.together;
    StiStatus status = sti_substep_take_together(c->network, c->scratch, h);
    if (status == STI_OK) status = sti_progress_settle(c);
    return status == STI_OK ? sti_progress_turn_overdue(c) : status;
}

static StiStatus fall_back(Progress *c, double h)
{
    ++c->scratch->figures.fallbacks;
    StiStatus status = sti_substep_fallback(c->network, c->inputs, c->scratch, h);
    if (status == STI_OK) status = sti_progress_settle(c);
    return status == STI_OK ? sti_progress_turn_overdue(c) : status;
}

// At a break the inputs change sides.
static StiStatus pass_break(Progress *c)
{
    sti_progress_take_stretch(c);
    return sti_progress_decide(c);
}

static double length_of_substep(Progress *c)
{
    const SubstepData *data = c->data;
    c->to_break = c->to - data->t <= data->rest * (1.0 + sti_at_break);
    return c->to_break ? fmin(c->to - data->t, data->rest) : data->rest;
}

// The whole trial, in which no mode ends: the margins at its end are those at the point. Directions of slip
// in a plane are turned when it is accepted.
static void accept_all(Progress *c, double h)
{
    SubstepData *data = c->data;
    StiMargin *after = data->after;
    sti_substep_accept(c->network, c->scratch, h);
    data->after = data->before;
    data->before = after;
    data->judged = !c->network->planar;
}

static void read_margins(Progress *c)
{
    SubstepData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    if (data->probed) sti_modes_rates(c->network, c->inputs, c->scratch, now);
    data->probed = false;
    if (!data->judged) sti_modes_margins(c->network, data->s, c->scratch, now, data->before);
    data->judged = true;
}

static StiStatus try_substep(Progress *c, double h)
{
    if (c->data->listed != NULL &&
        sti_listed_substep(c->network, c->inputs, c->scratch, h, c->data->after))
        return STI_OK;
    const StiStatus status = sti_substep(c->network, c->inputs, c->scratch, h);
    return status == STI_OK
               ? sti_substep_close(c->network, c->inputs, c->scratch, h, c->data->after)
               : status;
}

static StiStatus one_substep(Progress *c)
{
    SubstepData *data = c->data;
    StiStatus status = STI_OK;
    if (c->to - data->t <= sti_at_break * c->network->step) return pass_break(c);
    double stop, h = length_of_substep(c);
    read_margins(c);
    const int stopping =
        c->network->planar ? sti_progress_first_to_stop(c, 1.2 * data->rest, &stop) : -1;
    const bool now = stopping >= 0 && sti_progress_stops_now(c, stopping, &status);
    if (status != STI_OK) return status;
    if (now) return sti_progress_stop_now(c, stopping, fmin(stop, data->rest));
    if (stopping >= 0 && stop_share * stop < h) {
        h = stop_share * stop;
        c->to_break = false;
        ++c->stop_substeps;
    }
    const double turning = c->network->planar ? sti_progress_time_to_turn(c, h, &status) : h;
    if (status != STI_OK) return status;
    if (turning < h) {
        h = turning;
        c->to_break = false;
        c->stop_substeps = 0; // it does not stop
    }
    if (c->network->planar && sti_progress_depart(c, h, &status)) return STI_OK;
    if (status != STI_OK) return status;
    read_margins(c);
    const double pressed = sti_progress_resolve_presses(c, h);
    c->to_break = c->to_break && pressed == h;
    h = pressed;
    for (int turns = 0;;) {
        status = try_substep(c, h);
        if (status != STI_OK) return status;
        const bool turned = c->network->planar && turns < TURNS && slip_turned_far(c);
        const bool rough =
            (data->rested || turned_far(c) || stops_steeply(c, h)) && c->halvings < HALVINGS;
        if (!turned && !rough) break;
        turns += turned;
        c->halvings += rough;
        h *= 0.5;
        c->to_break = false;
    }
    status = sti_load_zeros_end(c, try_substep, &h);
    if (status != STI_OK) return status;
    const int changes = sti_locate_roughly(c->network, c->scratch, h, c->dips);
    const bool joints_only = c->scratch->joints->applies;
    if (joints_only && c->cuts + changes > c->most_cuts) return take_together(c, h);
    const int who = sti_locate(c->network, c->inputs, c->scratch, h, &status);
    if (status != STI_OK) return status;
    if (who < 0) {
        accept_all(c, h);
        return c->to_break && data->rest > 0.0 ? pass_break(c) : STI_OK;
    }
    if (data->fresh[who] && data->theta[who] == 0.0 && let_go_in_vain(c, who))
        return take_back(c, who);
    if (c->cuts >= CUTS || (data->fresh[who] && data->theta[who] == 0.0))
        return joints_only ? take_together(c, h) : fall_back(c, length_of_substep(c));
    return cut_at(c, who, h);
}

// ---- the step -------------------------------------------------------------------------------------

// Motion and signals at the start, as far as the choice of modes needs them.
static StiStatus look_around(Progress *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    StageData *now = &c->scratch->stages[0];
    memcpy(now->loads, state->values + state->loads, (size_t)n->load_count * sizeof *now->loads);
    sti_progress_place(c);
    if (n->reaction_count == 0 && c->data->listed == NULL) return STI_OK;
    const StiStatus status = sti_sources(n, c->inputs, c->scratch, now);
    if (status != STI_OK || n->reaction_count == 0) return status;
    sti_psi(n, now);
    for (int i = 0; i < n->reaction_count; ++i) sti_listen(&n->reactions[i].connections, now);
    return STI_OK;
}

// States may come from elsewhere. False: modes have changed.
static bool adopt(Progress *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    sti_modes_adopt(n, c->scratch, &c->scratch->stages[0], c->data->s);
    return memcmp(c->data->s, state->values + state->s, (size_t)n->s_count * sizeof(double)) == 0;
}

// The margins of a point that is known say that all that sticks does so within its limits.
static bool all_stay(const SubstepData *data, const StiNetwork *n)
{
    const StiMargin *margins = data->before + data->mode_count - n->reaction_count;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (data->s[e->s] == STI_STICK && !(e->held && margins[i].g >= 0.0)) return false;
    }
    return true;
}

// Inputs that change with each step make each start a new point, in which mostly all modes go on: one evaluation
// shows it.
static bool goes_on(Progress *c, bool *known)
{
    SubstepData *data = c->data;
    if (data->listed == NULL) return false;
    *known = sti_listed_start(c->network, c->scratch, data->before);
    data->columns_known = false;
    data->judged = *known;
    return *known && all_stay(data, c->network);
}

static StiStatus decide_at_start(Progress *c, bool known)
{
    SubstepData *data = c->data;
    const StiStatus status = sti_progress_decide_from(c, known);
    for (int i = 0; i < data->mode_count; ++i)
        data->fresh[i] = status == STI_OK && data->modes[i].reaction &&
                         c->scratch->rest->released[data->modes[i].element] != UNTOUCHED;
    return status;
}

static StiStatus begin(Progress *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    SubstepData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    StiStatus status = STI_OK;
    data->t = sti_network_time(n, state->k);
    data->t_end = sti_network_time(n, state->k + 1);
    data->rest = n->step;
    sti_progress_take_stretch(c);
    bool known = sti_stage_cache_holds(c->network, c->inputs, state, c->scratch);
    data->kept = false;
    memcpy(data->x, state->values, (size_t)state->loads * sizeof *data->x); // y and s, too
    memset(data->fresh, 0, (size_t)data->mode_count * sizeof *data->fresh);
    memset(data->forced, 0, (size_t)n->reaction_count * sizeof *data->forced);
    now->stage = (StiStage){.t = data->t,
                            .step = n->step,
                            .k = state->k,
                            .gravity = n->gravity,
                            .workspace = c->scratch->workspace};
    sti_account_open(n, c->scratch);
    if (!known) status = look_around(c, state);
    if (status == STI_OK && n->reaction_count > 0) known = adopt(c, state) && known;
    bool stays = known && data->judged && all_stay(data, n);
    if (status == STI_OK && !known) stays = goes_on(c, &known);
    if (status == STI_OK && !stays) status = decide_at_start(c, known);
    if (status == STI_OK) sti_account_first(n, c->scratch);
    return status;
}

static StiStatus end(Progress *c, StiState *state)
{
    const StiNetwork *n = c->network;
    StiScratch *scratch = c->scratch;
    const SubstepData *data = c->data;
    memcpy(scratch->next, data->x, (size_t)state->loads * sizeof *data->x); // y and s, too
    memcpy(next_loads(scratch), scratch->stages[0].loads, (size_t)n->load_count * sizeof(double));
    for (int i = 0; i < n->reaction_count; ++i)
        scratch->reactions->answers[i].stuck = data->s[n->reactions[i].s] == STI_STICK;
    const StiStatus status = scratch->figures.events > 0
                                 ? sti_constrain_after_events(n, scratch, &scratch->stages[0])
                                 : sti_constrain(n, state, scratch, &scratch->stages[0]);
    if (status != STI_OK) return status;
    sti_settle_impedances(n, scratch, &scratch->stages[0]);
    return sti_step_commit(n, state, scratch, &scratch->stages[0].stage);
}

// Those of one-sided springs are few at a time.
static int modes_of_friction(const SubstepData *data, const StiNetwork *n)
{
    int count = data->mode_count;
    for (int i = 0; i < n->impedance_count; ++i) {
        const StiImpedanceModes *modes = n->impedances[i].kind->modes;
        if (modes != NULL && modes->one_sided) count -= modes->count(n->impedances[i].parameters);
    }
    return count;
}

static int most_cuts(int modes)
{
    return modes < LONG_CHAIN ? CUTS : modes < VERY_LONG_CHAIN ? 1 : 0;
}

StiStatus sti_step_cut(const StiNetwork *network, const double *inputs, StiState *state,
                       StiScratch *scratch)
{
    if (network->contact_count > 0) return sti_step_contacts(network, inputs, state, scratch);
    Progress c = {.network = network,
                  .inputs = inputs,
                  .scratch = scratch,
                  .data = scratch->substep,
                  .dips = true,
                  .most_cuts = most_cuts(modes_of_friction(scratch->substep, network))};
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    if (status == STI_OK) status = begin(&c, state);
    for (int i = 0; status == STI_OK && c.data->rest > sti_at_break * 1e-3 * network->step; ++i)
        status = i < TRIALS ? one_substep(&c) : fall_back(&c, c.data->rest);
    if (status == STI_OK) sti_stage_cache_keep(network, inputs, scratch);
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    return status == STI_OK ? end(&c, state) : status;
}

StiStatus sti_step_cut_look(const StiNetwork *network, const double *inputs, double *values,
                            StiState *state, StiScratch *scratch)
{
    if (network->contact_count > 0) return sti_step_contacts_look(network, inputs, state, scratch);
    const double t = sti_network_time(network, state->k);
    sti_continuous_values(state, values);
    scratch->substep->kept = false;
    return sti_continuous_start(network, inputs, t, sti_continuous_smooth_interval(network, t),
                                values, state, scratch);
}
