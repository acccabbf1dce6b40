// What substeps take implicitly of an element: u is about Z v + k, with Z for this point and this tau.
// Elements with modes say so themselves. Of steep ones without modes, and of slip along one axis, it is the
// linear part: B v + K e, where e is how far the wire has moved since the point. What is left is explicit, so
// that Z need not be exact.
#include "cut/slopes.h"

#include <math.h>
#include <string.h>

static StiMotion motion_of(const StageData *now, const Impedance *e)
{
    return (StiMotion){.x = now->position + e->wire.x,
                       .v = now->velocity + e->wire.v,
                       .signals = now->ports + e->port};
}

// Z = B + tau K; K is kept for what the element carries.
static void steep_slope(const Impedance *e, const SubstepData *data, const StageData *now,
                        double tau, double *Z)
{
    const int width = e->wire.size.velocities, count = width * width;
    const StiMotion xhat = motion_of(now, e);
    double *K = data->slopes + e->slope;
    StiStage stage = now->stage;
    stage.tau = 0.0;
    e->kind->tangent(e->parameters, &stage, &xhat, now->y + e->y, data->s + e->s, Z);
    memset(K, 0, (size_t)count * sizeof *K);
    if (e->bends) {
        stage.tau = tau;
        e->kind->tangent(e->parameters, &stage, &xhat, now->y + e->y, data->s + e->s, K);
        for (int i = 0; i < count; ++i) K[i] = (K[i] - Z[i]) / tau;
    }
    for (int i = 0; i < count; ++i) Z[i] += tau * K[i];
    if (width == 1) Z[0] = fmax(Z[0], 0.0);
}

void sti_slope_of_impedance(const StiScratch *scratch, const Impedance *e, double tau, double *Z)
{
    const SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    if (e->kind->modes == NULL) {
        steep_slope(e, data, now, tau, Z);
        return;
    }
    const StiMotion xhat = motion_of(now, e);
    StiStage stage = now->stage;
    stage.tau = tau;
    e->kind->modes->tangent(e->parameters, &stage, &xhat, now->y + e->y, data->s + e->s, Z);
}

void sti_carried_by_impedance(const StiScratch *scratch, const Impedance *e, const double *y,
                              double *k)
{
    const SubstepData *data = scratch->substep;
    const int width = e->wire.size.velocities;
    const double *K = data->slopes + e->slope, *moved = data->moved + e->wire.v;
    if (e->kind->modes != NULL) {
        e->kind->modes->carried(e->parameters, y + e->y, data->s + e->s, moved, k);
        return;
    }
    for (int d = 0; d < width; ++d) {
        k[d] = 0.0;
        for (int j = 0; j < width; ++j) k[d] += K[d * width + j] * moved[j];
    }
}

// The speed that the substep seems to end with, at most to the end of slip.
static double speed_ahead(const StiScratch *scratch, int reaction, double speed, double h)
{
    const SubstepData *data = scratch->substep;
    const int modes = data->mode_count - scratch->network->reaction_count;
    const double ahead = speed + h * data->before[modes + reaction].rate;
    return ahead > 0.0 ? ahead : 0.0;
}

// The slope, or the steeper chord to where the substep seems to go: the slope there would be too much, as it
// is not felt on the way. A falling level is explicit.
double sti_slope_of_reaction(const StiScratch *scratch, int reaction, double tau)
{
    const Reaction *e = &scratch->network->reactions[reaction];
    const StageData *now = &scratch->stages[0];
    const double *s = scratch->substep->s + e->s, *signals = now->ports + e->port;
    if (s[0] == STI_STICK || e->kind->level == NULL) return 0.0;
    const double direction = s[1] < 0.0 ? -1.0 : 1.0, h = tau / scratch->network->pair->gamma;
    const double speed = fmax(s[1] * now->velocity[e->wire.v], 0.0);
    const double ahead = speed_ahead(scratch, reaction, speed, h);
    const StiReactionLevel here = e->kind->level(e->parameters, signals, s, speed, direction);
    const StiReactionLevel there = e->kind->level(e->parameters, signals, s, ahead, direction);
    const double chord = speed != ahead ? (here.slipping - there.slipping) / (speed - ahead) : 0.0;
    return fmax(fmax(here.slope, chord), 0.0);
}

void sti_slopes_before(const StiNetwork *network, StiScratch *scratch, double tau)
{
    const double *v = scratch->stages[0].velocity;
    for (int i = 0; network->slope_count > 0 && i < network->xhat_velocities; ++i)
        scratch->substep->moved[i] = -tau * v[i];
}

void sti_slopes_at_stage(const StiNetwork *network, StiScratch *scratch, int stage, double h)
{
    double *moved = scratch->substep->moved;
    if (network->slope_count == 0) return;
    memset(moved, 0, (size_t)network->xhat_velocities * sizeof *moved);
    for (int j = 0; j < stage; ++j) {
        const double share = h * network->pair->AI[stage][j];
        const double *v = scratch->stages[j].velocity;
        for (int i = 0; i < network->xhat_velocities; ++i) moved[i] += share * v[i];
    }
}
