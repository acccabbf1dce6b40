// Private: files that scenes name.
#ifndef STICTION_SCENE_NAMED_FILES_H
#define STICTION_SCENE_NAMED_FILES_H

#include "read/reader.h"

// Where a file that the scene names is: its path in the arena. NULL after a message: outside of the folder
// to which the reader is confined, or no memory.
const char *scene_file_named(Reader *reader, const Node *node, const char *name);

// The scene read this file, too: a mesh of a robot. False: no memory.
bool scene_file_remember(Reader *reader, const char *name, const char *path);
// Fills in the files of the scene, each once.
void scene_list_files(const Reader *reader, StiScene *scene);

// Did this reader look for a file of this name?
bool scene_file_was_named(const Reader *reader, const char *name);

#endif
