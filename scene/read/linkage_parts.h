// The parts of a linkage as its entry in a scene names them.
#ifndef STICTION_SCENE_LINKAGE_PARTS_H
#define STICTION_SCENE_LINKAGE_PARTS_H

#include "read/linkages.h"

// A design in the making.
typedef struct LinkageDraft {
    Reader *reader;
    const char *name;
    const Node *bodies_node, *joints_node, *drivers_node;
    StiPlanarBody *bodies;
    StiPlanarPair *pairs;
    StiDriver *drivers;
    StiTimeFunction *functions;
    int body_count, pair_count, driver_count;
} LinkageDraft;

// From the three nodes; false after messages.
bool scene_read_linkage_parts(LinkageDraft *d);

#endif
