// Private: what a name in "on" or "between" means.
#ifndef STICTION_SCENE_PLACES_H
#define STICTION_SCENE_PLACES_H

#include "read/reader.h"

typedef enum PlaceType {
    PLACE_COORDINATES, // of a body, or of a joint of a robot
    PLACE_POINT,       // of a rigid body, or of a link of a robot
    PLACE_PAIR,        // the coordinate of a joint of a linkage
    PLACE_HINGE        // the free axis of a penalty joint
} PlaceType;

typedef struct Place {
    PlaceType type;
    const char *name; // as the scene has it
    const Body *body; // NULL: a penalty joint
    int dim;
    bool joint; // of a robot
    int link;   // of that joint or point
    int pair;   // of a linkage: its joint
    StiEnd end; // coordinates
    StiWire hinge;
} Place;

// false after a message, or where the place's own error is known already. Where a joint and a link of a
// robot have the same name, the joint is meant unless a point is given.
bool scene_place_named(Reader *reader, const Node *node, const char *what, bool point_given,
                       Place *place);

#endif
