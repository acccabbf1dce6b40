// The page of a sweep: all runs by their parameters and measures, some of them with their plots.
#ifndef STICTION_CLI_REPORT_STUDY_H
#define STICTION_CLI_REPORT_STUDY_H

#include "study/sweep_summary.h"

// first, stride: which run of the study a row is. options: how the scene was loaded. Returns an exit code, after a
// message.
int report_study(const StiStudy *study, const SweepRows *rows, int64_t first, int64_t stride,
                 const StiSceneOptions *options, const char *path);

#endif
