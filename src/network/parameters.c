// Addressable parameters of a plan: step, start, gravity[i], NAME.path.
#include "network/parameters.h"

#include <stdio.h>
#include <string.h>

#include "base/fields.h"
#include "network/units.h"

static const PlanParameter *parameter_at(const StiPlan *plan, int number)
{
    return (const PlanParameter *)plan->parameters.items + number;
}

// A length of the part itself, whatever its coordinate is.
static bool is_own_length(const char *path)
{
    const size_t length = strlen(path), tail = strlen("radius");
    return length >= tail && strcmp(path + length - tail, "radius") == 0;
}

// component: "" for the plan itself.
static void add(StiPlan *plan, const char *component, const StiNumber *number, bool turns)
{
    char path[sizeof(((StiParameter *)0)->path)];
    const size_t length = strlen(component);
    snprintf(path, sizeof path, "%s%s%s", component, length > 0 ? "." : "", number->path);
    const PlanParameter parameter = {.path = sti_arena_text(&plan->arena, path),
                                     .component = component,
                                     .unit = turns && !is_own_length(number->path)
                                                 ? sti_unit_about_axis(number->unit)
                                                 : number->unit,
                                     .meaning = number->meaning,
                                     .value = number->value};
    const int index = sti_plan_append(plan, &plan->parameters, &parameter, sizeof parameter);
    if (index < 0 || parameter.path == NULL) return;
    const int known = sti_names_put(&plan->paths, &plan->arena, parameter.path, index);
    const PlanParameter *first = parameter_at(plan, known);
    if (known != index && plan->twin == NULL && strcmp(first->component, component) != 0)
        plan->twin = parameter.path;
}

typedef struct Component {
    StiPlan *plan;
    const char *name;
    bool turns;
} Component;

static bool visit(void *context, const StiNumber *number)
{
    const Component *component = context;
    add(component->plan, component->name, number, component->turns);
    return true;
}

void sti_parameters_add(StiPlan *plan, const char *name, const StiInfo *info, void *parameters,
                        bool turns)
{
    Component component = {plan, name, turns};
    if (info != NULL && parameters != NULL && name != NULL)
        sti_fields_visit(info, parameters, visit, &component);
}

void sti_parameters_begin(StiPlan *plan)
{
    const StiNumber numbers[] = {
        {"step", "s", "the step T", STI_POSITIVE, &plan->step},
        {"start", "s", "time of step 0", STI_ANY, &plan->start},
        {"gravity[0]", "m/s^2", "gravity along x", STI_ANY, &plan->gravity.x},
        {"gravity[1]", "m/s^2", "gravity along y", STI_ANY, &plan->gravity.y},
        {"gravity[2]", "m/s^2", "gravity along z", STI_ANY, &plan->gravity.z},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) add(plan, "", &numbers[i], false);
}

StiStatus sti_plan_set(StiPlan *plan, const char *path, double value)
{
    const int number = sti_names_find(&plan->paths, path);
    if (number < 0) return STI_BAD_ARGUMENT;
    *parameter_at(plan, number)->value = value;
    return STI_OK;
}

StiStatus sti_plan_get(const StiPlan *plan, const char *path, double *value)
{
    const int number = sti_names_find(&plan->paths, path);
    if (number < 0) return STI_BAD_ARGUMENT;
    *value = *parameter_at(plan, number)->value;
    return STI_OK;
}

bool sti_plan_parameter(const StiPlan *plan, int number, StiParameter *parameter)
{
    if (number < 0 || number >= plan->parameters.count) return false;
    const PlanParameter *from = parameter_at(plan, number);
    snprintf(parameter->path, sizeof parameter->path, "%s", from->path != NULL ? from->path : "");
    parameter->unit = from->unit;
    parameter->meaning = from->meaning;
    parameter->value = *from->value;
    return true;
}
