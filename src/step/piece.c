// One piece of a step, modes fixed: an additive Runge-Kutta pair, A explicit and AI implicit.
#include <string.h>

#include "step/pieces.h"

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

// vbar = v + h sum [A (a_j - P_j) + AI P_j]
static void free_velocity(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    PieceData *data = &scratch->pieces;
    const StiMethod *pair = network->pair;
    const int all = network->generalized_count;
    for (int k = 0; k < network->admittance_count; ++k) {
        const Admittance *a = &network->admittances[k];
        for (int d = 0; d < a->size.velocities; ++d) {
            double v = data->x[a->v + d];
            for (int j = 0; j < i; ++j) {
                const double P = data->P[j * all + a->generalized + d];
                const double rate = scratch->stages[j].xdot[a->v + d];
                v += h * (pair->A[i][j] * (rate - P) + pair->AI[i][j] * P);
            }
            data->vbar[a->generalized + d] = v;
        }
    }
}

// Memory that a mode goes with lacks its last tau, which the element itself adds; other memory is
// explicit.
static void stage_memory(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    const PieceData *data = &scratch->pieces;
    const StiMethod *pair = network->pair;
    StageData *now = &scratch->stages[i];
    for (int k = 0; k < network->impedance_count; ++k) {
        const Impedance *e = &network->impedances[k];
        const double *A = e->kind->modes != NULL ? pair->AI[i] : pair->A[i];
        for (int d = e->y; d < e->y + e->size.memory; ++d) {
            now->y[d] = data->y[d];
            for (int j = 0; j < i; ++j) now->y[d] += h * A[j] * scratch->stages[j].ydot[d];
        }
    }
}

// v = vbar + tau P; positions with the same v, quaternions by the explicit part.
static void stage_motion(const StiNetwork *network, StiScratch *scratch, int i, double h)
{
    const PieceData *data = &scratch->pieces;
    const StiMethod *pair = network->pair;
    const double tau = pair->gamma * h, *P = data->P + i * network->generalized_count;
    StageData *now = &scratch->stages[i];
    for (int k = 0; k < network->admittance_count; ++k) {
        const Admittance *a = &network->admittances[k];
        const bool plain = a->size.positions == a->size.velocities;
        for (int d = 0; d < a->size.velocities; ++d)
            now->x[a->v + d] = data->vbar[a->generalized + d] + tau * P[a->generalized + d];
        for (int d = 0; d < a->size.positions; ++d) {
            double q = data->x[a->q + d];
            for (int j = 0; j < i; ++j)
                q += h * (plain ? pair->AI[i][j] : pair->A[i][j]) *
                     scratch->stages[j].xdot[a->q + d];
            now->x[a->q + d] = plain ? q + tau * now->x[a->v + d] : q;
        }
    }
}

// q+, e+ and vb with the weights b.
static void add_slopes(const StiNetwork *network, StiScratch *scratch, double h)
{
    PieceData *data = &scratch->pieces;
    memcpy(data->x_end, data->x, (size_t)network->x_count * sizeof *data->x);
    memcpy(data->y_end, data->y, (size_t)network->y_count * sizeof *data->y);
    for (int r = 0; r < network->pair->stages; ++r) {
        const double weight = h * network->pair->b[r];
        const StageData *stage = &scratch->stages[r];
        for (int i = 0; i < network->x_count; ++i) data->x_end[i] += weight * stage->xdot[i];
        for (int i = 0; i < network->y_count; ++i) data->y_end[i] += weight * stage->ydot[i];
    }
}

// v+ = v_s + 2 d1 - d2: what the explicit part would shake into stiff modes is taken out.
static void damp(const StiNetwork *network, StiScratch *scratch, double tau)
{
    PieceData *data = &scratch->pieces;
    const StageData *last = &scratch->stages[network->pair->stages - 1];
    double *d = data->vbar;
    if (data->elastic == 0) return;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < network->admittance_count; ++k) {
            const Admittance *a = &network->admittances[k];
            for (int i = 0; pass == 0 && i < a->size.velocities; ++i)
                d[a->generalized + i] = data->x_end[a->v + i] - last->x[a->v + i];
        }
        sti_implicit_damp(network, scratch, tau, d);
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
    PieceData *data = &scratch->pieces;
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

StiStatus sti_piece(const StiNetwork *network, const double *inputs, StiScratch *scratch, double h)
{
    PieceData *data = &scratch->pieces;
    const StiMethod *pair = network->pair;
    const double tau = pair->gamma * h;
    const int all = network->generalized_count;
    StiStatus status = STI_OK;
    data->rested = false;
    ++scratch->figures.pieces;
    if (tau > 0.0) status = sti_implicit_columns(network, scratch);
    if (status == STI_OK && tau > 0.0 && !sti_implicit_factor(network, scratch, tau))
        status = sti_fault(scratch, STI_NOT_FINITE, "", "stiffness", &scratch->stages[0].stage);
    if (status == STI_OK && tau > 0.0) sti_implicit_start(network, scratch, tau, data->P);
    for (int i = 1; i < pair->stages && status == STI_OK; ++i) {
        StageData *now = &scratch->stages[i];
        set_stage(network, scratch, now, data->t + pair->c[i] * h, tau);
        memcpy(now->loads, scratch->stages[i - 1].loads,
               (size_t)network->load_count * sizeof(double));
        free_velocity(network, scratch, i, h);
        stage_memory(network, scratch, i, h);
        if (tau > 0.0)
            status = sti_implicit_stage(network, scratch, tau, now, data->vbar, data->P + i * all);
        if (status != STI_OK) break;
        stage_motion(network, scratch, i, h);
        status = sti_modes_evaluate(network, inputs, data->s, scratch, now);
    }
    if (status != STI_OK) return status;
    add_slopes(network, scratch, h);
    if (tau > 0.0) damp(network, scratch, tau);
    round_off(network, scratch, h);
    return sti_modes_hold(network, data->s, scratch, &scratch->stages[pair->stages - 1],
                          data->x_end);
}

StiStatus sti_piece_close(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                          double h, StiMargin *margins)
{
    PieceData *data = &scratch->pieces;
    StageData *close = &data->close;
    set_stage(network, scratch, close, data->t + h, 0.0);
    memcpy(close->x, data->x_end, (size_t)network->x_count * sizeof *close->x);
    memcpy(close->y, data->y_end, (size_t)network->y_count * sizeof *close->y);
    memcpy(close->loads, scratch->stages[network->pair->stages - 1].loads,
           (size_t)network->load_count * sizeof(double));
    const StiStatus status = sti_modes_evaluate(network, inputs, data->s, scratch, close);
    if (status == STI_OK) sti_modes_margins(network, data->s, scratch, close, margins);
    return status;
}
