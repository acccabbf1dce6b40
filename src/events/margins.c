// How far modes are from their end, with rates.
#include <math.h>

#include "law/norm.h"
#include "evaluate/modes.h"
#include "events/touch_events.h"

// The larger speed of the two bodies.
static double speed_at_hand(const StiNetwork *network, const StageData *now, int reaction)
{
    const StiWire *wire = &network->reactions[reaction].wire.wire;
    const int bodies[2] = {wire->a.admittance, wire->b.admittance};
    double most = 0.0;
    for (int i = 0; i < 2; ++i) {
        if (bodies[i] < 0) continue;
        const Admittance *a = &network->admittances[bodies[i]];
        most = fmax(most, sti_norm(a->size.velocities, now->x + a->v));
    }
    return most;
}

double sti_modes_least_speed(const StiNetwork *network, const StiScratch *scratch,
                             const StageData *now, int reaction)
{
    return sti_modes_untrusted(scratch, speed_at_hand(network, now, reaction));
}

// A departure follows the force, a slip what the force has made of the velocity: they differ by what
// the force turns meanwhile, which is little for as long as the speed is small.
double sti_modes_enough_to_turn(const StiScratch *scratch, double least)
{
    const double root = sti_cbrt(scratch->absolute);
    return 4.0 * fmax(least, root * root);
}

static StiMargin stick_margin(const Reaction *e, const StiScratch *scratch, const StageData *now)
{
    const double *r = now->u + e->wire.v;
    const double limit =
        e->kind->modes->limit(e->parameters, sti_direction(e->size.dim, r), now->ports + e->port);
    // Forces within all limits were found although they are not unique: none of them is at its end.
    const bool at_ease = scratch->holding->at_ease && !e->held;
    const double carried = at_ease ? 0.0 : sti_norm(e->size.dim, r);
    return (StiMargin){.g = limit - carried, .rate = NAN, .scale = limit};
}

// It ends at both ends: back at rest, and when it is fast enough.
StiMargin sti_modes_departure(double speed, double rate, double enough)
{
    const double share = speed / fmax(enough, 1e-12);
    return (
        StiMargin){.g = speed * (1.0 - share), .rate = rate * (1.0 - 2.0 * share), .scale = enough};
}

static StiMargin slip_margin(const StiNetwork *network, int i, const double *s,
                             const StiScratch *scratch, const StageData *now)
{
    const Reaction *e = &network->reactions[i];
    const int dim = e->size.dim;
    const double *v = now->velocity + e->wire.v, *a = scratch->evaluate->wire_rate + e->wire.v;
    const double *kept = s + e->s + 1;
    const bool keeps = sti_mode_keeps_direction(e, s);
    const double speed = keeps ? sti_mode_speed_along(dim, kept, v) : sti_norm(dim, v);
    const double *along = keeps || !(speed > 0.0) ? kept : v;
    const double length = sti_norm(dim, along);
    const double rate = length > 0.0 ? sti_mode_speed_along(dim, along, a) / length : 0.0;
    if (dim == 1) {
        const double scale = fmax(fabs(speed), speed_at_hand(network, now, i));
        return (StiMargin){.g = speed, .rate = rate, .scale = scale};
    }
    const double least = sti_modes_least_speed(network, scratch, now, i);
    if (keeps) return sti_modes_departure(speed, rate, sti_modes_enough_to_turn(scratch, least));
    return (StiMargin){.g = speed - least,
                       .rate = rate,
                       .scale = speed,
                       .left = rate < 0.0 ? -speed / rate : 0.0};
}

// Forces within all limits were found although they are not unique: none of them is at its end.
static void set_at_ease(const StiNetwork *network, const TouchData *data, StiMargin *reactions,
                        StiMargin *places)
{
    for (int i = 0; i < network->reaction_count; ++i)
        if (data->row_of_reaction[i] >= 0)
            reactions[i].g = fmax(reactions[i].g, reactions[i].scale + 1e-300);
    for (int i = 0; i < data->count; ++i, places += STI_PLACE_MARGINS) {
        const ContactSlot *slot = data->slot[i];
        if (slot == NULL) continue;
        places[0].g = fmax(places[0].g, places[0].scale + 1e-300);
        if (slot->mode == TOUCH_STICK) places[1].g = fmax(places[1].g, places[1].scale + 1e-300);
    }
}

void sti_modes_margins(const StiNetwork *network, const double *s, StiScratch *scratch,
                       const StageData *now, StiMargin *margins)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->modes == NULL) continue;
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        e->kind->modes->margin(e->parameters, &xhat, scratch->evaluate->wire_rate + e->wire.v,
                               now->y + e->y, now->ydot + e->y, s + e->s, margins);
        margins += e->kind->modes->count(e->parameters);
    }
    for (int i = 0; i < network->reaction_count; ++i)
        *margins++ = network->reactions[i].damper ? (StiMargin){.g = 1.0, .scale = 1.0}
                     : s[network->reactions[i].s] == STI_STICK
                         ? stick_margin(&network->reactions[i], scratch, now)
                         : slip_margin(network, i, s, scratch, now);
    if (scratch->touches->count == 0) return;
    sti_touches_margins(network, scratch, now, margins);
    if (scratch->touches->at_ease)
        set_at_ease(network, scratch->touches, margins - network->reaction_count, margins);
}
