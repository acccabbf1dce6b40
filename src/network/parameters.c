// Addressable parameters of a plan: step, start, gravity[i], NAME.path.
#include <stdio.h>
#include <string.h>

#include "network/fields.h"
#include "network/plan.h"

typedef struct Search {
    const char *wanted; // NULL: count until number
    int number;
    const char *component;
    StiParameter found;
    double *value;
} Search;

// Returns true when this is the one that is looked for.
static bool consider(Search *search, const char *path, const char *unit, const char *meaning,
                     double *value)
{
    if (search->wanted != NULL ? strcmp(path, search->wanted) != 0 : search->number-- != 0)
        return false;
    snprintf(search->found.path, sizeof search->found.path, "%s", path);
    search->found.unit = unit;
    search->found.meaning = meaning;
    search->found.value = *value;
    search->value = value;
    return true;
}

static bool visit(void *context, const StiNumber *number)
{
    Search *search = context;
    char path[256];
    snprintf(path, sizeof path, "%s.%s", search->component, number->path);
    return !consider(search, path, number->unit, number->field->meaning, number->value);
}

static bool search_component(Search *search, const char *name, const StiInfo *info,
                             void *parameters)
{
    search->component = name;
    return parameters != NULL && !sti_fields_visit(info, parameters, visit, search);
}

static bool search_plan(StiPlan *plan, Search *search)
{
    if (consider(search, "step", "s", "the step T", &plan->step)) return true;
    if (consider(search, "start", "s", "time of step 0", &plan->start)) return true;
    if (consider(search, "gravity[0]", "m/s^2", "gravity along x", &plan->gravity.x)) return true;
    if (consider(search, "gravity[1]", "m/s^2", "gravity along y", &plan->gravity.y)) return true;
    if (consider(search, "gravity[2]", "m/s^2", "gravity along z", &plan->gravity.z)) return true;
    for (int i = 0; i < plan->admittances.count; ++i) {
        const PlanAdmittance *a = sti_plan_admittance(plan, i);
        if (a->kind != NULL && search_component(search, a->name, &a->kind->info, a->parameters))
            return true;
    }
    for (int i = 0; i < plan->elements.count; ++i) {
        const PlanElement *e = sti_plan_element(plan, i);
        if (search_component(search, e->name, plan_element_info(e), e->parameters)) return true;
    }
    return false;
}

StiStatus sti_plan_set(StiPlan *plan, const char *path, double value)
{
    Search search = {.wanted = path};
    if (!search_plan(plan, &search)) return STI_BAD_ARGUMENT;
    *search.value = value;
    return STI_OK;
}

// The search hands out addresses, so it wants a mutable plan; these two do not write.
StiStatus sti_plan_get(const StiPlan *plan, const char *path, double *value)
{
    Search search = {.wanted = path};
    if (!search_plan((StiPlan *)(uintptr_t)plan, &search)) return STI_BAD_ARGUMENT;
    *value = search.found.value;
    return STI_OK;
}

bool sti_plan_parameter(const StiPlan *plan, int number, StiParameter *parameter)
{
    Search search = {.number = number};
    if (number < 0 || !search_plan((StiPlan *)(uintptr_t)plan, &search)) return false;
    *parameter = search.found;
    return true;
}
