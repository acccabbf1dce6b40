// Explicit embedded Runge-Kutta pairs, by ARKODE.
#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <string.h>

#include "adaptive/sundials.h"
#include "stiction/elementary.h"

static bool create(OdeSolver *solver) { return sundials_create(solver); }

static void destroy(OdeSolver *solver)
{
    Sundials *s = solver->memory;
    if (s != NULL && s->solver != NULL) ARKStepFree(&s->solver);
    sundials_destroy(solver);
}

// ARKODE's own choice, PID with its usual gains over the errors of the last three steps; but its powers are those of
// the C library, whose bits depend on the processor.
static int next_step(N_Vector y, realtype t, realtype h1, realtype h2, realtype h3, realtype e1,
                     realtype e2, realtype e3, int q, int p, realtype *next, void *data)
{
    const double least = 1e-10, order = p;
    (void)y, (void)t, (void)h2, (void)h3, (void)q, (void)data;
    *next = h1 * sti_pow(fmax(e1, least), -0.58 / order) * sti_pow(fmax(e2, least), 0.21 / order) *
            sti_pow(fmax(e3, least), -0.1 / order);
    return 0;
}

static bool open_solver(OdeSolver *solver, Sundials *s, double t)
{
    s->solver = ARKStepCreate(sundials_rate, NULL, t, s->y, s->context);
    if (s->solver == NULL) return false;
    ARKStepSetErrHandlerFn(s->solver, sundials_silence, NULL);
    ARKStepSetUserData(s->solver, solver);
    ARKStepSetTableNum(s->solver, ARKODE_DIRK_NONE, (ARKODE_ERKTableID)solver->method->number);
    ARKStepSVtolerances(s->solver, s->relative, s->absolute);
    ARKStepSetMaxNumSteps(s->solver, SUNDIALS_STEPS);
    ARKStepSetMaxStep(s->solver, solver->options.longest_step);
    ARKStepSetMaxErrTestFails(s->solver, 50);
    ARKStepSetAdaptivityFn(s->solver, next_step, NULL);
    if (solver->ode->project != NULL) ARKStepSetPostprocessStepFn(s->solver, sundials_project);
    if (solver->ode->root_count == 0) return true;
    return ARKStepRootInit(s->solver, solver->ode->root_count, sundials_roots) == ARK_SUCCESS &&
           ARKStepSetRootDirection(s->solver, solver->ode->root_directions) == ARK_SUCCESS;
}

static void add_counts(OdeSolver *solver, Sundials *s)
{
    long steps = 0, failures = 0;
    ARKStepGetNumSteps(s->solver, &steps);
    ARKStepGetNumErrTestFails(s->solver, &failures);
    solver->counts.steps = s->before.steps + steps;
    solver->counts.failures = s->before.failures + failures;
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
    ARKStepReInit(s->solver, sundials_rate, NULL, t, s->y);
    ARKStepSetInitStep(s->solver, solver->options.first_step);
}

// Dense output is of order 5 at most: what is more exact steps onto the times wanted.
static OdeOutcome advance(OdeSolver *solver, double wanted, double limit, double *t, double *y)
{
    Sundials *s = solver->memory;
    if (solver->status != STI_OK) return ODE_FAILED;
    ARKStepSetStopTime(s->solver, solver->method->order > 5 ? wanted : limit);
    const int code = ARKStepEvolve(s->solver, wanted, s->y, t, ARK_NORMAL);
    add_counts(solver, s);
    return sundials_outcome(solver, code, ARK_ROOT_RETURN, wanted, t, y);
}

static void found(OdeSolver *solver, int *directions)
{
    const Sundials *s = solver->memory;
    ARKStepGetRootInfo(s->solver, directions);
}

static const StiExplanation bogacki_shampine_text = {
    .equations = "explicit pair 3(2), 4 stages; tau = 0\n"
                 "in a scene: method: {adaptive: bogacki-shampine, rtol: 1e-8, atol: 1e-10}\n",
    .use = "Rough tolerances (1e-3 to 1e-5), smooth motion.",
    .source = "ARKODE.",
};

static const StiExplanation dormand_prince_text = {
    .equations = "explicit pair 5(4), 7 stages; tau = 0\n"
                 "in a scene: method: {adaptive: dormand-prince, rtol: 1e-8, atol: 1e-10}\n",
    .use = "The usual choice where no element is stiff.",
    .source = "ARKODE.",
};

static const StiExplanation verner_text = {
    .equations = "explicit pair 6(5), 8 stages; tau = 0\n"
                 "in a scene: method: {adaptive: verner, rtol: 1e-8, atol: 1e-10}\n",
    .use = "Tight tolerances, smooth motion. It steps onto the rows of the recording.",
    .source = "ARKODE.",
};

static const StiExplanation fehlberg_text = {
    .equations = "explicit pair 8(7), 13 stages; tau = 0\n"
                 "in a scene: method: {adaptive: fehlberg, rtol: 1e-8, atol: 1e-10}\n",
    .use = "Reference solutions, tolerances to 1e-13. It steps onto the rows of the "
           "recording.",
    .source = "ARKODE.",
};

const OdeMethod ode_methods_arkode[] = {
    {.name = "bogacki-shampine",
     .summary = "explicit Runge-Kutta 3(2), Bogacki and Shampine (ARKODE)",
     .explanation = &bogacki_shampine_text,
     .order = 3,
     .number = ARKODE_BOGACKI_SHAMPINE_4_2_3,
     .create = create,
     .destroy = destroy,
     .begin = begin,
     .advance = advance,
     .found = found},
    {.name = "dormand-prince",
     .summary = "explicit Runge-Kutta 5(4), Dormand and Prince (ARKODE)",
     .explanation = &dormand_prince_text,
     .order = 5,
     .number = ARKODE_DORMAND_PRINCE_7_4_5,
     .create = create,
     .destroy = destroy,
     .begin = begin,
     .advance = advance,
     .found = found},
    {.name = "verner",
     .summary = "explicit Runge-Kutta 6(5), Verner (ARKODE)",
     .explanation = &verner_text,
     .order = 6,
     .number = ARKODE_VERNER_8_5_6,
     .create = create,
     .destroy = destroy,
     .begin = begin,
     .advance = advance,
     .found = found},
    {.name = "fehlberg",
     .summary = "explicit Runge-Kutta 8(7), Fehlberg (ARKODE)",
     .explanation = &fehlberg_text,
     .order = 8,
     .number = ARKODE_FEHLBERG_13_7_8,
     .create = create,
     .destroy = destroy,
     .begin = begin,
     .advance = advance,
     .found = found},
    {.name = NULL},
};
