#include "fmu/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/continuous.h>

#include "network/channels.h"

bool variables_is_sum(const StiNetwork *network, int channel)
{
    const ChannelType type = network->channels[channel].place.type;
    return type == CHANNEL_DISSIPATED || type == CHANNEL_ENERGY || type == CHANNEL_INTEGRATOR;
}

bool variables_continuous(const StiNetwork *network)
{
    return sti_continuous_check(network, NULL) == STI_OK;
}

static Variable *add(Variables *v, VariableRole role, const char *name, const char *unit)
{
    Variable *variable = &v->items[v->count++];
    *variable = (Variable){.role = role, .state = -1, .count = 1};
    snprintf(variable->name, sizeof variable->name, "%s", name);
    snprintf(variable->unit, sizeof variable->unit, "%s", unit != NULL ? unit : "");
    return variable;
}

static bool fail(char *why, size_t size, const char *format, const char *name)
{
    snprintf(why, size, format, name);
    return false;
}

static bool add_inputs(Variables *v, const StiScene *scene, const Description *d, char *why,
                       size_t size)
{
    for (int i = 0; i < d->input_count; ++i) {
        StiFound found;
        if (!sti_network_find(scene->network, d->inputs[i], &found) || found.role != STI_INPUT)
            return fail(why, size, "there is no input '%s'", d->inputs[i]);
        const int channel = sti_network_channel_find(scene->network, d->inputs[i]);
        StiChannel about = {0};
        if (channel >= 0) sti_network_channel(scene->network, channel, &about);
        Variable *input = add(v, VARIABLE_INPUT, d->inputs[i], about.unit);
        input->number = found.number;
        snprintf(input->meaning, sizeof input->meaning, "input, held between communication points");
    }
    return true;
}

// Which continuous number a channel shows; -1: none.
static int state_of(StiState *state, const StiNetwork *network, int channel)
{
    const double *at = sti_state_edit_channel(state, network, channel);
    return at != NULL ? (int)(at - state->values) : -1;
}

static bool add_outputs(Variables *v, const StiScene *scene, const Description *d, StiState *state,
                        char *why, size_t size)
{
    v->first_output = v->count;
    for (int i = 0; i < d->output_count; ++i) {
        const int channel = sti_network_channel_find(scene->network, d->outputs[i]);
        StiChannel about;
        if (channel < 0 || !sti_network_channel(scene->network, channel, &about))
            return fail(why, size, "there is no channel '%s'", d->outputs[i]);
        if (variables_is_sum(scene->network, channel))
            return fail(why, size, "'%s' is a sum over a run, which an FMU does not have",
                        d->outputs[i]);
        Variable *output = add(v, VARIABLE_OUTPUT, about.name, about.unit);
        output->number = channel;
        const int number = state_of(state, scene->network, channel);
        if (number >= 0 && number < v->state_count && v->state_variables[number] < 0) {
            output->state = number;
            v->state_variables[number] = v->count - 1;
        }
    }
    return true;
}

static bool is_taken(const Variables *v, const char *name)
{
    for (int i = 0; i < v->count; ++i)
        if (strcmp(v->items[i].name, name) == 0) return true;
    return false;
}

static bool find_parameter(const StiScene *scene, const char *path, StiParameter *parameter)
{
    StiFound found;
    return sti_scene_find(scene, path, &found) && found.role == STI_PARAMETER &&
           sti_plan_parameter(scene->plan, found.number, parameter);
}

static bool add_parameters(Variables *v, const StiScene *scene, const Description *d, char *why,
                           size_t size)
{
    for (int i = 0; i < d->parameter_count; ++i) {
        StiParameter parameter;
        if (!find_parameter(scene, d->parameters[i].path, &parameter))
            return fail(why, size, "there is no parameter '%s'", d->parameters[i].path);
        char name[sizeof parameter.path + 16];
        const bool taken = is_taken(v, parameter.path); // by a channel
        snprintf(name, sizeof name, "%s%s", taken ? "parameter " : "", parameter.path);
        Variable *variable = add(v, VARIABLE_PARAMETER, name, parameter.unit);
        variable->number = i;
        variable->tunable = d->parameters[i].tunable;
        snprintf(variable->meaning, sizeof variable->meaning, "%s",
                 parameter.meaning != NULL ? parameter.meaning : "");
    }
    return true;
}

// States that no output shows: by the name of the first channel that does, else by number.
static void add_states(Variables *v, const StiScene *scene, StiState *state)
{
    StiChannel about;
    for (int c = 0; sti_network_channel(scene->network, c, &about); ++c) {
        const int number = state_of(state, scene->network, c);
        if (number < 0 || number >= v->state_count || v->state_variables[number] >= 0) continue;
        v->state_variables[number] = v->count;
        add(v, VARIABLE_STATE, about.name, about.unit)->state = number;
    }
    for (int i = 0; i < v->state_count; ++i) {
        char name[32];
        if (v->state_variables[i] >= 0) continue;
        snprintf(name, sizeof name, "state.%d", i);
        v->state_variables[i] = v->count;
        add(v, VARIABLE_STATE, name, "")->state = i;
    }
}

// "m" becomes "m/s", "m/s" becomes "m/s^2".
static void rate_unit(const char *unit, char *rate, size_t size)
{
    const size_t length = strlen(unit);
    if (length == 0)
        snprintf(rate, size, "1/s");
    else if (length > 2 && strcmp(unit + length - 2, "/s") == 0)
        snprintf(rate, size, "%.20s^2", unit);
    else if (strchr(unit, '/') == NULL)
        snprintf(rate, size, "%.20s/s", unit);
    else
        rate[0] = '\0';
}

static void add_derivatives(Variables *v)
{
    v->first_derivative = v->count;
    for (int i = 0; i < v->state_count; ++i) {
        const Variable *of = &v->items[v->state_variables[i]];
        char name[sizeof of->name], unit[sizeof of->unit];
        snprintf(name, sizeof name, "der(%.255s)", of->name);
        rate_unit(of->unit, unit, sizeof unit);
        Variable *derivative = add(v, VARIABLE_DERIVATIVE, name, unit);
        derivative->state = derivative->number = i;
    }
}

static void add_indicators(Variables *v, const StiNetwork *network)
{
    v->first_indicator = v->count;
    for (int i = 0; i < v->indicator_count; ++i) {
        char name[272];
        snprintf(name, sizeof name, "event.%d.%.200s", i, sti_continuous_mode_element(network, i));
        Variable *indicator = add(v, VARIABLE_INDICATOR, name, "");
        indicator->number = i;
        snprintf(indicator->meaning, sizeof indicator->meaning,
                 "passes zero where a mode of %.100s ends",
                 sti_continuous_mode_element(network, i));
    }
}

// ---- arrays -------------------------------------------------------------------------------------

// "arm.elbow.qd" is the part "qd" of a joint of arm.
static bool is_part_of(const char *name, const char *robot, const char *part)
{
    const size_t length = strlen(robot), name_length = strlen(name), part_length = strlen(part);
    return strncmp(name, robot, length) == 0 && name[length] == '.' &&
           name_length > length + part_length + 2 && name[name_length - part_length - 1] == '.' &&
           strcmp(name + name_length - part_length, part) == 0;
}

// Where several joints of a robot are outputs, all of them as one.
static void add_array(Variables *v, const char *robot, const char *part, int outputs, int *member)
{
    char name[272];
    const int first = *member;
    for (int i = v->first_output; i < v->first_output + outputs; ++i)
        if (is_part_of(v->items[i].name, robot, part)) v->members[(*member)++] = i;
    snprintf(name, sizeof name, "%.200s.%s", robot, part);
    if (*member - first < 2 || is_taken(v, name)) {
        *member = first;
        return;
    }
    char unit[sizeof v->items->unit];
    memcpy(unit, v->items[v->members[first]].unit, sizeof unit);
    Variable *array = add(v, VARIABLE_ARRAY, name, unit);
    array->number = first;
    array->count = *member - first;
    snprintf(array->meaning, sizeof array->meaning, "of all joints of %.100s that are outputs",
             robot);
}

static bool add_arrays(Variables *v, const StiScene *scene, int outputs)
{
    int member = 0;
    v->members = calloc((size_t)(2 * outputs * (scene->robot_count + 1)) + 1, sizeof *v->members);
    for (int i = 0; v->members != NULL && i < scene->robot_count; ++i) {
        add_array(v, scene->robots[i].name, "q", outputs, &member);
        add_array(v, scene->robots[i].name, "qd", outputs, &member);
    }
    return v->members != NULL;
}

bool variables_create(const StiScene *scene, const Description *description, Variables *variables,
                      char *why, size_t size)
{
    Variables *v = variables;
    const bool continuous = variables_continuous(scene->network);
    *v = (Variables){0};
    v->state_count = continuous ? sti_continuous_count(scene->network) : 0;
    v->indicator_count = continuous ? sti_continuous_mode_count(scene->network) : 0;
    const size_t most =
        1 + (size_t)(2 * scene->robot_count + description->input_count + description->output_count +
                     description->parameter_count + 2 * v->state_count + v->indicator_count);
    StiState *state = sti_state_create(scene->network);
    v->items = calloc(most, sizeof *v->items);
    v->state_variables = calloc((size_t)v->state_count + 1, sizeof *v->state_variables);
    for (int i = 0; v->state_variables != NULL && i < v->state_count; ++i)
        v->state_variables[i] = -1;
    bool good = state != NULL && v->items != NULL && v->state_variables != NULL;
    if (!good) snprintf(why, size, "out of memory");
    if (good) add(v, VARIABLE_TIME, "time", "s");
    good = good && add_inputs(v, scene, description, why, size);
    good = good && add_outputs(v, scene, description, state, why, size);
    good = good && add_parameters(v, scene, description, why, size);
    if (good) {
        add_states(v, scene, state);
        add_derivatives(v);
        add_indicators(v, scene->network);
        v->scalar_count = v->count;
        good = add_arrays(v, scene, description->output_count);
        if (!good) snprintf(why, size, "out of memory");
    }
    sti_state_destroy(state);
    if (!good) variables_release(v);
    return good;
}

void variables_release(Variables *variables)
{
    free(variables->items);
    free(variables->state_variables);
    free(variables->members);
    *variables = (Variables){0};
}
