// A scene held against a table of errors and orders.
#ifndef STICTION_CLI_STUDY_CHECK_H
#define STICTION_CLI_STUDY_CHECK_H

#include "command/options.h"

// The table is a CSV file: variant,method,step,scale,error,order,over. Returns an exit code, 1 if a
// row does not hold.
int study_check(const Arguments *arguments, const char *path);

#endif
