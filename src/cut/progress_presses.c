// Springs that push and never pull. An impact on a steep one lasts much shorter than a step: a few substeps follow
// it, so that it bounces as its damping says. What rests on it needs none.
#include "cut/progress.h"

#include <math.h>

enum { SUBSTEPS = 40, WIDEST = 24 };
static const double resolved = 0.25; // of 1/rate
static const double changed = 0.02;  // of the force, within the substep
static const double slack = 1e-9;    // of a margin's scale

static const Impedance *one_sided(const Progress *c, int m)
{
    const ModePlace *place = &c->data->modes[m];
    if (place->reaction) return NULL;
    const Impedance *e = &c->network->impedances[place->element];
    return e->kind->modes->one_sided ? e : NULL;
}

// How much its forces may change within h: |h K v| + |h^2 K vdot|/2 of a row, at most, beside the largest force.
static bool changes_much(const Progress *c, const Impedance *e, double h)
{
    const StageData *now = &c->scratch->stages[0];
    const int width = e->wire.size.velocities;
    const double *v = now->velocity + e->wire.v, *u = now->u + e->wire.v;
    const double *vdot = c->scratch->evaluate->wire_rate + e->wire.v;
    const StiMotion xhat = {.x = now->position + e->wire.x, .v = v, .signals = now->ports + e->port};
    double Z[WIDEST * WIDEST], Z_ahead[WIDEST * WIDEST], most = 0.0, largest = 0.0;
    StiStage stage = now->stage;
    stage.tau = 0.0;
    e->kind->modes->tangent(e->parameters, &stage, &xhat, now->y + e->y, c->data->s + e->s, Z);
    stage.tau = h;
    e->kind->modes->tangent(e->parameters, &stage, &xhat, now->y + e->y, c->data->s + e->s,
                            Z_ahead);
    for (int d = 0; d < width; ++d) {
        double by_speed = 0.0, by_acceleration = 0.0;
        for (int k = 0; k < width; ++k) {
            const double hK = Z_ahead[d * width + k] - Z[d * width + k];
            by_speed += hK * v[k];
            by_acceleration += 0.5 * h * hK * vdot[k];
        }
        most = fmax(most, fabs(by_speed) + fabs(by_acceleration));
        largest = fmax(largest, fabs(u[d]));
    }
    return most > changed * largest;
}

static bool is_pressed(const Progress *c, const Impedance *e)
{
    for (int d = 0; d < e->wire.size.velocities; ++d)
        if (c->scratch->stages[0].u[e->wire.v + d] != 0.0) return true;
    return c->data->s[e->s] != 0.0; // it has just begun
}

double sti_progress_resolve_presses(Progress *c, double h)
{
    double shortest = h;
    for (int i = 0; i < c->network->impedance_count && c->press_substeps < SUBSTEPS; ++i) {
        const Impedance *e = &c->network->impedances[i];
        const StiImpedanceModes *modes = e->kind->modes;
        if (modes == NULL || !modes->one_sided || !(e->rate * h > resolved)) continue;
        if (is_pressed(c, e) && changes_much(c, e, h)) shortest = fmin(shortest, resolved / e->rate);
    }
    c->press_substeps += shortest < h;
    return shortest;
}

StiStatus sti_progress_turn_overdue(Progress *c)
{
    SubstepData *data = c->data;
    const StageData *now = &c->scratch->stages[0];
    bool any = false;
    sti_modes_margins(c->network, data->s, c->scratch, now, data->before);
    for (int m = 0; m < data->mode_count; ++m) {
        const Impedance *e = one_sided(c, m);
        if (e == NULL || !(data->before[m].g < -slack * data->before[m].scale)) continue;
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        e->kind->modes->turn(e->parameters, data->modes[m].index, &xhat, now->y + e->y,
                             data->s + e->s);
        data->fresh[m] = any = true;
        ++c->scratch->figures.events;
    }
    return any ? sti_progress_decide(c) : STI_OK;
}
