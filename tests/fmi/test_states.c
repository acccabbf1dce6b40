// States kept, handed back and stored; many instances; threads; parameters that change; steps that do not fit.
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "importer.h"
#include "making.h"
#include "support/random.h"

static const char scene_text[] =
    "stop: 2\ngravity: [0, 0, -9.81]\ninputs: {u: {value: 0, unit: N m}}\nbodies:\n"
    "  arm:\n    kind: robot\n    links:\n"
    "      - {joint: shoulder, axis: [0, 1, 0], mass: 2, centre: [0, 0, -0.2], inertia: [0.03, "
    "0.03, 0.002]}\n"
    "      - {joint: elbow, at: [0, 0, -0.4], axis: [0, 1, 0], mass: 1, centre: [0, 0, -0.15], "
    "inertia: [0.01, 0.01, 0.001]}\n"
    "    joints: {shoulder: {position: 0.8}}\nelements:\n"
    "  pid: {kind: pid, on: arm.elbow, target: '0.5*step(t - 0.05)', kp: 8, kd: 0.5, period: "
    "4e-3}\n"
    "  motor: {kind: force, on: arm.elbow, value: pid}\n  push: {kind: force, on: arm.shoulder, "
    "value: u}\n"
    "  friction: {kind: friction, on: [arm.shoulder, arm.elbow], model: coulomb, level: 0.6, "
    "static: 0.8, viscous: 0.1}\n"
    "record: [arm.*, arm.shoulder.friction, arm.elbow.friction, pid.output]\n";

static const char *const watched[] = {"arm.shoulder.q", "arm.elbow.q", "arm.elbow.qd",
                                      "pid.output"};

static Fmu2 opened(const char *name)
{
    Fmu2 fmu;
    char archive[64];
    StiScene *scene = scene_of_text(scene_text);
    snprintf(archive, sizeof archive, "%s.fmu", name);
    make_fmu(scene, archive, 2);
    sti_scene_destroy(scene);
    assert_true(fmu2_open(&fmu, archive, name));
    return fmu;
}

static void step_some(const Fmu2 *fmu, fmi2Component c, double *t, double h, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(fmu2_set(fmu, c, "u", sin(30.0 * *t)), fmi2OK);
        if (fmu->fmi2DoStep(c, *t, h, fmi2False) != fmi2OK) fail_msg("%s", last_message);
        *t += h;
    }
}

static void look(const Fmu2 *fmu, fmi2Component c, double values[4])
{
    for (int i = 0; i < 4; ++i) values[i] = fmu2_get(fmu, c, watched[i]);
}

static void a_kept_state_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    Fmu2 fmu = opened("kept");
    fmi2Component c = fmu2_instantiate(&fmu, "one", fmi2CoSimulation), other;
    Random random = {5};
    for (int trial = 0; trial < 6; ++trial) {
        double t = 0.0, first[4], second[4], third[4];
        fmi2FMUstate kept = NULL, read = NULL;
        const double h = random_between(&random, 0.3e-3, 4e-3); // no multiple of the step
        assert_int_equal(fmu.fmi2Reset(c), fmi2OK);
        assert_true(fmu2_begin(&fmu, c, 0.0));
        step_some(&fmu, c, &t, h, 20 + random_below(&random, 60));
        if (trial % 2 == 1) assert_int_equal(fmu2_set(&fmu, c, "pid.kp", 12.0), fmi2OK);
        assert_int_equal(fmu.fmi2GetFMUstate(c, &kept), fmi2OK);
        const double from = t;
        step_some(&fmu, c, &t, h, 50);
        look(&fmu, c, first);
        assert_int_equal(fmu.fmi2SetFMUstate(c, kept), fmi2OK);
        t = from;
        step_some(&fmu, c, &t, h, 50);
        look(&fmu, c, second);
        assert_memory_equal(first, second, sizeof first);
        // as bytes, into another instance that has done something else
        size_t size = 0;
        assert_int_equal(fmu.fmi2SerializedFMUstateSize(c, kept, &size), fmi2OK);
        char *bytes = malloc(size);
        assert_int_equal(fmu.fmi2SerializeFMUstate(c, kept, bytes, size), fmi2OK);
        other = fmu2_instantiate(&fmu, "two", fmi2CoSimulation);
        assert_int_equal(fmu.fmi2DeSerializeFMUstate(other, bytes, size, &read), fmi2OK);
        assert_int_equal(fmu.fmi2SetFMUstate(other, read), fmi2OK);
        t = from;
        step_some(&fmu, other, &t, h, 50);
        look(&fmu, other, third);
        assert_memory_equal(first, third, sizeof first);
        // damaged ones are refused
        bytes[size / 2] ^= 1;
        assert_int_equal(fmu.fmi2DeSerializeFMUstate(other, bytes, size, &read), fmi2OK);
        assert_int_equal(fmu.fmi2SetFMUstate(other, read), fmi2Error);
        free(bytes);
        fmu.fmi2FreeFMUstate(other, &read);
        fmu.fmi2FreeFMUstate(c, &kept);
        fmu.fmi2FreeInstance(other);
    }
    fmu.fmi2FreeInstance(c);
    fmu2_close(&fmu);
}

// Communication steps of any length lead to nearly the same motion; samples of the controller stay on its grid.
static void steps_of_any_length(void **state)
{
    (void)state;
    Fmu2 fmu = opened("lengths");
    double exact[4], values[4];
    Random random = {9};
    for (int trial = 0; trial < 8; ++trial) {
        fmi2Component c = fmu2_instantiate(&fmu, "one", fmi2CoSimulation);
        assert_true(fmu2_begin(&fmu, c, 0.0));
        double t = 0.0;
        while (t < 0.4 - 1e-12) { // trial 0: whole steps
            const double h = trial == 0 ? 1e-3 : fmin(0.4 - t, random_between(&random, 1e-4, 7e-3));
            if (fmu.fmi2DoStep(c, t, h, fmi2True) != fmi2OK) fail_msg("%s", last_message);
            t += h;
        }
        look(&fmu, c, trial == 0 ? exact : values);
        for (int i = 0; trial > 0 && i < 4; ++i)
            if (!(fabs(values[i] - exact[i]) < 2e-5 * fmax(1.0, fabs(exact[i]))))
                fail_msg("%s: %.9g, not %.9g", watched[i], values[i], exact[i]);
        fmu.fmi2FreeInstance(c);
    }
    fmu2_close(&fmu);
}

typedef struct Worker {
    const Fmu2 *fmu;
    double end[4];
} Worker;

static void *work(void *data)
{
    Worker *worker = data;
    for (int i = 0; i < 3; ++i) {
        double t = 0.0;
        fmi2Component c = fmu2_instantiate(worker->fmu, "thread", fmi2CoSimulation);
        if (c == NULL || !fmu2_begin(worker->fmu, c, 0.0)) return NULL;
        for (int k = 0; k < 100; ++k, t += 1e-3)
            if (worker->fmu->fmi2DoStep(c, t, 1e-3, fmi2True) != fmi2OK) return NULL;
        look(worker->fmu, c, worker->end);
        worker->fmu->fmi2FreeInstance(c);
    }
    return worker;
}

static void instances_in_threads(void **state)
{
    (void)state;
    Fmu2 fmu = opened("threads");
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    Worker workers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        workers[i].fmu = &fmu;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        void *result;
        pthread_join(threads[i], &result);
        assert_non_null(result);
        assert_memory_equal(workers[i].end, workers[0].end, sizeof workers[0].end);
    }
    fmu2_close(&fmu);
}

// A start that is not 0 moves the whole run: the same motion, later.
static void parameters_take_effect(void **state)
{
    (void)state;
    Fmu2 fmu = opened("parameters");
    fmi2Component c = fmu2_instantiate(&fmu, "one", fmi2CoSimulation);
    assert_int_equal(fmu2_set(&fmu, c, "arm.shoulder.position", 0.3), fmi2OK);
    assert_true(fmu2_begin(&fmu, c, 0.0));
    assert_true(fmu2_get(&fmu, c, "arm.shoulder.q") == 0.3);
    assert_int_equal(fmu2_set(&fmu, c, "arm.shoulder.position", 0.4), fmi2Error); // fixed by now
    double t = 0.0;
    step_some(&fmu, c, &t, 1e-3, 10);
    const double q = fmu2_get(&fmu, c, "arm.shoulder.q");
    assert_int_equal(fmu2_set(&fmu, c, "pid.kp", 20.0), fmi2OK); // tunable
    assert_true(fmu2_get(&fmu, c, "pid.kp") == 20.0);
    assert_true(fmu2_get(&fmu, c, "arm.shoulder.q") == q); // the state stays
    step_some(&fmu, c, &t, 1e-3, 10);
    assert_int_equal(fmu2_set(&fmu, c, "pid.period", -1.0), fmi2OK);
    assert_int_equal(fmu.fmi2DoStep(c, t, 1e-3, fmi2True), fmi2Error);
    assert_non_null(strstr(last_message, "period"));
    assert_int_equal(fmu.fmi2Reset(c), fmi2OK);
    assert_true(fmu2_begin(&fmu, c, 0.0));
    assert_true(fmu2_get(&fmu, c, "arm.shoulder.q") == 0.8);
    fmu.fmi2FreeInstance(c);
    fmu2_close(&fmu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_kept_state_goes_on_with_the_same_bits),
                                       cmocka_unit_test(steps_of_any_length),
                                       cmocka_unit_test(instances_in_threads),
                                       cmocka_unit_test(parameters_take_effect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
