// Private: triangles of mesh files for drawings: corners on a grid of 16 bits, equal ones merged.
#ifndef STICTION_SCENE_TRIANGLES_H
#define STICTION_SCENE_TRIANGLES_H

#include <stdint.h>

#include "mesh/mesh.h"

enum { TRIANGLES_GRID = 65535 }; // steps along the longest side

// A corner is at low + cell * place, in the units of the file. To be freed by triangles_free.
typedef struct Triangles {
    StiVec3 low;
    double cell;
    uint16_t *places; // three numbers of each
    int place_count;
    int *corners; // three places of each triangle
    int count;    // triangles: those with three different corners
} Triangles;

// Three points of each triangle, to be freed: of STL as they stand, of OBJ by its faces. NULL: *why says what is wrong.
int *mesh_corners(const char *text, size_t length, int points, int *triangles, const char **why);

// False: *why says what is wrong.
bool triangles_read(const char *text, size_t length, Triangles *to, const char **why);
bool triangles_load(const char *path, Triangles *to, const char **why);
// Corners in one cube of `step` cells become one of them. False: no memory.
bool triangles_merge(const Triangles *from, int step, Triangles *to);
void triangles_free(Triangles *triangles);

#endif
