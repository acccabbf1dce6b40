// Private: what the ARKODE and CVODE methods share.
#ifndef STICTION_SRC_ADAPTIVE_SUNDIALS_H
#define STICTION_SRC_ADAPTIVE_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "adaptive/jacobian.h"
#include "adaptive/ode.h"

typedef struct Sundials {
    SUNContext context;
    void *solver; // the memory of ARKODE or CVODE
    N_Vector y, absolute;
    double relative;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    Jacobian jacobian;
    bool begun;
    OdeCounts before; // of the runs that ended in a new begin
} Sundials;

// The context, the vector and, for implicit methods, the matrix; false: out of memory.
bool sundials_create(OdeSolver *solver);
// All of it but the solver's own memory.
void sundials_destroy(OdeSolver *solver);

enum { SUNDIALS_STEPS = 50000000 }; // in one advance, before it gives up

// After a call of the solver: y is reported, and what the library's code means. root: its code for a
// zero.
OdeOutcome sundials_outcome(OdeSolver *solver, int code, int root, double wanted, double *t,
                            double *y);

int sundials_rate(realtype t, N_Vector y, N_Vector rate, void *data);
int sundials_roots(realtype t, N_Vector y, realtype *g, void *data);
int sundials_jacobian(realtype t, N_Vector y, N_Vector rate, SUNMatrix J, void *data, N_Vector a,
                      N_Vector b, N_Vector c);
// For ARKODE, after an accepted step.
int sundials_project(realtype t, N_Vector y, void *data);
void sundials_silence(int code, const char *module, const char *function, char *text, void *data);

#endif
