#include "fmu/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "network/network.h"
#include "text/file.h"

static bool fail(Model *model, const char *why)
{
    snprintf(model->why, sizeof model->why, "%s", why);
    return false;
}

bool model_failed(Model *model, StiStatus status)
{
    const StiFault *fault = model->scratch != NULL ? sti_scratch_fault(model->scratch) : NULL;
    if (fault != NULL && fault->status == status)
        snprintf(model->why, sizeof model->why, "%s (%s%s%s, t = %g s)", sti_status_text(status),
                 fault->component, fault->component[0] != '\0' ? ": " : "", fault->what, fault->t);
    else
        snprintf(model->why, sizeof model->why, "%s", sti_status_text(status));
    return false;
}

// ---- loading ------------------------------------------------------------------------------------

static char *path_of(const char *folder, const char *name)
{
    const size_t length = strlen(folder), more = strlen(name);
    const bool slash = length > 0 && folder[length - 1] != '/';
    char *path = malloc(length + more + 2);
    if (path == NULL) return NULL;
    memcpy(path, folder, length);
    if (slash) path[length] = '/';
    memcpy(path + length + slash, name, more + 1);
    return path;
}

static bool read_description(Model *model, const char *resources)
{
    enum { MOST_BYTES = 1 << 24 };
    const char *why = "out of memory";
    size_t length;
    char *path = path_of(resources, "stiction.txt");
    char *text = path != NULL ? scene_file_read(path, MOST_BYTES, &length, &why) : NULL;
    if (text == NULL)
        snprintf(model->why, sizeof model->why, "%.400s cannot be read: %s",
                 path != NULL ? path : "", why);
    free(path);
    if (text == NULL) return false;
    return description_read(text, &model->description) ||
           fail(model, "resources/stiction.txt is damaged, or there is no memory");
}

static bool load_scene(Model *model, const char *resources)
{
    char *path = path_of(resources, model->description.scene);
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.confine = resources};
    fail(model, "out of memory");
    if (path != NULL && messages != NULL) model->scene = sti_scene_load(path, &options, messages);
    for (int i = 0; model->scene == NULL && messages != NULL && i < sti_messages_count(messages);
         ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity != STI_ERROR) continue;
        snprintf(model->why, sizeof model->why, "%.200s:%d: %.400s", message->file, message->line,
                 message->text);
        break;
    }
    sti_messages_destroy(messages);
    free(path);
    return model->scene != NULL;
}

static void release_run(Model *model)
{
    sti_recorder_destroy(model->recorder);
    sti_scratch_destroy(model->scratch);
    sti_state_destroy(model->state);
    sti_state_destroy(model->before);
    model->recorder = NULL;
    model->scratch = NULL;
    model->state = model->before = NULL;
    model_exchange_release(model);
}

static bool take_run(Model *model)
{
    model->state = sti_state_create(model->network);
    model->before = sti_state_create(model->network);
    model->scratch = sti_scratch_create(model->network);
    model->recorder = model->observes ? sti_recorder_create(model->network) : NULL;
    model->current = model->evaluated = false;
    if (model->state != NULL && model->before != NULL && model->scratch != NULL &&
        (model->recorder != NULL || !model->observes) && model_exchange_take(model))
        return true;
    return fail(model, "out of memory");
}

static bool take_arrays(Model *model)
{
    const int inputs = sti_network_input_count(model->network);
    model->inputs = calloc((size_t)inputs + 1, sizeof *model->inputs);
    model->outputs = calloc((size_t)model->variables.count + 1, sizeof *model->outputs);
    if (model->inputs == NULL || model->outputs == NULL) return fail(model, "out of memory");
    sti_network_usual_inputs(model->network, model->inputs);
    for (int i = 0; i < model->variables.count; ++i)
        if (model->variables.items[i].role == VARIABLE_OUTPUT &&
            model->variables.items[i].state < 0)
            model->observes = true;
    return true;
}

// A network of the plan as it is now; the scene keeps its own until it ends.
static bool compile(Model *model)
{
    StiNetwork *network;
    const StiLocale locale = sti_locale_begin();
    const StiStatus status = sti_plan_compile(model->scene->plan, NULL, &network);
    sti_locale_end(locale);
    model->network = network;
    if (status == STI_OK) return true;
    const StiReport *report = sti_plan_findings(model->scene->plan);
    fail(model, sti_status_text(status));
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        if (finding->severity != STI_ERROR) continue;
        snprintf(model->why, sizeof model->why, "%s.%s = %g: %s", finding->component,
                 finding->parameter, finding->value, finding->text);
        break;
    }
    return false;
}

Model *model_create(const char *resources, char *why, size_t size)
{
    Model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        snprintf(why, size, "out of memory");
        return NULL;
    }
    model->relative = 1e-8;
    model->absolute = 1e-10;
    bool good = read_description(model, resources) && load_scene(model, resources);
    good = good && variables_create(model->scene, &model->description, &model->variables,
                                    model->why, sizeof model->why);
    if (good) model->span = model->scene->stop - model->scene->start;
    if (good) model->start = model->time = model->scene->start;
    good = good && compile(model) && take_arrays(model) && take_run(model);
    if (good) return model;
    snprintf(why, size, "%s", model->why);
    model_destroy(model);
    return NULL;
}

void model_destroy(Model *model)
{
    if (model == NULL) return;
    release_run(model);
    sti_network_destroy(model->network);
    free(model->inputs);
    free(model->outputs);
    variables_release(&model->variables);
    description_release(&model->description);
    sti_scene_destroy(model->scene);
    free(model);
}

// ---- parameters ---------------------------------------------------------------------------------

// Parameters that were changed take effect: the plan compiles to a network of the same layout, which takes the
// state over once a run has begun.
bool model_refresh(Model *model)
{
    if (!model->changed)
        return model->network != NULL || fail(model, "its parameters do not fit each other");
    StiNetwork *before = model->network;
    if (!compile(model)) {
        model->network = before;
        return false;
    }
    StiState *state = model->state;
    model->state = NULL;
    double *values = model->values;
    const int count = model->exchange ? model->variables.state_count : 0;
    model->values = NULL;
    release_run(model);
    bool good = take_run(model);
    if (good && model->begun) {
        good = sti_state_copy(model->state, state) == STI_OK;
        if (!good) fail(model, "a state of before does not fit the changed parameters");
    }
    if (good && model->begun && count > 0)
        memcpy(model->values, values, (size_t)count * sizeof *values);
    sti_state_destroy(state);
    free(values);
    sti_network_destroy(before);
    model->changed = !good;
    model->inputs_jumped = true;
    return good;
}

bool model_set_start(Model *model, double start)
{
    if (!isfinite(start)) return fail(model, "the start time is not finite");
    if (start == model->start) return true;
    sti_plan_set_start(model->scene->plan, start);
    model->start = model->time = start;
    model->changed = true;
    return true;
}

void model_set_tolerances(Model *model, double relative, double stop)
{
    if (relative > 0.0 && relative < 1.0) {
        model->relative = relative;
        model->absolute = 1e-2 * relative;
    }
    if (isfinite(stop) && stop > model->start) model->span = stop - model->start;
}

// ---- variables ----------------------------------------------------------------------------------

void model_keep_outputs(Model *model)
{
    const int first = model->variables.first_output;
    for (int i = first; i < first + model->description.output_count; ++i) {
        const Variable *variable = &model->variables.items[i];
        if (variable->state < 0)
            model->outputs[i] = sti_recorder_value(model->recorder, variable->number);
    }
    model->current = true;
}

bool model_observe(Model *model)
{
    if (!model_refresh(model)) return false;
    if (model->current || !model->observes) return true;
    StiStatus status;
    if (model->begun && model->exchange) {
        if (!model_evaluate(model)) return false;
        memcpy(model->state->values, model->values,
               (size_t)model->variables.state_count * sizeof(double));
        status =
            sti_recorder_sample_event(model->recorder, model->state, model->time, model->scratch);
    } else {
        if (model->begun) return true; // those of the last step
        status = sti_recorder_begin(model->recorder, model->state, model->inputs, model->scratch);
    }
    if (status != STI_OK) return model_failed(model, status);
    model_keep_outputs(model);
    return true;
}

static double parameter_value(const Model *model, const Variable *variable)
{
    double value = NAN;
    sti_plan_get(model->scene->plan, model->description.parameters[variable->number].path, &value);
    return value;
}

static double state_value(const Model *model, int number)
{
    return model->begun && model->exchange ? model->values[number] : model->state->values[number];
}

bool model_get(Model *model, int number, double *values)
{
    const Variable *variable = &model->variables.items[number];
    switch (variable->role) {
    case VARIABLE_TIME:
        values[0] = model->time;
        return true;
    case VARIABLE_INPUT:
        values[0] = model->inputs[variable->number];
        return true;
    case VARIABLE_PARAMETER:
        values[0] = parameter_value(model, variable);
        return true;
    case VARIABLE_DERIVATIVE:
        if (!model_refresh(model) || !model_evaluate(model)) return false;
        values[0] = model->rates[variable->number];
        return true;
    case VARIABLE_INDICATOR:
        if (!model_refresh(model) || !model_evaluate(model)) return false;
        values[0] = model->margins[variable->number].g + model->lifts[variable->number];
        return true;
    case VARIABLE_ARRAY:
        for (int i = 0; i < variable->count; ++i)
            if (!model_get(model, model->variables.members[variable->number + i], values + i))
                return false;
        return true;
    default:
        if (variable->state >= 0) {
            if (!model_refresh(model)) return false;
            values[0] = state_value(model, variable->state);
            return true;
        }
        if (!model_observe(model)) return false;
        values[0] = model->outputs[number];
        return true;
    }
}

bool model_set(Model *model, int number, const double *values)
{
    const Variable *variable = &model->variables.items[number];
    if (!isfinite(values[0])) {
        snprintf(model->why, sizeof model->why,
                 "%s: the value is not finite; the one before is kept", variable->name);
        return false;
    }
    if (variable->role == VARIABLE_INPUT) {
        if (model->inputs[variable->number] == values[0]) return true;
        model->inputs[variable->number] = values[0];
        model->evaluated = false;
        if (!model->begun || model->exchange) model->current = false;
        return true;
    }
    if (variable->role != VARIABLE_PARAMETER) {
        snprintf(model->why, sizeof model->why, "%s is computed and cannot be set", variable->name);
        return false;
    }
    if (parameter_value(model, variable) == values[0]) return true;
    sti_plan_set(model->scene->plan, model->description.parameters[variable->number].path,
                 values[0]);
    model->changed = true;
    model->current = model->evaluated = false;
    return true;
}
