#include "network/validate.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "network/inputs.h"
#include "network/contacts.h"

typedef struct Validate {
    const StiPlan *plan;
    StiReport *report;
    StiArena *arena;
    PlanInputs inputs; // known once there are signals to check
} Validate;

static void error(const Validate *v, const char *component, const char *parameter, const char *text)
{
    sti_report_add(v->report, STI_ERROR, component, parameter, NAN, "%s", text);
}

static bool sound_method(const StiMethod *method)
{
    if (method->stages < 1 || method->stages > STI_METHOD_STAGES) return false;
    for (int r = 0; r < method->stages; ++r) {
        if (!isfinite(method->b[r]) || !isfinite(method->c[r])) return false;
        if (!(method->tau[r] >= 0.0) || !isfinite(method->tau[r])) return false;
        for (int j = 0; j < r; ++j)
            if (!isfinite(method->A[r][j])) return false;
    }
    return true;
}

static void check_gravity(const Validate *v)
{
    const StiVec3 gravity = v->plan->gravity;
    const double axes[3] = {gravity.x, gravity.y, gravity.z};
    static const char *const names[3] = {"gravity[0]", "gravity[1]", "gravity[2]"};
    for (int i = 0; i < 3; ++i)
        if (!isfinite(axes[i]))
            sti_report_add(v->report, STI_ERROR, "", names[i], axes[i],
                           "gravity must be finite, for example 0, 0, -9.81 m/s^2");
}

static void check_plan(const Validate *v)
{
    const StiPlan *plan = v->plan;
    if (!(plan->step > 0.0) || !isfinite(plan->step))
        sti_report_add(v->report, STI_ERROR, "", "step", plan->step,
                       "the step must be a finite time above 0 s, for example 1e-3");
    if (!isfinite(plan->start))
        sti_report_add(v->report, STI_ERROR, "", "start", plan->start,
                       "the start must be a finite time, for example 0 s");
    check_gravity(v);
    if (plan->method == NULL)
        error(v, "", "method", "a method is needed, for example rk4");
    else if (!sound_method(plan->method))
        sti_report_add(v->report, STI_ERROR, "", "method", plan->method->stages,
                       "a method has 1 to %d stages, finite numbers and no tau below 0",
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
    return sti_plan_source(plan, i - plan->elements.count)->name;
}

// Functions that belong to a motion or a force have no name of their own.
static void check_names(const Validate *v)
{
    const StiPlan *plan = v->plan;
    const int count = plan->admittances.count + plan->elements.count + plan->sources.count;
    const int named = plan->admittances.count + plan->elements.count;
    StiNames names = {0};
    for (int i = 0; i < count; ++i) {
        const char *name = name_of(plan, i);
        if (i >= named && name[0] == '\0') continue;
        if (!good_name(name))
            error(v, name, "",
                  "a name is a letter, then letters, digits, '_', '-' or '.', below 64 long");
        if (reserved(name))
            error(v, name, "", "t, step, start, gravity and energy are taken; choose another name");
        if (sti_names_put(&names, v->arena, name, i) != i)
            error(v, name, "", "this name is used twice; names are unique among all components");
    }
    if (plan->twin != NULL)
        sti_report_add(v->report, STI_WARNING, "", plan->twin, NAN,
                       "this path leads to parameters of two components; rename one of them");
}

static void need(const Validate *v, const char *name, bool given, const char *what)
{
    if (!given)
        sti_report_add(v->report, STI_ERROR, name, "kind", NAN,
                       "a kind is needed, and it must have %s", what);
}

// move, prepare and respond: needed where there are velocities, which only the parameters can tell.
static void check_kinds(const Validate *v)
{
    for (int i = 0; i < v->plan->admittances.count; ++i) {
        const PlanAdmittance *a = sti_plan_admittance(v->plan, i);
        const StiAdmittanceKind *kind = a->kind;
        need(v, a->name, kind != NULL && kind->size && kind->start && kind->pose && kind->eval,
             "size, start, pose and eval");
    }
    for (int i = 0; i < v->plan->elements.count; ++i) {
        const PlanElement *e = sti_plan_element(v->plan, i);
        const StiWireKind *wire = e->wire.kind;
        if (e->contact) continue;
        if (e->reaction != NULL)
            need(v, e->name, e->reaction->size && e->reaction->resolve, "size and resolve");
        else
            need(v, e->name, e->impedance != NULL && e->impedance->size && e->impedance->eval,
                 "size and eval");
        if (wire != NULL)
            need(v, e->name, wire->size && wire->sense && wire->apply,
                 "a wire's size, sense and apply");
    }
}

static void check_component(const Validate *v, const char *name, const StiInfo *info,
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

static void check_sources(const Validate *v)
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

static void check_components(const Validate *v)
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

int sti_admittance_dim(const StiAdmittanceKind *kind, const StiAdmittanceSize *size)
{
    return kind->prescribed ? size->signals / 2 : size->velocities;
}

static void check_end(const Validate *v, const PlanElement *element, const StiEnd *end,
                      const char *side)
{
    const StiWire *wire = &element->wire;
    if (end->admittance == -1) return;
    if (end->admittance < 0 || end->admittance >= v->plan->admittances.count) {
        sti_report_add(v->report, STI_ERROR, element->name, "wire", end->admittance,
                       "side %s is not a body of this plan; there are %d, counted from 0", side,
                       v->plan->admittances.count);
        return;
    }
    const PlanAdmittance *a = sti_plan_admittance(v->plan, end->admittance);
    const StiAdmittanceSize size = a->kind->size(a->parameters);
    const int dim = sti_admittance_dim(a->kind, &size);
    if (wire->kind->links && (end->place < 0 || end->place >= size.links))
        sti_report_add(v->report, STI_ERROR, element->name, "wire", end->place,
                       "side %s: %s has %d link(s), counted from 0", side, a->name, size.links);
    const int positions = a->kind->prescribed ? dim : size.positions;
    if (!wire->kind->links && (end->place < 0 || end->place + wire->dim > dim))
        sti_report_add(v->report, STI_ERROR, element->name, "wire", end->place,
                       "side %s: %s has %d coordinate(s), and %d from this one on are wanted", side,
                       a->name, dim, wire->dim);
    else if (!wire->kind->links && (end->position < 0 || end->position + wire->dim > positions))
        sti_report_add(v->report, STI_ERROR, element->name, "wire", end->position,
                       "side %s: %s has %d position(s), and %d from this one on are wanted", side,
                       a->name, positions, wire->dim);
}

static void check_wire_size(const Validate *v, const PlanElement *element)
{
    const StiWireSize wire = element->wire.kind->size(&element->wire);
    int positions = 0, velocities = 0;
    if (element->impedance != NULL) {
        const StiImpedanceSize size = element->impedance->size(element->parameters);
        positions = size.positions;
        velocities = size.velocities;
    } else {
        velocities = element->reaction->size(element->parameters).dim;
    }
    if (velocities != wire.velocities || (positions > 0 && positions != wire.positions))
        sti_report_add(
            v->report, STI_ERROR, element->name, "wire", NAN,
            "the element wants %d velocities (and %d positions), the %s wire gives %d (%d)",
            velocities, positions, element->wire.kind->info.name, wire.velocities, wire.positions);
}

// Without a wire an impedance feels no motion: it can only turn signals into signals.
static void check_unwired(const Validate *v, const PlanElement *e)
{
    if (e->reaction != NULL)
        error(v, e->name, "wire", "a reaction needs a wire to a body");
    else if (e->impedance->size(e->parameters).positions > 0)
        error(v, e->name, "wire", "this element looks at positions: it needs a wire to a body");
}

static void check_sizes(const Validate *v)
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

static bool finite_frame(const StiFrame *f)
{
    return isfinite(f->p.x + f->p.y + f->p.z) && isfinite(f->q.w + f->q.x + f->q.y + f->q.z);
}

static void check_geometry(const Validate *v, const PlanElement *element)
{
    const StiWire *wire = &element->wire;
    const StiCheck check = {.report = v->report,
                            .component = element->name,
                            .allow_unphysical = v->plan->allow_unphysical};
    if (wire->dim < 1)
        sti_report_add(v->report, STI_ERROR, element->name, "wire", wire->dim,
                       "a wire has at least 1 axis");
    if (wire->kind->info.check != NULL) wire->kind->info.check(wire, &check);
    if (!finite_frame(&wire->a.frame) || !finite_frame(&wire->b.frame))
        error(v, element->name, "wire",
              "points and frames must be finite, normals must not be zero");
}

static void check_wires(const Validate *v)
{
    for (int i = 0; i < v->plan->elements.count; ++i) {
        const PlanElement *e = sti_plan_element(v->plan, i);
        if (e->contact) {
            sti_contact_check_bodies(v->plan, e, v->report);
            continue;
        }
        if (e->wire.kind == NULL) {
            check_unwired(v, e);
            continue;
        }
        const int errors = sti_report_error_count(v->report);
        if (e->wire.a.admittance == -1)
            error(v, e->name, "wire", "side a must be a body, not the ground");
        check_geometry(v, e);
        check_end(v, e, &e->wire.a, "a");
        check_end(v, e, &e->wire.b, "b");
        if (sti_report_error_count(v->report) == errors) check_wire_size(v, e);
    }
}

static void target_of(const StiPlan *plan, const PlanConnection *c, const char **name, int *inputs)
{
    *name = "";
    *inputs = 0;
    if (c->to_admittance && c->component >= 0 && c->component < plan->admittances.count) {
        const PlanAdmittance *a = sti_plan_admittance(plan, c->component);
        *name = a->name;
        *inputs = a->kind->size(a->parameters).signals;
    } else if (!c->to_admittance && c->component >= 0 && c->component < plan->elements.count) {
        const PlanElement *e = sti_plan_element(plan, c->component);
        *name = e->name;
        *inputs = e->contact            ? 0
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
    case STI_SIGNAL_FORCE: {
        if (i < 0 || i >= plan->elements.count) return 0;
        const PlanElement *e = sti_plan_element(plan, i);
        return e->impedance != NULL ? e->impedance->size(e->parameters).velocities : 0;
    }
    }
    return 0;
}

static void check_connection(const Validate *v, int number)
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
    if (!isfinite(c->signal.gain)) error(v, name, "signal", "the gain must be finite");
    if (c->to_admittance && c->signal.type != STI_SIGNAL_SOURCE)
        error(v, name, "signal", "a body listens to time functions and inputs only");
}

static void check_connected(const Validate *v, bool admittance, int component)
{
    const PlanConnection any = {.to_admittance = admittance, .component = component};
    const char *name;
    int inputs, count;
    target_of(v->plan, &any, &name, &inputs);
    const int *connections = sti_inputs_of(&v->inputs, admittance, component, &count);
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

static void check_signals(Validate *v)
{
    if (!sti_plan_inputs(v->plan, v->arena, &v->inputs)) return;
    for (int i = 0; i < v->plan->connections.count; ++i) check_connection(v, i);
    for (int i = 0; i < v->plan->admittances.count; ++i) check_connected(v, true, i);
    for (int i = 0; i < v->plan->elements.count; ++i) check_connected(v, false, i);
}

bool sti_plan_validate(const StiPlan *plan, StiReport *report, StiArena *arena)
{
    Validate v = {.plan = plan, .report = report, .arena = arena};
    const int before = sti_report_error_count(report);
    check_plan(&v);
    check_names(&v);
    const int before_kinds = sti_report_error_count(report);
    check_kinds(&v);
    if (sti_report_error_count(report) == before_kinds) check_components(&v);
    // Each of these stands on what was found sound before it.
    if (sti_report_error_count(report) == before) check_sizes(&v);
    if (sti_report_error_count(report) == before) check_wires(&v);
    if (sti_report_error_count(report) == before) check_signals(&v);
    return sti_report_error_count(report) == before && !arena->failed;
}
