// The parameters of elements, as the plan of a scene holds them. Include after scenes.h.
#ifndef STICTION_TESTS_SCENE_PLANS_H
#define STICTION_TESTS_SCENE_PLANS_H

#include "network/plan.h"

static inline const PlanElement *element_named(const StiScene *scene, const char *name)
{
    for (int i = 0; i < scene->plan->elements.count; ++i)
        if (strcmp(sti_plan_element(scene->plan, i)->name, name) == 0)
            return sti_plan_element(scene->plan, i);
    print_error("no element %s\n", name);
    fail();
    return NULL;
}

// The first law among the parameters of an element.
static inline const StiLaw *law_of(const StiScene *scene, const char *name)
{
    const PlanElement *element = element_named(scene, name);
    const StiInfo *info =
        element->reaction != NULL ? &element->reaction->info : &element->impedance->info;
    for (int i = 0; i < info->field_count; ++i)
        if (info->fields[i].type == STI_FIELD_LAW)
            return (const StiLaw *)((const unsigned char *)element->parameters +
                                    info->fields[i].offset);
    fail();
    return NULL;
}

#endif
