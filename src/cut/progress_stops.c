// Friction in a plane that comes to rest, or near to it: pieces that grow shorter where it turns.
#include <math.h>

#include "cut/account.h"
#include "cut/progress.h"
#include "law/norm.h"

enum { STOP_PIECES = 12 };

int sti_progress_first_to_stop(const Progress *c, double within, double *time)
{
    const SubstepData *data = c->data;
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

StiStatus sti_progress_stop_now(Progress *c, int m, double h)
{
    const StiNetwork *n = c->network;
    SubstepData *data = c->data;
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
    c->stop_substeps = 0;
    return sti_progress_settle(c);
}

bool sti_progress_stops_now(const Progress *c, int m, StiStatus *status)
{
    const StageData *now = &c->scratch->stages[0];
    const int reaction = c->data->modes[m].element;
    *status = sti_modes_own_inertia(c->network, c->scratch, now, reaction);
    if (*status != STI_OK) return false;
    return c->data->before[m].g < sti_modes_no_speed(c->network, c->scratch, now, reaction) ||
           c->stop_substeps >= STOP_PIECES;
}

// How long the velocity is about what it is, if it turns at all. What goes straight has no need to ask.
static double time_to_turn(int dim, const double *v, const double *a, double least)
{
    static const double share = 0.5; // of the time in which it would be gone, ...
    static const double turn = 0.05; // ... and the angle that its direction may change by
    const double speed = sti_norm(dim, v), size = sti_norm(dim, a);
    const double along = speed > 0.0 ? sti_mode_speed_along(dim, v, a) / speed : size;
    const double across = sqrt(fmax(size * size - along * along, 0.0)); // of the acceleration
    if (!(speed * across > least * size)) return INFINITY;
    const double aside = across - turn * along;
    return speed * fmin(share / size, aside > 0.0 ? turn / aside : INFINITY);
}

// It is pushed harder than friction holds, and not just by a little: it will not stop, and leaves zero at once.
static bool passes_by(const Progress *c, int i, StiStatus *status)
{
    static const double clearly = 0.2; // of what friction does to it
    const StageData *now = &c->scratch->stages[0];
    const Reaction *e = &c->network->reactions[i];
    const double *v = now->velocity + e->wire.v, *a = c->scratch->evaluate->wire_rate + e->wire.v;
    const int dim = e->size.dim;
    *status = sti_modes_own_inertia(c->network, c->scratch, now, i);
    const double *W = c->scratch->reactions->W + sti_neighbour_block(e, 0);
    const double level = e->kind->modes->level(e->parameters, 0.0, 0.0, now->ports + e->port);
    double rubbed[STI_REACTION_DIM_MAX] = {0.0}, pushed[STI_REACTION_DIM_MAX] = {0.0};
    for (int k = 0; k < dim; ++k) {
        for (int d = 0; d < dim; ++d) rubbed[k] += level * W[k * dim + d] * v[d] / sti_norm(dim, v);
        pushed[k] = a[k] + rubbed[k];
    }
    const double size = sti_norm(dim, rubbed);
    return *status == STI_OK && sti_norm(dim, pushed) > size && sti_norm(dim, a) > clearly * size;
}

double sti_progress_time_to_turn(const Progress *c, double h, StiStatus *status)
{
    static const double unfelt = 1e-9; // of what it gains in a step, across its way
    *status = STI_OK;
    for (int i = 0; i < c->network->reaction_count && *status == STI_OK; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const double *a = c->scratch->evaluate->wire_rate + e->wire.v;
        const int dim = e->size.dim;
        if (dim == 1 || c->data->s[e->s] != STI_SLIP) continue;
        const double time = time_to_turn(dim, c->scratch->stages[0].velocity + e->wire.v, a,
                                         unfelt * sti_norm(dim, a) * c->network->step);
        if (time < h && passes_by(c, i, status)) h = time;
    }
    return h;
}
