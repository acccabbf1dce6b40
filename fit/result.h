// Private: a result in the making. It owns all that it shows; without memory it has failed, and what follows does nothing.
#ifndef STICTION_FIT_RESULT_H
#define STICTION_FIT_RESULT_H

#include "uncertainty.h"

typedef struct Made {
    StiFitResult result; // first: a result is one of these
    void **owned;
    int owned_count, owned_capacity;
    bool failed;
} Made;

// Zeros that the result owns; NULL without memory.
void *result_take(Made *made, size_t count, size_t size);
// Text that it owns; "" without memory.
const char *result_say(Made *made, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What was measured and simulated, after engine_residuals at these values; then the errors of each channel.
void result_keep_series(Made *made, const Engine *engine, const double *values);
void result_keep_errors(Made *made, const Engine *engine);
void result_keep_curves(Made *made, Engine *engine, const double *values);
// The best values, for which nothing else is known yet; then how well they are.
StiFitted *result_keep_parameters(Made *made, const Search *search);
void result_keep_uncertainty(Made *made, const Problem *problem, StiFitted *parameters,
                             const Uncertainty *from);
// AIC and BIC; effective_rows 0: those of this result.
void result_keep_criteria(Made *made, const Problem *problem, double effective_rows);
void result_keep_sets(Made *made, const Problem *problem, const double *values);
void result_keep_figures(Made *made, const Engine *engine); // simulations, rejected ones by reason

#endif
