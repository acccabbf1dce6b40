// A scene with a grid: one run for each combination of the swept values, one row for each run.
#ifndef STICTION_CLI_GRID_H
#define STICTION_CLI_GRID_H

#include <stiction/scene.h>

#include "report/report_rows.h"

int64_t grid_runs(const StiScene *scene);

// scene: as loaded from its path with these options; it is loaded anew for each run. worst: of each
// expectation, which must hold in every run, the value farthest from it. rows:
// NULL, or where the run's number, the swept values and what is recorded go. Returns an exit code.
int grid_simulate(const StiScene *scene, const StiSceneOptions *options, const char *output,
                  bool quiet, double *worst, Rows *rows);

#endif
