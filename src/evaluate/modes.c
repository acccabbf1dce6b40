#include "evaluate/modes.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "law/norm.h"
#include "rows/reactions.h"
#include "rows/least_norm.h"
#include "evaluate/departure_guide.h"
#include "evaluate/touches.h"

static int impedance_modes(const Impedance *e)
{
    return e->kind->modes != NULL ? e->kind->modes->count(e->parameters) : 0;
}

bool sti_mode_at(const StiNetwork *network, int number, ModePlace *place)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        const int count = impedance_modes(e);
        const int width = count > 0 ? e->size.discrete / count : 0;
        if (number < count) {
            *place = (ModePlace){false, i, number, e->s + number * width, width - 1};
            return true;
        }
        number -= count;
    }
    if (number < 0 || number >= network->reaction_count) return false;
    const Reaction *e = &network->reactions[number];
    *place = (ModePlace){true, number, 0, e->s, e->size.dim};
    return true;
}

int sti_mode_count(const StiNetwork *network)
{
    int count = network->reaction_count;
    for (int i = 0; i < network->impedance_count; ++i)
        count += impedance_modes(&network->impedances[i]);
    return count;
}

// u, ydot = I(xhat, y; tau) with the modes of s; other elements in continuous time, as far as the step
// resolves them.
static StiStatus impedances(const StiNetwork *network, const double *s, StiScratch *scratch,
                            StageData *now)
{
    StiStage continuous = now->stage;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        double *u = now->u + e->wire.v;
        sti_listen(&e->connections, now);
        if (e->reads_load && scratch->loads_unknown) {
            memset(u, 0, (size_t)e->wire.size.velocities * sizeof *u);
            memset(now->ydot + e->y, 0, (size_t)e->size.memory * sizeof *now->ydot);
            continue;
        }
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        const StiImpedanceModes *modes = e->kind->modes;
        continuous.tau = network->method->cuts && e->kind->stays_within ? network->step : 0.0;
        StiStatus status = modes != NULL
                               ? modes->eval(e->parameters, &now->stage, &xhat, now->y + e->y,
                                             s + e->s, u, now->ydot + e->y)
                               : e->kind->eval(e->parameters, &continuous, &xhat, now->y + e->y,
                                               s + e->s, u, now->ydot + e->y);
        if (status == STI_OK && !sti_all_finite(u, e->wire.size.velocities))
            status = STI_NOT_FINITE;
        if (status != STI_OK) return sti_fault(scratch, status, e->name, "force", &now->stage);
    }
    return STI_OK;
}

bool sti_mode_keeps_direction(const Reaction *e, const double *s)
{
    return e->size.dim == 1 || s[e->s] == STI_DEPART;
}

double sti_mode_speed_along(int dim, const double *kept, const double *v)
{
    double speed = 0.0;
    for (int d = 0; d < dim; ++d) speed += kept[d] * v[d];
    return speed;
}

// Along one axis slip keeps its direction until it ends.
static void slip_along_axis(const Reaction *e, const double *s, StageData *now)
{
    const double kept = s[e->s + 1], length = fabs(kept), v = now->velocity[e->wire.v];
    if (e->damper) {
        const double level = e->kind->modes->level(e->parameters, fabs(v), v < 0.0 ? -1.0 : 1.0,
                                                   now->ports + e->port);
        now->u[e->wire.v] = v < 0.0 ? -level : level;
        return;
    }
    const double speed = 0.0 + kept * now->velocity[e->wire.v];
    const double level =
        e->kind->modes->level(e->parameters, speed, sti_direction(1, &kept), now->ports + e->port);
    now->u[e->wire.v] = length > 0.0 ? level * (kept / length) : 0.0;
}

// The level along the velocity; at rest: along the kept direction.
static void slip_in_plane(const Reaction *e, const double *s, const DepartureGuide *guide,
                          StageData *now)
{
    const int dim = e->size.dim;
    const double *v = now->velocity + e->wire.v, *kept = s + e->s + 1;
    const bool keeps = sti_mode_keeps_direction(e, s);
    double guided[STI_REACTION_DIM_MAX];
    if (keeps && guide != NULL && guide->length > 0.0) {
        sti_departure_direction(guide, e, kept, now->stage.t, guided);
        kept = guided;
    }
    const double speed = keeps ? sti_mode_speed_along(dim, kept, v) : sti_norm(dim, v);
    const double *along = keeps || !(speed > 0.0) ? kept : v;
    const double length = sti_norm(dim, along);
    const double level = e->kind->modes->level(e->parameters, speed, sti_direction(dim, along),
                                               now->ports + e->port);
    for (int d = 0; d < dim; ++d)
        now->u[e->wire.v + d] = length > 0.0 ? level * (along[d] / length) : 0.0;
}

// Slipping reactions give their level; stuck ones nothing yet.
static void slip_forces(const StiNetwork *network, const double *s, const StiScratch *scratch,
                        StageData *now)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        sti_listen(&e->connections, now);
        if (s[e->s] == STI_STICK || (e->reads_load && scratch->loads_unknown))
            for (int d = 0; d < e->size.dim; ++d) now->u[e->wire.v + d] = 0.0;
        else if (e->size.dim == 1)
            slip_along_axis(e, s, now);
        else
            slip_in_plane(e, s, scratch->guide, now);
    }
}

static void push_all(const StiNetwork *network, const StiScratch *scratch, StageData *now)
{
    sti_phi_all(network, now);
    if (scratch->touches->count > 0) sti_touches_push(scratch->touches, now->wrenches);
}

void sti_modes_hold_coordinates(const StiNetwork *network, const double *s, StiScratch *scratch)
{
    Holding *holding = scratch->holding;
    holding->outside = 0;
    if (network->reaction_count == 0) return;
    memset(holding->held, 0, (size_t)network->generalized_count * sizeof *holding->held);
    memset(holding->any, 0, (size_t)network->admittance_count * sizeof *holding->any);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (s[e->s] != STI_STICK) continue;
        if (!e->held) {
            ++holding->outside;
            continue;
        }
        for (int d = 0; d < e->size.dim; ++d) holding->held[e->wire.own_force + d] = true;
        holding->any[e->wire.wire.a.admittance] = true;
    }
}

static bool is_prescribed(const StiNetwork *network, const StiEnd *end)
{
    return end->admittance >= 0 && network->admittances[end->admittance].kind->prescribed;
}

// Accelerations of stuck coordinates to zero by assignment, so that they never creep by rounding.
static void assign_accelerations(const StiNetwork *network, const double *s, bool held_too,
                                 StiScratch *scratch, StageData *now)
{
    bool any = false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        const bool stuck = s[network->reactions[i].s] == STI_STICK &&
                           (held_too || !network->reactions[i].held) &&
                           !is_prescribed(network, &wire->a) && !is_prescribed(network, &wire->b);
        scratch->reactions->answers[i].stuck = stuck;
        any = any || stuck;
    }
    if (any) sti_assign_stuck(network, scratch, now->ports, now->xdot);
}

static void take_held_forces(const StiNetwork *network, const double *s, const StiScratch *scratch,
                             StageData *now)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!e->held || s[e->s] != STI_STICK) continue;
        const double *taken = scratch->holding->taken + e->wire.own_force;
        for (int d = 0; d < e->size.dim; ++d) {
            now->u[e->wire.v + d] = taken[d];
            now->generalized[e->wire.own_force + d] -= taken[d];
        }
    }
}

// lambda of the stuck rows that no body holds: (J H^-1 J^T)_SS lambda = J_S a + Jdot_S v, a the
// acceleration without.
static StiStatus stuck_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                              StageData *now)
{
    ReactionData *data = scratch->reactions;
    const int count = sti_modes_factor(network, s, scratch, now);
    if (count < 0) return scratch->fault.status;
    if (count == 0) return STI_OK;
    sti_modes_accelerations(network, scratch, now);
    double *rate = scratch->holding->rate, *lambda = scratch->holding->lambda;
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[data->owner[p]];
        rate[p] = scratch->evaluate->wire_rate[e->wire.v + data->rows[p] - e->row];
    }
    sti_modes_solve(network, scratch, now, count);
    if (scratch->holding->singular) sti_modes_ease(network, scratch, now, count);
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[data->owner[p]];
        now->u[e->wire.v + data->rows[p] - e->row] = lambda[p];
    }
    push_all(network, scratch, now);
    const StiStatus status = sti_admittances_held(network, scratch, now);
    if (status == STI_OK) assign_accelerations(network, s, false, scratch, now);
    return status;
}

// Accelerations with the forces of closed contacts and the resistances of all that sticks.
static StiStatus touch_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                              StageData *now)
{
    StiStatus status = sti_touches_forces(network, s, scratch, now);
    if (status != STI_OK) return status;
    push_all(network, scratch, now);
    if (network->iterates_loads) status = sti_admittances(network, scratch, now);
    if (status == STI_OK && network->reaction_count > 0)
        assign_accelerations(network, s, true, scratch, now);
    sti_touches_powers(network, scratch->touches, now->contact_power);
    return status;
}

static StiStatus held_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                             StageData *now)
{
    StiStatus status = sti_admittances_held(network, scratch, now);
    scratch->holding->at_ease = false;
    if (status == STI_OK && scratch->holding->outside > 0)
        status = stuck_forces(network, s, scratch, now);
    if (status == STI_OK) take_held_forces(network, s, scratch, now);
    return status;
}

// Forces and accelerations that agree with the loads they make; or under the loads as they are.
static StiStatus settle_loads(const StiNetwork *network, const double *s, bool settle,
                              StiScratch *scratch, StageData *now)
{
    int iterations = 0;
    StiStatus status = STI_OK;
    scratch->evaluate->modes = s;
    ++scratch->figures.evaluations;
    for (;;) {
        status = impedances(network, s, scratch, now);
        if (status != STI_OK) return status;
        slip_forces(network, s, scratch, now);
        if (scratch->touches->count > 0) sti_touches_clear(scratch->touches);
        sti_phi_all(network, now);
        status =
            (scratch->touches->count > 0 ? touch_forces : held_forces)(network, s, scratch, now);
        if (status != STI_OK || !settle ||
            !sti_loads_moved(network, scratch, now, &iterations, &status))
            return status;
    }
}

// Motion of the wires, and what stuck rows must know beforehand.
static void look(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                 StageData *now)
{
    if (scratch->touches->count > 0) {
        scratch->rows->at = now;
        if (sti_touches_lie_at(network, scratch->touches, now->x))
            sti_rows_pose_robots(network, scratch->rows, now->frames);
        else
            sti_rows_place_robots(network, scratch->rows, now->frames);
        sti_pose_but_robots(network, now);
        sti_sense_all(network, now);
        sti_touches_place(network, scratch, now);
    } else {
        sti_psi(network, now);
    }
    const bool known = scratch->holding->outside > 0 || scratch->touches->count > 0;
    if (known) sti_modes_reaction_drifts(network, inputs, scratch, now);
}

StiStatus sti_modes_accelerate(const StiNetwork *network, const double *inputs, const double *s,
                               StiScratch *scratch, bool placed, StageData *now)
{
    if (!placed) look(network, inputs, scratch, now);
    sti_touches_clear(scratch->touches);
    sti_phi_all(network, now);
    return touch_forces(network, s, scratch, now);
}

StiStatus sti_modes_slopes(const StiNetwork *network, const double *inputs, const double *s,
                           StiScratch *scratch, StageData *now)
{
    look(network, inputs, scratch, now);
    return settle_loads(network, s, true, scratch, now);
}

StiStatus sti_modes_evaluate(const StiNetwork *network, const double *inputs, const double *s,
                             StiScratch *scratch, StageData *now)
{
    if (sti_watch_ends(&scratch->watch))
        return sti_fault(scratch, STI_INTERRUPTED, "", "", &now->stage);
    StiStatus status = sti_sources(network, inputs, scratch, now);
    sti_modes_hold_coordinates(network, s, scratch);
    if (status == STI_OK) status = sti_modes_slopes(network, inputs, s, scratch, now);
    if (status == STI_OK) sti_modes_rates(network, inputs, scratch, now);
    return status;
}

StiStatus sti_modes_estimate(const StiNetwork *network, const double *inputs, const double *s,
                             StiScratch *scratch, StageData *now)
{
    StiStatus status = sti_sources(network, inputs, scratch, now);
    if (status != STI_OK) return status;
    sti_modes_hold_coordinates(network, s, scratch);
    look(network, inputs, scratch, now);
    status = settle_loads(network, s, false, scratch, now);
    if (status == STI_OK) sti_modes_rates(network, inputs, scratch, now);
    return status;
}

StiStatus sti_modes_push_smooth(const StiNetwork *network, const double *inputs, const double *s,
                                StiScratch *scratch, StageData *now)
{
    StiStatus status = sti_sources(network, inputs, scratch, now);
    if (status != STI_OK) return status;
    look(network, inputs, scratch, now);
    status = impedances(network, s, scratch, now);
    if (status != STI_OK) return status;
    slip_forces(network, s, scratch, now);
    sti_touches_clear(scratch->touches);
    sti_phi_all(network, now);
    return STI_OK;
}
