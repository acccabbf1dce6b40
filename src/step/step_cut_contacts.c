// A cut step of a network with contacts: substeps under fixed modes, each up to the first event (a
// gap closes, a place opens, sticks or slips, friction of a joint changes), then the modes after it.
// A step that cannot be finished so is taken by the network's solver, and counted.
#include <math.h>
#include <string.h>

#include "algebra/slices.h"
#include "law/norm.h"
#include "network/solver.h"
#include "cut/load_zeros.h"
#include "cut/account.h"
#include "continuous/continuous.h"
#include "cut/progress.h"
#include "cut/touch_locate.h"
#include "cut/touch_state.h"
#include "evaluate/pair_places.h"
#include "events/touch_events.h"

enum { EVENTS = 64, IDLE_EVENTS = 12, SUBSTEPS = 1000 };
static const double accuracy = 1e-12;   // of velocities: below it a speed is not known to be any
static const double moment = 1e-3;      // of the step: what flies shorter lands at once
static const double slow = 0.7;         // of the speed that friction takes away in a substep
static const double stop_share = 0.75;  // of the time to a stop, in one substep
static const double straight = 1e-9;    // turning beside braking
static const double stopped = 1e-8; // of the speed that is lost in a step: what is left is nothing
static const double rounding = 1e-11; // of accelerations without contact

static double slip_speed(const Touch *touch)
{
    return sqrt(touch->v[0] * touch->v[0] + touch->v[1] * touch->v[1]);
}

// ---- stops ----------------------------------------------------------------------------------------

// Slip whose direction turns does so ever faster towards its stop: substeps that grow shorter follow
// it. Straight slip needs none. h, or less.
static double shorten_before_stop(const Progress *c, double h)
{
    const TouchData *data = c->scratch->touches;
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        const ContactSlot *slot = data->slot[i];
        const double speed = slip_speed(touch);
        if (slot == NULL || slot->mode == TOUCH_STICK || !(speed > 0.0)) continue;
        const double braking =
            -(touch->v[0] * touch->rate[0] + touch->v[1] * touch->rate[1]) / speed;
        const double turning =
            (touch->v[0] * touch->rate[1] - touch->v[1] * touch->rate[0]) / speed;
        const double stop = speed / braking;
        if (!(braking > 0.0) || !(stop < 1.2 * h) || fabs(turning) <= straight * braking) continue;
        if (speed > stopped * braking * c->network->step) h = fmin(h, stop_share * stop);
    }
    return h;
}

// ---- directions of slip -----------------------------------------------------------------------------

// Slip this slow turns faster than a substep of length h can follow: its direction is one along which it
// is accelerated, too, and stays for the substep.
static bool is_slow(const Progress *c, int i, double h)
{
    const TouchData *data = c->scratch->touches;
    const Touch *touch = &data->touches[i];
    const int row = data->row_of[i];
    if (row < 0) return false;
    const double mobility = fmax(sti_touches_mobility(c->network, c->scratch, row),
                                 sti_touches_mobility(c->network, c->scratch, row + 1));
    const double mu = sti_touch_rub(c->network, data, i).mu;
    const double friction = mu * sti_vec3_dot(touch->force, touch->rows[TOUCH_NORMAL]);
    return slip_speed(touch) < slow * h * friction * mobility;
}

// Directions of slip at the point, which was evaluated last, for the substep that follows.
static void turn_slips(const Progress *c)
{
    const TouchData *data = c->scratch->touches;
    const double rest = c->data->rest > 0.0 ? c->data->rest : c->network->step;
    const double h = shorten_before_stop(c, rest);
    bool any = false;
    for (int i = 0; i < data->count; ++i) {
        if (data->slot[i] == NULL || data->slot[i]->mode == TOUCH_STICK) continue;
        ContactSlot *slot = sti_touch_slot(c->network, &data->places[i], c->data->s);
        slot->mode = is_slow(c, i, h) ? TOUCH_DEPART : TOUCH_SLIP;
        any = any || slot->mode == TOUCH_DEPART;
        if (slot->mode == TOUCH_SLIP) sti_vec3_write(sti_touch_slip(data, i, slot), slot->slipped);
    }
    if (!any) return;
    sti_touches_guide(c->network, c->data->s, c->scratch, &c->scratch->stages[0], h);
    c->data->probed = true; // the point was evaluated along other directions
}

// ---- events ---------------------------------------------------------------------------------------

// A body that friction holds in contact, and that nothing accelerates, stands still: by assignment,
// so that it never creeps by rounding.
static void rest_exactly(const Progress *c)
{
    const StiNetwork *n = c->network;
    const TouchData *touches = c->scratch->touches;
    StageData *now = &c->scratch->stages[0];
    const double creeping = accuracy * (1.0 + sti_vec3_norm(n->gravity) * n->step);
    for (int i = 0; i < touches->count; ++i) {
        const ContactSlot *slot = touches->slot[i];
        for (int k = 0; slot != NULL && slot->mode == TOUCH_STICK && k < 2; ++k) {
            if (touches->places[i].admittance[k] < 0) continue;
            const Admittance *a = &n->admittances[touches->places[i].admittance[k]];
            double fastest = 0.0, pushed = 0.0;
            for (int d = 0; d < a->size.velocities; ++d) {
                fastest = fmax(fastest, fabs(c->data->x[a->v + d]));
                pushed = fmax(pushed, fabs(now->xdot[a->v + d]));
            }
            if (fastest > creeping || pushed > rounding * (1.0 + sti_vec3_norm(n->gravity)))
                continue;
            for (int d = 0; d < a->size.velocities; ++d) c->data->x[a->v + d] = 0.0;
        }
    }
}

// After an event. What has closed though a hair was left goes to no gap here, not in the next substep: that
// must begin where it is evaluated, however short it is.
static StiStatus look_again(Progress *c)
{
    StageData *now = &c->scratch->stages[0];
    sti_touches_note_holders(c->network, c->data->s, c->scratch);
    rest_exactly(c);
    turn_slips(c);
    StiStatus status = sti_touches_return(c->network, c->data->s, c->scratch, now, c->data->x);
    if (status != STI_OK) return status;
    sti_progress_place(c);
    status = sti_modes_evaluate(c->network, c->inputs, c->data->s, c->scratch, now);
    if (status == STI_OK) sti_touch_margins_here(c);
    return status;
}

// Places that come and go, at the point, which is evaluated; once more if that changed them. ended: or NULL.
static StiStatus refresh(Progress *c, bool *ended, bool *changed)
{
    StageData *now = &c->scratch->stages[0];
    *changed = false;
    StiStatus status =
        sti_touches_refresh(c->network, c->scratch, now, c->data->s, ended, changed);
    if (status != STI_OK || !*changed) return status;
    sti_progress_place(c);
    bool slips = false;
    status = sti_modes_evaluate(c->network, c->inputs, c->data->s, c->scratch, now);
    if (status == STI_OK) status = sti_touch_state_close_slipping(c, &slips);
    if (status == STI_OK && slips)
        status = sti_modes_evaluate(c->network, c->inputs, c->data->s, c->scratch, now);
    if (status == STI_OK) sti_touch_margins_here(c);
    return status;
}

// The point, which is evaluated, has an event: ended says of which modes.
static StiStatus turn(Progress *c, bool *ended)
{
    bool changed = false;
    sti_touch_state_leave_borders(c, ended);
    StiStatus status = refresh(c, ended + c->data->mode_count, &changed);
    if (status == STI_OK) status = sti_continuous_know_inertia(c->network, c->scratch);
    if (status == STI_OK)
        status = sti_events_turn(c->network, c->inputs, ended, c->data->x, c->data->s, c->scratch,
                                 &changed);
    c->scratch->figures.events += changed;
    return status == STI_OK ? look_again(c) : status;
}

// Slip that would be over in a moment stops with the others: corners of a box stick together, or none does.
static double enough_to_end(const Progress *c, int k, const StiMargin *here)
{
    static const double together = 1e-9; // of the step
    const int place = k - c->data->mode_count;
    const bool slip = place >= 0 && place % STI_PLACE_MARGINS == 1 && !isnan(here->rate);
    const double slowed = slip ? -here->rate * together * c->network->step : 0.0;
    return fmax(sti_touch_tolerance(here), slowed);
}

static StiStatus turn_at(Progress *c, int m, const StiMargin *here)
{
    SubstepData *data = c->data;
    bool *ended = data->ended;
    for (int k = 0; k < sti_touch_margin_count(c); ++k)
        ended[k] = k == m || (here[k].g <= enough_to_end(c, k, &here[k]) && here[k].rate < 0.0);
    return turn(c, ended);
}

static StiStatus pass_break(Progress *c)
{
    sti_progress_take_stretch(c);
    memset(c->data->ended, 0, (size_t)sti_touch_margin_count(c) * sizeof *c->data->ended);
    sti_progress_place(c);
    const StiStatus status =
        sti_modes_evaluate(c->network, c->inputs, c->data->s, c->scratch, &c->scratch->stages[0]);
    return status == STI_OK ? turn(c, c->data->ended) : status;
}

static StiStatus too_many(const Progress *c)
{
    return sti_fault(c->scratch, STI_EVENTS_ACCUMULATE, "", "contact",
                     &c->scratch->stages[0].stage);
}

static void accept(Progress *c, double h)
{
    sti_substep_accept(c->network, c->scratch, h);
    turn_slips(c);
}

// Places that have come may be closed already: two faces that slide on each other.
static StiStatus go_on(Progress *c)
{
    bool changed = false;
    const StiStatus status = refresh(c, NULL, &changed);
    if (status != STI_OK || !changed || sti_touch_state_fits(c)) return status;
    memset(c->data->ended, 0, (size_t)sti_touch_margin_count(c) * sizeof *c->data->ended);
    return turn(c, c->data->ended);
}

static StiStatus one_substep(Progress *c)
{
    SubstepData *data = c->data;
    if (c->scratch->figures.substeps > SUBSTEPS) return too_many(c);
    if (c->to - data->t <= sti_at_break * c->network->step) return pass_break(c);
    const bool to_break = c->to - data->t <= data->rest * (1.0 + sti_at_break);
    const double whole = to_break ? fmin(c->to - data->t, data->rest) : data->rest;
    double x, h = sti_progress_resolve_presses(c, shorten_before_stop(c, whole));
    StiStatus status = sti_touch_try(c, h);
    if (status == STI_OK) status = sti_load_zeros_end(c, sti_touch_try, &h);
    if (status != STI_OK) return status;
    int m = sti_touch_first_to_end(c, h, &x);
    if (m < 0) {
        StiMargin *after = data->after;
        accept(c, h);
        data->after = data->before;
        data->before = after;
        status = go_on(c);
        if (status != STI_OK) return status;
        return to_break && h == whole && data->rest > 0.0 ? pass_break(c) : STI_OK;
    }
    if (++c->cuts > EVENTS) return too_many(c);
    if (x > sti_touch_located) status = sti_touch_refine(c, h, &m, &x);
    if (status != STI_OK) return status;
    if (x > sti_touch_located) {
        accept(c, x * h);
        return turn_at(c, m, data->there);
    }
    if (++c->halvings > IDLE_EVENTS) return too_many(c);
    sti_progress_place(c); // at once: what was tried is dropped
    status = sti_modes_evaluate(c->network, c->inputs, data->s, c->scratch, &c->scratch->stages[0]);
    return status == STI_OK ? turn_at(c, m, data->before) : status;
}

// ---- the step -------------------------------------------------------------------------------------

// They have no modes to find. False: one of them has another now.
static bool set_dampers(const StiNetwork *n, double *s)
{
    bool same = true;
    for (int i = 0; i < n->reaction_count; ++i) {
        double *mode = s + n->reactions[i].s;
        if (!n->reactions[i].damper) continue;
        same = same && mode[0] == STI_SLIP;
        sti_mode_of_damper(mode);
    }
    return same;
}

static StiStatus begin(Progress *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    SubstepData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    data->t = sti_network_time(n, state->k);
    data->t_end = sti_network_time(n, state->k + 1);
    data->rest = n->step;
    sti_progress_take_stretch(c);
    bool known = sti_stage_cache_holds(n, c->inputs, state, c->scratch);
    data->kept = false;
    memcpy(data->x, state->values, (size_t)state->loads * sizeof *data->x); // y and s, too
    known = set_dampers(n, data->s) && known;
    now->stage = (StiStage){.t = data->t,
                            .step = n->step,
                            .k = state->k,
                            .gravity = n->gravity,
                            .workspace = c->scratch->workspace};
    memcpy(now->loads, state->values + state->loads, (size_t)n->load_count * sizeof *now->loads);
    sti_account_open(n, c->scratch);
    c->scratch->touches->goes_on = true;
    c->scratch->touches->least = accuracy;
    sti_continuous_resolve(c->scratch, accuracy, accuracy, moment * n->step);
    StiStatus status = STI_OK;
    if (!known) {
        sti_progress_place(c);
        status = sti_modes_evaluate(n, c->inputs, data->s, c->scratch, now);
        if (status == STI_OK) sti_touch_margins_here(c);
    } else {
        sti_touch_margins_again(c);
    }
    bool changed = false;
    if (status == STI_OK) status = refresh(c, NULL, &changed);
    if (status == STI_OK && !sti_touch_state_fits(c)) {
        status = sti_continuous_know_inertia(n, c->scratch);
        if (status == STI_OK) status = sti_events_start(n, c->inputs, data->x, data->s, c->scratch);
        if (status == STI_OK) status = look_again(c);
    }
    if (status == STI_OK) sti_account_first(n, c->scratch);
    return status;
}

static StiStatus end(Progress *c, StiState *state)
{
    const StiNetwork *n = c->network;
    StiScratch *scratch = c->scratch;
    const SubstepData *data = c->data;
    sti_touches_read(n, scratch, n->step, data->s);
    sti_stage_cache_keep(n, c->inputs, scratch);
    memcpy(scratch->next, data->x, (size_t)state->loads * sizeof *data->x); // y and s, too
    memcpy(next_loads(scratch), scratch->stages[0].loads, (size_t)n->load_count * sizeof(double));
    for (int i = 0; i < n->reaction_count; ++i)
        scratch->reactions->answers[i].stuck = data->s[n->reactions[i].s] == STI_STICK;
    sti_settle_impedances(n, scratch, &scratch->stages[0]);
    return sti_step_commit(n, state, scratch, &scratch->stages[0].stage);
}

// The whole step by the solver, whose memory of contacts is another.
static StiStatus fall_back(const StiNetwork *n, const double *inputs, StiState *state,
                           StiScratch *scratch)
{
    double *s = state->values + state->s, *kept = scratch->substep->s;
    const int events = scratch->figures.events;
    memcpy(kept, s, (size_t)n->s_count * sizeof *s);
    for (int i = 0; i < n->contact_count; ++i)
        for (int k = 0; k < n->contacts[i].capacity; ++k)
            contact_slots(s + n->contacts[i].s)[k] = (ContactSlot){.age = 0.0};
    const StiStatus status = n->solver->step(n, inputs, state, scratch);
    scratch->touches->built = scratch->touches->shaped = scratch->touches->lies =
        false; // the solver's now
    if (status != STI_OK) memcpy(s, kept, (size_t)n->s_count * sizeof *s);
    scratch->figures.fallbacks = 1;
    scratch->figures.events = events;
    return status;
}

StiStatus sti_step_contacts(const StiNetwork *network, const double *inputs, StiState *state,
                            StiScratch *scratch)
{
    Progress c = {.network = network,
                  .inputs = inputs,
                  .scratch = scratch,
                  .data = scratch->substep};
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    if (status != STI_OK) return status;
    status = begin(&c, state);
    while (status == STI_OK && c.data->rest > sti_at_break * 1e-3 * network->step)
        status = one_substep(&c);
    scratch->touches->noted = false; // also where a substep failed
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    return status == STI_OK ? end(&c, state) : fall_back(network, inputs, state, scratch);
}

StiStatus sti_step_contacts_look(const StiNetwork *network, const double *inputs, StiState *state,
                                 StiScratch *scratch)
{
    Progress c = {.network = network,
                  .inputs = inputs,
                  .scratch = scratch,
                  .data = scratch->substep};
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    if (status == STI_OK) status = begin(&c, state);
    scratch->touches->noted = false;
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    scratch->works.given = false;
    if (status != STI_OK) return status;
    sti_continuous_take_answers(network, c.data->s, scratch);
    sti_touches_read(network, scratch, 0.0, c.data->s);
    memcpy(state->values + state->s, c.data->s, (size_t)network->s_count * sizeof(double));
    return STI_OK;
}
