// Scene files, and what is to be said about them.
#ifndef STICTION_CLI_LOAD_H
#define STICTION_CLI_LOAD_H

#include <stdio.h>

#include <stiction/scene.h>

#include "command/options.h"

// --set and --variant.
StiSceneOptions load_options(const Arguments *arguments);

// Loads a scene and prints its messages (quiet: only errors). Returns an exit code; *scene is NULL
// unless it is 0. A folder stands for the scene.yaml in it, and
// where there is no such file, the name of a scene of papers/ or scenes/ for its file. Where --set took away what the
// expectations name (a shorter run, other channels), they are left out.
int load_scene(const char *path, const StiSceneOptions *options, bool quiet, StiScene **scene);

// Without expectations from the beginning.
int load_without_expectations(const char *path, const StiSceneOptions *options, bool quiet,
                              StiScene **scene);

// Without expectations and messages; NULL where it is not good, with the first error as text.
StiScene *load_or_explain(const char *path, const StiSceneOptions *options, char *why, size_t size);
// The same, and prints notes and warnings of a scene that is good, unless quiet.
StiScene *load_or_leave(const char *path, const StiSceneOptions *options, bool quiet, char *why,
                        size_t size);
StiScene *load_quietly(const char *path, const StiSceneOptions *options);

// A new text: the file that a path, a folder or the name of a scene stands for.
char *load_file_of(const char *path);

// Scenes may read files of this folder only; NULL: any.
void load_confine(const char *folder);
// A file of data, for reading; NULL after a message. Pipes and devices may never end.
FILE *load_open(const char *path);
bool load_is_folder(const char *path);

#endif
