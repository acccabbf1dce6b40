// Model exchange under an integrator that knows nothing of friction: CVODE with root finding. What is asked of the FMU is
// what any importer asks; the library's own error control, which knows modes, is the judge.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <stiction/adaptive.h>
#include <stiction/record.h>

#include "importer.h"
#include "making.h"
#include "support/random.h"

typedef struct Importer {
    const Fmu2 *fmu;
    fmi2Component c;
    SUNContext context;
    void *solver;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    int events;
} Importer;

static int set(const Importer *im, double t, N_Vector y)
{
    if (im->fmu->fmi2SetTime(im->c, t) != fmi2OK) return 1;
    return im->fmu->fmi2SetContinuousStates(im->c, NV_DATA_S(y), (size_t)im->fmu->states) != fmi2OK;
}

static int rates(realtype t, N_Vector y, N_Vector ydot, void *data)
{
    const Importer *im = data;
    if (set(im, t, y) != 0) return 1;
    return im->fmu->fmi2GetDerivatives(im->c, NV_DATA_S(ydot), (size_t)im->fmu->states) != fmi2OK;
}

static int indicators(realtype t, N_Vector y, realtype *g, void *data)
{
    const Importer *im = data;
    if (set(im, t, y) != 0) return 1;
    return im->fmu->fmi2GetEventIndicators(im->c, g, (size_t)im->fmu->indicators) != fmi2OK;
}

static void good(fmi2Status status)
{
    if (status != fmi2OK) print_message("%s\n", last_message);
    assert_int_equal(status, fmi2OK);
}

// Event mode, until nothing changes; the next time event, or infinity.
static double handle_event(Importer *im)
{
    fmi2EventInfo info;
    ++im->events;
    do good(im->fmu->fmi2NewDiscreteStates(im->c, &info));
    while (info.newDiscreteStatesNeeded);
    good(im->fmu->fmi2EnterContinuousTimeMode(im->c));
    good(im->fmu->fmi2GetContinuousStates(im->c, NV_DATA_S(im->y), (size_t)im->fmu->states));
    return info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
}

static void begin(Importer *im, const Fmu2 *fmu, double tolerance)
{
    *im = (Importer){.fmu = fmu, .c = fmu2_instantiate(fmu, "exchanged", fmi2ModelExchange)};
    assert_non_null(im->c);
    assert_int_equal(SUNContext_Create(NULL, &im->context), 0);
    im->solver = CVodeCreate(CV_BDF, im->context);
    im->y = N_VNew_Serial(fmu->states, im->context);
    im->matrix = SUNDenseMatrix(fmu->states, fmu->states, im->context);
    im->linear = SUNLinSol_Dense(im->y, im->matrix, im->context);
    CVodeInit(im->solver, rates, 0.0, im->y);
    CVodeSStolerances(im->solver, tolerance, 1e-2 * tolerance);
    CVodeSetUserData(im->solver, im);
    CVodeSetLinearSolver(im->solver, im->linear, im->matrix);
    CVodeSetMaxNumSteps(im->solver, 100000);
    if (fmu->indicators > 0) CVodeRootInit(im->solver, fmu->indicators, indicators);
    CVodeSetNoInactiveRootWarn(im->solver);
    good(fmu->fmi2SetupExperiment(im->c, fmi2True, tolerance, 0.0, fmi2False, 0.0));
    good(fmu->fmi2EnterInitializationMode(im->c));
    good(fmu->fmi2ExitInitializationMode(im->c));
}

static void end(Importer *im)
{
    CVodeFree(&im->solver);
    SUNLinSolFree(im->linear);
    SUNMatDestroy(im->matrix);
    N_VDestroy(im->y);
    SUNContext_Free(&im->context);
    im->fmu->fmi2FreeInstance(im->c);
}

// From *t to the time wanted, with *next the next time event.
static void integrate(Importer *im, double *t, double wanted, double *next)
{
    while (*t < wanted - 1e-12) {
        const double stop = fmin(wanted, *next);
        CVodeSetStopTime(im->solver, stop);
        const int code = CVode(im->solver, stop, im->y, t, CV_ONE_STEP);
        assert_true(code == CV_SUCCESS || code == CV_ROOT_RETURN || code == CV_TSTOP_RETURN);
        fmi2Boolean event, terminate;
        assert_int_equal(set(im, *t, im->y), 0);
        good(im->fmu->fmi2CompletedIntegratorStep(im->c, fmi2True, &event, &terminate));
        if (code != CV_ROOT_RETURN && !event && *t < *next - 1e-13) continue;
        good(im->fmu->fmi2EnterEventMode(im->c));
        *next = handle_event(im);
        if (*t < wanted) CVodeReInit(im->solver, *t, im->y);
    }
}

// ---- against closed forms and the library's own error control -----------------------------------

static const char pulled[] =
    "stop: 4\nbodies:\n  hand:  {kind: motion, x: '2*min(t, 2)', breaks: [2]}\n"
    "  block: {kind: point, mass: 1}\nelements:\n"
    "  spring:   {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 10}\n"
    "record: [block.x, block.v, friction.force, friction.stick]\n";

static void a_block_stops_exactly(void **state)
{
    (void)state;
    Fmu2 fmu;
    Importer im;
    StiScene *scene = scene_of_text(pulled);
    make_fmu(scene, "pulled.fmu", 2);
    sti_scene_destroy(scene);
    assert_true(fmu2_open(&fmu, "pulled.fmu", "pulled"));
    begin(&im, &fmu, 1e-9);
    double next = handle_event(&im), t = 0.0;
    assert_true(next == 2.0); // where the hand stops
    CVodeReInit(im.solver, 0.0, im.y);
    integrate(&im, &t, 4.0, &next);
    // by events: 10 = 90*2*t -> t = 1/18; then an oscillation about the hand, see test of the README
    assert_true(fmu2_get(&fmu, im.c, "block.v") == 0.0);
    assert_true(fmu2_get(&fmu, im.c, "friction.stick") == 1.0);
    const double x = fmu2_get(&fmu, im.c, "block.x");
    assert_true(fabs(x - 3.973262) < 1e-4);
    assert_true(fabs(fmu2_get(&fmu, im.c, "friction.force") - 90.0 * (4.0 - x)) < 1e-9);
    end(&im);
    fmu2_close(&fmu);
}

// The place x and the velocity v of a scene, judged by sti_adaptive_step at 1e-10. While the channel stick is 1 (NULL: not asked)
// the velocity is at most rest.
static void judge(const char *text, const char *x_name, const char *v_name, const char *stick,
                  double rest, double stop, double allowed, double *worst)
{
    Fmu2 fmu;
    Importer im;
    StiScene *scene = scene_of_text(text);
    make_fmu(scene, "random.fmu", 2);
    assert_true(fmu2_open(&fmu, "random.fmu", "random"));
    begin(&im, &fmu, 1e-9);
    double next = handle_event(&im), t = 0.0;
    CVodeReInit(im.solver, 0.0, im.y);
    const StiAdaptiveOptions options = {.method = "dormand-prince",
                                        .rtol = 1e-10,
                                        .atol = 1e-12,
                                        .stop = stop};
    StiAdaptive *adaptive = sti_adaptive_create(scene->network, &options, NULL);
    StiState *followed = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_non_null(adaptive);
    const int x = sti_network_channel_find(scene->network, x_name),
              v = sti_network_channel_find(scene->network, v_name);
    const double T = sti_network_step(scene->network);
    for (int k = 1; k * T < stop; ++k) {
        assert_int_equal(sti_adaptive_step(adaptive, NULL, followed, scratch), STI_OK);
        integrate(&im, &t, k * T, &next);
        const double dx =
            fmu2_get(&fmu, im.c, x_name) - *sti_state_edit_channel(followed, scene->network, x);
        const double dv =
            fmu2_get(&fmu, im.c, v_name) - *sti_state_edit_channel(followed, scene->network, v);
        *worst = fmax(*worst, fmax(fabs(dx), fabs(dv)));
        if (fabs(dx) > allowed || fabs(dv) > 10.0 * allowed)
            fail_msg("t = %g: x off by %g, v by %g\n%s", t, dx, dv, text);
        // what sticks stands still
        if (stick != NULL && fmu2_get(&fmu, im.c, stick) == 1.0)
            assert_true(fabs(fmu2_get(&fmu, im.c, v_name)) <= rest);
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(followed);
    sti_adaptive_destroy(adaptive);
    end(&im);
    fmu2_close(&fmu);
    sti_scene_destroy(scene);
}

static void random_sliders(void **state)
{
    (void)state;
    double worst = 0.0;
    Random random = {20261118};
    for (int i = 0; i < 12; ++i) {
        char text[1200];
        snprintf(text, sizeof text,
                 "step: 0.05\nstop: 3\nmethod: cut\nbodies:\n  a: {kind: point, mass: %.3f, "
                 "velocity: [%.3f]}\n"
                 "  b: {kind: point, mass: %.3f}\nelements:\n"
                 "  s: {kind: spring-damper, between: [a, b], stiffness: %.3f, damping: %.3f}\n"
                 "  fa: {kind: friction, on: a, model: finite-time, level: %.3f}\n"
                 "  fb: {kind: friction, on: b, model: finite-time, level: %.3f, static: %.3f}\n"
                 "  push: {kind: force, on: a, value: '%.3f*sin(%.3f*t)'}\nrecord: [a.x, a.v, "
                 "fa.stick, b.x, b.v]\n",
                 random_between(&random, 0.5, 2.0), random_between(&random, -1.0, 1.0),
                 random_between(&random, 0.5, 2.0), random_between(&random, 10.0, 100.0),
                 random_between(&random, 0.0, 1.0), random_between(&random, 0.5, 2.0),
                 random_between(&random, 0.5, 1.0), random_between(&random, 1.0, 1.5),
                 random_between(&random, 1.0, 4.0), random_between(&random, 1.0, 6.0));
        judge(text, "a.x", "a.v", "fa.stick", 0.0, 3.0, 2e-6, &worst);
    }
    print_message("worst %g\n", worst);
}

// Points thrown onto a floor: they bounce, slide, stop, to rounding (contacts are rows, not coordinates). Balls: they slip until they
// roll.
static void random_contacts(void **state)
{
    (void)state;
    double worst = 0.0;
    Random random = {20261119};
    for (int i = 0; i < 10; ++i) {
        char text[1200];
        const bool ball = i % 2 == 1;
        snprintf(text, sizeof text,
                 "step: 0.05\nstop: 2\ngravity: [0, 0, -9.81]\nmethod: cut\nbodies:\n"
                 "  a: {kind: %s, mass: %.3f, position: [0, 0, %.3f], velocity: [%.3f, %.3f, "
                 "%.3f]}\nelements:\n"
                 "  floor: {kind: contact, on: a, mu: %.3f, restitution: %.3f}\n"
                 "record: [a.x, a.vx, a.z, floor.stick]\n",
                 ball ? "rigid, shape: sphere, radius: 0.1" : "point, dimensions: 3",
                 random_between(&random, 0.5, 2.0), ball ? 0.1 : random_between(&random, 0.05, 0.3),
                 random_between(&random, 0.5, 2.0), random_between(&random, -0.5, 0.5),
                 ball ? 0.0 : random_between(&random, -1.0, 0.5), random_between(&random, 0.1, 0.5),
                 ball ? 0.0 : random_between(&random, 0.0, 0.4));
        judge(text, "a.x", "a.vx", ball ? NULL : "floor.stick", 1e-16, 2.0, 2e-6, &worst);
    }
    print_message("worst with contacts %g\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_block_stops_exactly),
                                       cmocka_unit_test(random_contacts),
                                       cmocka_unit_test(random_sliders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
