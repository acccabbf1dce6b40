// The page of a fit.
#ifndef STICTION_CLI_REPORT_FIT_H
#define STICTION_CLI_REPORT_FIT_H

#include <stiction/fit.h>

// Measured against simulated, residuals, friction, parameters, all models. An exit code.
int report_fit(const StiFit *fit, const StiFitResult *const *results, int count, const char *path);

#endif
