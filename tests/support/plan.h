// Plans for tests of the papers' stages and of the solvers, which are not to run under the method that
// compile would choose.
#ifndef STICTION_TESTS_SUPPORT_PLAN_H
#define STICTION_TESTS_SUPPORT_PLAN_H

#include "stiction/plan.h"

// rk4; with reactions or contacts one evaluation per step.
static inline StiPlan *plan_in_stages(void)
{
    StiPlan *plan = sti_plan_create();
    if (plan != NULL) sti_plan_set_method(plan, &sti_method_rk4);
    return plan;
}

// For plans that have reactions.
static inline StiPlan *plan_under_rule(void)
{
    StiPlan *plan = sti_plan_create();
    if (plan != NULL) sti_plan_set_method(plan, &sti_method_rule);
    return plan;
}

#endif
