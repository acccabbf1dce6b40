// Calls in any order, with arguments of any kind. The judge is the standard's table of which call is allowed in which
// state, written out here once more; besides, nothing may crash (run under sanitizers, too).
#include <math.h>
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
    "stop: 1\ninputs: {u: {value: 0.5, unit: N}}\nbodies:\n  block: {kind: point, mass: "
    "1}\nelements:\n"
    "  push: {kind: force, on: block, value: u}\n  wall: {kind: spring-damper, on: block, "
    "stiffness: 40}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 1}\n"
    "record: [block.x, block.v, friction.force, friction.stick]\n";

// States of the standard: I instantiated, M initialization mode, E event mode, C continuous-time mode, S step complete,
// T terminated, X error.
typedef enum Call {
    SETUP,
    ENTER_INIT,
    EXIT_INIT,
    TERMINATE,
    RESET,
    GET,
    SET_INPUT,
    SET_FIXED,
    SET_TUNABLE,
    SET_OUTPUT,
    SET_NAN,
    GET_UNKNOWN,
    GET_NULL,
    GET_STATE,
    SET_STATE,
    GET_INTEGER,
    EVENT_MODE,
    NEW_STATES,
    CONTINUOUS_MODE,
    COMPLETED,
    SET_TIME,
    SET_STATES,
    DERIVATIVES,
    INDICATORS,
    STATES,
    STEP,
    BAD_STEP,
    CANCEL,
    DIRECTIONAL,
    CALLS
} Call;

// Where each is allowed, for model exchange and for co-simulation; "" never.
static const char *const allowed[CALLS][2] = {
    [SETUP] = {"I", "I"},
    [ENTER_INIT] = {"I", "I"},
    [EXIT_INIT] = {"M", "M"},
    [TERMINATE] = {"EC", "S"},
    [RESET] = {"IMECTX", "IMSTX"},
    [GET] = {"MECTX", "MSTX"},
    [SET_INPUT] = {"IMEC", "IMS"},
    [SET_FIXED] = {"IM", "IM"},
    [SET_TUNABLE] = {"IME", "IMS"},
    [SET_OUTPUT] = {"", ""},
    [SET_NAN] = {"", ""},
    [GET_UNKNOWN] = {"", ""},
    [GET_NULL] = {"", ""},
    [GET_STATE] = {"IMECTX", "IMSTX"},
    [SET_STATE] = {"IMECTX", "IMSTX"},
    [GET_INTEGER] = {"", ""},
    [EVENT_MODE] = {"EC", ""},
    [NEW_STATES] = {"E", ""},
    [CONTINUOUS_MODE] = {"E", ""},
    [COMPLETED] = {"C", ""},
    [SET_TIME] = {"EC", ""},
    [SET_STATES] = {"C", ""},
    [DERIVATIVES] = {"MECT", ""},
    [INDICATORS] = {"MECT", ""},
    [STATES] = {"MECT", ""},
    [STEP] = {"", "S"},
    [BAD_STEP] = {"", ""},
    [CANCEL] = {"", ""},
    [DIRECTIONAL] = {"ECTX", ""},
};

typedef struct Walk {
    const Fmu2 *fmu;
    fmi2Component c;
    bool exchange;
    char state, kept_state;
    double time, kept_time;
    fmi2FMUstate kept;
    Random random;
} Walk;

static fmi2Status set_one(Walk *w, const char *name, double value)
{
    return fmu2_set(w->fmu, w->c, name, value);
}

static fmi2Status get_one(Walk *w)
{
    static const char *const names[] = {"block.x", "friction.force", "u", "friction.level", "time"};
    const fmi2ValueReference reference =
        (fmi2ValueReference)fmu_reference(w->fmu->xml, names[random_below(&w->random, 5)]);
    double value = NAN;
    const fmi2Status status = w->fmu->fmi2GetReal(w->c, &reference, 1, &value);
    if (status == fmi2OK) assert_true(isfinite(value));
    return status;
}

static fmi2Status do_call(Walk *w, Call call)
{
    const Fmu2 *f = w->fmu;
    double numbers[4] = {0.1, 0.0, 0.0, 0.0}, seed = 1.0;
    fmi2EventInfo info;
    fmi2Boolean event, terminate;
    const size_t n = (size_t)f->states;
    fmi2ValueReference reference = 100000, x = (fmi2ValueReference)fmu_reference(f->xml, "block.x"),
                       a = (fmi2ValueReference)fmu_reference(f->xml, "der(block.v)");
    int integer;
    switch (call) {
    case SETUP:
        return f->fmi2SetupExperiment(w->c, fmi2True, 1e-6, 0.0, fmi2True, 10.0);
    case ENTER_INIT:
        return f->fmi2EnterInitializationMode(w->c);
    case EXIT_INIT:
        return f->fmi2ExitInitializationMode(w->c);
    case TERMINATE:
        return f->fmi2Terminate(w->c);
    case RESET:
        return f->fmi2Reset(w->c);
    case GET:
        return get_one(w);
    case SET_INPUT:
        return set_one(w, "u", random_between(&w->random, -3.0, 3.0));
    case SET_FIXED:
        return set_one(w, "block.mass", random_between(&w->random, 0.5, 2.0));
    case SET_TUNABLE:
        return set_one(w, "friction.level", random_between(&w->random, 0.5, 2.0));
    case SET_OUTPUT:
        return set_one(w, "friction.force", 1.0);
    case SET_NAN:
        return set_one(w, "u", random_below(&w->random, 2) ? NAN : INFINITY);
    case GET_UNKNOWN:
        return f->fmi2GetReal(w->c, &reference, 1, numbers);
    case GET_NULL:
        return f->fmi2GetReal(w->c, random_below(&w->random, 2) ? NULL : &x, 1, NULL);
    case GET_STATE:
        return f->fmi2GetFMUstate(w->c, &w->kept);
    case SET_STATE:
        return f->fmi2SetFMUstate(w->c, w->kept);
    case GET_INTEGER:
        return f->fmi2GetInteger(w->c, &x, 1, &integer);
    case EVENT_MODE:
        return f->fmi2EnterEventMode(w->c);
    case NEW_STATES:
        return f->fmi2NewDiscreteStates(w->c, &info);
    case CONTINUOUS_MODE:
        return f->fmi2EnterContinuousTimeMode(w->c);
    case COMPLETED:
        return f->fmi2CompletedIntegratorStep(w->c, fmi2True, &event, &terminate);
    case SET_TIME:
        return f->fmi2SetTime(w->c, w->time + 1e-3);
    case SET_STATES:
        return f->fmi2SetContinuousStates(w->c, numbers, n);
    case DERIVATIVES:
        return f->fmi2GetDerivatives(w->c, numbers, n);
    case INDICATORS:
        return f->fmi2GetEventIndicators(w->c, numbers, (size_t)f->indicators);
    case STATES:
        return f->fmi2GetContinuousStates(w->c, numbers, n);
    case STEP:
        return f->fmi2DoStep(w->c, w->time, 2.5e-3, fmi2True);
    case BAD_STEP:
        return f->fmi2DoStep(w->c, random_below(&w->random, 2) ? w->time + 5.0 : NAN,
                             random_below(&w->random, 2) ? 1e-3 : -1.0, fmi2True);
    case CANCEL:
        return f->fmi2CancelStep(w->c);
    case DIRECTIONAL:
        return f->fmi2GetDirectionalDerivative(w->c, &a, 1, &x, 1, &seed, numbers);
    default:
        return fmi2Fatal;
    }
}

// What a call that went well makes of the state.
static void follow(Walk *w, Call call)
{
    switch (call) {
    case ENTER_INIT:
        w->state = 'M';
        break;
    case EXIT_INIT:
        w->state = w->exchange ? 'E' : 'S';
        break;
    case TERMINATE:
        w->state = 'T';
        break;
    case RESET:
        w->state = 'I';
        w->time = 0.0;
        break;
    case EVENT_MODE:
        w->state = 'E';
        break;
    case CONTINUOUS_MODE:
        w->state = 'C';
        break;
    case SET_TIME:
        w->time += 1e-3;
        break;
    case STEP:
        w->time += 2.5e-3;
        break;
    case GET_STATE:
        w->kept_state = w->state;
        w->kept_time = w->time;
        break;
    case SET_STATE:
        w->state = w->kept_state;
        w->time = w->kept_time;
        break;
    default:
        break;
    }
}

static void one_call(Walk *w, Call call)
{
    const bool may = strchr(allowed[call][!w->exchange], w->state) != NULL &&
                     (call != SET_STATE || w->kept != NULL);
    const int messages = message_count;
    const fmi2Status status = do_call(w, call);
    if (may && status != fmi2OK) fail_msg("call %d in state %c: %s", call, w->state, last_message);
    if (!may && status == fmi2OK) fail_msg("call %d was allowed in state %c", call, w->state);
    if (!may) assert_true(message_count > messages); // and says why
    if (!may) assert_true(status == fmi2Error || status == fmi2Discard);
    if (status == fmi2OK) follow(w, call);
}

// Calls that lead on are drawn more often, so that all states are visited.
static Call draw(Walk *w)
{
    static const Call onward[] = {ENTER_INIT, EXIT_INIT, NEW_STATES, CONTINUOUS_MODE,
                                  STEP,       GET_STATE, SET_STATE};
    if (random_below(&w->random, 3) == 0) return onward[random_below(&w->random, 7)];
    const Call call = (Call)random_below(&w->random, CALLS);
    return (call == RESET || call == TERMINATE) && random_below(&w->random, 4) > 0 ? GET : call;
}

static void any_order(void **state)
{
    (void)state;
    const char *length = getenv("STI_FMI_CALLS");
    const int walks = getenv("STI_TEST_SHORT") != NULL ? 12 : 40,
              calls = length != NULL ? atoi(length) : 400;
    Fmu2 fmu;
    int visits[128] = {0};
    StiScene *scene = scene_of_text(scene_text);
    make_fmu(scene, "walk.fmu", 2);
    sti_scene_destroy(scene);
    assert_true(fmu2_open(&fmu, "walk.fmu", "walk"));
    for (int i = 0; i < walks; ++i) {
        Walk w = {.fmu = &fmu, .exchange = i % 2 == 0, .state = 'I', .random = {(uint64_t)i}};
        w.c = fmu2_instantiate(&fmu, "walker", w.exchange ? fmi2ModelExchange : fmi2CoSimulation);
        assert_non_null(w.c);
        for (int k = 0; k < calls; ++k) {
            one_call(&w, draw(&w));
            ++visits[(int)w.state];
        }
        fmu.fmi2FreeFMUstate(w.c, &w.kept);
        fmu.fmi2FreeInstance(w.c);
    }
    for (const char *s = "IMECST"; *s != '\0'; ++s) assert_true(visits[(int)*s] > 50);
    fmu2_close(&fmu);
}

static void wrong_beginnings(void **state)
{
    (void)state;
    Fmu2 fmu;
    const fmi2CallbackFunctions silent = {.logger = NULL};
    StiScene *scene = scene_of_text(scene_text);
    make_fmu(scene, "begin.fmu", 2);
    sti_scene_destroy(scene);
    assert_true(fmu2_open(&fmu, "begin.fmu", "begin"));
    assert_null(
        fmu.fmi2Instantiate("a", fmi2CoSimulation, "{wrong}", fmu.resources, &silent, 0, 0));
    assert_null(fmu.fmi2Instantiate("a", fmi2CoSimulation, NULL, fmu.resources, &silent, 0, 0));
    assert_null(
        fmu.fmi2Instantiate(NULL, fmi2CoSimulation, fmu.guid, fmu.resources, &silent, 0, 0));
    assert_null(fmu.fmi2Instantiate("", fmi2CoSimulation, fmu.guid, fmu.resources, &silent, 0, 0));
    assert_null(
        fmu.fmi2Instantiate("a", fmi2CoSimulation, fmu.guid, "file:///nowhere", &silent, 0, 0));
    assert_null(fmu.fmi2Instantiate("a", fmi2CoSimulation, fmu.guid, "http:", &silent, 0, 0));
    assert_null(fmu.fmi2Instantiate("a", (fmi2Type)7, fmu.guid, fmu.resources, &silent, 0, 0));
    assert_null(fmu.fmi2Instantiate("a", fmi2CoSimulation, fmu.guid, fmu.resources, NULL, 0, 0));
    fmi2Component c = fmu.fmi2Instantiate("a", fmi2CoSimulation, fmu.guid, NULL, &silent, 0,
                                          0); // found by itself
    assert_non_null(c);
    assert_int_equal(fmu.fmi2DoStep(c, 0.0, 1e-3, 0), fmi2Error); // nobody listens
    fmu.fmi2FreeInstance(c);
    fmu.fmi2FreeInstance(NULL);
    assert_int_equal(fmu.fmi2DoStep(NULL, 0.0, 1e-3, 0), fmi2Error);
    assert_int_equal(fmu.fmi2GetReal(NULL, NULL, 0, NULL), fmi2Error);
    assert_string_equal(fmu.fmi2GetTypesPlatform(), "default");
    assert_string_equal(fmu.fmi2GetVersion(), "2.0");
    fmu2_close(&fmu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_order),
                                       cmocka_unit_test(wrong_beginnings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
