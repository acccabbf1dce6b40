// The part of a piece that is implicit: friction that sticks behind springs, steep slopes (slopes.h), and
// friction that slides in a plane. Everything is expressed by the response of the bodies to forces along those rows, with
// the rows of stuck reactions locked.
#include <math.h>
#include <string.h>

#include "algebra/lu.h"
#include "law/norm.h"
#include "cut/slopes.h"
#include "cut/substep.h"
#include "rows/rates.h"
#include "rows/reactions.h"

enum { SWEEPS = 500 };
static const double sweep_tolerance = 1e-15; // of the largest velocity in play
static const double least_part = 1e-14;      // of an inertia that steep rows beside it leave
// What stuck rows leave of W is a difference: where they leave nothing it may be less, by rounding.
static const double locked_rounding = 1e-12; // of W without them

static int row_count(const SubstepData *data) { return data->elastic + data->planar; }

static int add_rows(SubstepData *data, const Wire *wire, int element, bool reaction)
{
    for (int d = 0; d < wire->size.velocities; ++d)
        data->rows[row_count(data) + d] = (SubstepRow){wire, element, d, reaction};
    return wire->size.velocities;
}

// Slip in a plane, and along one axis with a law that bends.
static bool slides_as_whole(const SubstepData *data, const Reaction *e)
{
    const double mode = data->s[e->s];
    return (e->size.dim > 1 || e->bends) && mode != STI_STICK && mode != STI_DEPART;
}

static void choose_rows(const StiNetwork *network, SubstepData *data, bool all)
{
    data->elastic = data->planar = 0;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!sti_is_implicit(e) || (!all && e->diagonal)) continue;
        data->elastic += add_rows(data, &e->wire, i, false);
    }
    for (int i = 0; !all && i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!e->steep || e->bends || e->diagonal || data->s[e->s] == STI_STICK) continue;
        data->elastic += add_rows(data, &e->wire, i, true);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (all || slides_as_whole(data, e)) data->planar += add_rows(data, &e->wire, i, true);
    }
}

static void respond_all(const StiNetwork *network, const StageData *now, const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i)
        if (network->admittances[i].size.velocities > 0) sti_response_of(network, now, response, i);
    sti_rates_pose(network, now, false, response);
}

// Only the bodies that the wire pushes on move.
static void respond_to(const StiNetwork *network, const StageData *now, const Response *response,
                       const Wire *wire)
{
    int bodies[2];
    const int count = sti_wire_bodies(network, &wire->wire, bodies);
    memset(response->dv, 0, (size_t)network->generalized_count * sizeof *response->dv);
    for (int i = 0; i < count; ++i)
        if (network->admittances[bodies[i]].size.velocities > 0)
            sti_response_of(network, now, response, bodies[i]);
    sti_rates_pose(network, now, false, response);
}

// What the stuck reactions add, so that their rows do not move.
static void lock(const StiNetwork *network, StiScratch *scratch, const StageData *now, int count)
{
    const ReactionData *data = scratch->reactions;
    double *rate = scratch->holding->rate, *lambda = scratch->holding->lambda;
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[data->owner[p]];
        double rates[STI_REACTION_DIM_MAX];
        sti_rates_sense(network, scratch, now, &e->wire, rates);
        rate[p] = rates[data->rows[p] - e->row];
    }
    sti_modes_solve_freely(network, scratch, count);
    for (int p = 0; p < count; p += network->reactions[data->owner[p]].size.dim)
        sti_wire_push(network, &network->reactions[data->owner[p]].wire, now, lambda + p,
                      data->response.force, data->response.wrenches);
    respond_all(network, now, &data->response);
}

static void fill_column(const StiNetwork *network, StiScratch *scratch, int row, int locked)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    const Response *response = &scratch->reactions->response;
    const int rows = row_count(data), all = network->generalized_count;
    double unit[24] = {0.0}, rates[24];
    unit[data->rows[row].axis] = 1.0;
    memset(response->force, 0, (size_t)all * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
    sti_wire_push(network, data->rows[row].wire, now, unit, response->force, response->wrenches);
    respond_to(network, now, response, data->rows[row].wire);
    sti_rates_sense(network, scratch, now, data->rows[row].wire, rates);
    data->W_free[row] = locked > 0 ? -rates[data->rows[row].axis] : 0.0;
    if (locked > 0) lock(network, scratch, now, locked);
    memcpy(data->columns + row * all, response->dv, (size_t)all * sizeof(double));
    for (int r = 0; r < rows; r += data->rows[r].wire->size.velocities) {
        sti_rates_sense(network, scratch, now, data->rows[r].wire, rates);
        for (int d = 0; d < data->rows[r].wire->size.velocities; ++d)
            data->W[(r + d) * rows + row] = -rates[d];
    }
}

static StiStatus fill_columns(const StiNetwork *network, StiScratch *scratch, bool all)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    int culprit = 0;
    choose_rows(network, data, all);
    if (row_count(data) == 0) return STI_OK;
    if (network->contact_count > 0) return sti_implicit_columns_in_contact(network, scratch);
    if (!all) sti_modes_hold_coordinates(network, data->s, scratch);
    const StiStatus status = sti_response_prepare(network, now, all ? NULL : scratch->holding->held,
                                                  &scratch->reactions->response, &culprit);
    if (status != STI_OK)
        return sti_fault(scratch, status, network->admittances[culprit].name, "inertia",
                         &now->stage);
    const int locked = all ? 0 : sti_modes_factor(network, data->s, scratch, now);
    if (locked < 0) return scratch->fault.status;
    for (int row = 0; row < row_count(data); ++row) fill_column(network, scratch, row, locked);
    return STI_OK;
}

StiStatus sti_implicit_columns(const StiNetwork *network, StiScratch *scratch)
{
    SubstepData *data = scratch->substep;
    if (data->columns_known) return STI_OK;
    data->columns_known = true;
    return fill_columns(network, scratch, false);
}

StiStatus sti_implicit_all_columns(const StiNetwork *network, StiScratch *scratch)
{
    scratch->substep->columns_known = false;
    return fill_columns(network, scratch, true);
}

// Z of all elastic rows at the start of the piece.
static void fill_tangents(const StiNetwork *network, StiScratch *scratch, double tau)
{
    SubstepData *data = scratch->substep;
    const int m = data->elastic;
    memset(data->Z, 0, (size_t)(m * m) * sizeof *data->Z);
    for (int r = 0; r < m; r += data->rows[r].wire->size.velocities) {
        const SubstepRow *row = &data->rows[r];
        const int width = row->wire->size.velocities;
        double Z[24 * 24];
        if (row->reaction)
            Z[0] = sti_slope_of_reaction(scratch, row->element, tau);
        else
            sti_slope_of_impedance(scratch, &network->impedances[row->element], tau, Z);
        for (int d = 0; d < width; ++d)
            for (int k = 0; k < width; ++k) data->Z[(r + d) * m + r + k] = Z[d * width + k];
    }
}

static double entry_of_ZW(const SubstepData *data, int i, int column)
{
    const int width = data->rows[i].wire->size.velocities, first = i - data->rows[i].axis;
    double sum = 0.0;
    for (int k = first; k < first + width; ++k)
        sum += data->Z[i * data->elastic + k] * data->W[k * row_count(data) + column];
    return sum;
}

// W of the planar rows when the elastic ones give way: W_PP - tau W_PE (I + tau Z W_EE)^-1 Z W_EP.
static void fill_planar(SubstepData *data, double tau)
{
    const int m = data->elastic, n = data->planar, rows = m + n;
    for (int c = 0; c < n; ++c) {
        for (int i = 0; i < m; ++i) data->column[i] = entry_of_ZW(data, i, m + c);
        sti_lu_solve(m, data->ZW, data->pivots, data->column);
        for (int r = 0; r < n; ++r) {
            double *W = &data->W_planar[r * n + c];
            *W = data->W[(m + r) * rows + m + c];
            for (int i = 0; i < m; ++i) *W -= tau * data->W[(m + r) * rows + i] * data->column[i];
            if (r == c) *W = fmax(fmax(*W, least_part * data->W[(m + r) * rows + m + c]), 0.0);
        }
    }
}

bool sti_implicit_factor(const StiNetwork *network, StiScratch *scratch, double tau)
{
    SubstepData *data = scratch->substep;
    const int m = data->elastic;
    fill_tangents(network, scratch, tau);
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < m; ++k) data->ZW[i * m + k] = (i == k) + tau * entry_of_ZW(data, i, k);
    if (!sti_lu_factor(m, data->ZW, data->pivots)) return false;
    fill_planar(data, tau);
    return true;
}

// Velocities of all rows when the bodies move with v, into bar.
static void sense_rows(const StiNetwork *network, StiScratch *scratch, const double *v,
                       bool sources_move)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    const Response *response = &scratch->reactions->response;
    memcpy(response->dv, v, (size_t)network->generalized_count * sizeof *v);
    sti_rates_pose(network, now, sources_move, response);
    for (int r = 0; r < row_count(data); r += data->rows[r].wire->size.velocities)
        sti_rates_sense(network, scratch, now, data->rows[r].wire, data->bar + r);
}

// x := Z x over the elastic rows
static void multiply_Z(const SubstepData *data, const double *x, double *Zx)
{
    const int m = data->elastic;
    for (int i = 0; i < m; ++i) {
        Zx[i] = 0.0;
        for (int k = 0; k < m; ++k) Zx[i] += data->Z[i * m + k] * x[k];
    }
}

// Adds k, the part of the elastic forces that memory carries.
static void add_carried(const StiNetwork *network, StiScratch *scratch, const double *y)
{
    SubstepData *data = scratch->substep;
    for (int r = 0; r < data->elastic; r += data->rows[r].wire->size.velocities) {
        const Impedance *e = &network->impedances[data->rows[r].element];
        double k[24];
        if (data->rows[r].reaction) continue;
        sti_carried_by_impedance(scratch, e, y, k);
        for (int d = 0; d < e->wire.size.velocities; ++d) data->phi[r + d] += k[d];
    }
}

static void combine_columns(const StiNetwork *network, const SubstepData *data, double *P)
{
    const int all = network->generalized_count;
    memset(P, 0, (size_t)all * sizeof *P);
    for (int r = 0; r < row_count(data); ++r)
        for (int i = 0; i < all; ++i) P[i] += data->phi[r] * data->columns[r * all + i];
}

// e of stage 0 as that of any stage: what it was tau before.
void sti_implicit_start(const StiNetwork *network, StiScratch *scratch, double tau, double *P)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    double *y = scratch->beside.y;
    for (int i = 0; i < network->y_count; ++i) y[i] = now->y[i] - tau * now->ydot[i];
    for (int r = 0; r < row_count(data); ++r) {
        const int place = data->rows[r].wire->v + data->rows[r].axis;
        data->bar[r] = now->velocity[place];
        data->phi[r] = now->u[place];
    }
    multiply_Z(data, data->bar, data->phi);
    add_carried(network, scratch, y);
    combine_columns(network, data, P);
}

// Contacts that rub make W of other rows unsymmetric: what is left is explicit, so that this need not be exact.
static void make_definite(int dim, double *W)
{
    for (int d = 0; d < dim; ++d)
        for (int k = 0; k < dim; ++k) {
            const double most = 0.5 * sqrt(W[d * dim + d] * W[k * dim + k]);
            if (d != k) W[d * dim + k] = fmax(-most, fmin(most, W[d * dim + k]));
        }
}

// The local problem of a planar reaction under the resistances of the others.
static StiStatus slide_one(const StiNetwork *network, StiScratch *scratch, double tau,
                           const StageData *now, int p, double *change, double *scale)
{
    SubstepData *data = scratch->substep;
    const int m = data->elastic, n = data->planar;
    const Reaction *e = &network->reactions[data->rows[m + p].element];
    const int dim = e->size.dim;
    double W[9], vbar[3], most = 0.0;
    for (int d = 0; d < dim; ++d) {
        most = fmax(most, data->W_free[m + p + d]);
        vbar[d] = data->column[p + d];
        for (int k = 0; k < n; ++k)
            if (k < p || k >= p + dim)
                vbar[d] -= tau * data->W_planar[(p + d) * n + k] * data->phi[m + k];
        for (int k = 0; k < dim; ++k)
            W[d * dim + k] =
                0.5 * (data->W_planar[(p + d) * n + p + k] + data->W_planar[(p + k) * n + p + d]);
    }
    for (int d = 0; d < dim; ++d) W[d * dim + d] += locked_rounding * most;
    if (network->contact_count > 0) make_definite(dim, W);
    const double slipping = STI_SLIP;
    const StiReactionProblem problem = {.dim = dim,
                                        .T = tau,
                                        .W = W,
                                        .v = vbar,
                                        .vbar = vbar,
                                        .signals = scratch->stages[0].ports + e->port};
    StiReactionAnswer answer;
    const StiStatus status = e->kind->resolve(e->parameters, &problem, &slipping, &answer);
    if (status != STI_OK) return sti_fault(scratch, status, e->name, "reaction", &now->stage);
    data->rested = data->rested || answer.stuck;
    for (int d = 0; d < dim; ++d) {
        *change = fmax(*change, tau * W[d * dim + d] * fabs(answer.r[d] - data->phi[m + p + d]));
        *scale = fmax(*scale, fabs(vbar[d]));
        data->phi[m + p + d] = answer.r[d];
    }
    return STI_OK;
}

// Friction of the planar rows at the end of tau, by sweeps.                     EQUATIONS 2.10
static StiStatus slide_all(const StiNetwork *network, StiScratch *scratch, double tau,
                           const StageData *now)
{
    SubstepData *data = scratch->substep;
    const int m = data->elastic;
    const bool rested = data->rested;
    for (int p = 0; p < data->planar; ++p) data->phi[m + p] = 0.0;
    for (int sweep = 0; data->planar > 0 && sweep < SWEEPS; ++sweep) {
        double change = 0.0, scale = 0.0;
        data->rested = false; // only the last sweep counts
        for (int p = 0; p < data->planar; p += data->rows[m + p].wire->size.velocities) {
            const StiStatus status = slide_one(network, scratch, tau, now, p, &change, &scale);
            if (status != STI_OK) return status;
        }
        if (change <= sweep_tolerance * scale ||
            data->planar == data->rows[m].wire->size.velocities)
            break;
    }
    data->rested = data->rested || rested;
    return STI_OK;
}

StiStatus sti_implicit_stage(const StiNetwork *network, StiScratch *scratch, double tau,
                             const StageData *now, const double *vbar, double *P)
{
    SubstepData *data = scratch->substep;
    const int m = data->elastic, n = data->planar, rows = m + n;
    if (rows == 0) {
        memset(P, 0, (size_t)network->generalized_count * sizeof *P);
        return STI_OK;
    }
    sense_rows(network, scratch, vbar, true);
    multiply_Z(data, data->bar, data->phi);
    add_carried(network, scratch, now->y);
    sti_lu_solve(m, data->ZW, data->pivots, data->phi); // elastic forces without the planar ones
    for (int p = 0; p < n; ++p) {
        data->column[p] = data->bar[m + p];
        for (int i = 0; i < m; ++i)
            data->column[p] -= tau * data->W[(m + p) * rows + i] * data->phi[i];
    }
    const StiStatus status = slide_all(network, scratch, tau, now);
    for (int i = 0; i < m && n > 0; ++i) {
        data->column[i] = 0.0;
        for (int p = 0; p < n; ++p)
            data->column[i] += tau * entry_of_ZW(data, i, m + p) * data->phi[m + p];
    }
    if (n > 0) sti_lu_solve(m, data->ZW, data->pivots, data->column);
    for (int i = 0; i < m && n > 0; ++i) data->phi[i] -= data->column[i];
    combine_columns(network, data, P);
    return status;
}

void sti_implicit_damp(const StiNetwork *network, StiScratch *scratch, double tau, double *v)
{
    SubstepData *data = scratch->substep;
    const int m = data->elastic, all = network->generalized_count;
    if (m == 0) return;
    sense_rows(network, scratch, v, false);
    multiply_Z(data, data->bar, data->phi);
    sti_lu_solve(m, data->ZW, data->pivots, data->phi);
    for (int r = 0; r < m; ++r)
        for (int i = 0; i < all; ++i) v[i] += tau * data->phi[r] * data->columns[r * all + i];
}
