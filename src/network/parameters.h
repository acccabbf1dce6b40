// Private: the table of a plan's addressable parameters. It is written when components are added.
#ifndef STICTION_SRC_NETWORK_PARAMETERS_H
#define STICTION_SRC_NETWORK_PARAMETERS_H

#include "network/plan.h"

typedef struct PlanParameter {
    const char *path;
    const char *component; // "" for the plan itself
    const char *unit, *meaning;
    double *value; // in the plan, or in its copy of a component's parameters
} PlanParameter;

void sti_parameters_begin(StiPlan *plan); // the plan's own
// turns: what the component acts on is an angle, and its units follow.
void sti_parameters_add(StiPlan *plan, const char *name, const StiInfo *info, void *parameters,
                        bool turns);

#endif
