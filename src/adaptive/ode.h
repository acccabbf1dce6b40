// Private: a system of ordinary differential equations, and the ways to follow it with error
// control. Nothing here knows of networks.
#ifndef STICTION_SRC_ADAPTIVE_ODE_H
#define STICTION_SRC_ADAPTIVE_ODE_H

#include <stdbool.h>

#include "stiction/kind.h"
#include "stiction/status.h"

// y' = rate(t, y), smooth between two calls of begin. A status other than STI_OK from rate asks for
// a smaller step first and ends the integration if that does not help.
typedef struct Ode {
    int count;
    int controlled; // the first of them are under error control; the rest are sums that go along
    void *context;
    StiStatus (*rate)(void *context, double t, const double *y, double *rate);
    int root_count; // functions whose zeros end an advance
    int *root_directions; // of each: -1 downward zeros end an advance, 1 upward ones
    void (*roots)(void *context, double t, const double *y, double *g);
    // Puts y back where invariants want it, after each step; NULL: there are none. A status other
    // than STI_OK ends the integration.
    StiStatus (*project)(void *context, double t, double *y);
    const bool *depends; // count x count: does rate i depend on y j? NULL: all on all
} Ode;

typedef struct OdeOptions {
    double relative, absolute; // tolerances
    double longest_step;       // s; 0: a tenth of the way
    double first_step;         // s; 0: chosen
    double span;               // s, the whole way from the first begin
} OdeOptions;

typedef struct OdeCounts {
    long steps, failures; // accepted, and attempts that were not
    long evaluations;     // of rate, those for Jacobians included
    long jacobians;
} OdeCounts;

typedef enum OdeOutcome {
    ODE_REACHED, // the time asked for
    ODE_ROOT,    // a zero came first; t and y are there
    ODE_FAILED   // status says why; t and y are where it ended
} OdeOutcome;

typedef struct OdeMethod OdeMethod;

typedef struct OdeSolver {
    const OdeMethod *method;
    const Ode *ode;
    OdeOptions options;
    OdeCounts counts;
    StiStatus status;
    void *memory;
} OdeSolver;

struct OdeMethod {
    const char *name;
    const char *summary;
    int order;
    bool implicit;
    const StiExplanation *explanation;
    int number; // which of the tables or families of the library
    // false: out of memory
    bool (*create)(OdeSolver *solver);
    void (*destroy)(OdeSolver *solver);
    // Start, or start again after a jump.
    void (*begin)(OdeSolver *solver, double t, const double *y);
    // To the time wanted, by dense output; no evaluation beyond limit >= wanted.
    OdeOutcome (*advance)(OdeSolver *solver, double wanted, double limit, double *t, double *y);
    // Which roots ended the last advance: -1 or 1 the direction of the zero, 0 not this one.
    void (*found)(OdeSolver *solver, int *directions);
};

extern const OdeMethod ode_method_ode23;
extern const OdeMethod ode_methods_arkode[], ode_methods_cvode[]; // name NULL after the last

// By name, NULL if there is none; and all of them by number.
const OdeMethod *ode_method_find(const char *name);
const OdeMethod *ode_method_at(int number);

// NULL: out of memory. ode must outlive the solver.
OdeSolver *ode_create(const OdeMethod *method, const Ode *ode, const OdeOptions *options);
void ode_destroy(OdeSolver *solver);

#endif
