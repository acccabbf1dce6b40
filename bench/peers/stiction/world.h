// stiction's part of a case: the network, and who moves it.
#ifndef STICTION_BENCH_PEERS_STICTION_WORLD_H
#define STICTION_BENCH_PEERS_STICTION_WORLD_H

#include <stiction/adaptive.h>
#include <stiction/stiction.h>

#include "../peer.h"

typedef struct Loads {
    PeerTask task;
} Loads;

typedef struct World {
    PeerTask task;
    const struct World *shared; // whose network it is; NULL: its own
    Loads *loads;               // as long-lived as the network
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiAdmittanceId body;
    StiAdaptive *adaptive; // NULL: a fixed step
} World;

// Adds the bodies, friction, contacts and loads of a case to a plan, and notes the body to look at.
extern void (*const stiction_machines[CASES])(StiPlan *plan, World *world);
StiLink stiction_chain_rod(int i, const char *name); // link i of the chain, behind link i - 1

#endif
