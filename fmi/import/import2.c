// FMI 2.0, as an importer calls it.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2/fmi2.h"
#include "import/foreign.h"

#define USED(F) \
    F(fmi2Instantiate) \
    F(fmi2FreeInstance) \
    F(fmi2SetupExperiment) \
    F(fmi2EnterInitializationMode) \
    F(fmi2ExitInitializationMode) \
    F(fmi2Terminate) \
    F(fmi2GetReal) \
    F(fmi2GetInteger) \
    F(fmi2GetBoolean) \
    F(fmi2SetReal) \
    F(fmi2SetInteger) \
    F(fmi2SetBoolean) \
    F(fmi2DoStep)

typedef struct Functions {
#define DECLARE(name) __typeof__(&name) name;
    USED(DECLARE)
#undef DECLARE
    fmi2CallbackFunctions callbacks;
} Functions;

static const Functions *functions_of(const ForeignFmu *foreign) { return foreign->functions; }

// The last complaint is the reason of what fails next.
static void keep_message(fmi2ComponentEnvironment environment, fmi2String instance,
                         fmi2Status status, fmi2String category, fmi2String message, ...)
{
    ForeignFmu *foreign = environment;
    (void)instance, (void)category;
    if (status == fmi2OK || message == NULL) return;
    va_list arguments;
    va_start(arguments, message);
    vsnprintf(foreign->logged, sizeof foreign->logged, message, arguments);
    va_end(arguments);
}

static bool load(ForeignFmu *foreign)
{
    const Functions start = {.callbacks = {.logger = keep_message,
                                           .allocateMemory = calloc,
                                           .freeMemory = free,
                                           .componentEnvironment = foreign}};
    Functions *functions = malloc(sizeof *functions);
    if (functions == NULL) {
        foreign_fail(foreign, "out of memory");
        return false;
    }
    memcpy(functions, &start, sizeof start);
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
    const Functions *f = functions_of(foreign);
    char resources[1200];
    snprintf(resources, sizeof resources, "file://%s/resources", foreign->folder);
    foreign->instance =
        f->fmi2Instantiate(foreign->fmu->name, fmi2CoSimulation, foreign->fmu->token, resources,
                           &f->callbacks, fmi2False, fmi2False);
    return foreign->instance != NULL || foreign_judge(foreign, fmi2Error, "fmi2Instantiate", "");
}

static bool enter_initialization(ForeignFmu *foreign, double t)
{
    const Functions *f = functions_of(foreign);
    return foreign_judge(foreign,
                         (int)f->fmi2SetupExperiment(foreign->instance, fmi2False, 0.0, t,
                                                     fmi2False, 0.0),
                         "fmi2SetupExperiment", "") &&
           foreign_judge(foreign, (int)f->fmi2EnterInitializationMode(foreign->instance),
                         "fmi2EnterInitializationMode", "");
}

static bool exit_initialization(ForeignFmu *foreign)
{
    return foreign_judge(foreign,
                         (int)functions_of(foreign)->fmi2ExitInitializationMode(foreign->instance),
                         "fmi2ExitInitializationMode", "");
}

static bool set(ForeignFmu *foreign, const StiFmuValue *variable, double value)
{
    const Functions *f = functions_of(foreign);
    const fmi2ValueReference at = variable->reference;
    if (variable->type == STI_FMU_REAL)
        return foreign_judge(foreign, (int)f->fmi2SetReal(foreign->instance, &at, 1, &value),
                             "fmi2SetReal", variable->variable);
    const int whole = variable->type == STI_FMU_INTEGER ? (int)value : value != 0.0;
    if (variable->type == STI_FMU_INTEGER)
        return foreign_judge(foreign, (int)f->fmi2SetInteger(foreign->instance, &at, 1, &whole),
                             "fmi2SetInteger", variable->variable);
    return foreign_judge(foreign, (int)f->fmi2SetBoolean(foreign->instance, &at, 1, &whole),
                         "fmi2SetBoolean", variable->variable);
}

static bool get(ForeignFmu *foreign, const StiFmuValue *variable, double *value)
{
    const Functions *f = functions_of(foreign);
    const fmi2ValueReference at = variable->reference;
    int whole = 0;
    if (variable->type == STI_FMU_REAL)
        return foreign_judge(foreign, (int)f->fmi2GetReal(foreign->instance, &at, 1, value),
                             "fmi2GetReal", variable->variable);
    const bool good =
        variable->type == STI_FMU_INTEGER
            ? foreign_judge(foreign, (int)f->fmi2GetInteger(foreign->instance, &at, 1, &whole),
                            "fmi2GetInteger", variable->variable)
            : foreign_judge(foreign, (int)f->fmi2GetBoolean(foreign->instance, &at, 1, &whole),
                            "fmi2GetBoolean", variable->variable);
    *value = whole;
    return good;
}

static bool step(ForeignFmu *foreign, double t, double period)
{
    return foreign_judge(foreign,
                         (int)functions_of(foreign)->fmi2DoStep(foreign->instance, t, period,
                                                                fmi2True),
                         "fmi2DoStep", "");
}

static void end(ForeignFmu *foreign, bool terminate)
{
    if (terminate) functions_of(foreign)->fmi2Terminate(foreign->instance);
    functions_of(foreign)->fmi2FreeInstance(foreign->instance);
}

const ForeignCalls foreign_calls2 = {.load = load,
                                     .instantiate = instantiate,
                                     .enter_initialization = enter_initialization,
                                     .exit_initialization = exit_initialization,
                                     .set = set,
                                     .get = get,
                                     .step = step,
                                     .end = end};
