#include "export/choose.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fmu/variables.h"
#include "network/network.h"

// Does a name fit one of the patterns of a list "a,arm.*"? marks: which of them fitted something.
static bool fits(const char *list, const char *name, unsigned long *marks)
{
    bool any = false;
    for (int number = 0; *list != '\0'; ++number) {
        char pattern[256];
        const size_t length = strcspn(list, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, list);
        if (fnmatch(pattern, name, 0) == 0) {
            any = true;
            *marks |= 1UL << (number % 64);
        }
        list += length + (list[length] == ',');
    }
    return any;
}

// A pattern without a mark is a mistake.
static bool all_fitted(const StiScene *scene, const char *option, const char *list,
                       unsigned long marks, const char *hint, StiMessages *messages)
{
    bool good = true;
    for (int number = 0; *list != '\0'; ++number) {
        const size_t length = strcspn(list, ",");
        char text[512];
        if ((marks & (1UL << (number % 64))) == 0) {
            snprintf(text, sizeof text, "%s %.*s: %s", option, (int)length, list, hint);
            sti_messages_add(messages, STI_ERROR, scene->path, text);
            good = false;
        }
        list += length + (list[length] == ',');
    }
    return good;
}

static bool is_input(const StiNetwork *network, const char *name)
{
    StiFound found;
    return sti_network_find(network, name, &found) && found.role == STI_INPUT;
}

static bool choose_inputs(const StiScene *scene, const char *list, FmuText *lines,
                          StiMessages *messages)
{
    unsigned long marks = 0;
    for (int i = 0; i < scene->network->source_count; ++i) {
        const Source *source = &scene->network->sources[i];
        if (source->function.eval != NULL || source->count != 1) continue;
        if (list == NULL || fits(list, source->name, &marks))
            fmu_text_add(lines, "input %s\n", source->name);
    }
    return list == NULL ||
           all_fitted(scene, "--inputs", list, marks,
                      "there is no such input; inputs are declared in the scene: inputs: "
                      "{u: {value: 0}}",
                      messages);
}

// Channels of the list; of a channel with an input's name it is that input.
static bool choose_outputs(const StiScene *scene, const char *list, FmuText *lines,
                           StiMessages *messages)
{
    unsigned long marks = 0;
    StiChannel channel;
    for (int i = 0; list != NULL && sti_network_channel(scene->network, i, &channel); ++i) {
        if (variables_is_sum(scene->network, i) || is_input(scene->network, channel.name)) continue;
        if (fits(list, channel.name, &marks)) fmu_text_add(lines, "output %s\n", channel.name);
    }
    if (list != NULL)
        return all_fitted(scene, "--outputs", list, marks,
                          "there is no such channel, or it is an input or a sum over a run",
                          messages);
    int left_out = 0;
    for (int i = 0; i < scene->record_count; ++i) {
        const int number = sti_network_channel_find(scene->network, scene->record[i]);
        bool again = number < 0 || is_input(scene->network, scene->record[i]);
        for (int k = 0; k < i && !again; ++k)
            again = strcmp(scene->record[k], scene->record[i]) == 0;
        if (again) continue;
        if (variables_is_sum(scene->network, number))
            ++left_out;
        else
            fmu_text_add(lines, "output %s\n", scene->record[i]);
    }
    if (left_out > 0)
        sti_messages_add(
            messages, STI_NOTE, scene->path,
            "energies and other sums over a run are not exported: an importer may set states");
    return true;
}

// Of an element, not of a body or of the whole.
static bool is_of_element(const StiNetwork *network, const char *path)
{
    StiComponent component;
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        const size_t length = strlen(component.name);
        if (strncmp(path, component.name, length) == 0 &&
            (path[length] == '.' || path[length] == '['))
            return component.role != STI_BODY;
    }
    return false;
}

static bool choose_parameters(const StiScene *scene, const char *list, FmuText *lines,
                              StiMessages *messages)
{
    unsigned long marks = 0;
    StiParameter parameter;
    for (int i = 0; sti_plan_parameter(scene->plan, i, &parameter); ++i) {
        if (strcmp(parameter.path, "start") == 0 || !isfinite(parameter.value)) continue;
        const bool whole = strcmp(parameter.path, "step") == 0;
        const bool tunable =
            !whole && (list != NULL ? fits(list, parameter.path, &marks)
                                    : is_of_element(scene->network, parameter.path));
        fmu_text_add(lines, "%s %s\n", tunable ? "tunable" : "fixed", parameter.path);
    }
    return list == NULL ||
           all_fitted(scene, "--tunable", list, marks,
                      "there is no such parameter; stiction check lists those of a scene",
                      messages);
}

bool choose_variables(const StiScene *scene, const FmuOptions *options, FmuText *lines,
                      StiMessages *messages)
{
    const bool inputs = choose_inputs(scene, options->inputs, lines, messages);
    const bool outputs = choose_outputs(scene, options->outputs, lines, messages);
    return choose_parameters(scene, options->tunables, lines, messages) && inputs && outputs;
}
