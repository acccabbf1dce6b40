// Private: the data of one evaluation, and Psi and Phi, which carry it across the wires.
#ifndef STICTION_SRC_NETWORK_WIRES_H
#define STICTION_SRC_NETWORK_WIRES_H

#include "network/network.h"

// Everything that one evaluation reads and writes; kept until the next step, so that recorders and
// the energy ledger can look at it from outside.
// The numbers lie in one piece, in this order but for wrenches and frames.
typedef struct StageData {
    StiStage stage;
    double *x, *y;       // trial state
    double *sources;     // values of time functions and inputs
    double *ports;       // signal inputs of all components
    double *loads;       // assumed, and at the end consistent with the forces
    double *position;    // xhat: displacements of all wires
    double *velocity;    // xhat: velocities of all wires
    double *u;           // forces of all elements
    double *generalized; // uhat
    StiWrench *wrenches; // uhat
    StiFrame *frames;    // links of all admittances
    double *xdot, *ydot;
    double *contact_power; // W, where contacts are followed: see sti_contact_books
} StageData;

void sti_stage_take(StiArena *arena, const StiNetwork *n, StageData *data);

// All that an evaluation wrote, from one of the same x, y and time.
void sti_stage_repeat(const StiNetwork *network, const StageData *from, StageData *to);

// The signals that a component listens to.
static inline void sti_listen(const Connections *connections, StageData *now)
{
    for (int i = 0; i < connections->count; ++i) {
        const Connection *c = &connections->items[i];
        const double *from = c->from == FROM_SOURCE  ? now->sources
                             : c->from == FROM_LOAD  ? now->loads
                             : c->from == FROM_STATE ? now->x
                                                     : now->u;
        now->ports[c->port] = c->gain * from[c->index];
    }
}

// Frames of all links, then xhat = Psi(x).                                  [modular] (13d)
void sti_psi(const StiNetwork *network, StageData *now);
// The same in two parts, for callers that have the frames of robots already.
void sti_pose_but_robots(const StiNetwork *network, StageData *now);
void sti_sense_all(const StiNetwork *network, StageData *now);
// The same for the wires of reactions only.
void sti_sense_reactions(const StiNetwork *network, StageData *now); // links are posed
void sti_psi_reactions(const StiNetwork *network, StageData *now);
// uhat = Phi(u), of the impedances.                                         (13f)
void sti_phi(const StiNetwork *network, StageData *now);
// The same with the resistances of reactions that stand in u.
void sti_phi_all(const StiNetwork *network, StageData *now);
// Adds the resistances of the reactions to uhat.
void sti_phi_reactions(const StiNetwork *network, const StiReactionAnswer *answers,
                       const StageData *now, double *generalized, StiWrench *wrenches);

// Angles that have gone astray from what y has summed up (it does not see how axes bend): y from the
// positions in now.
void sti_turns_correct(const StiNetwork *network, const StageData *now, double *y);

// What a wire sees of one of its ends.
StiSide sti_side(const StiNetwork *network, const StiWire *wire, const StiEnd *end,
                 const StageData *now);
// A resistance u through a wire: adds to the forces on both sides.
void sti_wire_push_any(const StiNetwork *network, const Wire *wire, const StageData *now,
                       const double *u, double *generalized, StiWrench *wrenches);
static inline void sti_wire_push(const StiNetwork *network, const Wire *wire, const StageData *now,
                                 const double *u, double *generalized, StiWrench *wrenches)
{
    if (!wire->plain) {
        sti_wire_push_any(network, wire, now, u, generalized, wrenches);
        return;
    }
    for (int d = 0; d < wire->wire.dim; ++d) generalized[wire->own_force + d] -= u[d];
}

#endif
