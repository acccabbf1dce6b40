// A step that is cut where stick or slip ends: each piece keeps its modes and its order.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "step/account.h"
#include "step/continuous.h"
#include "step/pieces.h"
#include "step/reactions.h"

enum { CUTS = 6, HALVINGS = 6, STOP_PIECES = 12, TRIALS = 64 };
static const double stop_share = 0.75; // of the time to a stop, in one piece
static const double at_break = 1e-9;   // of the step

typedef struct Course {
    const StiNetwork *network;
    const double *inputs;
    StiScratch *scratch;
    PieceData *data;
    int cuts, halvings, stop_pieces;
    int taken_back; // releases that led nowhere
    double to;      // where the smooth stretch of the inputs ends
    bool dips;      // of margins within a piece are looked for
    bool to_break;  // the piece ends at a break of the inputs
} Course;

// ---- the point, and what changes there ------------------------------------------------------------

static void place_stage(Course *c)
{
    StageData *now = &c->scratch->stages[0];
    now->stage.t = c->data->t;
    now->stage.tau = 0.0;
    memcpy(now->x, c->data->x,
           (size_t)(c->network->x_count + c->network->y_count) * sizeof *now->x);
}

// The smooth stretch of the inputs that begins here.
static void take_stretch(Course *c)
{
    const StiPiece piece =
        sti_continuous_piece(c->network, c->data->t + at_break * c->network->step);
    c->to = piece.to;
    sti_continuous_look_within(c->scratch, piece);
}

// The margins of a point that is known say that all that sticks does so within its limits.
static bool all_stay(const PieceData *data, const StiNetwork *n)
{
    const StiMargin *margins = data->before + data->mode_count - n->reaction_count;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (data->s[e->s] == STI_STICK && !(e->held && margins[i].g >= 0.0)) return false;
    }
    return true;
}

// Modes at the point: elastic ones are turned already; reactions at rest are decided here. known: the
// point is evaluated.
static StiStatus decide_from(Course *c, bool known)
{
    PieceData *data = c->data;
    const StiNetwork *n = c->network;
    data->judged = false;
    const StiStatus status = sti_modes_at_rest(n, c->inputs, data->forced, known, data->s,
                                               c->scratch, &c->scratch->stages[0]);
    memset(data->forced, 0, (size_t)n->reaction_count * sizeof *data->forced);
    for (int i = 0; i < n->reaction_count; ++i) // pieces slide implicitly, from rest too
        if (data->s[n->reactions[i].s] == STI_DEPART) data->s[n->reactions[i].s] = STI_SLIP;
    data->columns_known = false;
    for (int m = 0; m < data->mode_count; ++m)
        if (data->modes[m].reaction && c->scratch->released[data->modes[m].element] != UNTOUCHED) {
            if (!data->fresh[m]) ++c->scratch->figures.events;
            data->fresh[m] = true;
        }
    return status;
}

static StiStatus decide(Course *c)
{
    place_stage(c);
    return decide_from(c, false);
}

// Slips, but its body does not hold it by a coordinate of its own: it may have to stop with others.
static bool may_share_freedom(const Course *c, int m)
{
    const ModePlace *place = &c->data->modes[m];
    return place->reaction && c->data->s[place->s] == STI_SLIP && !c->data->fresh[m] &&
           !c->network->reactions[place->element].held;
}

// What shares its freedom with a row that has come to rest is at rest, too.
static void rest_together(Course *c)
{
    PieceData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    bool any = false;
    for (int m = 0; m < data->mode_count; ++m) any = any || may_share_freedom(c, m);
    if (!any) return;
    place_stage(c);
    sti_psi_reactions(c->network, now);
    if (sti_modes_inertia(c->network, c->scratch, now) != STI_OK)
        return; // the evaluation that follows says so
    for (int m = 0; m < data->mode_count; ++m) {
        const ModePlace *place = &data->modes[m];
        if (!may_share_freedom(c, m)) continue;
        const double *v = now->velocity + c->network->reactions[place->element].wire.v;
        if (sti_norm(place->dim, v) >
            sti_modes_no_speed(c->network, c->scratch, now, place->element))
            continue;
        data->s[place->s] = STI_STICK;
        data->fresh[m] = true;
        ++c->scratch->figures.events;
    }
}

// Rows that have come to rest stand still from here on.
static StiStatus settle_at(Course *c)
{
    const StiStatus status =
        sti_modes_hold(c->network, c->data->s, c->scratch, &c->scratch->stages[0], c->data->x);
    if (status != STI_OK) return status;
    if (c->network->constrains) rest_together(c);
    return decide(c);
}

// ---- friction in a plane that comes to rest -------------------------------------------------------

// The planar reaction that stops first, -1 if none does within the rest of the step; *time: when.
static int first_to_stop(const Course *c, double within, double *time)
{
    const PieceData *data = c->data;
    int first = -1;
    *time = within;
    for (int m = 0; m < data->mode_count; ++m) {
        const ModePlace *place = &data->modes[m];
        if (!place->reaction || place->dim == 1 || data->s[place->s] == STI_STICK) continue;
        const StiMargin *margin = &data->before[m];
        if (!(margin->rate < 0.0) || !(margin->g > 0.0) || !(-margin->g / margin->rate < *time))
            continue;
        *time = -margin->g / margin->rate;
        first = m;
    }
    return first;
}

// The last, tiny stretch before a stop: constant acceleration.
static StiStatus stop_now(Course *c, int m, double h)
{
    const StiNetwork *n = c->network;
    PieceData *data = c->data;
    const StageData *now = &c->scratch->stages[0];
    sti_account_stage(n, c->scratch, now, h);
    for (int i = 0; i < n->x_count; ++i) data->x[i] += h * now->xdot[i];
    for (int i = 0; i < n->y_count; ++i) data->y[i] += h * now->ydot[i];
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        for (int d = 0; a->size.positions == a->size.velocities && d < a->size.velocities; ++d)
            data->x[a->q + d] += 0.5 * h * h * now->xdot[a->v + d];
    }
    data->t += h;
    data->rest -= h;
    data->s[data->modes[m].s] = STI_STICK;
    data->fresh[m] = true;
    ++c->scratch->figures.events;
    c->stop_pieces = 0;
    return settle_at(c);
}

static bool stops_now(const Course *c, int m, StiStatus *status)
{
    const StageData *now = &c->scratch->stages[0];
    const int reaction = c->data->modes[m].element;
    *status = sti_modes_own_inertia(c->network, c->scratch, now, reaction);
    if (*status != STI_OK) return false;
    return c->data->before[m].g < sti_modes_no_speed(c->network, c->scratch, now, reaction) ||
           c->stop_pieces >= STOP_PIECES;
}

// ---- one piece ------------------------------------------------------------------------------------

// An elastic element that slides in a plane and turned too far for one piece?
static bool turned_far(const Course *c)
{
    const PieceData *data = c->data;
    for (int m = 0; m < data->mode_count; ++m) {
        const ModePlace *place = &data->modes[m];
        if (place->reaction || place->dim == 1 || data->s[place->s] == STI_STICK) continue;
        const Wire *wire = &c->network->impedances[place->element].wire;
        const double *f0 = c->scratch->stages[0].u + wire->v, *f1 = data->close.u + wire->v;
        double dot = 0.0;
        for (int d = 0; d < place->dim; ++d) dot += f0[d] * f1[d];
        if (dot < 0.5 * sti_norm(place->dim, f0) * sti_norm(place->dim, f1)) return true;
    }
    return false;
}

typedef struct Turned {
    bool arrived; // a reaction came to rest
    bool elastic; // an elastic element has another mode
} Turned;

// Turns what ends at the cut; here: margins at the cut, x of the trial of length h.
static Turned turn_modes(Course *c, int who, double x, double h, const StiMargin *here)
{
    PieceData *data = c->data;
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

static StiStatus cut_at(Course *c, int who, double h)
{
    PieceData *data = c->data;
    StiStatus status = STI_OK;
    double x = data->theta[who];
    const StiMargin *here = data->before;
    ++c->cuts;
    if (x > 0.0) {
        const bool ends = sti_refine(c->network, c->inputs, c->scratch, h, who, &x, &status);
        if (status != STI_OK) return status;
        sti_piece_accept(c->network, c->scratch, x * h);
        if (!ends) { // the dip was one of the cubic only
            c->dips = false;
            return STI_OK;
        }
        here = data->there;
    }
    const Turned turned = turn_modes(c, who, x, h, here);
    if (turned.arrived) return settle_at(c);
    return turned.elastic ? decide(c)
                          : decide_from(c, true); // the cut is evaluated with these modes
}

// Where several loads reach their limits together nothing is accelerated yet, and only the piece that
// follows tells who was let go the wrong way: it would slip against its own direction from here on.
static bool let_go_in_vain(const Course *c, int who)
{
    const PieceData *data = c->data;
    const ModePlace *place = &data->modes[who];
    return place->reaction && place->dim == 1 && data->s[place->s] == STI_SLIP &&
           c->taken_back < data->mode_count && data->before[who].g >= 0.0 &&
           data->before[who].g <=
               sti_modes_no_speed(c->network, c->scratch, &c->scratch->stages[0], place->element);
}

static StiStatus take_back(Course *c, int who)
{
    ++c->taken_back;
    c->data->s[c->data->modes[who].s] = STI_STICK;
    return settle_at(c);
}

static StiStatus finish(Course *c, double h)
{
    ++c->scratch->figures.finishes;
    const StiStatus status = sti_piece_finish(c->network, c->inputs, c->scratch, h);
    return status == STI_OK ? settle_at(c) : status;
}

// At a break the inputs change sides.
static StiStatus pass_break(Course *c)
{
    take_stretch(c);
    return decide(c);
}

static double length_of_piece(Course *c)
{
    const PieceData *data = c->data;
    c->to_break = c->to - data->t <= data->rest * (1.0 + at_break);
    return c->to_break ? fmin(c->to - data->t, data->rest) : data->rest;
}

// The whole trial, in which no mode ends: the margins at its end are those at the point. Directions of slip
// in a plane are turned when it is accepted.
static void accept_all(Course *c, double h)
{
    PieceData *data = c->data;
    StiMargin *after = data->after;
    sti_piece_accept(c->network, c->scratch, h);
    data->after = data->before;
    data->before = after;
    data->judged = !c->network->planar;
}

static void judge(Course *c)
{
    PieceData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    if (data->probed) sti_modes_rates(c->network, c->inputs, c->scratch, now);
    data->probed = false;
    if (!data->judged) sti_modes_margins(c->network, data->s, c->scratch, now, data->before);
    data->judged = true;
}

static StiStatus one_piece(Course *c)
{
    PieceData *data = c->data;
    StiStatus status = STI_OK;
    if (c->to - data->t <= at_break * c->network->step) return pass_break(c);
    double stop, h = length_of_piece(c);
    judge(c);
    const int stopping = first_to_stop(c, 1.2 * data->rest, &stop);
    const bool now = stopping >= 0 && stops_now(c, stopping, &status);
    if (status != STI_OK) return status;
    if (now) return stop_now(c, stopping, fmin(stop, data->rest));
    if (stopping >= 0 && stop_share * stop < h) {
        h = stop_share * stop;
        c->to_break = false;
        ++c->stop_pieces;
    }
    for (;;) {
        status = sti_piece(c->network, c->inputs, c->scratch, h);
        if (status == STI_OK)
            status = sti_piece_close(c->network, c->inputs, c->scratch, h, data->after);
        if (status != STI_OK) return status;
        if (!(data->rested || turned_far(c)) || c->halvings >= HALVINGS) break;
        ++c->halvings;
        h *= 0.5;
        c->to_break = false;
    }
    const int who = sti_locate(c->network, c->inputs, c->scratch, h, c->dips, &status);
    if (status != STI_OK) return status;
    if (who < 0) {
        accept_all(c, h);
        return c->to_break && data->rest > 0.0 ? pass_break(c) : STI_OK;
    }
    if (data->fresh[who] && data->theta[who] == 0.0 && let_go_in_vain(c, who))
        return take_back(c, who);
    if (c->cuts >= CUTS || (data->fresh[who] && data->theta[who] == 0.0))
        return finish(c, length_of_piece(c));
    return cut_at(c, who, h);
}

// ---- the step -------------------------------------------------------------------------------------

// Motion and signals at the start, as far as the choice of modes needs them.
static StiStatus look_around(Course *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    StageData *now = &c->scratch->stages[0];
    memcpy(now->loads, state->values + state->loads, (size_t)n->load_count * sizeof *now->loads);
    place_stage(c);
    if (n->reaction_count == 0) return STI_OK;
    const StiStatus status = sti_sources(n, c->inputs, c->scratch, now);
    if (status != STI_OK) return status;
    sti_psi(n, now);
    for (int i = 0; i < n->reaction_count; ++i) sti_listen(&n->reactions[i].connections, now);
    return STI_OK;
}

// States may come from elsewhere. False: modes have changed.
static bool adopt(Course *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    sti_modes_adopt(n, c->scratch, &c->scratch->stages[0], c->data->s);
    return memcmp(c->data->s, state->values + state->s, (size_t)n->s_count * sizeof(double)) == 0;
}

static StiStatus decide_at_start(Course *c, bool known)
{
    PieceData *data = c->data;
    const StiStatus status = decide_from(c, known);
    for (int i = 0; i < data->mode_count; ++i)
        data->fresh[i] = status == STI_OK && data->modes[i].reaction &&
                         c->scratch->released[data->modes[i].element] != UNTOUCHED;
    return status;
}

static StiStatus begin(Course *c, const StiState *state)
{
    const StiNetwork *n = c->network;
    PieceData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    StiStatus status = STI_OK;
    data->t = sti_network_time(n, state->k);
    data->t_end = sti_network_time(n, state->k + 1);
    data->rest = n->step;
    take_stretch(c);
    bool known = sti_piece_is_kept(c->network, c->inputs, state, c->scratch);
    data->kept = false;
    memcpy(data->x, state->values, (size_t)state->loads * sizeof *data->x); // y and s, too
    memset(data->fresh, 0, (size_t)data->mode_count * sizeof *data->fresh);
    memset(data->forced, 0, (size_t)n->reaction_count * sizeof *data->forced);
    now->stage = (StiStage){.t = data->t,
                            .step = n->step,
                            .k = state->k,
                            .gravity = n->gravity,
                            .workspace = c->scratch->workspace};
    sti_account_open(c->scratch);
    if (!known) status = look_around(c, state);
    if (status == STI_OK && n->reaction_count > 0) known = adopt(c, state) && known;
    if (status == STI_OK && !(known && data->judged && all_stay(data, n)))
        status = decide_at_start(c, known);
    if (status == STI_OK) sti_account_first(n, c->scratch);
    return status;
}

static StiStatus end(Course *c, StiState *state)
{
    const StiNetwork *n = c->network;
    StiScratch *scratch = c->scratch;
    const PieceData *data = c->data;
    memcpy(scratch->next, data->x, (size_t)state->loads * sizeof *data->x); // y and s, too
    memcpy(next_loads(scratch), scratch->stages[0].loads, (size_t)n->load_count * sizeof(double));
    for (int i = 0; i < n->reaction_count; ++i)
        scratch->reactions.answers[i].stuck = data->s[n->reactions[i].s] == STI_STICK;
    const StiStatus status = scratch->figures.events > 0
                                 ? sti_constrain_after_events(n, scratch, &scratch->stages[0])
                                 : sti_constrain(n, state, scratch, &scratch->stages[0]);
    if (status != STI_OK) return status;
    sti_settle_impedances(n, scratch, &scratch->stages[0]);
    return sti_step_commit(n, state, scratch, &scratch->stages[0].stage);
}

StiStatus sti_step_cut(const StiNetwork *network, const double *inputs, StiState *state,
                       StiScratch *scratch)
{
    Course c = {.network = network,
                .inputs = inputs,
                .scratch = scratch,
                .data = &scratch->pieces,
                .dips = true};
    StiStatus status = sti_step_begin(network, network->resolves, inputs, state, scratch);
    if (status == STI_OK) status = begin(&c, state);
    for (int i = 0; status == STI_OK && c.data->rest > at_break * 1e-3 * network->step; ++i)
        status = i < TRIALS ? one_piece(&c) : finish(&c, c.data->rest);
    if (status == STI_OK) sti_piece_keep(network, inputs, scratch);
    sti_continuous_look_within(scratch, STI_ALL_TIME);
    return status == STI_OK ? end(&c, state) : status;
}
