#include "fmu/instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/resources.h"

Outcome instance_say(const Instance *instance, Outcome outcome, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (instance->log != NULL) instance->log(instance, outcome, text);
    return outcome;
}

static const char *phase_name(Phase phase)
{
    switch (phase) {
    case PHASE_INSTANTIATED:
        return "instantiated";
    case PHASE_INITIALIZATION:
        return "initialization mode";
    case PHASE_EVENT:
        return "event mode";
    case PHASE_CONTINUOUS:
        return "continuous-time mode";
    case PHASE_STEP:
        return "step mode";
    case PHASE_TERMINATED:
        return "terminated";
    case PHASE_INTERMEDIATE:
        return "intermediate update";
    default:
        return "error";
    }
}

bool instance_allows(const Instance *instance, const char *function, unsigned phases)
{
    if (instance == NULL) return false;
    if (((unsigned)instance->phase & phases) != 0) return true;
    instance_say(instance, OUTCOME_ERROR,
                 "%s is not allowed here: the instance is in the state '%s'", function,
                 phase_name(instance->phase));
    return false;
}

Outcome instance_broken(Instance *instance, const char *function)
{
    instance->phase = PHASE_ERROR;
    return instance_say(instance, OUTCOME_ERROR, "%s: %s", function, instance->model->why);
}

// ---- life ---------------------------------------------------------------------------------------

static char *copy(const char *text)
{
    char *own = malloc(strlen(text) + 1);
    return own != NULL ? strcpy(own, text) : NULL;
}

static bool load(Instance *instance)
{
    char why[MODEL_WHY] = "";
    instance->model = model_create(instance->resources, why, sizeof why);
    if (instance->model == NULL) instance_say(instance, OUTCOME_ERROR, "%s", why);
    return instance->model != NULL;
}

bool instance_open(Instance *instance, const char *name, const char *token, const char *resources,
                   bool exchange)
{
    instance->exchange = exchange;
    instance->phase = PHASE_INSTANTIATED;
    instance->stop = NAN;
    if (name == NULL || name[0] == '\0' || token == NULL) {
        instance_say(instance, OUTCOME_ERROR, "an instance needs a name and the token of its FMU");
        return false;
    }
    instance->name = copy(name);
    instance->resources = resources_folder(resources);
    if (instance->name == NULL || instance->resources == NULL) {
        instance_say(instance, OUTCOME_ERROR,
                     "the folder of resources is not given as it should be: '%.200s'",
                     resources != NULL ? resources : "");
        return false;
    }
    if (!load(instance)) return false;
    if (strcmp(token, instance->model->description.token) != 0) {
        instance_say(instance, OUTCOME_ERROR,
                     "the token '%.100s' is not that of this FMU, '%.100s'", token,
                     instance->model->description.token);
        return false;
    }
    if (exchange && !variables_continuous(instance->model->network)) {
        instance_say(instance, OUTCOME_ERROR, "this FMU has no form for model exchange");
        return false;
    }
    instance->start = instance->model->start;
    return true;
}

void instance_close(Instance *instance)
{
    model_destroy(instance->model);
    free(instance->name);
    free(instance->resources);
    instance->model = NULL;
    instance->name = instance->resources = NULL;
}

Outcome instance_reset(Instance *instance)
{
    Model *before = instance->model;
    if (!load(instance)) {
        instance->model = before;
        instance->phase = PHASE_ERROR;
        return OUTCOME_ERROR;
    }
    model_destroy(before);
    instance->phase = PHASE_INSTANTIATED;
    instance->start = instance->model->start;
    instance->stop = NAN;
    instance->tolerance = 0.0;
    return OUTCOME_OK;
}

// ---- values -------------------------------------------------------------------------------------

static const Variable *find(const Instance *instance, const char *function, unsigned reference)
{
    const Variables *variables = &instance->model->variables;
    const int count = instance->arrays ? variables->count : variables->first_indicator;
    if (reference < (unsigned)count) return &variables->items[reference];
    instance_say(instance, OUTCOME_ERROR, "%s: there is no variable with value reference %u",
                 function, reference);
    return NULL;
}

// All of them are known, and as many values as they have.
static bool fits(const Instance *instance, const char *function, const unsigned *references,
                 size_t count, const double *values, size_t value_count)
{
    size_t needed = 0;
    if (count > 0 && (references == NULL || values == NULL)) {
        instance_say(instance, OUTCOME_ERROR, "%s: an array is NULL", function);
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        const Variable *variable = find(instance, function, references[i]);
        if (variable == NULL) return false;
        needed += (size_t)variable->count;
    }
    if (needed == value_count) return true;
    instance_say(instance, OUTCOME_ERROR, "%s: %zu values were expected, not %zu", function, needed,
                 value_count);
    return false;
}

Outcome instance_get(Instance *instance, const char *function, const unsigned *references,
                     size_t count, double *values, size_t value_count)
{
    if (!fits(instance, function, references, count, values, value_count)) return OUTCOME_ERROR;
    for (size_t i = 0; i < count; ++i) {
        const Variable *variable = &instance->model->variables.items[references[i]];
        if (!model_get(instance->model, (int)references[i], values)) {
            // after the end, or an error, values are for debugging only
            if ((instance->phase & (PHASE_ERROR | PHASE_TERMINATED)) != 0)
                return instance_say(instance, OUTCOME_DISCARD, "%s: %s", function,
                                    instance->model->why);
            return instance_broken(instance, function);
        }
        values += variable->count;
    }
    return OUTCOME_OK;
}

static bool may_set(const Instance *instance, const Variable *variable)
{
    const Phase phase = instance->phase;
    if (variable->role == VARIABLE_INPUT)
        return (phase & (PHASE_INSTANTIATED | PHASE_INITIALIZATION | PHASE_RUNS)) != 0;
    if (variable->role != VARIABLE_PARAMETER) return false;
    if ((phase & (PHASE_INSTANTIATED | PHASE_INITIALIZATION)) != 0) return true;
    return variable->tunable && (phase & (PHASE_EVENT | PHASE_STEP)) != 0;
}

Outcome instance_set(Instance *instance, const char *function, const unsigned *references,
                     size_t count, const double *values, size_t value_count)
{
    if (!fits(instance, function, references, count, values, value_count)) return OUTCOME_ERROR;
    for (size_t i = 0; i < count; ++i) {
        const Variable *variable = &instance->model->variables.items[references[i]];
        if (!may_set(instance, variable))
            return instance_say(instance, OUTCOME_ERROR, "%s: %s cannot be set in the state '%s'",
                                function, variable->name, phase_name(instance->phase));
    }
    Outcome outcome = OUTCOME_OK;
    for (size_t i = 0; i < count; ++i)
        if (!model_set(instance->model, (int)references[i], &values[i]))
            outcome =
                instance_say(instance, OUTCOME_DISCARD, "%s: %s", function, instance->model->why);
    return outcome;
}

// ---- a run --------------------------------------------------------------------------------------

Outcome instance_initialize(Instance *instance, const char *function)
{
    if (!isfinite(instance->start) ||
        (!isnan(instance->stop) && !(instance->stop > instance->start)))
        return instance_say(instance, OUTCOME_ERROR, "%s: a run from %g s to %g s is none",
                            function, instance->start, instance->stop);
    if (!model_set_start(instance->model, instance->start))
        return instance_broken(instance, function);
    model_set_tolerances(instance->model, instance->tolerance, instance->stop);
    instance->phase = PHASE_INITIALIZATION;
    return OUTCOME_OK;
}

Outcome instance_begin(Instance *instance, const char *function)
{
    if (!model_begin(instance->model, instance->exchange))
        return instance_broken(instance, function);
    instance->phase = instance->exchange ? PHASE_EVENT : PHASE_STEP;
    return OUTCOME_OK;
}

Outcome instance_step(Instance *instance, const char *function, double from, double length,
                      bool *happened)
{
    const Model *model = instance->model;
    const double tolerance = 1e-3 * sti_network_step(model->network) + 1e-12 * fabs(model->time);
    if (!isfinite(from) || !isfinite(length) || !(length > 0.0))
        return instance_say(instance, OUTCOME_ERROR, "%s: from %g s a step of %g s is none",
                            function, from, length);
    if (fabs(from - model->time) > tolerance)
        return instance_say(instance, OUTCOME_ERROR,
                            "%s: the last step ended at %.17g s, but this one begins at %.17g s",
                            function, model->time, from);
    if (model_advance(instance->model, from + length, happened)) return OUTCOME_OK;
    return instance_broken(instance, function);
}

Outcome instance_set_time(Instance *instance, const char *function, double time)
{
    if (!isfinite(time))
        return instance_say(instance, OUTCOME_ERROR, "%s: time is not finite", function);
    model_set_time(instance->model, time);
    return OUTCOME_OK;
}

Outcome instance_vector(Instance *instance, const char *function, Vector which, double *values,
                        size_t count)
{
    Model *model = instance->model;
    const int have = which == VECTOR_INDICATORS ? model->variables.indicator_count
                                                : model->variables.state_count;
    if (count != (size_t)have || (values == NULL && count > 0))
        return instance_say(instance, OUTCOME_ERROR,
                            "%s: an array of %d numbers is needed, not of %zu", function, have,
                            count);
    if (!model_refresh(model)) return instance_broken(instance, function);
    const bool computed = which == VECTOR_DERIVATIVES || which == VECTOR_INDICATORS;
    if (computed && !model_evaluate(model)) // an integrator may come back with a shorter step
        return instance_say(instance, OUTCOME_DISCARD, "%s: %s", function, model->why);
    if (which == VECTOR_INDICATORS)
        model_indicators(model, values);
    else
        for (int i = 0; i < have; ++i)
            if (which == VECTOR_NOMINALS)
                values[i] = 1.0;
            else if (which == VECTOR_DERIVATIVES)
                values[i] = model->rates[i];
            else
                model_get(model, model->variables.state_variables[i], &values[i]);
    return OUTCOME_OK;
}

Outcome instance_set_states(Instance *instance, const char *function, const double *values,
                            size_t count)
{
    const int have = instance->model->variables.state_count;
    if (count != (size_t)have || (values == NULL && count > 0))
        return instance_say(instance, OUTCOME_ERROR,
                            "%s: an array of %d numbers is needed, not of %zu", function, have,
                            count);
    if (model_set_states(instance->model, values)) return OUTCOME_OK;
    return instance_say(instance, OUTCOME_DISCARD, "%s: %s", function, instance->model->why);
}

Outcome instance_event(Instance *instance, const char *function, bool *moved, double *next)
{
    *moved = false;
    *next = INFINITY;
    if (!instance->exchange) return OUTCOME_OK;
    if (!model_refresh(instance->model) || !model_event(instance->model, moved))
        return instance_broken(instance, function);
    *next = model_next_event(instance->model);
    return OUTCOME_OK;
}

Outcome instance_completed(Instance *instance, const char *function, bool *event)
{
    if (model_step_completed(instance->model, event)) return OUTCOME_OK;
    return instance_broken(instance, function);
}

static bool are_known(const Instance *instance, const char *function, const unsigned *references,
                      size_t count, bool unknowns)
{
    for (size_t i = 0; i < count; ++i) {
        const Variable *variable = find(instance, function, references[i]);
        if (variable == NULL) return false;
        const bool good =
            unknowns ? variable->role == VARIABLE_OUTPUT || variable->role == VARIABLE_DERIVATIVE
                     : variable->role == VARIABLE_INPUT ||
                           (variable->state >= 0 && variable->role != VARIABLE_DERIVATIVE);
        if (good) continue;
        instance_say(instance, OUTCOME_ERROR, "%s: %s cannot be one of the %s", function,
                     variable->name,
                     unknowns ? "unknowns: outputs and derivatives are"
                              : "knowns: inputs and states are");
        return false;
    }
    return true;
}

Outcome instance_derivative(Instance *instance, const char *function, const unsigned *unknowns,
                            size_t unknown_count, const unsigned *knowns, size_t known_count,
                            const double *seed, double *result)
{
    if ((unknown_count > 0 && (unknowns == NULL || result == NULL)) ||
        (known_count > 0 && (knowns == NULL || seed == NULL)))
        return instance_say(instance, OUTCOME_ERROR, "%s: an array is NULL", function);
    if (!instance->exchange)
        return instance_say(instance, OUTCOME_ERROR,
                            "%s: there are derivatives in model exchange only", function);
    if (!are_known(instance, function, unknowns, unknown_count, true) ||
        !are_known(instance, function, knowns, known_count, false))
        return OUTCOME_ERROR;
    if (!model_refresh(instance->model)) return instance_broken(instance, function);
    // value references are below INT_MAX here
    if (model_derivative(instance->model, (const int *)unknowns, (int)unknown_count,
                         (const int *)knowns, (int)known_count, seed, result))
        return OUTCOME_OK;
    return instance_say(instance, OUTCOME_DISCARD, "%s: %s", function, instance->model->why);
}
