// What a scene itself has to say on a report: title, text, figures, expectations.
#ifndef STICTION_CLI_REPORT_SCENE_H
#define STICTION_CLI_REPORT_SCENE_H

#include <stdio.h>

#include <stiction/scene.h>

// The keys of a simulation; the object stays open for its runs.
void report_scene_json(const StiScene *scene, const char *name, FILE *file);
void report_expectations_json(const StiScene *scene, const double *measured, bool judged,
                              FILE *file);

#endif
