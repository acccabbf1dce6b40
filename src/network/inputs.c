#include "network/inputs.h"

// The row of the component where it ends, -1: there is no such component.
static int row_of(const StiPlan *plan, const PlanConnection *c)
{
    if (c->to_constraint) return -1;
    const int count = c->to_admittance ? plan->admittances.count : plan->elements.count;
    if (c->component < 0 || c->component >= count) return -1;
    return c->to_admittance ? c->component : plan->admittances.count + c->component;
}

bool sti_plan_inputs(const StiPlan *plan, StiArena *arena, PlanInputs *inputs)
{
    const int rows = plan->admittances.count + plan->elements.count;
    int *first = sti_arena_take(arena, (size_t)rows + 2, sizeof *first);
    int *items = sti_arena_take(arena, (size_t)plan->connections.count + 1, sizeof *items);
    *inputs = (PlanInputs){first, items, plan->admittances.count};
    if (first == NULL || items == NULL) return false;
    // Two places ahead: filling then moves every beginning to where it belongs.
    for (int i = 0; i < plan->connections.count; ++i) {
        const int row = row_of(plan, sti_plan_connection(plan, i));
        if (row >= 0 && row + 2 <= rows) ++first[row + 2];
    }
    for (int row = 2; row <= rows; ++row) first[row] += first[row - 1];
    for (int i = 0; i < plan->connections.count; ++i) {
        const int row = row_of(plan, sti_plan_connection(plan, i));
        if (row >= 0) items[first[row + 1]++] = i;
    }
    return true;
}
