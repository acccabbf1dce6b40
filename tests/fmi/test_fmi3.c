// FMI 3.0: the same model behind other functions. FMI 2.0 of the same scene is the judge; what only FMI 3.0 has (arrays,
// early return, event mode of co-simulation, intermediate updates) is looked at by itself.
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fmi3/fmi3.h"
#include "importer.h"
#include "making.h"

#define FMI3_FUNCTIONS(F) \
    F(fmi3GetVersion) \
    F(fmi3InstantiateCoSimulation) F(fmi3InstantiateModelExchange) \
        F(fmi3InstantiateScheduledExecution) F(fmi3FreeInstance) F(fmi3EnterInitializationMode) \
            F(fmi3ExitInitializationMode) F(fmi3EnterEventMode) F(fmi3EnterStepMode) \
                F(fmi3Terminate) F(fmi3Reset) F(fmi3GetFloat64) F(fmi3SetFloat64) F(fmi3GetInt32) \
                    F(fmi3GetClock) F(fmi3DoStep) F(fmi3UpdateDiscreteStates) \
                        F(fmi3GetNumberOfContinuousStates) F(fmi3GetNumberOfEventIndicators) \
                            F(fmi3EnterContinuousTimeMode) F(fmi3GetContinuousStateDerivatives) \
                                F(fmi3GetContinuousStates) F(fmi3EnterConfigurationMode) \
                                    F(fmi3GetDirectionalDerivative) F(fmi3GetEventIndicators)

typedef struct Fmu3 {
    void *library;
    char resources[600], token[64];
    char *xml;
#define DECLARE(name) __typeof__(&name) name;
    FMI3_FUNCTIONS(DECLARE)
#undef DECLARE
} Fmu3;

static char last[1024];

static void keep(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message)
{
    (void)environment, (void)status, (void)category;
    snprintf(last, sizeof last, "%s", message);
}

static Fmu3 open3(const char *archive, const char *folder, const char *identifier)
{
    Fmu3 fmu = {0};
    char path[700];
    assert_true(unpack(archive, folder));
    snprintf(path, sizeof path, "%s/modelDescription.xml", folder);
    fmu.xml = read_text(path);
    assert_non_null(fmu.xml);
    const char *token = strstr(fmu.xml, "instantiationToken=\"") + strlen("instantiationToken=\"");
    snprintf(fmu.token, sizeof fmu.token, "%.*s", (int)strcspn(token, "\""), token);
    snprintf(fmu.resources, sizeof fmu.resources, "%s/resources/", folder);
    snprintf(path, sizeof path, "./%s/binaries/x86_64-linux/%s.so", folder, identifier);
    fmu.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(fmu.library);
#define FIND(name) \
    *(void **)&fmu.name = dlsym(fmu.library, #name); \
    assert_non_null(fmu.name);
    FMI3_FUNCTIONS(FIND)
#undef FIND
    return fmu;
}

static void close3(Fmu3 *fmu)
{
    free(fmu->xml);
    dlclose(fmu->library);
}

static double get3(const Fmu3 *fmu, fmi3Instance c, const char *name)
{
    const fmi3ValueReference reference = (fmi3ValueReference)fmu_reference(fmu->xml, name);
    double value = NAN;
    if (fmu->fmi3GetFloat64(c, &reference, 1, &value, 1) != fmi3OK) fail_msg("%s: %s", name, last);
    return value;
}

static void good(fmi3Status status)
{
    if (status != fmi3OK) print_message("%s\n", last);
    assert_int_equal(status, fmi3OK);
}

static void as_fmi2(void **state)
{
    (void)state;
    StiScene *scene = scene_of_file(SOURCE_DIR "/scenes/six-axis-arm/scene.yaml");
    make_fmu(scene, "arm2.fmu", 2);
    make_fmu(scene, "arm3.fmu", 3);
    sti_scene_destroy(scene);
    Fmu2 two;
    assert_true(fmu2_open(&two, "arm2.fmu", "arm2"));
    Fmu3 three = open3("arm3.fmu", "arm3", "arm3");
    assert_string_equal(three.fmi3GetVersion(), "3.0");
    fmi2Component a = fmu2_instantiate(&two, "a", fmi2CoSimulation);
    fmi3Instance b =
        three.fmi3InstantiateCoSimulation("b", three.token, three.resources, false, false, false,
                                          false, NULL, 0, NULL, keep, NULL);
    assert_non_null(b);
    assert_true(fmu2_begin(&two, a, 0.0));
    good(three.fmi3EnterInitializationMode(b, false, 0.0, 0.0, true, 6.0));
    good(three.fmi3ExitInitializationMode(b));
    const fmi3ValueReference all = (fmi3ValueReference)fmu_reference(three.xml, "arm.q");
    for (int k = 0; k < 50; ++k) {
        bool event, terminate, early;
        double reached, q[6];
        assert_int_equal(two.fmi2DoStep(a, k * 0.01, 0.01, 1), fmi2OK);
        good(three.fmi3DoStep(b, k * 0.01, 0.01, true, &event, &terminate, &early, &reached));
        assert_true(!event && !terminate && !early && reached == k * 0.01 + 0.01);
        assert_true(get3(&three, b, "arm.turn.q") == fmu2_get(&two, a, "arm.turn.q"));
        assert_true(get3(&three, b, "lift_friction.force") ==
                    fmu2_get(&two, a, "lift_friction.force"));
        good(three.fmi3GetFloat64(b, &all, 1, q, 6)); // the joints as one
        assert_true(q[0] == get3(&three, b, "arm.turn.q") &&
                    q[5] == get3(&three, b, "arm.wrist_roll.q"));
        assert_int_equal(three.fmi3GetFloat64(b, &all, 1, q, 5), fmi3Error);
    }
    two.fmi2FreeInstance(a);
    three.fmi3FreeInstance(b);
    fmu2_close(&two);
    close3(&three);
}

static const char pulled[] =
    "stop: 4\nbodies:\n  hand:  {kind: motion, x: '2*min(t, 2)', breaks: [2]}\n"
    "  block: {kind: point, mass: 1}\nelements:\n"
    "  spring:   {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 10}\n"
    "record: [block.x, block.v, friction.force, friction.stick]\n";

static Fmu3 opened_block(const char *name)
{
    char archive[40];
    StiScene *scene = scene_of_text(pulled);
    snprintf(archive, sizeof archive, "%s.fmu", name);
    make_fmu(scene, archive, 3);
    sti_scene_destroy(scene);
    return open3(archive, name, name);
}

// The block breaks away at t = 10/(90*2) s: the step ends after the internal step in which it does.
static void a_step_ends_early_where_friction_lets_go(void **state)
{
    (void)state;
    Fmu3 fmu = opened_block("early");
    fmi3Instance c = fmu.fmi3InstantiateCoSimulation("c", fmu.token, fmu.resources, false, false,
                                                     true, true, NULL, 0, NULL, keep, NULL);
    bool event, terminate, early, again, nominals, moved, next;
    double reached, next_time;
    good(fmu.fmi3EnterInitializationMode(c, false, 0.0, 0.0, false, 0.0));
    good(fmu.fmi3ExitInitializationMode(c));
    assert_int_equal(fmu.fmi3DoStep(c, 0.0, 1.0, true, &event, &terminate, &early, &reached),
                     fmi3Error); // event mode
    good(fmu.fmi3UpdateDiscreteStates(c, &again, &terminate, &nominals, &moved, &next, &next_time));
    good(fmu.fmi3EnterStepMode(c));
    good(fmu.fmi3DoStep(c, 0.0, 1.0, true, &event, &terminate, &early, &reached));
    assert_true(event && early && !terminate);
    assert_true(fabs(reached - 0.056) < 1e-12); // 1/18 = 0.0556 lies in the step that ends at 0.056
    assert_true(get3(&fmu, c, "friction.stick") == 0.0);
    good(fmu.fmi3EnterEventMode(c));
    good(fmu.fmi3UpdateDiscreteStates(c, &again, &terminate, &nominals, &moved, &next, &next_time));
    good(fmu.fmi3EnterStepMode(c));
    good(fmu.fmi3DoStep(c, reached, 0.01, true, &event, &terminate, &early, &reached));
    assert_true(!event && !early);
    fmu.fmi3FreeInstance(c);
    close3(&fmu);
}

typedef struct Updates {
    const Fmu3 *fmu;
    fmi3Instance c;
    int count;
    double x;
} Updates;

// Looks at each internal step; asks to end the seventh.
static void look(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set,
                 fmi3Boolean get, fmi3Boolean finished, fmi3Boolean can_end, fmi3Boolean *end,
                 fmi3Float64 *when)
{
    Updates *updates = environment;
    bool b;
    double d;
    assert_true(!set && get && finished && can_end);
    updates->x = get3(updates->fmu, updates->c, "block.x");
    assert_int_equal(updates->fmu->fmi3DoStep(updates->c, 0.0, 1.0, true, &b, &b, &b, &d),
                     fmi3Error); // not within
    assert_true(fabs(time - 1e-3 * ++updates->count) < 1e-12);
    *end = updates->count == 7;
    *when = time;
}

static void intermediate_updates(void **state)
{
    (void)state;
    Fmu3 fmu = opened_block("updates");
    Updates updates = {.fmu = &fmu};
    bool event, terminate, early;
    double reached;
    updates.c = fmu.fmi3InstantiateCoSimulation("c", fmu.token, fmu.resources, false, false, false,
                                                true, NULL, 0, &updates, keep, look);
    good(fmu.fmi3EnterInitializationMode(updates.c, false, 0.0, 0.0, false, 0.0));
    good(fmu.fmi3ExitInitializationMode(updates.c));
    good(fmu.fmi3DoStep(updates.c, 0.0, 0.02, true, &event, &terminate, &early, &reached));
    assert_true(early && updates.count == 7 && fabs(reached - 0.007) < 1e-12);
    fmu.fmi3FreeInstance(updates.c);
    close3(&fmu);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    Fmu3 fmu = opened_block("refused");
    assert_null(fmu.fmi3InstantiateScheduledExecution("c", fmu.token, fmu.resources, false, false,
                                                      NULL, keep, NULL, NULL, NULL));
    assert_null(
        fmu.fmi3InstantiateModelExchange("c", "{wrong}", fmu.resources, false, false, NULL, keep));
    fmi3Instance c =
        fmu.fmi3InstantiateModelExchange("c", fmu.token, fmu.resources, false, false, NULL, keep);
    const fmi3ValueReference one = 1;
    int32_t integer;
    bool clock;
    size_t count = 0;
    assert_int_equal(fmu.fmi3EnterConfigurationMode(c), fmi3Error);
    good(fmu.fmi3GetNumberOfContinuousStates(c, &count));
    assert_int_equal(count, 2);
    good(fmu.fmi3GetNumberOfEventIndicators(c, &count));
    assert_int_equal(count, 1);
    good(fmu.fmi3EnterInitializationMode(c, false, 0.0, 0.0, false, 0.0));
    assert_int_equal(fmu.fmi3GetInt32(c, &one, 1, &integer, 1), fmi3Error);
    assert_int_equal(fmu.fmi3GetClock(c, &one, 1, &clock), fmi3Error);
    good(fmu.fmi3ExitInitializationMode(c));
    // under fixed modes: at rest nothing answers; while slipping der(v) answers to x with -stiffness/mass
    const fmi3ValueReference a = (fmi3ValueReference)fmu_reference(fmu.xml, "der(block.v)"),
                             x = (fmi3ValueReference)fmu_reference(fmu.xml, "block.x");
    double seed = 1.0, slope = NAN;
    good(fmu.fmi3GetDirectionalDerivative(c, &a, 1, &x, 1, &seed, 1, &slope, 1));
    assert_true(slope == 0.0);
    fmu.fmi3FreeInstance(c);
    close3(&fmu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_fmi2),
                                       cmocka_unit_test(a_step_ends_early_where_friction_lets_go),
                                       cmocka_unit_test(intermediate_updates),
                                       cmocka_unit_test(what_is_not_there_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
