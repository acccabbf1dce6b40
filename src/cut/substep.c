// One piece of a step, modes fixed: an additive Runge-Kutta pair, A explicit and AI implicit.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "cut/account.h"
#include "cut/slopes.h"
#include "cut/substep.h"
#include "evaluate/touches.h"

enum { TURNS = 12, TURNING_MOST = 512 };
static const double turn_rounding = 1e-15;

static void set_stage(const StiNetwork *network, const StiScratch *scratch, StageData *now,
                      double t, double tau)
{
    now->stage = (StiStage){.t = t,
                            .tau = tau,
                            .step = network->step,
                            .k = scratch->stages[0].stage.k,
                            .gravity = network->gravity,
                            .workspace = scratch->workspace};
}

// The time of a piece's stage; the step ends exactly where the next begins.
static double time_at(const SubstepData *data, double c, double h)
{
    return c == 1.0 && h == data->rest ? data->t_end : data->t + c * h;
}

// x and y together.
static int numbers(const StiNetwork *network) { return network->x_count + network->y_count; }

static void copy_numbers(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

// to = from + sum of h weights[r] times the slopes of the stages.
static void add_slopes(const StiNetwork *network, const StiScratch *scratch, int stages,
                       const double *weights, double h, const double *from, double *to)
{
    const int count = numbers(network);
    for (int r = 0; r < stages; ++r) {
        const double weight = h * weights[r];
        const double *slope = scratch->stages[r].xdot;
        if (weight == 0.0) continue;
        for (int k = 0; k < count; ++k) to[k] = from[k] + weight * slope[k];
        from = to;
    }
    if (from != to) copy_numbers(to, from, count);
}

// Nothing implicit: all of x and y alike.
static void stage_explicit(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    add_slopes(network, scratch, i, network->pair->A[i], h, scratch->substep->x,
               scratch->stages[i].x);
}

// vbar = v + h sum [A (a_j - P_j) + AI P_j]; where P are forces, these stand apart in own_force.
static void free_velocity(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    SubstepData *data = scratch->substep;
    for (int k = 0; k < network->admittance_count; ++k) {
        const Admittance *a = &network->admittances[k];
        const int count = a->size.velocities;
        double *v = data->vbar + a->generalized, *force = data->own_force + a->generalized;
        copy_numbers(v, data->x + a->v, count);
        memset(force, 0, (size_t)count * sizeof *force);
        for (int j = 0; j < i; ++j) {
            const double A = network->pair->A[i][j], AI = network->pair->AI[i][j];
            const double *P = data->P + j * network->generalized_count + a->generalized;
            const double *rate = scratch->stages[j].xdot + a->v;
            for (int d = 0; a->adds && d < count; ++d) {
                v[d] += h * (A * rate[d]);
                force[d] += h * ((AI - A) * P[d]);
            }
            for (int d = 0; !a->adds && d < count; ++d)
                v[d] += h * (A * (rate[d] - P[d]) + AI * P[d]);
        }
    }
}

// Memory that a mode goes with lacks its last tau, which the element itself adds; other memory is
// explicit. Neighbours of the same sort together.
static void stage_memory(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    const Impedance *impedances = network->impedances;
    const int all = network->impedance_count;
    double *y = scratch->stages[i].y;
    copy_numbers(y, scratch->substep->y, network->y_count);
    for (int k = 0; k < all;) {
        const bool modes = impedances[k].kind->modes != NULL;
        const double *A = modes ? network->pair->AI[i] : network->pair->A[i];
        const int first = impedances[k].y;
        while (k < all && (impedances[k].kind->modes != NULL) == modes) ++k;
        const int end = k < all ? impedances[k].y : network->y_count;
        for (int j = 0; j < i; ++j) {
            const double share = h * A[j], *ydot = scratch->stages[j].ydot;
            for (int d = first; d < end; ++d) y[d] += share * ydot[d];
        }
    }
}

// q = from + tau qdot(q, v), q: in (from) and out. Quaternions turn by tau |w|/2, little: that converges fast.
static void turn_implicitly(const Admittance *a, const double *v, double tau, double *qdot,
                            double *q)
{
    double from[TURNING_MOST];
    const int count = a->size.positions;
    copy_numbers(from, q, count);
    for (int k = 0; k < TURNS; ++k) {
        double change = 0.0;
        a->kind->rates(a->parameters, q, v, qdot);
        for (int d = 0; d < count; ++d) {
            const double next = from[d] + tau * qdot[d];
            change = fmax(change, fabs(next - q[d]));
            q[d] = next;
        }
        if (!(change > turn_rounding)) return;
    }
}

// v = vbar + tau P (bodies that add have it in vbar already); positions with the same v, quaternions by the
// explicit part unless something steep answers to them.
static void stage_motion(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    const SubstepData *data = scratch->substep;
    const StiMethod *pair = network->pair;
    const double tau = pair->gamma * h;
    for (int k = 0; k < network->admittance_count; ++k) {
        const Admittance *a = &network->admittances[k];
        const bool plain = a->size.positions == a->size.velocities;
        const bool turns = !plain && network->slope_count > 0 && a->kind->rates != NULL &&
                           a->size.positions <= TURNING_MOST;
        const double *A = plain || turns ? pair->AI[i] : pair->A[i];
        const double *vbar = data->vbar + a->generalized;
        const double *P = data->P + i * network->generalized_count + a->generalized;
        double *q = scratch->stages[i].x + a->q, *v = scratch->stages[i].x + a->v;
        for (int d = 0; d < a->size.velocities; ++d) v[d] = vbar[d] + (a->adds ? 0.0 : tau * P[d]);
        copy_numbers(q, data->x + a->q, a->size.positions);
        for (int j = 0; j < i; ++j) {
            const double share = h * A[j], *rate = scratch->stages[j].xdot + a->q;
            for (int d = 0; d < a->size.positions; ++d) q[d] += share * rate[d];
        }
        for (int d = 0; plain && d < a->size.positions; ++d) q[d] += tau * v[d];
        if (turns) turn_implicitly(a, v, tau, scratch->stages[i].xdot + a->q, q);
    }
}

// v+ = v_s + 2 d1 - d2: what the explicit part would shake into stiff modes is taken out.
static void damp(const StiNetwork *network, StiScratch *scratch, double tau)
{
    SubstepData *data = scratch->substep;
    const StageData *last = &scratch->stages[network->pair->stages - 1];
    double *d = data->vbar;
    if (data->elastic == 0 && !data->adds) return;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < network->admittance_count; ++k) {
            const Admittance *a = &network->admittances[k];
            for (int i = 0; pass == 0 && i < a->size.velocities; ++i)
                d[a->generalized + i] = data->x_end[a->v + i] - last->x[a->v + i];
        }
        if (data->near.applies)
            sti_near_damp(network, scratch, tau, d);
        else
            sti_implicit_damp(network, scratch, tau, d);
        sti_diagonal_damp(network, scratch, d);
        for (int k = 0; k < network->admittance_count; ++k) {
            const Admittance *a = &network->admittances[k];
            for (int i = 0; i < a->size.velocities; ++i) {
                double *v = &data->x_end[a->v + i];
                *v = pass == 0 ? last->x[a->v + i] + 2.0 * d[a->generalized + i]
                               : *v - d[a->generalized + i];
            }
        }
    }
}

// Sliding memory that is known exactly, where nothing is implicit; then unit quaternions.
static void round_off(const StiNetwork *network, StiScratch *scratch, double h)
{
    SubstepData *data = scratch->substep;
    const StageData *last = &scratch->stages[network->pair->stages - 1];
    for (int i = 0; network->pair->gamma == 0.0 && i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->modes != NULL && e->kind->modes->relax != NULL)
            e->kind->modes->relax(e->parameters, h, last->ports + e->port, data->s + e->s,
                                  data->y + e->y, data->y_end + e->y);
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0 && a->size.positions != a->size.velocities)
            a->kind->move(a->parameters, data->x_end + a->v, 0.0, data->x_end + a->q);
    }
}

// Rows, columns and factors for this tau, and the implicit part of stage 0.
static StiStatus begin_implicit(const StiNetwork *network, StiScratch *scratch, double tau)
{
    SubstepData *data = scratch->substep;
    sti_slopes_before(network, scratch, tau);
    StiStatus status = sti_near_columns(network, scratch);
    if (status == STI_OK && !data->near.applies) status = sti_implicit_columns(network, scratch);
    if (status == STI_OK) status = sti_diagonal_factor(network, scratch, tau);
    if (status != STI_OK) return status;
    if (!(data->near.applies ? sti_near_factor(network, scratch, tau)
                             : sti_implicit_factor(network, scratch, tau)))
        return sti_fault(scratch, STI_NOT_FINITE, "", "stiffness", &scratch->stages[0].stage);
    if (data->near.applies)
        sti_near_start(network, scratch, tau, data->P);
    else
        sti_implicit_start(network, scratch, tau, data->P);
    sti_diagonal_start(network, scratch, tau, data->P);
    return STI_OK;
}

static StiStatus stage_implicit(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    SubstepData *data = scratch->substep;
    const double tau = network->pair->gamma * h;
    const StageData *now = &scratch->stages[i];
    double *P = data->P + i * network->generalized_count;
    StiStatus status = STI_OK;
    free_velocity(network, scratch, i, h);
    stage_memory(network, scratch, i, h);
    sti_slopes_at_stage(network, scratch, i, h);
    if (data->near.applies)
        sti_near_stage(network, scratch, now, data->vbar, P);
    else
        status = sti_implicit_stage(network, scratch, tau, now, data->vbar, P);
    if (status != STI_OK) return status;
    sti_diagonal_stage(network, scratch, tau, now, data->vbar, P);
    stage_motion(network, scratch, i, h);
    return STI_OK;
}

// Where everything stands still, stages of the same time are the same.
static bool is_repeated(const StiNetwork *network, const StageData *before, const StageData *now)
{
    return before->stage.t == now->stage.t && before->stage.tau == now->stage.tau &&
           memcmp(before->x, now->x, (size_t)numbers(network) * sizeof *now->x) == 0;
}

// One stage, as far as it is not known from the one before: at least the time functions may be.
static StiStatus evaluate_after(const StiNetwork *network, const double *inputs,
                                StiScratch *scratch, const StageData *before, StageData *now)
{
    if (is_repeated(network, before, now)) {
        sti_stage_repeat(network, before, now);
        return STI_OK;
    }
    if (before->stage.t == now->stage.t) {
        sti_sources_again(network, before, now);
    } else {
        const StiStatus status = sti_sources(network, inputs, scratch, now);
        if (status != STI_OK) return status;
    }
    return sti_modes_slopes(network, inputs, scratch->substep->s, scratch, now);
}

StiStatus sti_substep(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                      double h)
{
    SubstepData *data = scratch->substep;
    const StiMethod *pair = network->pair;
    const double tau = pair->gamma * h;
    StiStatus status = STI_OK;
    data->rested = false;
    ++scratch->figures.substeps;
    sti_account_enter(network, scratch);
    sti_modes_hold_coordinates(network, data->s, scratch); // for all stages, and the end
    if (scratch->touches->count > 0) sti_touches_note_holders(network, data->s, scratch);
    scratch->touches->noted = scratch->touches->closed_only = true;
    if (tau > 0.0) status = begin_implicit(network, scratch, tau);
    for (int i = 1; i < pair->stages && status == STI_OK; ++i) {
        StageData *now = &scratch->stages[i];
        const StageData *before = &scratch->stages[i - 1];
        set_stage(network, scratch, now, time_at(data, pair->c[i], h), tau);
        copy_numbers(now->loads, before->loads, network->load_count);
        if (tau > 0.0)
            status = stage_implicit(network, scratch, i, h);
        else
            stage_explicit(network, scratch, i, h);
        if (status == STI_OK) status = evaluate_after(network, inputs, scratch, before, now);
    }
    scratch->touches->closed_only = false;
    scratch->touches->noted = status == STI_OK; // for its end
    if (status != STI_OK) return status;
    // q+, e+ and vb with the weights b
    add_slopes(network, scratch, pair->stages, pair->b, h, data->x, data->x_end);
    if (tau > 0.0) damp(network, scratch, tau);
    round_off(network, scratch, h);
    const StageData *last = &scratch->stages[pair->stages - 1];
    if (scratch->touches->count > 0) { // what has not moved is where it was evaluated last
        const size_t bytes = (size_t)network->x_count * sizeof *data->x_end;
        if (memcmp(data->x_end, last->x, bytes) == 0) return STI_OK;
        return sti_touches_return(network, data->s, scratch, last, data->x_end);
    }
    return sti_modes_stop_locked(network, data->s, scratch, last, data->x_end);
}

StiStatus sti_substep_close(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                            double h, StiMargin *margins)
{
    SubstepData *data = scratch->substep;
    StageData *close = &data->close;
    const StageData *last = &scratch->stages[network->pair->stages - 1];
    set_stage(network, scratch, close, time_at(data, 1.0, h), 0.0);
    copy_numbers(close->x, data->x_end, numbers(network));
    copy_numbers(close->loads, last->loads, network->load_count);
    const StiStatus status = evaluate_after(network, inputs, scratch, last, close);
    scratch->touches->noted = false;
    if (status != STI_OK) return status;
    if (scratch->touches->lies_closed_only) sti_touches_place(network, scratch, close);
    sti_modes_rates(network, inputs, scratch, close);
    data->probed = false;
    if (margins != NULL) sti_modes_margins(network, data->s, scratch, close, margins);
    return STI_OK;
}

// Slip in a plane goes along the velocity.
static void turn_slips(const StiNetwork *network, double *s, const StageData *now)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double *v = now->velocity + e->wire.v;
        const double speed = sti_norm(e->size.dim, v);
        if (e->size.dim == 1 || s[e->s] != STI_SLIP || !(speed > 0.0)) continue;
        for (int d = 0; d < e->size.dim; ++d) s[e->s + 1 + d] = v[d] / speed;
    }
}

void sti_substep_accept(const StiNetwork *network, StiScratch *scratch, double h)
{
    SubstepData *data = scratch->substep;
    copy_numbers(data->x, data->x_end, numbers(network));
    data->t = data->close.stage.t;
    data->rest -= h;
    data->columns_known = data->judged = false;
    const StageData start = scratch->stages[0];
    scratch->stages[0] = data->close; // evaluated there: the first stage of what follows
    data->close = start;
    sti_account_substep(scratch, h);
    if (network->planar) turn_slips(network, data->s, &scratch->stages[0]);
}
