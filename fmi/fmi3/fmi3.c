// FMI 3.0: each function checks that it may be called, and asks the instance.
#include "fmi3/fmi3.h"

#include <math.h>
#include <stdlib.h>

#include "fmi3/instance3.h"

static void write_log(const Instance *instance, Outcome outcome, const char *text)
{
    const Instance3 *own = (const Instance3 *)(const void *)instance;
    static const char *const categories[] = {"logAll", "logStatusWarning", "logStatusDiscard",
                                             "logStatusError"};
    if (own->log == NULL || (outcome == OUTCOME_OK && !instance->logging)) return;
    own->log(own->environment, (fmi3Status)outcome, categories[outcome], text);
}

const char *FMI3(fmi3GetVersion)(void) { return "3.0"; }

// ---- life ---------------------------------------------------------------------------------------

static fmi3Instance open_instance(const Instance3 *given, fmi3String name, fmi3String token,
                                  fmi3String resources, bool exchange)
{
    Instance3 *own = calloc(1, sizeof *own);
    if (own == NULL) return NULL;
    *own = *given;
    own->instance.log = write_log;
    own->instance.arrays = true;
    if (instance_open(&own->instance, name, token, resources, exchange)) return own;
    instance_close(&own->instance);
    free(own);
    return NULL;
}

fmi3Instance FMI3(fmi3InstantiateModelExchange)(fmi3String name, fmi3String token,
                                                fmi3String resources, fmi3Boolean visible,
                                                fmi3Boolean logging,
                                                fmi3InstanceEnvironment environment,
                                                fmi3LogMessageCallback log)
{
    (void)visible;
    const Instance3 given = {.instance.logging = logging,
                             .log = log,
                             .environment = environment,
                             .event_mode = true};
    return open_instance(&given, name, token, resources, true);
}

// All outputs may be read in intermediate updates: none need to be named.
fmi3Instance FMI3(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
    const fmi3ValueReference required[], size_t required_count, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update)
{
    (void)visible, (void)required, (void)required_count;
    const Instance3 given = {.instance.logging = logging,
                             .log = log,
                             .update = update,
                             .environment = environment,
                             .event_mode = event_mode,
                             .early_return = early_return};
    return open_instance(&given, name, token, resources, false);
}

void FMI3(fmi3FreeInstance)(fmi3Instance c)
{
    if (c == NULL) return;
    instance_close(c);
    free(c);
}

fmi3Status FMI3(fmi3SetDebugLogging)(fmi3Instance c, fmi3Boolean logging, size_t count,
                                     const fmi3String categories[])
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, FMI3_ALIVE)) return fmi3Error;
    if (count > 0 && categories == NULL)
        return (fmi3Status)instance_say(instance, OUTCOME_ERROR, "%s: no categories", __func__);
    instance->logging = logging;
    return fmi3OK;
}

fmi3Status FMI3(fmi3EnterInitializationMode)(fmi3Instance c, fmi3Boolean tolerance_defined,
                                             fmi3Float64 tolerance, fmi3Float64 start,
                                             fmi3Boolean stop_defined, fmi3Float64 stop)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_INSTANTIATED)) return fmi3Error;
    if (tolerance_defined && !isfinite(tolerance))
        return (fmi3Status)instance_say(instance, OUTCOME_ERROR, "%s: tolerance %g", __func__,
                                        tolerance);
    instance->tolerance = tolerance_defined ? tolerance : 0.0;
    instance->start = start;
    instance->stop = stop_defined ? stop : NAN;
    if (stop_defined && isnan(stop))
        return (fmi3Status)instance_say(instance, OUTCOME_ERROR,
                                        "%s: the stop time is not a number", __func__);
    return (fmi3Status)instance_initialize(instance, __func__);
}

fmi3Status FMI3(fmi3ExitInitializationMode)(fmi3Instance c)
{
    Instance3 *own = c;
    if (!instance_allows(c, __func__, PHASE_INITIALIZATION)) return fmi3Error;
    const Outcome outcome = instance_begin(c, __func__);
    if (outcome == OUTCOME_OK && own->event_mode) own->instance.phase = PHASE_EVENT;
    return (fmi3Status)outcome;
}

fmi3Status FMI3(fmi3EnterEventMode)(fmi3Instance c)
{
    Instance3 *own = c;
    if (!instance_allows(c, __func__, PHASE_CONTINUOUS | PHASE_STEP)) return fmi3Error;
    if (!own->event_mode)
        return (fmi3Status)instance_say(c, OUTCOME_ERROR,
                                        "%s: the instance was made without event mode", __func__);
    own->instance.phase = PHASE_EVENT;
    own->instance.model->inputs_jumped = false;
    return fmi3OK;
}

fmi3Status FMI3(fmi3Terminate)(fmi3Instance c)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_RUNS)) return fmi3Error;
    instance->phase = PHASE_TERMINATED;
    return fmi3OK;
}

fmi3Status FMI3(fmi3Reset)(fmi3Instance c)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    return (fmi3Status)instance_reset(c);
}

// ---- values and states --------------------------------------------------------------------------

fmi3Status FMI3(fmi3GetFloat64)(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                                fmi3Float64 values[], size_t value_count)
{
    if (!instance_allows(c, __func__, FMI3_READABLE)) return fmi3Error;
    return (fmi3Status)instance_get(c, __func__, references, count, values, value_count);
}

fmi3Status FMI3(fmi3SetFloat64)(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                                const fmi3Float64 values[], size_t value_count)
{
    if (!instance_allows(c, __func__, FMI3_WRITABLE)) return fmi3Error;
    return (fmi3Status)instance_set(c, __func__, references, count, values, value_count);
}

fmi3Status FMI3(fmi3GetFMUState)(fmi3Instance c, fmi3FMUState *state)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    return (fmi3Status)instance_keep(c, __func__, state);
}

fmi3Status FMI3(fmi3SetFMUState)(fmi3Instance c, fmi3FMUState state)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    return (fmi3Status)instance_take_back(c, __func__, state);
}

fmi3Status FMI3(fmi3FreeFMUState)(fmi3Instance c, fmi3FMUState *state)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    if (state == NULL) return fmi3OK;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

fmi3Status FMI3(fmi3SerializedFMUStateSize)(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    return (fmi3Status)instance_kept_size(c, __func__, state, size);
}

fmi3Status FMI3(fmi3SerializeFMUState)(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[],
                                       size_t size)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    return (fmi3Status)instance_write(c, __func__, state, bytes, size);
}

fmi3Status FMI3(fmi3DeserializeFMUState)(fmi3Instance c, const fmi3Byte bytes[], size_t size,
                                         fmi3FMUState *state)
{
    if (!instance_allows(c, __func__, FMI3_ALIVE)) return fmi3Error;
    return (fmi3Status)instance_read(c, __func__, bytes, size, state);
}

fmi3Status FMI3(fmi3GetDirectionalDerivative)(fmi3Instance c, const fmi3ValueReference unknowns[],
                                              size_t unknown_count,
                                              const fmi3ValueReference knowns[], size_t known_count,
                                              const fmi3Float64 seed[], size_t seed_count,
                                              fmi3Float64 result[], size_t result_count)
{
    if (!instance_allows(c, __func__, PHASE_RUNS | PHASE_TERMINATED | PHASE_ERROR))
        return fmi3Error;
    if (seed_count != known_count || result_count != unknown_count)
        return (fmi3Status)instance_say(c, OUTCOME_ERROR,
                                        "%s: as many numbers as variables are needed", __func__);
    return (fmi3Status)instance_derivative(c, __func__, unknowns, unknown_count, knowns,
                                           known_count, seed, result);
}

// ---- events -------------------------------------------------------------------------------------

fmi3Status FMI3(fmi3EvaluateDiscreteStates)(fmi3Instance c)
{
    if (!instance_allows(c, __func__, PHASE_INITIALIZATION | PHASE_EVENT)) return fmi3Error;
    return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: providesEvaluateDiscreteStates is false",
                                    __func__);
}

fmi3Status FMI3(fmi3UpdateDiscreteStates)(fmi3Instance c, fmi3Boolean *again,
                                          fmi3Boolean *terminate, fmi3Boolean *nominals_changed,
                                          fmi3Boolean *values_changed, fmi3Boolean *next_defined,
                                          fmi3Float64 *next_time)
{
    bool moved;
    double next;
    if (!instance_allows(c, __func__, PHASE_EVENT)) return fmi3Error;
    if (again == NULL || terminate == NULL || nominals_changed == NULL || values_changed == NULL ||
        next_defined == NULL || next_time == NULL)
        return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: no place for the answers", __func__);
    const Outcome outcome = instance_event(c, __func__, &moved, &next);
    *again = *terminate = *nominals_changed = false;
    *values_changed = moved;
    *next_defined = isfinite(next);
    *next_time = isfinite(next) ? next : 0.0;
    return (fmi3Status)outcome;
}

// ---- model exchange -----------------------------------------------------------------------------

fmi3Status FMI3(fmi3EnterContinuousTimeMode)(fmi3Instance c)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_EVENT)) return fmi3Error;
    if (!instance->exchange)
        return (fmi3Status)instance_say(instance, OUTCOME_ERROR, "%s: this is a co-simulation",
                                        __func__);
    instance->phase = PHASE_CONTINUOUS;
    return fmi3OK;
}

fmi3Status FMI3(fmi3CompletedIntegratorStep)(fmi3Instance c, fmi3Boolean no_set,
                                             fmi3Boolean *enter_event_mode, fmi3Boolean *terminate)
{
    bool event = false;
    (void)no_set;
    if (!instance_allows(c, __func__, PHASE_CONTINUOUS)) return fmi3Error;
    if (enter_event_mode == NULL || terminate == NULL)
        return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: no place for the answers", __func__);
    const Outcome outcome = instance_completed(c, __func__, &event);
    *enter_event_mode = event;
    *terminate = false;
    return (fmi3Status)outcome;
}

fmi3Status FMI3(fmi3SetTime)(fmi3Instance c, fmi3Float64 time)
{
    if (!instance_allows(c, __func__, PHASE_CONTINUOUS)) return fmi3Error;
    return (fmi3Status)instance_set_time(c, __func__, time);
}

fmi3Status FMI3(fmi3SetContinuousStates)(fmi3Instance c, const fmi3Float64 values[], size_t count)
{
    if (!instance_allows(c, __func__, PHASE_CONTINUOUS)) return fmi3Error;
    return (fmi3Status)instance_set_states(c, __func__, values, count);
}

static fmi3Status vector(fmi3Instance c, const char *function, unsigned phases, Vector which,
                         double *values, size_t count)
{
    if (!instance_allows(c, function, phases)) return fmi3Error;
    if (!((const Instance *)c)->exchange)
        return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: this is a co-simulation", function);
    return (fmi3Status)instance_vector(c, function, which, values, count);
}

enum { ABOUT_STATES = PHASE_INITIALIZATION | PHASE_EVENT | PHASE_CONTINUOUS | PHASE_TERMINATED };

fmi3Status FMI3(fmi3GetContinuousStateDerivatives)(fmi3Instance c, fmi3Float64 values[],
                                                   size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_DERIVATIVES, values, count);
}

fmi3Status FMI3(fmi3GetEventIndicators)(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_INDICATORS, values, count);
}

fmi3Status FMI3(fmi3GetContinuousStates)(fmi3Instance c, fmi3Float64 values[], size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_STATES, values, count);
}

fmi3Status FMI3(fmi3GetNominalsOfContinuousStates)(fmi3Instance c, fmi3Float64 values[],
                                                   size_t count)
{
    return vector(c, __func__, ABOUT_STATES, VECTOR_NOMINALS, values, count);
}

static fmi3Status number_of(fmi3Instance c, const char *function, bool indicators, size_t *count)
{
    const Instance *instance = c;
    if (!instance_allows(instance, function, FMI3_ALIVE)) return fmi3Error;
    if (!instance->exchange || count == NULL)
        return (fmi3Status)instance_say(instance, OUTCOME_ERROR,
                                        "%s: no model exchange, or no place for the answer",
                                        function);
    const Variables *variables = &instance->model->variables;
    *count = (size_t)(indicators ? variables->indicator_count : variables->state_count);
    return fmi3OK;
}

fmi3Status FMI3(fmi3GetNumberOfEventIndicators)(fmi3Instance c, size_t *count)
{
    return number_of(c, __func__, true, count);
}

fmi3Status FMI3(fmi3GetNumberOfContinuousStates)(fmi3Instance c, size_t *count)
{
    return number_of(c, __func__, false, count);
}

// ---- co-simulation ------------------------------------------------------------------------------

fmi3Status FMI3(fmi3EnterStepMode)(fmi3Instance c)
{
    Instance *instance = c;
    if (!instance_allows(instance, __func__, PHASE_EVENT)) return fmi3Error;
    if (instance->exchange)
        return (fmi3Status)instance_say(instance, OUTCOME_ERROR, "%s: this is model exchange",
                                        __func__);
    instance->phase = PHASE_STEP;
    return fmi3OK;
}

// The importer looks at a moment within a step, and may ask to end it there.
static bool update(Instance3 *own)
{
    fmi3Boolean requested = false;
    fmi3Float64 when = own->instance.model->time;
    own->instance.phase = PHASE_INTERMEDIATE;
    own->update(own->environment, when, false, true, true, own->early_return, &requested, &when);
    own->instance.phase = PHASE_STEP;
    return requested && own->early_return;
}

// One internal step after the other, with a look at each. happened: as of instance_step, may be NULL.
static Outcome step_with_updates(Instance3 *own, const char *function, double from, double to,
                                 bool *happened, bool *stopped)
{
    const Model *model = own->instance.model;
    const double T = sti_network_step(model->network), close = 1e-6 * T;
    Outcome outcome = OUTCOME_OK;
    bool ended = false;
    for (double now = from; outcome == OUTCOME_OK && to - now > close && !ended;
         now = model->time) {
        const double next = now + T < to - close ? now + T : to;
        outcome = instance_step(&own->instance, function, now, next - now, happened);
        if (outcome == OUTCOME_OK) *stopped = update(own);
        ended = *stopped || (happened != NULL && *happened);
    }
    return outcome;
}

fmi3Status FMI3(fmi3DoStep)(fmi3Instance c, fmi3Float64 from, fmi3Float64 length,
                            fmi3Boolean no_set, fmi3Boolean *event_handling_needed,
                            fmi3Boolean *terminate, fmi3Boolean *early_return,
                            fmi3Float64 *last_successful_time)
{
    Instance3 *own = c;
    bool happened = false, stopped = false;
    (void)no_set;
    if (!instance_allows(c, __func__, PHASE_STEP)) return fmi3Error;
    if (event_handling_needed == NULL || terminate == NULL || early_return == NULL ||
        last_successful_time == NULL)
        return (fmi3Status)instance_say(c, OUTCOME_ERROR, "%s: no place for the answers", __func__);
    bool *watched = own->event_mode && own->early_return ? &happened : NULL;
    const bool updates = own->update != NULL && isfinite(from) && isfinite(length) && length > 0.0;
    const Outcome outcome =
        updates ? step_with_updates(own, __func__, from, from + length, watched, &stopped)
                : instance_step(&own->instance, __func__, from, length, watched);
    const double now = own->instance.model->time;
    *event_handling_needed = happened;
    *terminate = false;
    *early_return = outcome == OUTCOME_OK && (happened || stopped) && now < from + length;
    *last_successful_time = now;
    return (fmi3Status)outcome;
}
