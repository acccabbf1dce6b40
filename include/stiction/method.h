// Methods: integrators as tables of numbers, with the step tau that each stage hands to the models.
#ifndef STICTION_METHOD_H
#define STICTION_METHOD_H

#include <stdbool.h>

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STI_METHOD_STAGES = 4 };

typedef struct StiMethod {
    const char *name;
    const char *summary;
    int stages;
    int order; // for smooth motion; friction in stick and across transitions is of order 1
    // Stage r is evaluated at x + T sum_j A[r][j] xi_j, at the time t + c[r] T.
    double A[STI_METHOD_STAGES][STI_METHOD_STAGES];
    double b[STI_METHOD_STAGES];
    double c[STI_METHOD_STAGES];
    // Over T; where stage r+1 uses only slope r: c[r+1], and 1 for the last.
    double tau[STI_METHOD_STAGES];
    bool positions_last; // symplectic: positions follow from the new velocities
} StiMethod;

STI_API extern const StiMethod sti_method_euler, sti_method_symplectic_euler, sti_method_heun,
    sti_method_rk4, sti_method_gill;

// Not a method with a fixed step: rates at tau = 0, for integrators with error control
// (continuous.h).
STI_API extern const StiMethod sti_method_continuous;

// All with a fixed step, NULL after the last; and by name, NULL if there is none.
STI_API extern const StiMethod *const sti_methods[];
STI_API const StiMethod *sti_method_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
