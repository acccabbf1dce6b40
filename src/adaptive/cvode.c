// Multistep methods with dense output, by CVODE: Adams for smooth motion, BDF for stiff elements.
#include <cvode/cvode.h>
#include <string.h>

#include "adaptive/sundials.h"

static bool create(OdeSolver *solver) { return sundials_create(solver); }

static void destroy(OdeSolver *solver)
{
    Sundials *s = solver->memory;
    if (s != NULL && s->solver != NULL) CVodeFree(&s->solver);
    sundials_destroy(solver);
}

// What is to be added to y so that it is projected.
static int project(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error,
                   void *data)
{
    (void)tolerance, (void)error;
    N_VScale(1.0, y, correction);
    const int code = sundials_project(t, correction, data);
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    return code;
}

static bool open_solver(OdeSolver *solver, Sundials *s, double t)
{
    s->solver = CVodeCreate(solver->method->number, s->context);
    if (s->solver == NULL) return false;
    CVodeSetErrHandlerFn(s->solver, sundials_silence, NULL);
    CVodeSetUserData(s->solver, solver);
    if (CVodeInit(s->solver, sundials_rate, t, s->y) != CV_SUCCESS) return false;
    CVodeSVtolerances(s->solver, s->relative, s->absolute);
    CVodeSetLinearSolver(s->solver, s->linear, s->matrix);
    CVodeSetJacFn(s->solver, sundials_jacobian);
    CVodeSetMaxNumSteps(s->solver, SUNDIALS_STEPS);
    CVodeSetMaxStep(s->solver, solver->options.longest_step);
    CVodeSetMaxErrTestFails(s->solver, 50);
    CVodeSetMaxConvFails(s->solver, 50);
    if (solver->ode->project != NULL && solver->method->number == CV_BDF) { // Adams cannot
        CVodeSetProjFn(s->solver, project);
        CVodeSetProjErrEst(s->solver, SUNFALSE);
    }
    return solver->ode->root_count == 0 ||
           (CVodeRootInit(s->solver, solver->ode->root_count, sundials_roots) == CV_SUCCESS &&
            CVodeSetRootDirection(s->solver, solver->ode->root_directions) == CV_SUCCESS);
}

static void add_counts(OdeSolver *solver, Sundials *s)
{
    long steps = 0, failures = 0, unsolved = 0;
    CVodeGetNumSteps(s->solver, &steps);
    CVodeGetNumErrTestFails(s->solver, &failures);
    CVodeGetNumStepSolveFails(s->solver, &unsolved);
    solver->counts.steps = s->before.steps + steps;
    solver->counts.failures = s->before.failures + failures + unsolved;
}

static void begin(OdeSolver *solver, double t, const double *y)
{
    Sundials *s = solver->memory;
    memcpy(N_VGetArrayPointer(s->y), y, (size_t)solver->ode->count * sizeof *y);
    solver->status = STI_OK;
    if (s->solver == NULL) {
        if (!open_solver(solver, s, t)) solver->status = STI_OUT_OF_MEMORY;
        return;
    }
    s->before = solver->counts;
    CVodeReInit(s->solver, t, s->y);
    CVodeSetInitStep(s->solver, solver->options.first_step);
}

static OdeOutcome advance(OdeSolver *solver, double wanted, double limit, double *t, double *y)
{
    Sundials *s = solver->memory;
    if (solver->status != STI_OK) return ODE_FAILED;
    CVodeSetStopTime(s->solver, limit);
    const int code = CVode(s->solver, wanted, s->y, t, CV_NORMAL);
    add_counts(solver, s);
    return sundials_outcome(solver, code, CV_ROOT_RETURN, wanted, t, y);
}

static void found(OdeSolver *solver, int *directions)
{
    const Sundials *s = solver->memory;
    CVodeGetRootInfo(s->solver, directions);
}

static const StiExplanation adams_text = {
    .equations = "Adams-Moulton in Nordsieck form, orders 1 to 12; tau = 0\n"
                 "in a scene: method: {adaptive: adams, rtol: 1e-8, atol: 1e-10}\n",
    .use = "Smooth motion with few evaluations; costly after every restart.",
    .source = "CVODE.",
};

static const StiExplanation bdf_text = {
    .equations = "backward differentiation in Nordsieck form, orders 1 to 5; tau = 0\n"
                 "in a scene: method: {adaptive: bdf, rtol: 1e-8, atol: 1e-10}\n",
    .use = "Stiff bristles and contacts (K = 1e7): far fewer evaluations than an explicit "
           "method, and a step that grows while everything is stuck.",
    .source = "CVODE; Jacobians by differences, with columns that share no row perturbed "
              "together.",
};

const OdeMethod ode_methods_cvode[] = {
    {.name = "adams",
     .summary = "Adams-Moulton, orders 1 to 12 (CVODE)",
     .explanation = &adams_text,
     .order = 12,
     .implicit = true,
     .number = CV_ADAMS,
     .create = create,
     .destroy = destroy,
     .begin = begin,
     .advance = advance,
     .found = found},
    {.name = "bdf",
     .summary = "backward differentiation, orders 1 to 5, for stiff elements (CVODE)",
     .explanation = &bdf_text,
     .order = 5,
     .implicit = true,
     .number = CV_BDF,
     .create = create,
     .destroy = destroy,
     .begin = begin,
     .advance = advance,
     .found = found},
    {.name = NULL},
};
