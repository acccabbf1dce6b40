// Friction in a plane that comes to rest: pieces that grow shorter towards the stop.
#include "cut/account.h"
#include "cut/progress.h"

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
