// The implicit part of friction on single coordinates: Z stands on the diagonal of H, so that a body
// solves H + tau Z as it solves H (a robot in linear time), with stuck coordinates locked.
#include <string.h>

#include "cut/slopes.h"
#include "cut/substep.h"

static int coordinate_of(const StiNetwork *network, const Impedance *e)
{
    const StiEnd *end = &e->wire.wire.a;
    return network->admittances[end->admittance].generalized + end->place;
}

// What the other end of the wire moves with: a motion source at the start of the piece, or the ground.
static double velocity_beyond(const StiNetwork *network, const StageData *now, const Impedance *e)
{
    const StiEnd *end = &e->wire.wire.b;
    if (end->admittance < 0) return 0.0;
    const Admittance *source = &network->admittances[end->admittance];
    return now->ports[source->port + source->dim + end->place];
}

// Z of each element at the start of the piece, and tau Z on the diagonals.
static void fill_diagonals(const StiNetwork *network, StiScratch *scratch, double tau)
{
    SubstepData *data = scratch->substep;
    memset(data->added, 0, (size_t)network->generalized_count * sizeof *data->added);
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!e->diagonal) continue;
        sti_slope_of_impedance(scratch, e, tau, &data->Z_own[i]);
        data->added[coordinate_of(network, e)] += tau * data->Z_own[i];
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!e->diagonal) continue;
        data->Z_slip[i] = sti_slope_of_reaction(scratch, i, tau);
        data->added[e->wire.own_force] += tau * data->Z_slip[i];
    }
}

StiStatus sti_diagonal_factor(const StiNetwork *network, StiScratch *scratch, double tau)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    if (!data->adds) return STI_OK;
    fill_diagonals(network, scratch, tau);
    sti_modes_hold_coordinates(network, data->s, scratch);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const bool *held =
            scratch->holding->any[i] ? scratch->holding->held + a->generalized : NULL;
        if (!a->adds) continue;
        const StiStatus status =
            a->kind->prepare(a->parameters, now->x + a->q, held, data->added + a->generalized,
                             data->prepared + a->prepared);
        if (status != STI_OK) return sti_fault(scratch, status, a->name, "inertia", &now->stage);
    }
    return STI_OK;
}

// k of each element: what memory carries, less Z times the velocity beyond.
static void fill_carried(const StiNetwork *network, StiScratch *scratch, const double *y)
{
    SubstepData *data = scratch->substep;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!e->diagonal) continue;
        sti_carried_by_impedance(scratch, e, y, &data->k_own[i]);
        data->k_own[i] -= data->Z_own[i] * velocity_beyond(network, &scratch->stages[0], e);
    }
}

// force -= share (Z v + k) over all elements; v: laid out like generalized, NULL: the stage's own.
static void add_implicit(const StiNetwork *network, const SubstepData *data, const double *v,
                         double share, double *force)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!e->diagonal) continue;
        const int c = coordinate_of(network, e);
        force[c] -= share * (data->Z_own[i] * v[c] + data->k_own[i]);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const int c = e->wire.own_force;
        if (e->diagonal) force[c] -= share * data->Z_slip[i] * v[c];
    }
}

static void clear(const StiNetwork *network, double *force)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->adds) memset(force + a->generalized, 0, (size_t)a->dim * sizeof *force);
    }
}

// v += S0^-1 own_force
static void respond(const StiNetwork *network, StiScratch *scratch, double *v)
{
    SubstepData *data = scratch->substep;
    const Response *response = &scratch->reactions->response;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        double *dv = response->dv + a->generalized;
        if (!a->adds) continue;
        memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof(StiWrench));
        const StiForce force = {data->own_force + a->generalized, response->wrenches + a->link};
        a->kind->respond(a->parameters, data->prepared + a->prepared, scratch->stages[0].x + a->q,
                         &force, dv);
        for (int d = 0; d < a->size.velocities; ++d) v[a->generalized + d] += dv[d];
    }
}

void sti_diagonal_start(const StiNetwork *network, StiScratch *scratch, double tau, double *P)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    double *y = scratch->beside.y, *v = data->vbar;
    clear(network, P);
    if (!data->adds) return;
    for (int i = 0; i < network->y_count; ++i) y[i] = now->y[i] - tau * now->ydot[i];
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->adds)
            memcpy(v + a->generalized, now->x + a->v, (size_t)a->size.velocities * sizeof *v);
    }
    fill_carried(network, scratch, y);
    add_implicit(network, data, v, 1.0, P);
}

void sti_diagonal_stage(const StiNetwork *network, StiScratch *scratch, double tau,
                        const StageData *now, double *vbar, double *P)
{
    SubstepData *data = scratch->substep;
    clear(network, P);
    if (!data->adds) return;
    fill_carried(network, scratch, now->y);
    add_implicit(network, data, vbar, tau, data->own_force);
    respond(network, scratch, vbar);
    add_implicit(network, data, vbar, 1.0, P);
}

void sti_diagonal_damp(const StiNetwork *network, StiScratch *scratch, double *v)
{
    SubstepData *data = scratch->substep;
    if (!data->adds) return;
    for (int i = 0; i < network->generalized_count; ++i)
        data->own_force[i] = -data->added[i] * v[i];
    respond(network, scratch, v);
}
