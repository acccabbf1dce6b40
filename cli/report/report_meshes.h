// Meshes of model files, for the replay.
#ifndef STICTION_CLI_REPORT_MESHES_H
#define STICTION_CLI_REPORT_MESHES_H

#include <stdio.h>

#include <stiction/scene.h>

// {note, meshes: [{low, cell, places, corners}, ...], parts: [{body, link, mesh, ...}, ...]}, or null: nothing to draw.
void report_meshes(const StiScene *scene, FILE *file);

#endif
