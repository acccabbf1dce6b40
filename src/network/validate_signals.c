// Signals of a plan: where they come from, where they go, and that every input has exactly one.
#include <math.h>

#include "network/inputs.h"
#include "network/validate.h"

static void error(const StiPlanCheck *v, const char *component, const char *text)
{
    sti_report_add(v->report, STI_ERROR, component, "signal", NAN, "%s", text);
}

static void target_of(const StiPlan *plan, const PlanConnection *c, const char **name, int *inputs)
{
    *name = "";
    *inputs = 0;
    if (c->to_constraint) {
        if (c->component < 0 || c->component >= plan->constraints.count) return;
        const PlanConstraint *constraint = sti_plan_constraint(plan, c->component);
        *name = constraint->name;
        *inputs = !constraint->is_loop && constraint->coupling.driven ? 3 : 0;
    } else if (c->to_admittance && c->component >= 0 && c->component < plan->admittances.count) {
        const PlanAdmittance *a = sti_plan_admittance(plan, c->component);
        *name = a->name;
        *inputs = a->kind->size(a->parameters).signals;
    } else if (!c->to_admittance && c->component >= 0 && c->component < plan->elements.count) {
        const PlanElement *e = sti_plan_element(plan, c->component);
        *name = e->name;
        *inputs = e->contact             ? 0
                  : e->impedance != NULL ? e->impedance->size(e->parameters).signals
                                         : e->reaction->size(e->parameters).signals;
    }
}

// How many values the origin of a signal has; 0 if there is no such origin.
static int values_at_origin(const StiPlan *plan, const StiSignal *signal)
{
    const int i = signal->component;
    switch (signal->type) {
    case STI_SIGNAL_SOURCE:
        return i >= 0 && i < plan->sources.count ? sti_plan_source(plan, i)->count : 0;
    case STI_SIGNAL_LOAD: {
        if (i < 0 || i >= plan->admittances.count) return 0;
        const PlanAdmittance *a = sti_plan_admittance(plan, i);
        return a->kind->size(a->parameters).loads;
    }
    case STI_SIGNAL_POSITION:
    case STI_SIGNAL_VELOCITY: {
        if (i < 0 || i >= plan->admittances.count) return 0;
        const PlanAdmittance *a = sti_plan_admittance(plan, i);
        const StiAdmittanceSize size = a->kind->size(a->parameters);
        return signal->type == STI_SIGNAL_POSITION ? size.positions : size.velocities;
    }
    case STI_SIGNAL_FORCE: {
        if (i < 0 || i >= plan->elements.count) return 0;
        const PlanElement *e = sti_plan_element(plan, i);
        return e->impedance != NULL ? e->impedance->size(e->parameters).velocities : 0;
    }
    case STI_SIGNAL_CONSTRAINT: {
        if (i < 0 || i >= plan->constraints.count) return 0;
        const PlanConstraint *constraint = sti_plan_constraint(plan, i);
        return constraint->is_loop ? sti_loop_rows(constraint->loop.type) + 1 : 2;
    }
    }
    return 0;
}

static void check_connection(const StiPlanCheck *v, int number)
{
    const PlanConnection *c = sti_plan_connection(v->plan, number);
    const char *name;
    int inputs;
    target_of(v->plan, c, &name, &inputs);
    if (c->input < 0 || c->input >= inputs)
        sti_report_add(v->report, STI_ERROR, name, "signal", c->input,
                       "a signal goes to an input that does not exist; there are %d", inputs);
    const int values = values_at_origin(v->plan, &c->signal);
    if (c->signal.index < 0 || c->signal.index >= values)
        sti_report_add(v->report, STI_ERROR, name, "signal", c->signal.index,
                       "the signal's origin does not exist; there are %d values there", values);
    if (!isfinite(c->signal.gain)) error(v, name, "the gain must be finite");
    if ((c->to_admittance || c->to_constraint) && c->signal.type != STI_SIGNAL_SOURCE)
        error(v, name, "a body listens to time functions and inputs only");
}

static void check_connected(const StiPlanCheck *v, const PlanInputs *inputs_of, bool admittance,
                            int component)
{
    const PlanConnection any = {.to_admittance = admittance, .component = component};
    const char *name;
    int inputs, count;
    target_of(v->plan, &any, &name, &inputs);
    const int *connections = sti_inputs_of(inputs_of, admittance, component, &count);
    for (int input = 0; input < inputs; ++input) {
        int found = 0;
        for (int i = 0; i < count; ++i)
            found += sti_plan_connection(v->plan, connections[i])->input == input;
        if (found > 1)
            sti_report_add(v->report, STI_ERROR, name, "signal", input,
                           "this input is connected twice");
        if (found == 0)
            sti_report_add(
                v->report, STI_ERROR, name, "signal", input,
                "this signal input is not connected (a load, an input or a time function)");
    }
}

void sti_plan_check_signals(const StiPlanCheck *v)
{
    PlanInputs inputs;
    if (!sti_plan_inputs(v->plan, v->arena, &inputs)) return;
    for (int i = 0; i < v->plan->connections.count; ++i) check_connection(v, i);
    for (int i = 0; i < v->plan->admittances.count; ++i) check_connected(v, &inputs, true, i);
    for (int i = 0; i < v->plan->elements.count; ++i) check_connected(v, &inputs, false, i);
}
