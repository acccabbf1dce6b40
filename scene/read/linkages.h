// Private: linkages in scenes. Names of their bodies, joints and drivers are names of the scene.
#ifndef STICTION_SCENE_LINKAGES_H
#define STICTION_SCENE_LINKAGES_H

#include "read/reader.h"

enum { SCENE_LINKAGE_KEYS = 7 };
extern const Key scene_linkage_keys[SCENE_LINKAGE_KEYS];
void scene_build_linkage(Reader *reader, Body *body);

// A joint, or a body, of a linkage by its name ("pin", or "press.pin"); NULL if there is none.
typedef struct Part {
    const Body *linkage;
    int pair; // -1: a body
    int body; // -1: a joint
} Part;
bool scene_find_part(const Reader *reader, const char *name, Part *part);
// Is it the name of a body, joint or driver of a linkage, or of a linkage? For channels.
bool scene_is_part(const Reader *reader, const char *name, size_t length);
void scene_destroy_linkages(Reader *reader);

#endif
