// Private: from YAML text to a tree of nodes, for whole files and for the values of --set.
#ifndef STICTION_SCENE_TREE_H
#define STICTION_SCENE_TREE_H

#include <yaml.h>

#include "yaml/document.h"

enum { SCENE_MOST_LEVELS = 64, SCENE_MOST_NODES = 20000000, SCENE_MOST_COPIES = 100000 };

// Any one value; *root is NULL if the text holds none. False after a message. The marks point into
// file; the value will stand at this level of a tree (1: the root).
bool scene_tree_read(const char *text, size_t length, const char *file, int level, StiArena *arena,
                     StiMessages *messages, Node **root);

// Says where text is not YAML's UTF-8, control characters included. True if all of it is.
bool scene_encoding_check(const char *text, size_t length, const char *file, StiMessages *messages);

// Says what libyaml stumbled over, and what would be right. text is what the parser reads.
void scene_yaml_message(const yaml_parser_t *parser, const char *text, size_t length,
                        const char *file, StiMessages *messages);

// libyaml counts from 0.
Mark scene_yaml_mark(const char *file, yaml_mark_t mark);

#endif
