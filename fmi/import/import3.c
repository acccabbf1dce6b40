// FMI 3.0, as an importer calls it.
#include <stdio.h>
#include <stdlib.h>

#include "fmi3/fmi3.h"
#include "import/foreign.h"

#define USED(F) \
    F(fmi3InstantiateCoSimulation) \
    F(fmi3FreeInstance) \
    F(fmi3EnterInitializationMode) \
    F(fmi3ExitInitializationMode) \
    F(fmi3Terminate) \
    F(fmi3GetFloat64) \
    F(fmi3GetInt32) \
    F(fmi3GetBoolean) \
    F(fmi3SetFloat64) \
    F(fmi3SetInt32) \
    F(fmi3SetBoolean) \
    F(fmi3DoStep)

typedef struct Functions {
#define DECLARE(name) __typeof__(&name) name;
    USED(DECLARE)
#undef DECLARE
} Functions;

static const Functions *functions_of(const ForeignFmu *foreign) { return foreign->functions; }

static void keep_message(fmi3InstanceEnvironment environment, fmi3Status status,
                         fmi3String category, fmi3String message)
{
    ForeignFmu *foreign = environment;
    (void)category;
    if (status == fmi3OK || message == NULL) return;
    snprintf(foreign->logged, sizeof foreign->logged, "%s", message);
}

static bool load(ForeignFmu *foreign)
{
    Functions *functions = calloc(1, sizeof *functions);
    if (functions == NULL) {
        foreign_fail(foreign, "out of memory");
        return false;
    }
    foreign->functions = functions;
#define FIND(name) \
    *(void **)&functions->name = foreign_function(foreign, #name); \
    if (functions->name == NULL) return false;
    USED(FIND)
#undef FIND
    return true;
}

static bool instantiate(ForeignFmu *foreign)
{
    char resources[1200];
    snprintf(resources, sizeof resources, "%s/resources/", foreign->folder);
    foreign->instance =
        functions_of(foreign)->fmi3InstantiateCoSimulation(foreign->fmu->name, foreign->fmu->token,
                                                           resources, false, false, false, false,
                                                           NULL, 0, foreign, keep_message, NULL);
    return foreign->instance != NULL ||
           foreign_judge(foreign, fmi3Error, "fmi3InstantiateCoSimulation", "");
}

static bool enter_initialization(ForeignFmu *foreign, double t)
{
    return foreign_judge(foreign,
                         (int)functions_of(foreign)->fmi3EnterInitializationMode(foreign->instance,
                                                                                 false, 0.0, t,
                                                                                 false, 0.0),
                         "fmi3EnterInitializationMode", "");
}

static bool exit_initialization(ForeignFmu *foreign)
{
    return foreign_judge(foreign,
                         (int)functions_of(foreign)->fmi3ExitInitializationMode(foreign->instance),
                         "fmi3ExitInitializationMode", "");
}

static bool set(ForeignFmu *foreign, const StiFmuValue *variable, double value)
{
    const Functions *f = functions_of(foreign);
    const fmi3ValueReference at = variable->reference;
    if (variable->type == STI_FMU_REAL)
        return foreign_judge(foreign, (int)f->fmi3SetFloat64(foreign->instance, &at, 1, &value, 1),
                             "fmi3SetFloat64", variable->variable);
    if (variable->type == STI_FMU_INTEGER) {
        const fmi3Int32 whole = (fmi3Int32)value;
        return foreign_judge(foreign, (int)f->fmi3SetInt32(foreign->instance, &at, 1, &whole, 1),
                             "fmi3SetInt32", variable->variable);
    }
    const fmi3Boolean truth = value != 0.0;
    return foreign_judge(foreign, (int)f->fmi3SetBoolean(foreign->instance, &at, 1, &truth, 1),
                         "fmi3SetBoolean", variable->variable);
}

static bool get(ForeignFmu *foreign, const StiFmuValue *variable, double *value)
{
    const Functions *f = functions_of(foreign);
    const fmi3ValueReference at = variable->reference;
    bool good;
    if (variable->type == STI_FMU_REAL)
        return foreign_judge(foreign, (int)f->fmi3GetFloat64(foreign->instance, &at, 1, value, 1),
                             "fmi3GetFloat64", variable->variable);
    if (variable->type == STI_FMU_INTEGER) {
        fmi3Int32 whole = 0;
        good = foreign_judge(foreign, (int)f->fmi3GetInt32(foreign->instance, &at, 1, &whole, 1),
                             "fmi3GetInt32", variable->variable);
        *value = whole;
        return good;
    }
    fmi3Boolean truth = false;
    good = foreign_judge(foreign, (int)f->fmi3GetBoolean(foreign->instance, &at, 1, &truth, 1),
                         "fmi3GetBoolean", variable->variable);
    *value = truth ? 1.0 : 0.0;
    return good;
}

static bool step(ForeignFmu *foreign, double t, double period)
{
    fmi3Boolean event = false, terminate = false, early = false;
    fmi3Float64 reached = t;
    const fmi3Status status =
        functions_of(foreign)->fmi3DoStep(foreign->instance, t, period, true, &event, &terminate,
                                          &early, &reached);
    if (!foreign_judge(foreign, (int)status, "fmi3DoStep", "")) return false;
    if (terminate || early)
        foreign_fail(foreign, "it %s at t = %.9g s",
                     terminate ? "asked to end the simulation" : "returned early, unasked,",
                     reached);
    return !terminate && !early;
}

static void end(ForeignFmu *foreign, bool terminate)
{
    if (terminate) functions_of(foreign)->fmi3Terminate(foreign->instance);
    functions_of(foreign)->fmi3FreeInstance(foreign->instance);
}

const ForeignCalls foreign_calls3 = {.load = load,
                                     .instantiate = instantiate,
                                     .enter_initialization = enter_initialization,
                                     .exit_initialization = exit_initialization,
                                     .set = set,
                                     .get = get,
                                     .step = step,
                                     .end = end};
