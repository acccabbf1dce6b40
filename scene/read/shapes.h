// Private: shapes for contact, as maps: {kind: sphere, radius: 0.1, at: [x, y, z]}.
#ifndef STICTION_SCENE_SHAPES_H
#define STICTION_SCENE_SHAPES_H

#include "read/reader.h"
#include "stiction/shape.h"

enum { SCENE_SHAPE_KEYS = 12 };
extern const Key scene_shape_keys[SCENE_SHAPE_KEYS];

enum { SCENE_PLANE_KEYS = 6 }; // the last one where shapes are listed, the first two of any plane
extern const Key scene_plane_keys[SCENE_PLANE_KEYS];

typedef struct Shapes {
    StiShape *items;
    int count;
} Shapes;

// A map, or a list of maps; false after a message. Hulls live in the reader's arena.
bool scene_read_shapes(Reader *reader, const Node *node, const char *what, Shapes *shapes);
// {point: ..., normal: ...}; NULL: through the origin, normal z.
bool scene_read_plane(Reader *reader, const Node *plane, StiVec3 *point, StiVec3 *normal);
// The same as a shape, whose surface may run.
bool scene_read_plane_shape(Reader *reader, const Node *plane, StiShape *shape);

// Puts shapes on a link of a body that is in the plan already; false if there is no memory.
bool scene_body_add_shapes(Reader *reader, Body *body, int link, const Shapes *shapes);

#endif
