// What commands that compute for long have in common.
#ifndef STICTION_CLI_LONG_JOB_H
#define STICTION_CLI_LONG_JOB_H

#include <stiction/scene.h>

#include "command/command.h"

// Of --jobs; NULL: 0, as many as there are processors. False after an error message.
bool job_threads(const char *text, int *threads);
// Checks --jobs, -o, --resume and --report before anything is read; an exit code.
int job_begin(const Arguments *arguments, int *threads);

typedef void *JobLoad(const char *path, const StiSceneOptions *options, StiMessages *messages);
// The scene that the command names, with these entries changed, as load reads it. NULL after messages, which silent
// leaves out.
void *job_load(const Arguments *arguments, const char *const *sets, int count, JobLoad *load,
               bool silent);

#endif
