#include "network/wires.h"

#include <math.h>
#include <string.h>

static const double TURN = 6.28318530717958647693; // rad

static const StiFrame ground = {.q = {1.0, 0.0, 0.0, 0.0}};

static double *cut_off(double **numbers, int count)
{
    double *part = *numbers;
    *numbers += count;
    return part;
}

// How many numbers stand behind x and y.
static int written(const StiNetwork *n)
{
    return n->source_values + n->port_count + n->load_count + n->xhat_positions +
           2 * n->xhat_velocities + n->generalized_count + n->x_count + n->y_count +
           sti_contact_books(n->contact_count);
}

void sti_stage_take(StiArena *arena, const StiNetwork *n, StageData *data)
{
    double *next = sti_arena_numbers(arena, n->x_count + n->y_count + written(n));
    *data = (StageData){
        .wrenches = sti_arena_take(arena, (size_t)n->link_count + 1, sizeof(StiWrench)),
        .frames = sti_arena_take(arena, (size_t)n->link_count + 1, sizeof(StiFrame)),
    };
    if (next == NULL) return;
    data->x = cut_off(&next, n->x_count);
    data->y = cut_off(&next, n->y_count);
    data->sources = cut_off(&next, n->source_values);
    data->ports = cut_off(&next, n->port_count);
    data->loads = cut_off(&next, n->load_count);
    data->position = cut_off(&next, n->xhat_positions);
    data->velocity = cut_off(&next, n->xhat_velocities);
    data->u = cut_off(&next, n->xhat_velocities);
    data->generalized = cut_off(&next, n->generalized_count);
    data->xdot = cut_off(&next, n->x_count);
    data->ydot = cut_off(&next, n->y_count);
    data->contact_power = cut_off(&next, sti_contact_books(n->contact_count));
}

void sti_stage_repeat(const StiNetwork *n, const StageData *from, StageData *to)
{
    memcpy(to->sources, from->sources, (size_t)written(n) * sizeof *to->sources);
    if (!n->poses) return;
    memcpy(to->wrenches, from->wrenches, (size_t)n->link_count * sizeof *to->wrenches);
    memcpy(to->frames, from->frames, (size_t)n->link_count * sizeof *to->frames);
}

StiSide sti_side(const StiNetwork *network, const StiWire *wire, const StiEnd *end,
                 const StageData *now)
{
    if (end->admittance < 0) return (StiSide){.link = &ground};
    const Admittance *a = &network->admittances[end->admittance];
    const double *ports = now->ports + a->port;
    return (StiSide){.q = a->kind->prescribed ? ports : now->x + a->q,
                     .v = a->kind->prescribed ? ports + a->dim : now->x + a->v,
                     .link = wire->kind->links ? &now->frames[a->link + end->place] : &ground};
}

static StiForce side_force(const StiNetwork *network, const StiEnd *end, double *generalized,
                           StiWrench *wrenches)
{
    if (end->admittance < 0) return (StiForce){NULL, NULL};
    const Admittance *a = &network->admittances[end->admittance];
    return (StiForce){generalized + a->generalized, wrenches + a->link};
}

typedef struct Coordinates {
    const double *q, *v; // NULL: those of the ground
} Coordinates;

static inline Coordinates coordinates_at(const StiNetwork *network, const StiEnd *end,
                                         const StageData *now)
{
    if (end->admittance < 0) return (Coordinates){NULL, NULL};
    const Admittance *a = &network->admittances[end->admittance];
    const double *ports = now->ports + a->port;
    return (Coordinates){(a->kind->prescribed ? ports : now->x + a->q) + end->position,
                         (a->kind->prescribed ? ports + a->dim : now->x + a->v) + end->place};
}

static inline double difference(const double *a, const double *b, int d)
{
    return (a ? a[d] : 0.0) - (b ? b[d] : 0.0);
}

static void sense_coordinates(const StiNetwork *network, const Wire *wire, StageData *now)
{
    const Coordinates a = coordinates_at(network, &wire->wire.a, now),
                      b = coordinates_at(network, &wire->wire.b, now);
    double *x = now->position + wire->x, *rate = now->velocity + wire->v;
    for (int d = 0; d < wire->wire.dim; ++d) {
        x[d] = difference(a.q, b.q, d);
        rate[d] = difference(a.v, b.v, d);
    }
}

static void push_coordinates(const StiNetwork *network, const StiWire *wire, const double *u,
                             double *generalized)
{
    if (wire->a.admittance >= 0) {
        double *to = generalized + network->admittances[wire->a.admittance].generalized;
        for (int d = 0; d < wire->dim; ++d) to[wire->a.place + d] -= u[d];
    }
    if (wire->b.admittance >= 0) {
        double *to = generalized + network->admittances[wire->b.admittance].generalized;
        for (int d = 0; d < wire->dim; ++d) to[wire->b.place + d] += u[d];
    }
}

static void sense_any(const StiNetwork *network, const Wire *wire, StageData *now)
{
    if (wire->wire.kind->coordinates) {
        sense_coordinates(network, wire, now);
        return;
    }
    const StiSide a = sti_side(network, &wire->wire, &wire->wire.a, now);
    const StiSide b = sti_side(network, &wire->wire, &wire->wire.b, now);
    wire->wire.kind->sense(&wire->wire, &a, &b, now->position + wire->x, now->velocity + wire->v);
    if (wire->turned < 0) return;
    double *angle = now->position + wire->x + wire->wire.kind->angle;
    *angle += TURN * round((now->y[wire->turned] - *angle) / TURN);
    now->ydot[wire->turned] = wire->wire.kind->turning(&wire->wire, &a, &b);
}

static inline void sense(const StiNetwork *network, const Wire *wire, StageData *now)
{
    if (!wire->plain) {
        sense_any(network, wire, now);
        return;
    }
    for (int d = 0; d < wire->wire.dim; ++d) {
        now->position[wire->x + d] = now->x[wire->own_q + d];
        now->velocity[wire->v + d] = now->x[wire->own_v + d];
    }
}

static void pose(const StiNetwork *network, StageData *now, bool robots)
{
    for (int i = 0; network->poses && i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->posed && (robots || a->robot == NULL))
            a->kind->pose(a->parameters, now->x + a->q, now->x + a->v, now->ports + a->port,
                          now->frames + a->link);
    }
}

void sti_pose_but_robots(const StiNetwork *network, StageData *now) { pose(network, now, false); }

void sti_psi(const StiNetwork *network, StageData *now)
{
    pose(network, now, true);
    sti_sense_all(network, now);
}

static void sense_plain(const StiNetwork *network, StageData *now)
{
    for (int k = 0; k < network->plain_count; ++k) {
        const PlainNumber *number = &network->plain[k];
        now->position[number->x] = now->x[number->own_q];
        now->velocity[number->v] = now->x[number->own_v];
    }
}

void sti_sense_all(const StiNetwork *network, StageData *now)
{
    sense_plain(network, now);
    if (network->senses_plainly) return;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->wired && !e->wire.plain) sense_any(network, &e->wire, now);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Wire *wire = &network->reactions[i].wire;
        if (!wire->plain) sense_any(network, wire, now);
    }
}

void sti_sense_reactions(const StiNetwork *network, StageData *now)
{
    for (int i = 0; i < network->reaction_count; ++i)
        sense(network, &network->reactions[i].wire, now);
}

void sti_psi_reactions(const StiNetwork *network, StageData *now)
{
    pose(network, now, true);
    sti_sense_reactions(network, now);
}

void sti_wire_push_any(const StiNetwork *network, const Wire *wire, const StageData *now,
                       const double *u, double *generalized, StiWrench *wrenches)
{
    if (wire->wire.kind->coordinates) {
        push_coordinates(network, &wire->wire, u, generalized);
        return;
    }
    const StiSide a = sti_side(network, &wire->wire, &wire->wire.a, now);
    const StiSide b = sti_side(network, &wire->wire, &wire->wire.b, now);
    const StiForce on_a = side_force(network, &wire->wire.a, generalized, wrenches);
    const StiForce on_b = side_force(network, &wire->wire.b, generalized, wrenches);
    wire->wire.kind->apply(&wire->wire, &a, &b, u, &on_a, &on_b);
}

static void clear_forces(const StiNetwork *network, StageData *now)
{
    memset(now->generalized, 0, (size_t)network->generalized_count * sizeof *now->generalized);
    if (network->poses) // else nothing ever acts on a link
        memset(now->wrenches, 0, (size_t)network->link_count * sizeof *now->wrenches);
}

void sti_phi(const StiNetwork *network, StageData *now)
{
    clear_forces(network, now);
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->wired && !e->kind->only_senses)
            sti_wire_push(network, &e->wire, now, now->u + e->wire.v, now->generalized,
                          now->wrenches);
    }
}

void sti_phi_all(const StiNetwork *network, StageData *now)
{
    if (network->pushes_plainly) {
        clear_forces(network, now);
        for (int k = 0; k < network->plain_count; ++k)
            now->generalized[network->plain[k].own_force] -= now->u[network->plain[k].v];
        return;
    }
    sti_phi(network, now);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Wire *wire = &network->reactions[i].wire;
        sti_wire_push(network, wire, now, now->u + wire->v, now->generalized, now->wrenches);
    }
}

void sti_phi_reactions(const StiNetwork *network, const StiReactionAnswer *answers,
                       const StageData *now, double *generalized, StiWrench *wrenches)
{
    for (int i = 0; i < network->reaction_count; ++i)
        sti_wire_push(network, &network->reactions[i].wire, now, answers[i].r, generalized,
                      wrenches);
}

static void correct_turn(const Wire *wire, const StageData *now, double *y)
{
    static const double astray = 0.5; // rad
    if (wire->turned < 0) return;
    const double angle = now->position[wire->x + wire->wire.kind->angle];
    if (fabs(angle - y[wire->turned]) > astray) y[wire->turned] = angle;
}

void sti_turns_correct(const StiNetwork *network, const StageData *now, double *y)
{
    for (int i = 0; i < network->impedance_count; ++i)
        correct_turn(&network->impedances[i].wire, now, y);
    for (int i = 0; i < network->reaction_count; ++i)
        correct_turn(&network->reactions[i].wire, now, y);
}
