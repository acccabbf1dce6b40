#include "network/plan.h"

#include <stdlib.h>
#include <string.h>

#include "network/contacts.h"
#include "base/fields.h"
#include "network/parameters.h"
#include "network/units.h"
#include "stiction/body.h"
#include "stiction/spring.h"

StiPlan *sti_plan_create(void)
{
    StiPlan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return NULL;
    plan->step = 1e-3;
    plan->findings = sti_report_create();
    plan->solver_constants = sti_solver_constants();
    sti_parameters_begin(plan);
    return plan;
}

void sti_plan_destroy(StiPlan *plan)
{
    if (plan == NULL) return;
    free(plan->admittances.items);
    free(plan->elements.items);
    free(plan->sources.items);
    free(plan->connections.items);
    free(plan->constraints.items);
    free(plan->parameters.items);
    sti_report_destroy(plan->findings);
    sti_arena_release(&plan->arena);
    free(plan);
}

void sti_plan_set_step(StiPlan *plan, double T) { plan->step = T; }

void sti_plan_set_start(StiPlan *plan, double t0) { plan->start = t0; }

void sti_plan_set_method(StiPlan *plan, const StiMethod *method) { plan->method = method; }

void sti_plan_set_gravity(StiPlan *plan, StiVec3 gravity) { plan->gravity = gravity; }

void sti_plan_set_solver(StiPlan *plan, const StiSolver *solver) { plan->solver = solver; }

void sti_plan_set_unsettled_policy(StiPlan *plan, bool go_on) { plan->goes_on = go_on; }

void sti_plan_set_solver_constants(StiPlan *plan, StiSolverConstants constants)
{
    plan->solver_constants = constants;
}

void sti_plan_allow_unphysical(StiPlan *plan, bool allow) { plan->allow_unphysical = allow; }

int sti_plan_append(StiPlan *plan, PlanList *list, const void *item, size_t size)
{
    if (list->count == list->capacity) {
        const int capacity = list->capacity > 0 ? 2 * list->capacity : 8;
        void *items = realloc(list->items, (size_t)capacity * size);
        if (items == NULL) {
            plan->arena.failed = 1;
            return -1;
        }
        list->items = items;
        list->capacity = capacity;
    }
    memcpy((unsigned char *)list->items + (size_t)list->count * size, item, size);
    return list->count++;
}

const PlanAdmittance *sti_plan_admittance(const StiPlan *plan, int index)
{
    return (const PlanAdmittance *)plan->admittances.items + index;
}

const PlanElement *sti_plan_element(const StiPlan *plan, int index)
{
    return (const PlanElement *)plan->elements.items + index;
}

const PlanSource *sti_plan_source(const StiPlan *plan, int index)
{
    return (const PlanSource *)plan->sources.items + index;
}

const PlanConnection *sti_plan_connection(const StiPlan *plan, int index)
{
    return (const PlanConnection *)plan->connections.items + index;
}

const PlanConstraint *sti_plan_constraint(const StiPlan *plan, int index)
{
    return (const PlanConstraint *)plan->constraints.items + index;
}

StiAdmittanceId sti_plan_add_admittance(StiPlan *plan, const char *name,
                                        const StiAdmittanceKind *kind, const void *parameters)
{
    const StiInfo *info = plan_admittance_info(kind);
    PlanAdmittance admittance = {.name = sti_arena_text(&plan->arena, name != NULL ? name : ""),
                                 .kind = kind};
    if (info != NULL && parameters != NULL)
        admittance.parameters = sti_fields_copy(info, parameters, &plan->arena);
    sti_parameters_add(plan, admittance.name, info, admittance.parameters, false);
    return (StiAdmittanceId){
        sti_plan_append(plan, &plan->admittances, &admittance, sizeof admittance) + 1};
}

static StiElementId add_element(StiPlan *plan, const char *name, PlanElement element,
                                const void *parameters, const StiWire *wire)
{
    element.name = sti_arena_text(&plan->arena, name != NULL ? name : "");
    const StiInfo *info = plan_element_info(&element);
    if (info != NULL && parameters != NULL)
        element.parameters = sti_fields_copy(info, parameters, &plan->arena);
    sti_parameters_add(plan, element.name, info, element.parameters,
                       sti_plan_wire_turns(plan, wire));
    if (wire != NULL) {
        element.wire = *wire;
        if (wire->parameters != NULL && wire->kind->table_size == sizeof *wire->kind)
            element.wire.parameters =
                sti_arena_copy(&plan->arena, wire->parameters, wire->kind->info.size);
    }
    return (StiElementId){sti_plan_append(plan, &plan->elements, &element, sizeof element) + 1};
}

StiElementId sti_plan_add_impedance(StiPlan *plan, const char *name, const StiImpedanceKind *kind,
                                    const void *parameters, const StiWire *wire)
{
    return add_element(plan, name, (PlanElement){.impedance = kind}, parameters, wire);
}

StiElementId sti_plan_add_reaction(StiPlan *plan, const char *name, const StiReactionKind *kind,
                                   const void *parameters, const StiWire *wire)
{
    return add_element(plan, name, (PlanElement){.reaction = kind}, parameters, wire);
}

StiElementId sti_plan_add_contact(StiPlan *plan, const char *name, const StiContact *contact)
{
    const PlanElement element = {.name = sti_arena_text(&plan->arena, name != NULL ? name : ""),
                                 .contact = true,
                                 .parameters = contact != NULL
                                                   ? sti_contact_copy(contact, &plan->arena)
                                                   : NULL};
    sti_parameters_add(plan, element.name, &sti_info_contact, element.parameters, false);
    return (StiElementId){sti_plan_append(plan, &plan->elements, &element, sizeof element) + 1};
}

StiSourceId sti_plan_add_time_function(StiPlan *plan, const char *name, StiTimeFunction function)
{
    const PlanSource source = {.name = sti_arena_text(&plan->arena, name != NULL ? name : ""),
                               .count = function.count,
                               .function = function};
    return (StiSourceId){sti_plan_append(plan, &plan->sources, &source, sizeof source) + 1};
}

StiSourceId sti_plan_add_input(StiPlan *plan, const char *name, int count, const double *usual)
{
    const size_t size = count > 0 ? (size_t)count * sizeof(double) : 0;
    const PlanSource source = {.name = sti_arena_text(&plan->arena, name != NULL ? name : ""),
                               .count = count,
                               .usual = usual != NULL ? sti_arena_copy(&plan->arena, usual, size)
                                                      : sti_arena_take(&plan->arena, 1, size)};
    return (StiSourceId){sti_plan_append(plan, &plan->sources, &source, sizeof source) + 1};
}

void sti_plan_set_unit(StiPlan *plan, StiSourceId source, const char *unit)
{
    PlanSource *sources = plan->sources.items;
    if (source.number < 1 || source.number > plan->sources.count) return;
    sources[source.number - 1].unit = sti_arena_text(&plan->arena, unit);
}

void sti_plan_connect(StiPlan *plan, StiSignal signal, StiElementId element, int input)
{
    const PlanConnection connection = {.signal = signal,
                                       .component = element.number - 1,
                                       .input = input};
    sti_plan_append(plan, &plan->connections, &connection, sizeof connection);
}

void sti_plan_connect_admittance(StiPlan *plan, StiSignal signal, StiAdmittanceId admittance,
                                 int input)
{
    const PlanConnection connection = {.signal = signal,
                                       .to_admittance = true,
                                       .component = admittance.number - 1,
                                       .input = input};
    sti_plan_append(plan, &plan->connections, &connection, sizeof connection);
}

// The function gets the component's own name: it is no component of its own.
static StiAdmittanceId add_motion(StiPlan *plan, const char *name, const StiMotionSource *p,
                                  StiTimeFunction function)
{
    const StiAdmittanceId motion = sti_plan_add_admittance(plan, name, &sti_kind_motion_source, p);
    const StiSourceId source = sti_plan_add_time_function(plan, NULL, function);
    for (int i = 0; i < function.count; ++i)
        sti_plan_connect_admittance(plan, sti_signal_source(source, i), motion, i);
    return motion;
}

StiAdmittanceId sti_plan_add_motion(StiPlan *plan, const char *name, int dim,
                                    StiTimeFunction function)
{
    return add_motion(plan, name, &(StiMotionSource){.dim = dim}, function);
}

StiAdmittanceId sti_plan_add_turning_motion(StiPlan *plan, const char *name, StiVec3 axis,
                                            StiTimeFunction function)
{
    return add_motion(plan, name, &(StiMotionSource){.dim = 3, .axis = {axis.x, axis.y, axis.z}},
                      function);
}

StiElementId sti_plan_add_force(StiPlan *plan, const char *name, const StiWire *wire, int dim,
                                StiTimeFunction function)
{
    const StiElementId force =
        sti_plan_add_impedance(plan, name, &sti_kind_force_source, &(StiForceSource){dim}, wire);
    const StiSourceId source = sti_plan_add_time_function(plan, NULL, function);
    for (int i = 0; i < function.count; ++i)
        sti_plan_connect(plan, sti_signal_source(source, i), force, i);
    return force;
}

StiSignal sti_signal_source(StiSourceId source, int index)
{
    return (StiSignal){STI_SIGNAL_SOURCE, source.number - 1, index, 1.0};
}

StiSignal sti_signal_load(StiAdmittanceId admittance, int load)
{
    return (StiSignal){STI_SIGNAL_LOAD, admittance.number - 1, load, 1.0};
}

StiSignal sti_signal_force(StiElementId impedance, int component)
{
    return (StiSignal){STI_SIGNAL_FORCE, impedance.number - 1, component, 1.0};
}

StiSignal sti_signal_position(StiAdmittanceId admittance, int coordinate)
{
    return (StiSignal){STI_SIGNAL_POSITION, admittance.number - 1, coordinate, 1.0};
}

StiSignal sti_signal_velocity(StiAdmittanceId admittance, int coordinate)
{
    return (StiSignal){STI_SIGNAL_VELOCITY, admittance.number - 1, coordinate, 1.0};
}

StiSignal sti_signal_scaled(StiSignal signal, double gain)
{
    signal.gain *= gain;
    return signal;
}

static StiConstraintId add_constraint(StiPlan *plan, const char *name, PlanConstraint constraint)
{
    constraint.name = sti_arena_text(&plan->arena, name != NULL ? name : "");
    return (StiConstraintId){
        sti_plan_append(plan, &plan->constraints, &constraint, sizeof constraint) + 1};
}

StiConstraintId sti_plan_add_coupling(StiPlan *plan, const char *name, const StiCoupling *coupling)
{
    PlanConstraint constraint = {.coupling = *coupling};
    const size_t size = coupling->count > 0 ? (size_t)coupling->count * sizeof *coupling->terms : 0;
    constraint.coupling.terms = sti_arena_copy(&plan->arena, coupling->terms, size);
    return add_constraint(plan, name, constraint);
}

StiConstraintId sti_plan_add_loop(StiPlan *plan, const char *name, const StiLoop *loop)
{
    return add_constraint(plan, name, (PlanConstraint){.is_loop = true, .loop = *loop});
}

void sti_plan_drive_coupling(StiPlan *plan, StiSignal signal, StiConstraintId coupling, int input)
{
    const PlanConnection connection = {.signal = signal,
                                       .to_constraint = true,
                                       .component = coupling.number - 1,
                                       .input = input};
    sti_plan_append(plan, &plan->connections, &connection, sizeof connection);
}

StiSignal sti_signal_constraint(StiConstraintId constraint, int index)
{
    return (StiSignal){STI_SIGNAL_CONSTRAINT, constraint.number - 1, index, 1.0};
}
