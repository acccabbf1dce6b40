// Private: sites in scenes, frames whose pose and twist are recorded.
#ifndef STICTION_SCENE_SITES_H
#define STICTION_SCENE_SITES_H

#include "read/reader.h"

enum { SCENE_SITE_KEYS = 4 };
extern const Key scene_site_keys[SCENE_SITE_KEYS];
void scene_read_site(Reader *reader, const char *name, const Node *node, bool complete);

#endif
