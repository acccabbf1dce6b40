// Private: meshes that models name, as convex hulls for contact.
#ifndef STICTION_SCENE_MESH_HULL_H
#define STICTION_SCENE_MESH_HULL_H

#include "stiction/shape.h"
#include "text/gathered.h"

typedef struct MeshHull MeshHull;

// Hulls live in the arena; each file is read once for each scale.
typedef struct MeshHulls {
    StiArena *arena;
    Gathered *gathered;
    const char *model;   // its path: files are relative to its folder
    const char *confine; // the folder that files must be in; NULL: anywhere
    MeshHull *first;
} MeshHulls;

// file: a path, "file://", or "package://NAME/..." and "model://NAME/...", which are looked for in the
// folders above the model. NULL after a note: there is no such file, or it has no hull.
const StiHull *mesh_hull(MeshHulls *hulls, Mark mark, const char *file, StiVec3 scale);
// Where a file is, if it is there and may be read.
bool mesh_find(const MeshHulls *hulls, const char *file, char *path, size_t size);
// Where the file of a hull was found; NULL: it has none.
const char *mesh_hull_path(const MeshHulls *hulls, const char *file);

#endif
