// Private: which connections of a plan end at which component.
#ifndef STICTION_SRC_NETWORK_INPUTS_H
#define STICTION_SRC_NETWORK_INPUTS_H

#include "network/plan.h"

// Connections by component: admittances, then elements. Those that end nowhere are left out.
typedef struct PlanInputs {
    int *first; // one more than there are components
    int *connections;
    int admittances;
} PlanInputs;

// False: no memory.
bool sti_plan_inputs(const StiPlan *plan, StiArena *arena, PlanInputs *inputs);

// Numbers of the connections to a component, in the order they were made.
static inline const int *sti_inputs_of(const PlanInputs *inputs, bool admittance, int component,
                                       int *count)
{
    const int i = admittance ? component : inputs->admittances + component;
    *count = inputs->first[i + 1] - inputs->first[i];
    return inputs->connections + inputs->first[i];
}

#endif
