// What the runner asks of every simulator. An adapter fills one table; it keeps all of the
// simulator's own types to itself.
#ifndef STICTION_PEERS_PEER_H
#define STICTION_PEERS_PEER_H

#include <stddef.h>

#include "cases.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PeerTask {
    PeerCase which;
    double T;     // s, fixed step
    int links;    // chain: how many
    double angle; // rolling, sliding box: direction in the plane, rad
} PeerTask;

// The first variant has the simulator's defaults, those after it the best settings found.
typedef struct PeerVariant {
    const char *name;
    const char *settings; // all that differs from the defaults, in one line
} PeerVariant;

enum { PEER_VARIANTS = 5 };

typedef struct Peer {
    const char *name;
    void (*version)(char *text, size_t size);
    PeerVariant variants[PEER_VARIANTS]; // ends with a NULL name
    // A world at its start; NULL where the simulator or this variant does not do the case.
    void *(*build)(const PeerTask *task, int variant);
    // A second world at its start that shares what is constant; NULL: build again instead.
    void *(*copy)(const void *world);
    // Loads follow the time of each step, as a user of the simulator would apply them.
    void (*run)(void *world, long steps);
    void (*read)(void *world, double values[PEER_VALUES]);
    double (*mass)(void *world);    // of all that moves, as the simulator knows it, kg
    double (*gravity)(void *world); // downwards, m/s^2
    void (*destroy)(void *world);
} Peer;

// All that were found when this was built; NULL after the last. The first is stiction.
extern const Peer *const peers[];
// "name: why" of those that were not; NULL after the last.
extern const char *const peers_missing[];

#ifdef __cplusplus
}
#endif
#endif
