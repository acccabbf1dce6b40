// How a wire's velocity changes while the bodies keep theirs: Jdot v, and the acceleration of motion
// sources, by differences of order 4 along the motion.
#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "evaluate/modes.h"

static bool is_prescribed(const StiNetwork *network, const StiEnd *end)
{
    return end->admittance >= 0 && network->admittances[end->admittance].kind->prescribed;
}

static bool drifts(const StiNetwork *network, const StiWire *wire)
{
    return !wire->kind->coordinates || is_prescribed(network, &wire->a) ||
           is_prescribed(network, &wire->b);
}

// The wire's velocity a time dt ahead, bodies moved with their velocities.
static void sense_beside(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                         const StageData *now, const Wire *wire, double dt, double *rate)
{
    StageData *beside = &scratch->beside;
    beside->stage = now->stage;
    beside->stage.t += dt;
    memcpy(beside->x, now->x, (size_t)network->x_count * sizeof *beside->x);
    const StiEnd *ends[2] = {&wire->wire.a, &wire->wire.b};
    sti_sources(network, inputs, scratch, beside);
    StiSide sides[2];
    for (int i = 0; i < 2; ++i) {
        const int admittance = ends[i]->admittance;
        if (admittance >= 0) {
            const Admittance *a = &network->admittances[admittance];
            if (a->size.velocities > 0)
                a->kind->move(a->parameters, now->x + a->v, dt, beside->x + a->q);
            if (a->posed)
                a->kind->pose(a->parameters, beside->x + a->q, beside->x + a->v,
                              beside->ports + a->port, beside->frames + a->link);
        }
        sides[i] = sti_side(network, &wire->wire, ends[i], beside);
    }
    wire->wire.kind->sense(&wire->wire, &sides[0], &sides[1], beside->position + wire->x, rate);
}

typedef struct Stencil {
    double h;
    int first; // of five places h apart
    const double *weights;
} Stencil;

// Within the smooth stretch of the time functions.
static Stencil stencil_at(const StiScratch *scratch, double t, double h)
{
    static const double central[5] = {1.0 / 12.0, -2.0 / 3.0, 0.0, 2.0 / 3.0, -1.0 / 12.0},
                        ahead[5] = {-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25};
    const double left = t - scratch->smooth_from, right = scratch->smooth_to - t;
    if (left >= 2.0 * h && right >= 2.0 * h) return (Stencil){h, -2, central};
    if (right >= left) return (Stencil){fmin(h, 0.2 * right), 0, ahead};
    return (Stencil){-fmin(h, 0.2 * left), 0, ahead};
}

void sti_wire_drift(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                    const StageData *now, const Wire *wire, double *drift)
{
    const int count = wire->size.velocities;
    for (int d = 0; d < count; ++d) drift[d] = 0.0;
    if (!drifts(network, &wire->wire)) return;
    const Stencil stencil = stencil_at(scratch, now->stage.t, 0.25 * network->step);
    double *rate = scratch->beside.velocity + wire->v;
    for (int k = 0; k < 5; ++k) {
        if (stencil.weights[k] == 0.0) continue;
        sense_beside(network, inputs, scratch, now, wire, (stencil.first + k) * stencil.h, rate);
        for (int d = 0; d < count; ++d) drift[d] += stencil.weights[k] * rate[d] / stencil.h;
    }
}
