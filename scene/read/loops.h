// Private: loops in scenes, joints that close chains of bodies. They are elements; their equations hold exactly.
#ifndef STICTION_SCENE_LOOPS_H
#define STICTION_SCENE_LOOPS_H

#include "read/reader.h"

enum { SCENE_LOOP_KEYS = 10 };
extern const Key scene_loop_keys[SCENE_LOOP_KEYS];
void scene_read_loop(Reader *reader, const char *name, const Node *node, bool complete);

#endif
