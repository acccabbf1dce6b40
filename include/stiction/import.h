// Model files of other programs as scenes: URDF, MJCF (MuJoCo), SDF. Part of the scene library.
#ifndef STICTION_IMPORT_H
#define STICTION_IMPORT_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Is this text a model file, and not a scene?
STI_API bool sti_is_model(const char *text, size_t length);

// The scene that a model file becomes, as YAML, to be freed; sti_scene_load reads model files by it.
// Joint friction, springs, stops, drives with inputs of their names and a floor are elements that can
// be changed. NULL after messages. Messages begin with "read: ", "changed: " or "left out: ", one for
// all that are alike. options: NULL, or confine.
STI_API char *sti_import(const char *path, const StiSceneOptions *options, StiMessages *messages);
STI_API char *sti_import_text(const char *text, size_t length, const char *path,
                              const StiSceneOptions *options, StiMessages *messages);

// ---- what a replay draws of model files: triangles that the simulation itself never needs

// A mesh file. A corner is at low + cell * place, in the units of the file.
typedef struct StiDrawnMesh {
    StiVec3 low;
    double cell;
    uint16_t *places; // three numbers of each
    int place_count;
    uint16_t *corners; // three places of each triangle
    int count;         // triangles
} StiDrawnMesh;

typedef struct StiDrawnPart {
    int body, link; // of the network; body -1: fixed in the world
    int mesh;
    bool visual; // meant to be seen: stands for all shapes of its link; else for hulls
    StiVec3 scale;
    StiFrame at; // link axes
} StiDrawnPart;

typedef struct StiDrawing {
    StiDrawnMesh *meshes;
    int mesh_count;
    StiDrawnPart *parts;
    int part_count;
    int left_out; // whose files are not there, may not be read, or are neither STL nor OBJ; of no size; too many
    double merged; // m: corners as close as this may have become one, to keep the limit; 0: none
} StiDrawing;

enum { STI_MOST_TRIANGLES = 20000, STI_MOST_DRAWN_PARTS = 2000 }; // of a drawing

// Reads the model file of the scene, and of each robot with 'urdf: FILE', again, and the meshes that these name: where a
// link has meshes to be seen these, else those for contact. NULL: no memory. To be destroyed.
STI_API StiDrawing *sti_scene_drawing(const StiScene *scene);
STI_API void sti_drawing_destroy(StiDrawing *drawing);

#ifdef __cplusplus
}
#endif
#endif
