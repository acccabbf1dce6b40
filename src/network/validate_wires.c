// Wires of a plan: their ends, their geometry, and whether they fit what hangs on them.
#include <math.h>

#include "network/contacts.h"
#include "network/validate.h"

static void error(const StiPlanCheck *v, const PlanElement *element, const char *text)
{
    sti_report_add(v->report, STI_ERROR, element->name, "wire", NAN, "%s", text);
}

int sti_admittance_dim(const StiAdmittanceKind *kind, const StiAdmittanceSize *size)
{
    return kind->prescribed ? size->signals / 2 : size->velocities;
}

static void check_end(const StiPlanCheck *v, const PlanElement *element, const StiEnd *end,
                      const char *side)
{
    const StiWire *wire = &element->wire;
    const int number = end->body.number;
    if (number == STI_GROUND.number) return;
    if (number < 1 || number > v->plan->admittances.count) {
        sti_report_add(v->report, STI_ERROR, element->name, "wire", number,
                       "side %s is not a body of this plan; there are %d, counted from 1, and 0 is "
                       "an id that was never set",
                       side, v->plan->admittances.count);
        return;
    }
    const PlanAdmittance *a = sti_plan_admittance(v->plan, number - 1);
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

static void check_wire_size(const StiPlanCheck *v, const PlanElement *element)
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
static void check_unwired(const StiPlanCheck *v, const PlanElement *e)
{
    if (e->reaction != NULL)
        error(v, e, "a reaction needs a wire to a body");
    else if (e->impedance->size(e->parameters).positions > 0)
        error(v, e, "this element looks at positions: it needs a wire to a body");
}

static bool finite_frame(const StiFrame *f)
{
    return isfinite(f->p.x + f->p.y + f->p.z) && isfinite(f->q.w + f->q.x + f->q.y + f->q.z);
}

static void check_geometry(const StiPlanCheck *v, const PlanElement *element)
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
        error(v, element, "points and frames must be finite, normals must not be zero");
}

void sti_plan_check_wires(const StiPlanCheck *v)
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
        if (e->wire.a.body.number == STI_GROUND.number)
            error(v, e, "side a must be a body, not the ground");
        check_geometry(v, e);
        check_end(v, e, &e->wire.a, "a");
        check_end(v, e, &e->wire.b, "b");
        if (sti_report_error_count(v->report) == errors) check_wire_size(v, e);
    }
}
