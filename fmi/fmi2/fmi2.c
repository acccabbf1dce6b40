// FMI 2.0: each function checks that it may be called, and asks the instance.
#include "fmi2/fmi2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/instance.h"

typedef struct Component {
    Instance instance; // first
    fmi2CallbackLogger logger;
    fmi2ComponentEnvironment environment;
} Component;

static void write_log(const Instance *instance, Outcome outcome, const char *text)
{
    const Component *component = (const Component *)(const void *)instance;
    static const char *const categories[] = {"logAll", "logStatusWarning", "logStatusDiscard",
                                             "logStatusError"};
    if (component->logger == NULL || (outcome == OUTCOME_OK && !instance->logging)) return;
    component->logger(component->environment, instance->name != NULL ? instance->name : "",
                      (fmi2Status)outcome, categories[outcome], "%s", text);
}

// Phases in which functions of several kinds are allowed, as the tables of the standard have them.
enum {
    ALIVE = PHASE_INSTANTIATED | PHASE_INITIALIZATION | PHASE_RUNS | PHASE_TERMINATED | PHASE_ERROR,
    READABLE = PHASE_INITIALIZATION | PHASE_RUNS | PHASE_TERMINATED | PHASE_ERROR,
    WRITABLE = PHASE_INSTANTIATED | PHASE_INITIALIZATION | PHASE_RUNS,
};

const char *FMI2(fmi2GetTypesPlatform)(void) { return "default"; }
const char *FMI2(fmi2GetVersion)(void) { return "2.0"; }

// ---- life ---------------------------------------------------------------------------------------

fmi2Component FMI2(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                    fmi2String resources, const fmi2CallbackFunctions *functions,
                                    fmi2Boolean visible, fmi2Boolean logging)
{
    (void)visible;
    Component *component = functions != NULL ? calloc(1, sizeof *component) : NULL;
    if (component == NULL) return NULL;
    component->logger = functions->logger;
    component->environment = functions->componentEnvironment;
    component->instance.log = write_log;
    component->instance.logging = logging != fmi2False;
    const bool known = type == fmi2ModelExchange || type == fmi2CoSimulation;
    if (!known)
        instance_say(&component->instance, OUTCOME_ERROR, "fmi2Instantiate: there is no type %d",
                     (int)type);
    if (known &&
        instance_open(&component->instance, name, guid, resources, type == fmi2ModelExchange))
        return component;
    instance_close(&component->instance);
    free(component);
    return NULL;
}

void FMI2(fmi2FreeInstance)(fmi2Component c)
{
    if (c == NULL) return;
    instance_close(c);
    free(c);
}

fmi2Status FMI2(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean logging, size_t count,
                                     const fmi2String categories[])
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, ALIVE)) return fmi2Error;
    if (count > 0 && categories == NULL)
        return (fmi2Status)instance_say(instance, OUTCOME_ERROR, "%s: no categories", __func__);
    instance->logging = logging != fmi2False;
    return fmi2OK;
}

fmi2Status FMI2(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean tolerance_defined,
                                     fmi2Real tolerance, fmi2Real start, fmi2Boolean stop_defined,
                                     fmi2Real stop)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_INSTANTIATED)) return fmi2Error;
    if (!isfinite(start) || (tolerance_defined && !isfinite(tolerance)) ||
        (stop_defined && !(stop > start)))
        return (fmi2Status)instance_say(instance, OUTCOME_ERROR,
                                        "%s: from %g s to %g s, tolerance %g", __func__, start,
                                        stop, tolerance);
    instance->start = start;
    instance->stop = stop_defined ? stop : NAN;
    instance->tolerance = tolerance_defined ? tolerance : 0.0;
    return fmi2OK;
}

fmi2Status FMI2(fmi2EnterInitializationMode)(fmi2Component c)
{
    if (!instance_allows(c, __func__, PHASE_INSTANTIATED)) return fmi2Error;
    return (fmi2Status)instance_initialize(c, __func__);
}

fmi2Status FMI2(fmi2ExitInitializationMode)(fmi2Component c)
{
    if (!instance_allows(c, __func__, PHASE_INITIALIZATION)) return fmi2Error;
    return (fmi2Status)instance_begin(c, __func__);
}

fmi2Status FMI2(fmi2Terminate)(fmi2Component c)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_RUNS)) return fmi2Error;
    instance->phase = PHASE_TERMINATED;
    return fmi2OK;
}

fmi2Status FMI2(fmi2Reset)(fmi2Component c)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    return (fmi2Status)instance_reset(c);
}

// ---- values -------------------------------------------------------------------------------------

fmi2Status FMI2(fmi2GetReal)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                             fmi2Real values[])
{
    if (!instance_allows(c, __func__, READABLE)) return fmi2Error;
    return (fmi2Status)instance_get(c, __func__, references, count, values, count);
}

fmi2Status FMI2(fmi2SetReal)(fmi2Component c, const fmi2ValueReference references[], size_t count,
                             const fmi2Real values[])
{
    if (!instance_allows(c, __func__, WRITABLE)) return fmi2Error;
    return (fmi2Status)instance_set(c, __func__, references, count, values, count);
}

// All variables are real.
static fmi2Status none(fmi2Component c, const char *function, unsigned phases, size_t count)
{
    if (!instance_allows(c, function, phases)) return fmi2Error;
    if (count == 0) return fmi2OK;
    return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: all variables of this FMU are real",
                                    function);
}

#define NONE_OF(type) \
    fmi2Status FMI2(fmi2Get##type)(fmi2Component c, const fmi2ValueReference references[], \
                                   size_t count, fmi2##type values[]) \
    { \
        (void)references, (void)values; \
        return none(c, __func__, READABLE, count); \
    } \
    fmi2Status FMI2(fmi2Set##type)(fmi2Component c, const fmi2ValueReference references[], \
                                   size_t count, const fmi2##type values[]) \
    { \
        (void)references, (void)values; \
        return none(c, __func__, WRITABLE, count); \
    }
NONE_OF(Integer)
NONE_OF(Boolean)
NONE_OF(String)
#undef NONE_OF

// ---- states -------------------------------------------------------------------------------------

fmi2Status FMI2(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    return (fmi2Status)instance_keep(c, __func__, state);
}

fmi2Status FMI2(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    return (fmi2Status)instance_take_back(c, __func__, state);
}

fmi2Status FMI2(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    if (state == NULL) return fmi2OK;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status FMI2(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    return (fmi2Status)instance_kept_size(c, __func__, state, size);
}

fmi2Status FMI2(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                       size_t size)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    return (fmi2Status)instance_write(c, __func__, state, bytes, size);
}

fmi2Status FMI2(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                         fmi2FMUstate *state)
{
    if (!instance_allows(c, __func__, ALIVE)) return fmi2Error;
    return (fmi2Status)instance_read(c, __func__, bytes, size, state);
}

fmi2Status FMI2(fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknowns[],
                                              size_t unknown_count,
                                              const fmi2ValueReference knowns[], size_t known_count,
                                              const fmi2Real seed[], fmi2Real result[])
{
    if (!instance_allows(c, __func__, PHASE_RUNS | PHASE_TERMINATED | PHASE_ERROR))
        return fmi2Error;
    return (fmi2Status)instance_derivative(c, __func__, unknowns, unknown_count, knowns,
                                           known_count, seed, result);
}

// ---- model exchange -----------------------------------------------------------------------------

fmi2Status FMI2(fmi2EnterEventMode)(fmi2Component c)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_EVENT | PHASE_CONTINUOUS)) return fmi2Error;
    instance->phase = PHASE_EVENT;
    instance->model->inputs_jumped = false;
    return fmi2OK;
}

fmi2Status FMI2(fmi2NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info)
{
    bool moved;
    double next;
    if (!instance_allows(c, __func__, PHASE_EVENT)) return fmi2Error;
    if (info == NULL)
        return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: no place for the answer", __func__);
    const Outcome outcome = instance_event(c, __func__, &moved, &next);
    *info = (fmi2EventInfo){.valuesOfContinuousStatesChanged = moved,
                            .nextEventTimeDefined = isfinite(next),
                            .nextEventTime = isfinite(next) ? next : 0.0};
    return (fmi2Status)outcome;
}

fmi2Status FMI2(fmi2EnterContinuousTimeMode)(fmi2Component c)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_EVENT)) return fmi2Error;
    if (!instance->exchange)
        return (fmi2Status)instance_say(instance, OUTCOME_ERROR, "%s: this is a co-simulation",
                                        __func__);
    instance->phase = PHASE_CONTINUOUS;
    return fmi2OK;
}

fmi2Status FMI2(fmi2CompletedIntegratorStep)(fmi2Component c, fmi2Boolean no_set,
                                             fmi2Boolean *enter_event_mode, fmi2Boolean *terminate)
{
    bool event = false;
    (void)no_set;
    if (!instance_allows(c, __func__, PHASE_CONTINUOUS)) return fmi2Error;
    if (enter_event_mode == NULL || terminate == NULL)
        return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: no place for the answer", __func__);
    const Outcome outcome = instance_completed(c, __func__, &event);
    *enter_event_mode = event;
    *terminate = fmi2False;
    return (fmi2Status)outcome;
}

fmi2Status FMI2(fmi2SetTime)(fmi2Component c, fmi2Real time)
{
    const Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_EVENT | PHASE_CONTINUOUS)) return fmi2Error;
    return (fmi2Status)instance_set_time(c, __func__, time);
}

fmi2Status FMI2(fmi2SetContinuousStates)(fmi2Component c, const fmi2Real values[], size_t count)
{
    if (!instance_allows(c, __func__, PHASE_CONTINUOUS)) return fmi2Error;
    return (fmi2Status)instance_set_states(c, __func__, values, count);
}

static fmi2Status vector(fmi2Component c, const char *function, unsigned phases, Vector which,
                         double *values, size_t count)
{
    if (!instance_allows(c, function, phases)) return fmi2Error;
    if (!((const Instance *)c)->exchange)
        return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: this is a co-simulation", function);
    return (fmi2Status)instance_vector(c, function, which, values, count);
}

enum { ABOUT_STATES = PHASE_INITIALIZATION | PHASE_EVENT | PHASE_CONTINUOUS | PHASE_TERMINATED };

fmi2Status FMI2(fmi2GetDerivatives)(fmi2Component c, fmi2Real values[], size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_DERIVATIVES, values, count);
}

fmi2Status FMI2(fmi2GetEventIndicators)(fmi2Component c, fmi2Real values[], size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_INDICATORS, values, count);
}

fmi2Status FMI2(fmi2GetContinuousStates)(fmi2Component c, fmi2Real values[], size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_STATES, values, count);
}

fmi2Status FMI2(fmi2GetNominalsOfContinuousStates)(fmi2Component c, fmi2Real values[], size_t count)
{
    return vector(c, __func__, ABOUT_STATES | PHASE_INSTANTIATED, VECTOR_NOMINALS, values, count);
}

// ---- co-simulation ------------------------------------------------------------------------------

fmi2Status FMI2(fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference references[],
                                             size_t count, const fmi2Integer orders[],
                                             const fmi2Real values[])
{
    (void)references, (void)count, (void)orders, (void)values;
    if (!instance_allows(c, __func__, PHASE_INSTANTIATED | PHASE_INITIALIZATION | PHASE_STEP))
        return fmi2Error;
    return (fmi2Status)instance_say(c, OUTCOME_ERROR,
                                    "%s: inputs are held, not interpolated "
                                    "(canInterpolateInputs is false)",
                                    __func__);
}

fmi2Status FMI2(fmi2GetRealOutputDerivatives)(fmi2Component c,
                                              const fmi2ValueReference references[], size_t count,
                                              const fmi2Integer orders[], fmi2Real values[])
{
    (void)references, (void)count, (void)orders, (void)values;
    if (!instance_allows(c, __func__, PHASE_STEP | PHASE_TERMINATED | PHASE_ERROR))
        return fmi2Error;
    return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: maxOutputDerivativeOrder is 0",
                                    __func__);
}

fmi2Status FMI2(fmi2DoStep)(fmi2Component c, fmi2Real from, fmi2Real length, fmi2Boolean no_set)
{
    (void)no_set;
    if (!instance_allows(c, __func__, PHASE_STEP)) return fmi2Error;
    return (fmi2Status)instance_step(c, __func__, from, length, NULL);
}

fmi2Status FMI2(fmi2CancelStep)(fmi2Component c)
{
    if (c == NULL) return fmi2Error;
    return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: steps end before fmi2DoStep returns",
                                    __func__);
}

static fmi2Status no_status(fmi2Component c, const char *function, const void *value)
{
    if (!instance_allows(c, function, PHASE_STEP | PHASE_TERMINATED | PHASE_ERROR))
        return fmi2Error;
    if (value == NULL)
        return (fmi2Status)instance_say(c, OUTCOME_ERROR, "%s: no place for the answer", function);
    return (fmi2Status)instance_say(c, OUTCOME_DISCARD, "%s: steps end before fmi2DoStep returns",
                                    function);
}

fmi2Status FMI2(fmi2GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)kind;
    return no_status(c, __func__, value);
}

fmi2Status FMI2(fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    if (kind != fmi2LastSuccessfulTime || value == NULL) return no_status(c, __func__, value);
    if (!instance_allows(c, __func__, PHASE_STEP | PHASE_TERMINATED | PHASE_ERROR))
        return fmi2Error;
    *value = ((const Instance *)c)->model->time;
    return fmi2OK;
}

fmi2Status FMI2(fmi2GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind,
                                      fmi2Integer *value)
{
    (void)kind;
    return no_status(c, __func__, value);
}

fmi2Status FMI2(fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind,
                                      fmi2Boolean *value)
{
    if (kind != fmi2Terminated || value == NULL) return no_status(c, __func__, value);
    if (!instance_allows(c, __func__, PHASE_STEP | PHASE_TERMINATED | PHASE_ERROR))
        return fmi2Error;
    *value = fmi2False;
    return fmi2OK;
}

fmi2Status FMI2(fmi2GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)kind;
    return no_status(c, __func__, value);
}
