// Private: from YAML text to a tree of nodes, for whole files and for the values of --set.
#ifndef STICTION_SCENE_TREE_H
#define STICTION_SCENE_TREE_H

#include "yaml/document.h"

enum { SCENE_MOST_LEVELS = 64, SCENE_MOST_NODES = 20000000, SCENE_MOST_COPIES = 100000 };

// Any one value; *root is NULL if the text holds none. False after a message. The marks point into
// file; the value will stand at this level of a tree (1: the root).
bool scene_tree_read(const char *text, size_t length, const char *file, int level, StiArena *arena,
                     StiMessages *messages, Node **root);

// Says where text is not YAML's UTF-8, control characters included. True if all of it is.
bool scene_encoding_check(const char *text, size_t length, const char *file, StiMessages *messages);

#endif
