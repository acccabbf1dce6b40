// Private: the links of a robot, before it is made.
#ifndef STICTION_SCENE_LINKS_H
#define STICTION_SCENE_LINKS_H

#include "read/reader.h"
#include "read/shapes.h"
#include "stiction/urdf.h"

enum { SCENE_LINK_KEYS = 16, SCENE_CHAIN_KEYS = 6 };
extern const Key scene_link_keys[SCENE_LINK_KEYS], scene_chain_keys[SCENE_CHAIN_KEYS];

typedef struct Links {
    StiLink *items;
    int count;
    StiUrdfJoint *urdf; // one per link; NULL: not from URDF
    const char *file;   // the URDF
    int *leaders;       // of its joints: the link whose joint is followed, or -1
    const Node *list;   // one item per link; NULL: not written in the scene
    StiUrdfShape *shapes;
    int shape_count;
} Links;

// From 'urdf', 'links' or 'chain' of a robot; false after a message.
bool scene_read_links(Reader *reader, const Node *robot, Links *links);
// 'limits' of a map, if it has them. Elements of kind joint-limit take them; the robot itself is not stopped.
bool scene_read_limits(Reader *reader, const Node *map, StiLink *link);

#endif
