// What a fit leaves behind: a table, and the fitted scene.
#ifndef STICTION_CLI_FIT_FILES_H
#define STICTION_CLI_FIT_FILES_H

#include <stiction/fit.h>

// A row per model: parameters with intervals, errors, criteria. Columns are those of all models. An exit code.
int fit_write_table(const char *path, const StiFitResult *const *results, int count);
// The scene with the fitted values, comments kept; of a robot's URDF the robot. own_section: channels and starts are
// those of the scene's section fit. An exit code, after messages.
int fit_write_back(const char *scene, const char *path, const StiFitResult *result,
                   const StiSceneOptions *options, bool own_section);

#endif
