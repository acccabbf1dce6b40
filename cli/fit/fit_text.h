// A fit in words.
#ifndef STICTION_CLI_FIT_TEXT_H
#define STICTION_CLI_FIT_TEXT_H

#include <stiction/fit.h>

enum { QUANTITY_SIZE = 48 };
// "2.54 mm": three digits and a prefix. Returns buffer.
const char *fit_quantity(char buffer[QUANTITY_SIZE], double value, const char *unit);

void fit_print_head(const StiFit *fit);
void fit_print_result(const StiFitResult *result, double seconds);
// A line per model: errors, AIC, BIC, errors on what was left out.
void fit_print_models(const StiFitResult *const *results, int count);

#endif
