// Private: a tree of nodes as plain text.
#ifndef STICTION_SCENE_PLAIN_H
#define STICTION_SCENE_PLAIN_H

#include "yaml/document.h"

// JSON but for bare words and numbers, which stay as they are. fixed_step: without a method that controls
// errors. To be freed; NULL without memory.
char *scene_plain_text(const Node *root, bool fixed_step);

#endif
