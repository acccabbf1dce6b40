// Modes of reactions at rest, decided by the accelerations there: the finite-time rule divided by
// its step.                                                                             METHODS 4
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "reaction/slide.h"
#include "events/joint_modes.h"
#include "events/rest_cones.h"
#include "evaluate/modes.h"
#include "rows/reactions.h"
#include "events/rest.h"

RestData *sti_rest_take(StiArena *arena, const StiNetwork *network)
{
    RestData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    data->turned = sti_arena_numbers(arena, network->s_count);
    data->released = sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof(int));
    data->cones = sti_rest_cones_take(arena, network);
    return data;
}

enum { TURNS = 200, FEW = 3, MOST_ROUNDS = 200 };
static const double turned_enough = 1e-13;
static const double moving = 1e-9;        // of the speed that friction takes away within a step
static const double driven = 1e-10;       // of the largest acceleration
static const double clearly = 1.0 + 1e-6; // beyond its limit by more than rounding
static const double together = 1e-6;      // rows that need almost the same share of their limits

double sti_modes_no_speed(const StiNetwork *network, const StiScratch *scratch,
                          const StageData *now, int i)
{
    const Reaction *e = &network->reactions[i];
    const double *W = scratch->reactions->W + sti_neighbour_block(e, 0);
    double most = 0.0;
    for (int d = 0; d < e->size.dim; ++d) most = fmax(most, W[d * e->size.dim + d]);
    const double limit = e->kind->modes->limit(e->parameters, 0.0, now->ports + e->port);
    return moving * limit * most * network->step;
}

StiStatus sti_modes_inertia(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    const StiStatus status = sti_bodies_prepare(network, scratch, now, NULL);
    if (status != STI_OK) return status;
    sti_reaction_blocks(network, scratch, now, NULL);
    return STI_OK;
}

StiStatus sti_modes_own_inertia(const StiNetwork *network, StiScratch *scratch,
                                const StageData *now, int reaction)
{
    const StiStatus status = sti_bodies_prepare(network, scratch, now, NULL);
    if (status == STI_OK) sti_reaction_own_block(network, scratch, now, reaction);
    return status;
}

// Would it have the same mode and direction whether this speed counts as moving or not?
static bool is_clear(const Reaction *e, const double *v, double speed, const double *mode)
{
    bool same = mode[0] == STI_SLIP;
    for (int d = 0; d < e->size.dim; ++d) same = same && mode[1 + d] == v[d] / speed;
    return same;
}

void sti_modes_adopt(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     double *s)
{
    bool prepared = false; // for W
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double *v = now->velocity + e->wire.v;
        const double speed = sti_norm(e->size.dim, v);
        double *mode = s + e->s;
        if (e->damper) {
            sti_mode_of_damper(mode);
            continue;
        }
        if (mode[0] == STI_DEPART) mode[0] = STI_SLIP;
        if (speed > 0.0 && is_clear(e, v, speed, mode)) continue;
        if (speed > 0.0 && !prepared && sti_bodies_prepare(network, scratch, now, NULL) != STI_OK)
            return; // the evaluation that follows says so
        prepared = prepared || speed > 0.0;
        if (speed > 0.0) sti_reaction_own_block(network, scratch, now, i);
        if (!(speed > 0.0 && speed > sti_modes_no_speed(network, scratch, now, i))) {
            // one that was just released keeps its mode and direction
            if (!(sti_norm(e->size.dim, mode + 1) > 0.0)) mode[0] = STI_STICK;
            continue;
        }
        mode[0] = STI_SLIP;
        for (int d = 0; d < e->size.dim; ++d) mode[1 + d] = v[d] / speed;
    }
}

// What a driver moves no friction can hold: no force changes its velocity, and it is accelerated.
// Below that: rounding.
static bool is_driven(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                      const Reaction *e)
{
    const double *W = scratch->reactions->W + sti_neighbour_block(e, 0);
    if (e->held || e->size.dim != 1 || W[0] > 0.0) return false;
    double most = sti_vec3_norm(network->gravity);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d) most = fmax(most, fabs(now->xdot[a->v + d]));
    }
    return fabs(scratch->evaluate->wire_rate[e->wire.v]) > driven * most;
}

// How much of its limit a stuck reaction needs.
static double need(const StiNetwork *network, const StiScratch *scratch, const Reaction *e,
                   const StageData *now)
{
    const double *r = now->u + e->wire.v;
    if (is_driven(network, scratch, now, e)) return INFINITY;
    if (scratch->holding->at_ease && !e->held) return 0.0;
    const double size = sti_norm(e->size.dim, r);
    const double limit =
        e->kind->modes->limit(e->parameters, sti_direction(e->size.dim, r), now->ports + e->port);
    return size > 0.0 ? size / limit : 0.0;
}

// The direction in which slip starts: that of the resistance, if without it the rows would be
// accelerated by free. Where the inertia differs between directions that is not the direction of
// the force that sticking would need.                                           EQUATIONS 2.10
static bool direction_of_slip(const Reaction *e, const double *W, const StageData *now,
                              const double *free, double *along)
{
    const int dim = e->size.dim;
    const StiReactionProblem problem = {.dim = dim, .T = 1.0, .W = W, .v = free, .vbar = free};
    StiInertia inertia;
    if (sti_inertia_prepare(&problem, &inertia) != STI_OK) return false;
    const StiLaw level =
        sti_law_coulomb(e->kind->modes->level(e->parameters, 0.0, 0.0, now->ports + e->port));
    const StiSlide slide = sti_slide(&inertia, &level, NULL, free);
    const double size = sti_norm(dim, slide.r);
    if (inertia.isotropic || !(size > 0.0)) return false;
    for (int d = 0; d < dim; ++d) along[d] = slide.r[d] / size;
    return true;
}

static void multiply(int dim, const double *W, const double *r, double *Wr)
{
    for (int d = 0; d < dim; ++d) {
        Wr[d] = 0.0;
        for (int k = 0; k < dim; ++k) Wr[d] += W[d * dim + k] * r[k];
    }
}

// Slip starts along the force that sticking would need; where the inertia differs between
// directions, along the velocity that it leads to.
static void let_slip(const Reaction *e, const double *W, const StageData *now, double *mode)
{
    const int dim = e->size.dim;
    const double *r = now->u + e->wire.v;
    const double size = sti_norm(dim, r);
    double free[STI_REACTION_DIM_MAX];
    mode[0] = dim > 1 ? STI_DEPART : STI_SLIP;
    if (dim > 1) multiply(dim, W, r, free);
    if (dim > 1 && direction_of_slip(e, W, now, free, mode + 1)) return;
    for (int d = 0; d < dim; ++d) mode[1 + d] = size > 0.0 ? r[d] / size : d == 0;
}

// The stuck reaction that needs the largest share of its limit, -1 if none needs more than it has.
static int worst_stuck(const StiNetwork *network, const double *s, const StiScratch *scratch,
                       const StageData *now)
{
    int worst = -1;
    double most = 1.0;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (s[e->s] != STI_STICK) continue;
        const double share = need(network, scratch, e, now);
        // let go it went the wrong way: rounding must not let it go again
        if (!(share > most) || (scratch->rest->released[i] == STUCK_AGAIN && !(share > clearly)))
            continue;
        most = share;
        worst = i;
    }
    return worst;
}

// A released reaction that is accelerated against its direction, -1 if there is none.
static int wrong_way(const StiNetwork *network, const double *s, const StiScratch *scratch)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        double along = 0.0;
        if (scratch->rest->released[i] != RELEASED) continue;
        for (int d = 0; d < e->size.dim; ++d)
            along += s[e->s + 1 + d] * scratch->evaluate->wire_rate[e->wire.v + d];
        if (along < 0.0) return i;
    }
    return -1;
}

int sti_modes_departing(const StiNetwork *network, const double *s)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        count += s[network->reactions[i].s] == STI_DEPART;
    return count;
}

// The direction of one departure while those of the others stay; how much it turned.
static double turn_departure(const Reaction *e, const StiScratch *scratch, const StageData *now,
                             double *mode)
{
    const int dim = e->size.dim;
    const double *W = scratch->reactions->W + sti_neighbour_block(e, 0);
    const double *a = scratch->evaluate->wire_rate + e->wire.v;
    double free[STI_REACTION_DIM_MAX], along[STI_REACTION_DIM_MAX], turned = 0.0;
    multiply(dim, W, now->u + e->wire.v, free);
    for (int d = 0; d < dim; ++d) free[d] += a[d];
    if (!direction_of_slip(e, W, now, free, along)) {
        const double size = sti_norm(dim, free);
        if (!(size > 0.0)) return 0.0;
        for (int d = 0; d < dim; ++d) along[d] = free[d] / size;
    }
    for (int d = 0; d < dim; ++d) turned = fmax(turned, fabs(along[d] - mode[1 + d]));
    memcpy(mode + 1, along, (size_t)dim * sizeof *along);
    return turned;
}

// One after the other, again and again: they may feel each other.
StiStatus sti_modes_turn(const StiNetwork *network, const double *inputs, double *s,
                         StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int sweep = 0; sweep < TURNS; ++sweep) {
        double most = 0.0;
        for (int i = 0; status == STI_OK && i < network->reaction_count; ++i) {
            const Reaction *e = &network->reactions[i];
            if (s[e->s] != STI_DEPART) continue;
            const double turned = turn_departure(e, scratch, now, s + e->s);
            most = fmax(most, turned);
            if (turned > 0.0) status = sti_modes_evaluate(network, inputs, s, scratch, now);
        }
        if (status != STI_OK || most < turned_enough) break;
    }
    return status;
}

static StiStatus release(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                         int i, double *s, int how)
{
    const Reaction *e = &network->reactions[i];
    const bool moved = is_driven(network, scratch, now, e);
    StiStatus status = STI_OK;
    if (e->size.dim > 1) status = sti_modes_own_inertia(network, scratch, now, i);
    let_slip(e, scratch->reactions->W + sti_neighbour_block(e, 0), now, s + e->s);
    if (moved) s[e->s + 1] = copysign(1.0, scratch->evaluate->wire_rate[e->wire.v]);
    scratch->rest->released[i] = how;
    return status;
}

// The one that needs most; of a linkage also those that need as much of their limits, for they hold
// the same freedom.
static StiStatus release_worst(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                               int worst, double *s)
{
    const double most = need(network, scratch, &network->reactions[worst], now);
    StiStatus status = STI_OK;
    for (int i = 0; status == STI_OK && i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const bool too = network->constrains && s[e->s] == STI_STICK && e->size.dim == 1 &&
                         need(network, scratch, e, now) >= (1.0 - together) * most;
        if (i == worst || too) status = release(network, scratch, now, i, s, RELEASED);
    }
    return status;
}

bool sti_modes_unsettled(StiStatus status)
{
    return status == STI_LOADS_UNSETTLED || status == STI_NO_SOLUTION ||
           status == STI_SEVERAL_SOLUTIONS;
}

static void return_to_loads(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    scratch->fault = (StiFault){.status = STI_OK, .component = "", .what = ""};
    memcpy(now->loads, scratch->evaluate->start_loads,
           (size_t)network->load_count * sizeof *now->loads);
}

StiStatus sti_modes_estimate_again(const StiNetwork *network, const double *inputs, const double *s,
                                   StiScratch *scratch, StageData *now)
{
    return_to_loads(network, scratch, now);
    return sti_modes_estimate(network, inputs, s, scratch, now);
}

// Near a dead centre a joint can be held by immense forces only, under which loads and friction do not
// settle. The loads of the start of the step then show which cannot stick.
static StiStatus evaluate(const StiNetwork *network, const double *inputs, double *s,
                          StiScratch *scratch, StageData *now)
{
    StiStatus status = sti_modes_evaluate(network, inputs, s, scratch, now);
    for (int i = 0; sti_modes_unsettled(status) && i < network->reaction_count; ++i) {
        const StiFault fault = scratch->fault;
        const StiStatus estimated = sti_modes_estimate_again(network, inputs, s, scratch, now);
        const int worst = estimated == STI_OK ? worst_stuck(network, s, scratch, now) : -1;
        if (worst < 0) {
            scratch->fault = fault;
            return status;
        }
        const StiStatus released = release_worst(network, scratch, now, worst, s);
        if (released != STI_OK) return released;
        return_to_loads(network, scratch, now);
        status = sti_modes_evaluate(network, inputs, s, scratch, now);
    }
    return status;
}

static int count_overloaded(const StiNetwork *network, const double *s, const StiScratch *scratch,
                            const StageData *now)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        count += s[e->s] == STI_STICK && need(network, scratch, e, now) > 1.0;
    }
    return count;
}

// What has reached its limit slips in any case.
static StiStatus release_forced(const StiNetwork *network, const double *inputs, const bool *forced,
                                double *s, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    bool any = false;
    for (int i = 0; status == STI_OK && forced != NULL && i < network->reaction_count; ++i) {
        if (!forced[i] || s[network->reactions[i].s] != STI_STICK) continue;
        status = release(network, scratch, now, i, s, FORCED);
        any = true;
    }
    return status == STI_OK && any ? evaluate(network, inputs, s, scratch, now) : status;
}

static bool any_forced(const StiNetwork *network, const bool *forced, const double *s)
{
    for (int i = 0; forced != NULL && i < network->reaction_count; ++i)
        if (forced[i] && s[network->reactions[i].s] == STI_STICK) return true;
    return false;
}

// Friction in planes, and what holds the same freedom, is let go together; the search goes on from there.
static bool needs_cones(const StiNetwork *network, const bool *forced, const double *s,
                        const StiScratch *scratch, const StageData *now)
{
    const bool shared = scratch->holding->outside > 0 && scratch->holding->singular;
    return scratch->rest->cones != NULL && (network->planar || shared) &&
           (any_forced(network, forced, s) || count_overloaded(network, s, scratch, now) > 0);
}

StiStatus sti_modes_at_rest(const StiNetwork *network, const double *inputs, const bool *forced,
                            bool known, double *s, StiScratch *scratch, StageData *now)
{
    memset(scratch->rest->released, 0,
           (size_t)network->reaction_count * sizeof *scratch->rest->released);
    StiStatus status = known ? STI_OK : evaluate(network, inputs, s, scratch, now);
    if (status == STI_OK && needs_cones(network, forced, s, scratch, now) &&
        sti_rest_ask_cones(network, forced, s, scratch, now))
        status = evaluate(network, inputs, s, scratch, now);
    else if (status == STI_OK)
        status = release_forced(network, inputs, forced, s, scratch, now);
    if (status == STI_OK && scratch->joints->applies &&
        count_overloaded(network, s, scratch, now) > FEW) {
        status = sti_joints_at_rest(network, s, scratch, now);
        if (status == STI_OK) status = evaluate(network, inputs, s, scratch, now);
    }
    const int rounds = 3 * network->reaction_count + 3;
    for (int round = 0; status == STI_OK; ++round) {
        if (sti_modes_departing(network, s) > 0)
            status = sti_modes_turn(network, inputs, s, scratch, now);
        const int worst = worst_stuck(network, s, scratch, now);
        const int wrong = worst < 0 ? wrong_way(network, s, scratch) : -1;
        if (status != STI_OK || (worst < 0 && wrong < 0)) break;
        if (round == (rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS)) {
            ++scratch->figures.unsettled_joints; // rounding lets it go and stops it again
            break;
        }
        if (worst >= 0) {
            status = release_worst(network, scratch, now, worst, s);
        } else {
            s[network->reactions[wrong].s] = STI_STICK;
            scratch->rest->released[wrong] = STUCK_AGAIN;
        }
        if (status == STI_OK) status = evaluate(network, inputs, s, scratch, now);
    }
    return status;
}
