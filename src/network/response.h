// Private: how velocities respond to forces, W = J H^-1 J^T, through the wires.
#ifndef STICTION_SRC_NETWORK_RESPONSE_H
#define STICTION_SRC_NETWORK_RESPONSE_H

#include "network/wires.h"

typedef struct Response {
    double *prepared;    // factored inertias of all admittances
    double *force;       // generalized forces, and ...
    StiWrench *wrenches; // ... wrenches to respond to
    double *dv;          // the response, laid out like generalized
    double *still;       // zeros, laid out like generalized
    StiFrame *frames;    // links moving with dv
} Response;

void sti_response_take(StiArena *arena, const StiNetwork *network, Response *response);

// Factors the inertia of every body at the present positions, with locked velocities (laid out like
// generalized; NULL: none); on failure *culprit is the admittance.
StiStatus sti_response_prepare(const StiNetwork *network, const StageData *now, const bool *locked,
                               const Response *response, int *culprit);
// dv = H^-1 times the forces, for one admittance.
void sti_response_of(const StiNetwork *network, const StageData *now, const Response *response,
                     int admittance);

// Bodies that a wire can move: 0, 1 or 2 of them.
int sti_wire_bodies(const StiNetwork *network, const StiWire *wire, int bodies[2]);
// A unit resistance in one direction of a wire, and the response of its bodies.
void sti_response_push(const StiNetwork *network, const StageData *now, const Response *response,
                       const Wire *wire, const double *unit);
// What another wire senses of it: minus a column of W.
void sti_response_sense(const StiNetwork *network, const StageData *now, const Response *response,
                        const Wire *pushed, const Wire *wire, double *position, double *rate);

#endif
