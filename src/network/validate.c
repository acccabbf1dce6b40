#include "network/validate.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "network/assemble.h"
#include "stiction/version.h"

static void error(const StiPlanCheck *v, const char *component, const char *parameter,
                  const char *text)
{
    sti_report_add(v->report, STI_ERROR, component, parameter, NAN, "%s", text);
}

static bool sound_method(const StiMethod *method)
{
    if (method->table_size != sizeof *method || method->stages < 1 || method->stages > STI_METHOD_STAGES) return false;
    for (int r = 0; r < method->stages; ++r) {
        if (!isfinite(method->b[r]) || !isfinite(method->c[r])) return false;
        if (!(method->tau[r] >= 0.0) || !isfinite(method->tau[r])) return false;
        for (int j = 0; j < r; ++j)
            if (!isfinite(method->A[r][j])) return false;
    }
    return true;
}

static void check_gravity(const StiPlanCheck *v)
{
    const StiVec3 gravity = v->plan->gravity;
    const double axes[3] = {gravity.x, gravity.y, gravity.z};
    static const char *const names[3] = {"gravity[0]", "gravity[1]", "gravity[2]"};
    for (int i = 0; i < 3; ++i)
        if (!isfinite(axes[i]))
            sti_report_add(v->report, STI_ERROR, "", names[i], axes[i],
                           "gravity must be finite, for example 0, 0, -9.81 m/s^2");
}

static void check_plan(const StiPlanCheck *v)
{
    const StiPlan *plan = v->plan;
    if (!(plan->step > 0.0) || !isfinite(plan->step))
        sti_report_add(v->report, STI_ERROR, "", "step", plan->step,
                       "the step must be a finite time above 0 s, for example 1e-3");
    if (!isfinite(plan->start))
        sti_report_add(v->report, STI_ERROR, "", "start", plan->start,
                       "the start must be a finite time, for example 0 s");
    check_gravity(v);
    if (!sound_method(plan->method))
        sti_report_add(v->report, STI_ERROR, "", "method", plan->method->stages,
                       "a method has its table_size, 1 to %d stages, finite numbers and no tau below 0",
                       STI_METHOD_STAGES);
    if (plan->admittances.count == 0)
        error(v, "", "", "there is no body: add at least one admittance");
}

static bool good_name(const char *name)
{
    if (!isalpha((unsigned char)name[0])) return false;
    for (const char *c = name; *c != '\0'; ++c)
        if (!isalnum((unsigned char)*c) && strchr("_-.", *c) == NULL) return false;
    return strlen(name) < sizeof(((StiFinding *)0)->component);
}

// Words that paths and channels use themselves.
static bool reserved(const char *name)
{
    static const char *const words[] = {"t", "step", "start", "gravity", "energy", "integrator"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (strcmp(name, words[i]) == 0) return true;
    return false;
}

static const char *name_of(const StiPlan *plan, int i)
{
    if (i < plan->admittances.count) return sti_plan_admittance(plan, i)->name;
    i -= plan->admittances.count;
    if (i < plan->elements.count) return sti_plan_element(plan, i)->name;
    i -= plan->elements.count;
    if (i < plan->constraints.count) return sti_plan_constraint(plan, i)->name;
    return sti_plan_source(plan, i - plan->constraints.count)->name;
}

// Functions that belong to a motion or a force have no name of their own.
static void check_names(const StiPlanCheck *v)
{
    const StiPlan *plan = v->plan;
    const int named = plan->admittances.count + plan->elements.count + plan->constraints.count;
    const int count = named + plan->sources.count;
    StiNames names = {0};
    for (int i = 0; i < count; ++i) {
        const char *name = name_of(plan, i);
        if (i >= named && name[0] == '\0') continue;
        if (!good_name(name))
            error(v, name, "",
                  "a name is a letter, then letters, digits, '_', '-' or '.', below 64 long");
        if (reserved(name))
            error(v, name, "",
                  "t, step, start, gravity, energy and integrator are taken; choose another name");
        if (sti_names_put(&names, v->arena, name, i) != i)
            error(v, name, "", "this name is used twice; names are unique among all components");
    }
    if (plan->twin != NULL)
        sti_report_add(v->report, STI_WARNING, "", plan->twin, NAN,
                       "this path leads to parameters of two components; rename one of them");
}

static void need(const StiPlanCheck *v, const char *name, bool given, const char *what)
{
    if (!given)
        sti_report_add(v->report, STI_ERROR, name, "kind", NAN,
                       "a kind is needed, and it must have %s", what);
}

// A table that was compiled with other headers, or written without its size, would be misread.
static bool fits(const StiPlanCheck *v, const char *name, size_t size, size_t expected)
{
    if (size != expected)
        sti_report_add(v->report, STI_ERROR, name, "kind", NAN,
                       "its table says table_size = %zu, and this library (%s) has %zu: set "
                       "table_size to the sizeof of the table and compile with its headers",
                       size, sti_version(), expected);
    return size == expected;
}

static void check_admittance_kind(const StiPlanCheck *v, const PlanAdmittance *a)
{
    const StiAdmittanceKind *kind = a->kind;
    if (kind != NULL && !fits(v, a->name, kind->table_size, sizeof *kind)) return;
    need(v, a->name, kind != NULL && kind->size && kind->start && kind->pose && kind->eval,
         "size, start, pose and eval");
    if (kind != NULL && kind->info.inside != NULL)
        fits(v, a->name, kind->info.inside->table_size, sizeof *kind->info.inside);
    if (kind != NULL && kind->hold != NULL)
        fits(v, a->name, kind->hold->table_size, sizeof *kind->hold);
    if (kind != NULL && kind->constrained != NULL)
        fits(v, a->name, kind->constrained->table_size, sizeof *kind->constrained);
}

static void check_reaction_kind(const StiPlanCheck *v, const PlanElement *e)
{
    const StiReactionKind *kind = e->reaction;
    if (!fits(v, e->name, kind->table_size, sizeof *kind)) return;
    need(v, e->name, kind->size && kind->resolve, "size and resolve");
    if (kind->modes != NULL) fits(v, e->name, kind->modes->table_size, sizeof *kind->modes);
}

static void check_impedance_kind(const StiPlanCheck *v, const PlanElement *e)
{
    const StiImpedanceKind *kind = e->impedance;
    if (kind != NULL && !fits(v, e->name, kind->table_size, sizeof *kind)) return;
    need(v, e->name, kind != NULL && kind->size && kind->eval, "size and eval");
    if (kind != NULL && kind->modes != NULL)
        fits(v, e->name, kind->modes->table_size, sizeof *kind->modes);
}

static void check_wire_kind(const StiPlanCheck *v, const PlanElement *e)
{
    const StiWireKind *wire = e->wire.kind;
    if (wire == NULL || !fits(v, e->name, wire->table_size, sizeof *wire)) return;
    need(v, e->name, wire->size && wire->sense && wire->apply, "a wire's size, sense and apply");
}

// move, prepare and respond: needed where there are velocities, which depends on the parameters.
static void check_kinds(const StiPlanCheck *v)
{
    for (int i = 0; i < v->plan->admittances.count; ++i) {
        check_admittance_kind(v, sti_plan_admittance(v->plan, i));
    }
    for (int i = 0; i < v->plan->elements.count; ++i) {
        const PlanElement *e = sti_plan_element(v->plan, i);
        if (e->contact) continue;
        if (e->reaction != NULL)
            check_reaction_kind(v, e);
        else
            check_impedance_kind(v, e);
        check_wire_kind(v, e);
    }
}

static void check_component(const StiPlanCheck *v, const char *name, const StiInfo *info,
                            void *parameters)
{
    const StiCheck check = {.report = v->report,
                            .component = name,
                            .step = v->plan->step,
                            .allow_unphysical = v->plan->allow_unphysical};
    if (parameters == NULL && info->size > 0)
        error(v, name, "",
              "parameters are missing: the structure that belongs to the kind is needed");
    else
        sti_kind_check(info, parameters, &check);
}

static void check_sources(const StiPlanCheck *v)
{
    for (int i = 0; i < v->plan->sources.count; ++i) {
        const PlanSource *s = sti_plan_source(v->plan, i);
        if (s->count < 1)
            sti_report_add(v->report, STI_ERROR, s->name, "count", s->count,
                           "an input or a time function has 1 value or more");
        if (s->usual == NULL && s->function.eval == NULL)
            error(v, s->name, "eval", "a time function needs the function itself");
        for (int j = 0; s->usual != NULL && j < s->count; ++j)
            if (!isfinite(s->usual[j]))
                sti_report_add(v->report, STI_ERROR, s->name, "", s->usual[j],
                               "the usual value of an input must be finite");
    }
}

static void check_components(const StiPlanCheck *v)
{
    for (int i = 0; i < v->plan->admittances.count; ++i) {
        const PlanAdmittance *a = sti_plan_admittance(v->plan, i);
        check_component(v, a->name, &a->kind->info, a->parameters);
    }
    for (int i = 0; i < v->plan->elements.count; ++i) {
        const PlanElement *e = sti_plan_element(v->plan, i);
        check_component(v, e->name, plan_element_info(e), e->parameters);
    }
    check_sources(v);
}

static void check_sizes(const StiPlanCheck *v)
{
    for (int i = 0; i < v->plan->admittances.count; ++i) {
        const PlanAdmittance *a = sti_plan_admittance(v->plan, i);
        const StiAdmittanceKind *kind = a->kind;
        if (kind->size(a->parameters).velocities > 0)
            need(v, a->name, kind->prepare && kind->respond && kind->move,
                 "prepare, respond and move, because it has velocities");
    }
    for (int i = 0; i < v->plan->elements.count; ++i) {
        const PlanElement *e = sti_plan_element(v->plan, i);
        const int dim = e->reaction != NULL ? e->reaction->size(e->parameters).dim : 1;
        if (dim < 1 || dim > STI_REACTION_DIM_MAX)
            sti_report_add(v->report, STI_ERROR, e->name, "dimensions", dim,
                           "a reaction has 1 to %d dimensions", STI_REACTION_DIM_MAX);
    }
}

bool sti_plan_validate(const StiPlan *plan, StiReport *report, StiArena *arena)
{
    const StiPlanCheck v = {.plan = plan, .report = report, .arena = arena};
    const int before = sti_report_error_count(report);
    check_plan(&v);
    check_names(&v);
    const int before_kinds = sti_report_error_count(report);
    check_kinds(&v);
    if (sti_report_error_count(report) == before_kinds) check_components(&v);
    // Each of these stands on what was found sound before it.
    if (sti_report_error_count(report) == before) check_sizes(&v);
    if (sti_report_error_count(report) == before) sti_plan_check_wires(&v);
    if (sti_report_error_count(report) == before) sti_plan_check_constraints(plan, report);
    if (sti_report_error_count(report) == before) sti_plan_check_signals(&v);
    return sti_report_error_count(report) == before && !arena->failed;
}
