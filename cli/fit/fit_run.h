// The course of stiction fit.
#ifndef STICTION_CLI_FIT_RUN_H
#define STICTION_CLI_FIT_RUN_H

#include "command/options.h"

int fit_run(const Arguments *arguments);

#endif
