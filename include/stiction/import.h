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

#ifdef __cplusplus
}
#endif
#endif
