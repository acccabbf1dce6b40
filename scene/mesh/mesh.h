// Private: triangles of mesh files: STL (text and binary) and OBJ.
#ifndef STICTION_SCENE_MESH_H
#define STICTION_SCENE_MESH_H

#include <stdbool.h>
#include <stddef.h>

#include "stiction/vector.h"

// Corners of all triangles as they stand in the file: those of STL three by three, those of OBJ once
// each. To be freed.
typedef struct Mesh {
    StiVec3 *points;
    int count;
} Mesh;

enum { MESH_MOST_BYTES = 1 << 28 };

bool mesh_is_stl(const char *text, size_t length); // else OBJ
// False: *why says what is wrong.
bool mesh_read(const char *text, size_t length, Mesh *mesh, const char **why);
bool mesh_load(const char *path, Mesh *mesh, const char **why);

#endif
