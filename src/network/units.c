#include "network/units.h"

#include <string.h>

static const struct {
    const char *line, *turn;
} pairs[] = {
    {"N", "N m"},     {"N/m", "N m/rad"}, {"N s/m", "N m s/rad"}, {"N/s", "N m/s"},
    {"m", "rad"},     {"m/s", "rad/s"},   {"m/s^2", "rad/s^2"},   {"1/m", "1/rad"},
    {"N s", "N m s"}, {"s/m", "s/rad"},   {"kg", "kg m^2"},
};

const char *sti_unit_about_axis(const char *unit)
{
    for (size_t i = 0; unit != NULL && i < sizeof pairs / sizeof pairs[0]; ++i)
        if (strcmp(unit, pairs[i].line) == 0) return pairs[i].turn;
    return unit;
}

bool sti_plan_wire_turns(const StiPlan *plan, const StiWire *wire)
{
    if (wire == NULL || wire->kind == NULL || wire->kind->table_size != sizeof *wire->kind)
        return false;
    if (!wire->kind->coordinates) return wire->kind->is_angular && wire->kind->translations == 0;
    const StiEnd *end = wire->a.body.number > 0 ? &wire->a : &wire->b;
    if (end->body.number < 1 || end->body.number > plan->admittances.count) return false;
    const PlanAdmittance *a = sti_plan_admittance(plan, end->body.number - 1);
    return a->kind != NULL && a->kind->table_size == sizeof *a->kind && a->parameters != NULL &&
           a->kind->is_angular != NULL && a->kind->is_angular(a->parameters, end->place);
}
