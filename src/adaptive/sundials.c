#include "adaptive/sundials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is not controlled gets no weight; the norm is a mean over all, hence the factor.
static void set_tolerances(const OdeSolver *solver, Sundials *s)
{
    const double factor = sqrt((double)solver->ode->controlled / (double)solver->ode->count);
    double *absolute = N_VGetArrayPointer(s->absolute);
    s->relative = solver->options.relative * factor;
    for (int i = 0; i < solver->ode->count; ++i)
        absolute[i] = i < solver->ode->controlled ? solver->options.absolute * factor : 1e60;
}

bool sundials_create(OdeSolver *solver)
{
    const int n = solver->ode->count;
    Sundials *s = solver->memory = calloc(1, sizeof *s);
    if (s == NULL || SUNContext_Create(NULL, &s->context) != 0) return false;
    s->y = N_VNew_Serial(n, s->context);
    s->absolute = N_VNew_Serial(n, s->context);
    if (s->y == NULL || s->absolute == NULL) return false;
    set_tolerances(solver, s);
    if (!solver->method->implicit) return true;
    s->matrix = SUNDenseMatrix(n, n, s->context);
    if (s->matrix == NULL) return false;
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    return s->linear != NULL && jacobian_create(&s->jacobian, solver->ode);
}

void sundials_destroy(OdeSolver *solver)
{
    Sundials *s = solver->memory;
    if (s == NULL) return;
    jacobian_destroy(&s->jacobian);
    if (s->linear != NULL) SUNLinSolFree(s->linear);
    if (s->matrix != NULL) SUNMatDestroy(s->matrix);
    if (s->y != NULL) N_VDestroy(s->y);
    if (s->absolute != NULL) N_VDestroy(s->absolute);
    if (s->context != NULL) SUNContext_Free(&s->context);
    free(s);
}

OdeOutcome sundials_outcome(OdeSolver *solver, int code, int root, double wanted, double *t,
                            double *y)
{
    const Sundials *s = solver->memory;
    memcpy(y, N_VGetArrayPointer(s->y), (size_t)solver->ode->count * sizeof *y);
    if (code == root) return ODE_ROOT;
    if (code >= 0) {
        solver->status = STI_OK; // what failed in an attempt was mended by a smaller step
        *t = wanted;
        return ODE_REACHED;
    }
    if (solver->status == STI_OK) solver->status = STI_STEP_TOO_SMALL;
    return ODE_FAILED;
}

// What the library gets back: above 0, try a smaller step; below, give up.
static int advice(StiStatus status)
{
    return status == STI_OK ? 0 : status == STI_INTERRUPTED ? -1 : 1;
}

int sundials_rate(realtype t, N_Vector y, N_Vector rate, void *data)
{
    OdeSolver *solver = data;
    ++solver->counts.evaluations;
    const StiStatus status =
        solver->ode->rate(solver->ode->context, t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    if (status != STI_OK) solver->status = status;
    return advice(status);
}

int sundials_roots(realtype t, N_Vector y, realtype *g, void *data)
{
    const OdeSolver *solver = data;
    solver->ode->roots(solver->ode->context, t, N_VGetArrayPointer(y), g);
    return 0;
}

int sundials_project(realtype t, N_Vector y, void *data)
{
    OdeSolver *solver = data;
    const StiStatus status =
        solver->ode->project(solver->ode->context, t, N_VGetArrayPointer(y));
    if (status != STI_OK) solver->status = status;
    return status == STI_OK ? 0 : -1;
}

int sundials_jacobian(realtype t, N_Vector y, N_Vector rate, SUNMatrix J, void *data, N_Vector a,
                      N_Vector b, N_Vector c)
{
    (void)a, (void)b, (void)c;
    OdeSolver *solver = data;
    Sundials *s = solver->memory;
    ++solver->counts.jacobians;
    const StiStatus status = jacobian_fill(&s->jacobian, solver->ode, t, N_VGetArrayPointer(y),
                                           N_VGetArrayPointer(rate), solver->options.absolute,
                                           SUNDenseMatrix_Data(J), &solver->counts.evaluations);
    if (status != STI_OK) solver->status = status;
    return advice(status);
}

// Status says what went wrong.
void sundials_silence(int code, const char *module, const char *function, char *text, void *data)
{
    (void)code, (void)module, (void)function, (void)text, (void)data;
}
