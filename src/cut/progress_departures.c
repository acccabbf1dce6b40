// Friction in a plane or in space that departs from rest. Where the velocity is zero it has no direction, and an
// implicit stage that begins there would find one from rounding. So the first piece is taken with directions
// that are known functions of time, which Newton's method finds: in the middle and at the end of the
// piece friction points against the velocity there. Error of such a piece: O(h^4) in the velocities.
#include <math.h>
#include <string.h>

#include "algebra/lu.h"
#include "law/norm.h"
#include "cut/progress.h"
#include "evaluate/departure_guide.h"

enum { MOST = 8, NEWTON_STEPS = 12, SHORTER = 8 };
enum { UNKNOWNS = 2 * (STI_REACTION_DIM_MAX - 1) * MOST };
static const double turns = 1.0;      // of the velocity that friction takes away within the piece
static const double aside = 1e-5;     // of a unit vector: for differences
static const double aligned = 1e-12;  // of the speed
static const double too_short = 1e-6; // of the step

// One unknown for each way in which a direction can turn, in the middle and at the end.
typedef struct Departures {
    Progress *progress;
    DepartureGuide *guide;
    double h;
    int reactions[MOST], count;
    int unknowns; // in the middle, and as many at the end
    double across[MOST][2][STI_REACTION_DIM_MAX - 1][STI_REACTION_DIM_MAX]; // unit vectors
    double residual[UNKNOWNS], J[UNKNOWNS * UNKNOWNS];
    double speed,
        least_along; // at the end: the largest, and the least along its direction of its speed
} Departures;

static double *direction_of(const Departures *d, int k, bool end)
{
    const Reaction *e = &d->progress->network->reactions[d->reactions[k]];
    return (end ? d->guide->end : d->guide->middle) + e->row;
}

static int dim_of(const Departures *d, int k)
{
    return d->progress->network->reactions[d->reactions[k]].size.dim;
}

// Would friction alone turn this velocity within the piece? And it grows: stops have pieces of their own.
static bool is_slow(const Departures *d, int m)
{
    const Progress *c = d->progress;
    const SubstepData *data = c->data;
    const ModePlace *place = &data->modes[m];
    if (!place->reaction || place->dim == 1 || data->s[place->s] != STI_SLIP) return false;
    if (data->before[m].rate < 0.0 && data->before[m].g > 0.0) return false;
    const Reaction *e = &c->network->reactions[place->element];
    const StageData *now = &c->scratch->stages[0];
    const int rows = data->elastic + data->planar;
    const double level = e->kind->modes->level(e->parameters, 0.0, 0.0, now->ports + e->port);
    double W = 0.0;
    for (int r = data->elastic; r < rows; ++r)
        if (data->rows[r].element == place->element) W = fmax(W, data->W[r * rows + r]);
    return sti_norm(place->dim, now->velocity + e->wire.v) <= turns * level * W * d->h;
}

static void gather(Departures *d)
{
    const SubstepData *data = d->progress->data;
    int all = 0;
    for (int m = 0; m < data->mode_count; ++m) {
        if (!is_slow(d, m)) continue;
        if (all++ >= MOST) continue;
        d->reactions[d->count++] = data->modes[m].element;
        d->unknowns += data->modes[m].dim - 1;
    }
    if (all > MOST) d->count = 0;
}

static void set_modes(const Departures *d, double mode)
{
    const Progress *c = d->progress;
    for (int k = 0; k < d->count; ++k) c->data->s[c->network->reactions[d->reactions[k]].s] = mode;
    c->data->columns_known = false;
}

// ---- directions and their unknowns --------------------------------------------------------------

// Unit vectors across a direction: the axes without their part along it, the longest first.
static void look_across(int dim, const double *along, double across[][STI_REACTION_DIM_MAX])
{
    int skipped = 0;
    for (int i = 1; i < dim; ++i)
        if (fabs(along[i]) > fabs(along[skipped])) skipped = i;
    for (int i = 0, n = 0; i < dim; ++i) {
        if (i == skipped) continue;
        double *v = across[n];
        for (int k = 0; k < dim; ++k) v[k] = (k == i) - along[i] * along[k];
        for (int m = 0; m < n; ++m) {
            const double part = sti_mode_speed_along(dim, across[m], v);
            for (int k = 0; k < dim; ++k) v[k] -= part * across[m][k];
        }
        const double size = sti_norm(dim, v);
        for (int k = 0; k < dim; ++k) v[k] /= size;
        ++n;
    }
}

static void look_across_all(Departures *d)
{
    for (int k = 0; k < d->count; ++k)
        for (int end = 0; end < 2; ++end)
            look_across(dim_of(d, k), direction_of(d, k, end), d->across[k][end]);
}

// Turns the direction of one unknown.
static void turn(const Departures *d, int unknown, double angle)
{
    const bool end = unknown >= d->unknowns;
    int n = unknown - (end ? d->unknowns : 0), k = 0;
    while (n >= dim_of(d, k) - 1) n -= dim_of(d, k++) - 1;
    double *direction = direction_of(d, k, end);
    for (int i = 0; i < dim_of(d, k); ++i) direction[i] += angle * d->across[k][end][n][i];
}

static void shorten_to_unit(const Departures *d)
{
    for (int k = 0; k < d->count; ++k)
        for (int end = 0; end < 2; ++end) {
            double *direction = direction_of(d, k, end);
            const double size = sti_norm(dim_of(d, k), direction);
            for (int i = 0; i < dim_of(d, k); ++i) direction[i] /= size;
        }
}

// ---- trials -------------------------------------------------------------------------------------

// How far velocities at the end of the trial are off their directions: v - (v.d) d across it.
static void read_residual(Departures *d, bool end, double *residual)
{
    const Progress *c = d->progress;
    for (int k = 0; k < d->count; ++k) {
        const Reaction *e = &c->network->reactions[d->reactions[k]];
        const double *v = c->data->close.velocity + e->wire.v, *along = direction_of(d, k, end);
        const int dim = e->size.dim;
        const double speed = sti_norm(dim, v), forward = sti_mode_speed_along(dim, along, v);
        for (int n = 0; n < dim - 1; ++n) {
            const double *across = d->across[k][end][n];
            *residual++ = sti_mode_speed_along(dim, across, v) -
                          forward * sti_mode_speed_along(dim, across, along);
        }
        if (!end) continue;
        d->speed = fmax(d->speed, speed);
        d->least_along = fmin(d->least_along, speed > 0.0 ? forward / speed : 0.0);
    }
}

static StiStatus try_length(Departures *d, double h, StiMargin *margins)
{
    const Progress *c = d->progress;
    const StiStatus status = sti_substep(c->network, c->inputs, c->scratch, h);
    return status == STI_OK ? sti_substep_close(c->network, c->inputs, c->scratch, h, margins)
                            : status;
}

// The whole piece last, so that it can be accepted.
static StiStatus try_piece(Departures *d, double *residual)
{
    StiStatus status = try_length(d, 0.5 * d->h, NULL);
    if (status != STI_OK) return status;
    read_residual(d, false, residual);
    status = try_length(d, d->h, d->progress->data->after);
    d->speed = 0.0;
    d->least_along = 1.0;
    if (status == STI_OK) read_residual(d, true, residual + d->unknowns);
    return status;
}

// Forces are linear in the directions, so slopes by differences serve all of Newton's steps.
static StiStatus take_slopes(Departures *d)
{
    const int n = 2 * d->unknowns;
    double turned[UNKNOWNS];
    for (int j = 0; j < n; ++j) {
        turn(d, j, aside);
        const StiStatus status = try_piece(d, turned);
        turn(d, j, -aside);
        if (status != STI_OK) return status;
        for (int i = 0; i < n; ++i) d->J[i * n + j] = (turned[i] - d->residual[i]) / aside;
    }
    return STI_OK;
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

// False: they do not agree, or someone would go against its own direction.
static bool find_directions(Departures *d, StiStatus *status)
{
    const int n = 2 * d->unknowns;
    int pivots[UNKNOWNS];
    double last = INFINITY;
    for (int step = 0; step < NEWTON_STEPS; ++step) {
        look_across_all(d);
        *status = try_piece(d, d->residual);
        if (*status != STI_OK) return false;
        const double off = largest(n, d->residual);
        if (off <= aligned * d->speed || (step > 3 && off > 0.5 * last && off <= 1e-9 * d->speed))
            return d->least_along > 0.0;
        if (step == 0) {
            *status = take_slopes(d);
            if (*status != STI_OK || !sti_lu_factor(n, d->J, pivots)) return false;
        }
        sti_lu_solve(n, d->J, pivots, d->residual);
        if (!(largest(n, d->residual) < 0.5)) return false;
        for (int j = 0; j < n; ++j) turn(d, j, -d->residual[j]);
        shorten_to_unit(d);
        last = off;
    }
    return false;
}

static void begin_along_kept(const Departures *d)
{
    const Progress *c = d->progress;
    d->guide->from = c->data->t;
    d->guide->length = d->h;
    for (int k = 0; k < d->count; ++k) {
        const double *kept = c->data->s + c->network->reactions[d->reactions[k]].s + 1;
        for (int end = 0; end < 2; ++end)
            memcpy(direction_of(d, k, end), kept, (size_t)dim_of(d, k) * sizeof *kept);
    }
}

// A piece of at most h in which nothing else changes. False: there is none.
static bool take_piece(Departures *d, StiStatus *status)
{
    const Progress *c = d->progress;
    for (int i = 0; i < SHORTER && d->h > too_short * c->network->step; ++i) {
        begin_along_kept(d);
        double share = 0.25;
        if (find_directions(d, status)) {
            sti_locate_roughly(c->network, c->scratch, d->h, c->dips);
            const int who = sti_locate(c->network, c->inputs, c->scratch, d->h, status);
            if (*status != STI_OK) return false;
            if (who < 0) return true;
            share = fmin(0.5, 0.5 * c->data->theta[who]);
            // looking for ends has evaluated elsewhere; the trial is taken again anyway
        }
        if (*status != STI_OK) return false;
        d->h *= share;
    }
    return false;
}

static bool slips_in_plane(const Progress *c)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        if (e->size.dim > 1 && c->data->s[e->s] == STI_SLIP) return true;
    }
    return false;
}

// W of the rows that slip in planes, as the piece needs it anyway.
static StiStatus know_inertia(const Progress *c)
{
    const StiStatus status = sti_near_columns(c->network, c->scratch);
    if (status != STI_OK || c->data->near.applies) return status;
    return sti_implicit_columns(c->network, c->scratch);
}

bool sti_progress_depart(Progress *c, double h, StiStatus *status)
{
    Departures d = {.progress = c, .guide = c->scratch->guide, .h = h};
    if (d.guide == NULL || !slips_in_plane(c)) return false;
    *status = know_inertia(c);
    if (*status == STI_OK) gather(&d);
    if (d.count == 0 || *status != STI_OK) return false;
    set_modes(&d, STI_DEPART);
    *status =
        sti_modes_evaluate(c->network, c->inputs, c->data->s, c->scratch, &c->scratch->stages[0]);
    const bool taken = *status == STI_OK && take_piece(&d, status);
    d.guide->length = 0.0;
    set_modes(&d, STI_SLIP);
    if (taken) {
        sti_substep_accept(c->network, c->scratch, d.h);
        c->data->probed = true; // its end was evaluated along the guide, not along the velocity
    } else if (*status == STI_OK) {
        *status = sti_modes_evaluate(c->network, c->inputs, c->data->s, c->scratch,
                                     &c->scratch->stages[0]);
    }
    c->data->judged = false;
    return taken;
}
