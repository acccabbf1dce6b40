// The rest of a step that is not cut further: elastic elements by the papers' function over that
// time, reactions by the finite-time rule, all with the new velocities.              METHODS 3.3
#include <math.h>
#include <string.h>

#include "algebra/lu.h"
#include "law/norm.h"
#include "cut/account.h"
#include "cut/fallback.h"
#include "cut/slopes.h"
#include "rows/rates.h"
#include "rows/reactions.h"

enum { SWEEPS = 200, SWEEPS_BETWEEN_LEAPS = 4, LEAPS = 6 };
static const double sweep_tolerance = 1e-13; // of the largest velocity in play
static const double least_part = 1e-13;      // of a diagonal, where rows are redundant

void sti_fallback_change_force(Sweep *w, int row, double change)
{
    SubstepData *data = w->data;
    for (int r = 0; r < w->rows; ++r) data->bar[r] -= w->h * data->W[r * w->rows + row] * change;
    data->phi[row] += change;
    const double own = w->h * data->W[row * w->rows + row] * fabs(change);
    w->change = fmax(w->change, own);
    w->scale = fmax(w->scale, fabs(data->bar[row]) + own);
}

// The linear force of a steep element without modes at the end of the step: f = Z v + k, Z = B + h K and
// k = u - B v of the start.
static void linear_force(const Sweep *w, const Impedance *e, double *Z, double *k)
{
    const StageData *now = &w->scratch->stages[0];
    const int width = e->wire.size.velocities;
    const double *K = w->data->slopes + e->slope, *v = now->velocity + e->wire.v;
    sti_slope_of_impedance(w->scratch, e, w->h, Z);
    for (int d = 0; d < width; ++d) {
        k[d] = now->u[e->wire.v + d];
        for (int j = 0; j < width; ++j) k[d] -= (Z[d * width + j] - w->h * K[d * width + j]) * v[j];
    }
}

static void sweep_steep(Sweep *w, int first)
{
    SubstepData *data = w->data;
    const Impedance *e = &w->network->impedances[data->rows[first].element];
    const int width = e->wire.size.velocities;
    double Z[24 * 24], k[24];
    linear_force(w, e, Z, k);
    for (int d = 0; d < width; ++d) {
        double f = k[d];
        for (int j = 0; j < width; ++j) f += Z[d * width + j] * data->bar[first + j];
        const double W = data->W[(first + d) * w->rows + first + d];
        sti_fallback_change_force(w, first + d,
                     (f - data->phi[first + d]) / (1.0 + w->h * W * Z[d * width + d]));
    }
}

// f = gsat(F, f + (Z u + K e - f)/(1 + h W Z)), through the element's own function at the velocity
// that belongs to that force.
static StiStatus sweep_elastic(Sweep *w, int first)
{
    SubstepData *data = w->data;
    const Impedance *e = &w->network->impedances[data->rows[first].element];
    const StageData *now = &w->scratch->stages[0];
    const int dim = e->wire.size.velocities;
    const double stick[4] = {STI_STICK};
    double Z[9], k[3], v[3], f[3], W = 0.0;
    StiStage stage = now->stage;
    stage.tau = w->h;
    const StiMotion xhat = {.x = now->position + e->wire.x,
                            .v = v,
                            .signals = now->ports + e->port};
    e->kind->modes->tangent(e->parameters, &stage,
                            &(StiMotion){.v = data->bar + first, .signals = xhat.signals},
                            now->y + e->y, stick, Z);
    e->kind->modes->carried(e->parameters, now->y + e->y, stick, NULL, k); // elastic: by memory
    for (int d = 0; d < dim; ++d) W = fmax(W, data->W[(first + d) * w->rows + first + d]);
    for (int d = 0; d < dim; ++d) {
        const double trial = Z[0] * data->bar[first + d] + k[d], kept = data->phi[first + d];
        v[d] = (kept + (trial - kept) / (1.0 + w->h * W * Z[0]) - k[d]) / Z[0];
    }
    const StiStatus status = e->kind->eval(e->parameters, &stage, &xhat, now->y + e->y,
                                           data->s + e->s, f, data->close.ydot + e->y);
    if (status != STI_OK) return sti_fault(w->scratch, status, e->name, "force", &now->stage);
    double *mode = data->s + e->s;
    const double size = sti_norm(dim, f);
    mode[0] =
        memcmp(v, data->close.ydot + e->y, (size_t)dim * sizeof *v) == 0 ? STI_STICK : STI_SLIP;
    for (int d = 0; d < dim; ++d) {
        if (mode[0] == STI_SLIP && size > 0.0) mode[1 + d] = f[d] / size;
        sti_fallback_change_force(w, first + d, f[d] - data->phi[first + d]);
    }
    return STI_OK;
}

static StiStatus sweep_reaction(Sweep *w, int first)
{
    SubstepData *data = w->data;
    const Reaction *e = &w->network->reactions[data->rows[first].element];
    const StageData *now = &w->scratch->stages[0];
    const int dim = e->size.dim;
    double W[9], vbar[3];
    for (int d = 0; d < dim; ++d) {
        vbar[d] = data->bar[first + d];
        for (int k = 0; k < dim; ++k) {
            W[d * dim + k] = 0.5 * (data->W[(first + d) * w->rows + first + k] +
                                    data->W[(first + k) * w->rows + first + d]);
            vbar[d] += w->h * data->W[(first + d) * w->rows + first + k] * data->phi[first + k];
        }
    }
    const StiReactionProblem problem = {.dim = dim,
                                        .T = w->h,
                                        .W = W,
                                        .v = now->velocity + e->wire.v,
                                        .vbar = vbar,
                                        .signals = now->ports + e->port};
    StiReactionAnswer answer;
    double *mode = w->scratch->reactions->s + e->s;
    const StiStatus status = e->kind->resolve(e->parameters, &problem, mode, &answer);
    if (status != STI_OK) return sti_fault(w->scratch, status, e->name, "reaction", &now->stage);
    if (!w->leaping && e->kind->release(e->parameters, &answer, mode))
        return sweep_reaction(w, first);
    w->scratch->reactions->answers[data->rows[first].element] = answer;
    const double size = sti_norm(dim, answer.r);
    data->s[e->s] = answer.stuck ? STI_STICK : STI_SLIP;
    for (int d = 0; d < dim; ++d) {
        if (!answer.stuck && size > 0.0) data->s[e->s + 1 + d] = answer.r[d] / size;
        sti_fallback_change_force(w, first + d, answer.r[d] - data->phi[first + d]);
    }
    return STI_OK;
}

// Of a steep element without modes?
static bool is_linear(const Sweep *w, int row)
{
    const SubstepRow *place = &w->data->rows[row];
    return !place->reaction && w->network->impedances[place->element].kind->modes == NULL;
}

static bool is_one_sided(const Sweep *w, int row)
{
    const SubstepRow *place = &w->data->rows[row];
    const Impedance *e = &w->network->impedances[place->element];
    return !place->reaction && e->kind->modes != NULL && e->kind->modes->one_sided;
}

static StiStatus sweep_once(Sweep *w)
{
    SubstepData *data = w->data;
    StiStatus status = STI_OK;
    w->change = w->scale = 0.0;
    for (int r = 0; status == STI_OK && r < w->rows; r += data->rows[r].wire->size.velocities) {
        if (is_linear(w, r))
            sweep_steep(w, r);
        else if (is_one_sided(w, r))
            status = sti_fallback_sweep_one_sided(w, r);
        else
            status = r < data->elastic ? sweep_elastic(w, r) : sweep_reaction(w, r);
    }
    return status;
}

// Slip along one axis with a level that rises: f = level + slope (speed - that of the level).
static bool is_rising_row(const Sweep *w, int r, double *compliance, double *carried)
{
    const Reaction *e = &w->network->reactions[w->data->rows[r].element];
    const double *s = w->data->s + e->s, *signals = w->scratch->stages[0].ports + e->port;
    if (!e->steep || e->kind->level == NULL) return false;
    const double direction = s[1] < 0.0 ? -1.0 : 1.0,
                 speed = fmax(direction * w->data->bar[r], 0.0);
    const StiReactionLevel level = e->kind->level(e->parameters, signals, s, speed, direction);
    if (!(level.slope > 0.0)) return false;
    *compliance = 1.0 / level.slope;
    *carried = direction * (level.slipping / level.slope - speed);
    return true;
}

// Along one axis a steep element without modes is a row of its own.
static bool is_spring_row(const Sweep *w, int r, double *compliance, double *carried)
{
    const Impedance *e = &w->network->impedances[w->data->rows[r].element];
    double Z, k;
    if (e->wire.size.velocities > 1) return false;
    linear_force(w, e, &Z, &k);
    *compliance = 1.0 / Z;
    *carried = k / Z;
    return Z > 0.0;
}

// A row that sticks: f/Z + h W f = the rest of its velocity + k/Z; without compliance 1/Z is 0. So does one
// whose level rises.
static bool is_solved_row(const Sweep *w, int r, double *compliance, double *carried)
{
    const SubstepData *data = w->data;
    const SubstepRow *row = &data->rows[r];
    *compliance = *carried = 0.0;
    if (r >= data->elastic)
        return data->s[w->network->reactions[row->element].s] == STI_STICK ||
               is_rising_row(w, r, compliance, carried);
    const Impedance *e = &w->network->impedances[row->element];
    if (is_linear(w, r)) return is_spring_row(w, r, compliance, carried);
    if (is_one_sided(w, r)) return sti_fallback_is_pressed(w, r, compliance, carried);
    if (data->s[e->s] != STI_STICK) return false;
    const StageData *now = &w->scratch->stages[0];
    const double stick[4] = {STI_STICK};
    double Z[9], k[3];
    StiStage stage = now->stage;
    stage.tau = w->h;
    e->kind->modes->tangent(e->parameters, &stage,
                            &(StiMotion){.v = data->bar + r - row->axis,
                                         .signals = now->ports + e->port},
                            now->y + e->y, stick, Z);
    e->kind->modes->carried(e->parameters, now->y + e->y, stick, NULL, k); // elastic: by memory
    *compliance = 1.0 / Z[0];
    *carried = k[row->axis] / Z[0];
    return true;
}

// All rows that stick or rise at once, the others as they are; false if that has no solution.
static bool solve_linear_rows(Sweep *w)
{
    SubstepData *data = w->data;
    double *M = data->ZW, *f = data->column;
    int *chosen = data->chosen_rows, count = 0;
    double compliance;
    for (int r = 0; r < w->rows; ++r)
        if (is_solved_row(w, r, &compliance, &f[count])) {
            M[count] = compliance; // moved to its diagonal below
            chosen[count++] = r;
        }
    for (int i = count - 1; i >= 0; --i) {
        const int r = chosen[i];
        const double own = M[i], diagonal = w->h * data->W[r * w->rows + r];
        f[i] += data->bar[r];
        for (int k = 0; k < count; ++k) {
            const double hW = w->h * data->W[r * w->rows + chosen[k]];
            f[i] += hW * data->phi[chosen[k]];
            M[(i + 1) * count + k] = hW;
        }
        M[(i + 1) * count + i] += own + least_part * diagonal;
    }
    if (count == 0 || !sti_lu_factor(count, M + count, data->pivots)) return false;
    sti_lu_solve(count, M + count, data->pivots, f);
    for (int i = 0; i < count; ++i) sti_fallback_change_force(w, chosen[i], f[i] - data->phi[chosen[i]]);
    return true;
}

static void copy_numbers(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

// A few direct solves, each followed by a sweep, which puts forces back within their limits. They are kept as
// soon as that sweep changes less than half of the best so far.
static StiStatus leap(Sweep *w, double *best)
{
    SubstepData *data = w->data;
    double *phi = data->saved, *bar = phi + w->rows, *s = bar + w->rows;
    StiStatus status = STI_OK;
    bool better = false;
    copy_numbers(phi, data->phi, w->rows);
    copy_numbers(bar, data->bar, w->rows);
    copy_numbers(s, data->s, w->network->s_count);
    w->leaping = true;
    for (int i = 0; status == STI_OK && !better && i < LEAPS && solve_linear_rows(w); ++i) {
        status = sweep_once(w);
        better = w->change < 0.5 * *best;
    }
    w->leaping = false;
    if (better) *best = w->change;
    if (better || status != STI_OK) return status;
    copy_numbers(data->phi, phi, w->rows);
    copy_numbers(data->bar, bar, w->rows);
    copy_numbers(data->s, s, w->network->s_count);
    return STI_OK;
}

static StiStatus sweep_all(Sweep *w)
{
    StiStatus status = sweep_once(w);
    double best = 2.0 * w->change;
    for (int i = 2; status == STI_OK && i <= SWEEPS; ++i) {
        if (w->change <= sweep_tolerance * w->scale) break;
        if (i % SWEEPS_BETWEEN_LEAPS == 0) status = leap(w, &best);
        if (status == STI_OK) status = sweep_once(w);
    }
    return status;
}

// Velocities without the friction of these rows, into vbar; those of the rows, with it, into bar.
static void free_motion(Sweep *w)
{
    const StiNetwork *n = w->network;
    SubstepData *data = w->data;
    const StageData *now = &w->scratch->stages[0];
    const Response *response = &w->scratch->reactions->response;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d)
            data->vbar[a->generalized + d] = now->x[a->v + d] + w->h * now->xdot[a->v + d];
    }
    memcpy(response->dv, data->vbar, (size_t)n->generalized_count * sizeof(double));
    sti_rates_pose(n, now, true, response);
    for (int r = 0; r < w->rows; ++r) {
        const SubstepRow *row = &data->rows[r];
        if (row->axis == 0) sti_rates_sense(n, w->scratch, now, row->wire, data->bar + r);
        data->phi[r] = now->u[row->wire->v + row->axis];
        for (int i = 0; i < n->generalized_count; ++i)
            data->vbar[i] -= w->h * data->phi[r] * data->columns[r * n->generalized_count + i];
    }
    for (int r = 0; w->steep && r < w->rows; ++r) sti_fallback_change_force(w, r, -data->phi[r]);
}

static void advance(Sweep *w)
{
    const StiNetwork *n = w->network;
    SubstepData *data = w->data;
    StageData *now = &w->scratch->stages[0];
    for (int r = 0; r < w->rows; ++r) {
        const SubstepRow *row = &data->rows[r];
        now->u[row->wire->v + row->axis] = data->phi[r];
        for (int i = 0; i < n->generalized_count; ++i)
            data->vbar[i] += w->h * data->phi[r] * data->columns[r * n->generalized_count + i];
    }
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        if (a->size.velocities == 0) continue;
        memcpy(data->x + a->v, data->vbar + a->generalized,
               (size_t)a->size.velocities * sizeof(double));
        a->kind->move(a->parameters, data->x + a->v, w->h, data->x + a->q);
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        const double *ydot = sti_is_implicit(e) && e->kind->modes != NULL ? data->close.ydot : now->ydot;
        for (int d = e->y; d < e->y + e->size.memory; ++d) data->y[d] += w->h * ydot[d];
    }
    data->t += w->h;
    data->rest -= w->h;
}

StiStatus sti_substep_fallback(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                               double h)
{
    (void)inputs;
    SubstepData *data = scratch->substep;
    Sweep w = {.network = network, .scratch = scratch, .data = data, .h = h};
    memcpy(scratch->reactions->s, data->s, (size_t)network->s_count * sizeof(double));
    StiStatus status = sti_implicit_all_columns(network, scratch);
    if (status != STI_OK) return status;
    w.rows = data->elastic + data->planar;
    w.steep = network->slope_count > 0;
    for (int i = 0; i < network->reaction_count; ++i)
        w.steep = w.steep || network->reactions[i].steep;
    free_motion(&w);
    status = sweep_all(&w);
    if (status != STI_OK) return status;
    advance(&w);
    sti_account_fallback(network, scratch, h);
    return STI_OK;
}
