// Methods: integrators as tables of numbers, with the step tau that each stage hands to the models.
#ifndef STICTION_METHOD_H
#define STICTION_METHOD_H

#include <stdbool.h>
#include <stddef.h>

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STI_METHOD_STAGES = 6 };

typedef struct StiMethod {
    size_t table_size; // sizeof(StiMethod): another one is refused
    const char *name;
    const char *summary;
    int stages;
    int order; // for smooth motion; friction in stick and across transitions: 1, unless it cuts
    // Stage r is evaluated at x + T sum_j A[r][j] xi_j, at the time t + c[r] T.
    double A[STI_METHOD_STAGES][STI_METHOD_STAGES];
    double b[STI_METHOD_STAGES];
    double c[STI_METHOD_STAGES];
    // Over T; where stage r+1 uses only slope r: c[r+1], and 1 for the last.
    double tau[STI_METHOD_STAGES];
    bool positions_last; // symplectic: positions follow from the new velocities
    bool finite_time;    // reactions by the finite-time rule; bodies that nothing touches fly exactly
    bool continuous;     // no fixed step: rates at tau = 0

    // Methods that cut the step where a mode of friction ends, and keep their order there. Pairs:
    // A is explicit, for smooth forces; AI diagonally implicit with the diagonal gamma, for stiff
    // friction.
    bool cuts;
    double AI[STI_METHOD_STAGES][STI_METHOD_STAGES];
    double gamma;
    const char *stiff; // the pair to take for elastic and planar friction, where it is another one
    const struct StiExplanation *explanation; // kind.h; may be NULL
} StiMethod;

// All that the library has; `stiction list methods` says what each is for.
STI_API extern const StiMethod sti_method_euler, sti_method_symplectic_euler, sti_method_heun,
    sti_method_rk4, sti_method_gill, sti_method_rule, sti_method_cut, sti_method_ark4,
    sti_method_ark3, sti_method_rk4_split;

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
